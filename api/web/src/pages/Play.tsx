// The page of one game: `/play/{game}`, and `/watch/{game}`, which sends no commands.
import type { JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { read } from "../api/client";
import type { Legal, LegalAction } from "../api/types";
import { Board, type Target } from "../board/Board";
import { Unopened } from "../form/notes";
import { language, t } from "../i18n";
import { Actions } from "../play/Actions";
import { playerOf } from "../play/colours";
import { Join } from "../play/Join";
import { Over } from "../play/Over";
import { Proof } from "../play/Proof";
import { Seats } from "../play/Seats";
import { Session } from "../play/session";
import { setSpeed, speed } from "../play/speed";
import { Stakes } from "../play/Stakes";
import { Steps } from "../play/Steps";
import { Story } from "../play/Story";
import { Share } from "../play/Share";
import { numberText } from "../play/Dice";
import { actionLabel, decider, placeName, playerName, seatName } from "../play/words";

const AtTable = lazy(() => import("../tables/AtTable").then((module) => module.AtTable));

export function Play({ id, watching }: { id: string; watching: boolean }): JSX.Element {
  const session = useMemo(() => new Session(id), [id]);
  useEffect(() => {
    void session.open(watching);
    return () => session.close();
  }, [session, watching]);
  useEffect(() => {
    const game = session.game.peek();
    if (game) void session.readRules(game).catch(() => undefined);
  }, [language.value, session]);

  const game = session.game.value;
  const layout = session.layout.value;
  const hasPlayed = useRef(false);
  if (game?.status === "playing") hasPlayed.current = true;
  const [{ tapped, way, why }, note] = useNotes(game?.version);
  const select = useCallback((pawn: string | undefined) => note({ tapped: pawn }), [note]);
  const showWay = useCallback((action: LegalAction | undefined) => note({ way: action }), [note]);

  const fatal = session.fatal.value;
  if (fatal) return <Unopened title={t("no_game")} trouble={fatal} to="/" toText={t("to_games")} />;
  if (!game || !layout)
    return (
      <main class="plain">
        <p aria-busy="true">{t("loading")}</p>
      </main>
    );

  const names = { game, rules: session.rules.value, layout };
  const open = !session.busy.value && !session.animating.value && session.mine.value;
  // If all moves belong to one pawn or one group of equal pawns, its targets are shown without a press on the pawn.
  const legal = open ? (session.legal.value?.legal ?? []) : [];
  const moves = legal.filter((action) => action.kind === "move");
  const movable = new Set(moves.flatMap((action) => action.pawns));
  const groups = new Set(moves.map((action) => action.pawns.join()));
  const selected = tapped ?? (groups.size === 1 ? moves[0]?.pawns[0] : undefined);
  const moverSeat = game.moves ?? decider(game);
  const askable = new Set(
    open && game.awaits === "action"
      ? session.pawns.value.filter((pawn) => playerOf(pawn.seat, layout) === moverSeat).map((pawn) => pawn.id)
      : [],
  );
  const targets: Target[] = targetsOf(moves.filter((action) => selected && action.pawns.includes(selected))).map(
    ({ actions, place }) => ({
      action: actions[0]!.action,
      seat: seatOf(actions[0]!, moverSeat),
      place,
      path: actions[0]!.path,
      text: `${actions[0]!.movers.length > 1 ? `${actions[0]!.movers.length}×` : ""}${actions[0]!.spends.map(numberText).join("+")}`,
      label: actions.map((action) => actionLabel(action, names)).join("; "),
      captures: actions.some((action) => action.captured.length > 0),
      play: () => void session.play(actions[0]!.action),
    }),
  );

  const onPawn = (pawn: string): void => {
    if (movable.has(pawn)) return note({ tapped: selected === pawn ? undefined : pawn, why: [] });
    note({ tapped: undefined, why: [] });
    void explain(session, pawn).then(
      (lines) => note({ why: lines }),
      () => undefined,
    );
  };

  return (
    <main class="play">
      <div class="table">
        <h1 class="unseen">{session.rules.value?.title}</h1>
        <Board
          layout={layout}
          label={t("board_of", { game: session.rules.value?.title ?? "" })}
          pawns={session.pawns.value}
          movable={movable}
          askable={askable}
          selected={selected}
          targets={targets}
          way={way && way.from ? { seat: seatOf(way, moverSeat), from: way.from, path: way.path } : undefined}
          labels={
            (session.mine.value ? moverSeat : undefined) ??
            myFirst(session) ??
            layout.seats.find((seat) => seat.plays)?.seat
          }
          due={decider(game)}
          moving={session.moving.value}
          onPawn={onPawn}
          pawnLabel={(pawn) =>
            t("pawn_label", {
              seat: seatName(pawn.seat, names),
              place: placeName(pawn.place, names),
              count: moves.filter((action) => action.pawns.includes(pawn.id)).length,
            })
          }
        />
      </div>
      <aside class="side">
        <header class="about">
          {game.tournament && <a href={`/tournaments/${game.tournament}`}>{t("back_to_tournament")}</a>}
          <h2 dir="auto">{game.title ?? session.rules.value?.title}</h2>
          <a href={`/rules/${game.rule_set.id}`}>{t("rules")}</a>
          <label class="speed">
            <span class="unseen">{t("speed")}</span>
            <select value={String(speed.value)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
              <option value="1.6">{t("speed_slow")}</option>
              <option value="1">{t("speed_normal")}</option>
              <option value="0.45">{t("speed_fast")}</option>
              <option value="0">{t("speed_none")}</option>
            </select>
          </label>
        </header>
        <Seats session={session} />
        <Stakes session={session} />
        {game.status === "open" && <Join session={session} />}
        {game.status === "playing" && !watching && (
          <Actions session={session} selected={selected} why={why} onSelect={select} onWay={showWay} />
        )}
        {watching && <Steps session={session} />}
        {!watching && game.status === "finished" && !session.animating.value && (
          <Over session={session} hasPlayed={hasPlayed.current} />
        )}
        {game.table && (
          <Suspense fallback={null}>
            <AtTable id={game.table} game={game.id} />
          </Suspense>
        )}
        <Story session={session} />
        {watching && <Proof session={session} />}
        {!watching && <Share session={session} />}
        <p class="unseen" role="status">
          {game.turn ? t("turn_of", { seat: playerName(decider(game), names) }) : ""}
        </p>
      </aside>
    </main>
  );
}

/** What the reader has asked about one state of the game. */
interface Notes {
  /** The pawn that the reader has chosen. */
  tapped?: string | undefined;
  /** The action whose path is drawn. */
  way?: LegalAction | undefined;
  /** The reasons why a pawn cannot move. */
  why: string[];
}

const NO_NOTES: Notes = { why: [] };

/** The notes about this version of the game, and a function that changes them. Another version begins without notes. */
function useNotes(version: number | undefined): [Notes, (more: Partial<Notes>) => void] {
  const [kept, setKept] = useState({ version, notes: NO_NOTES });
  const newest = useRef(version);
  newest.current = version;
  const note = useCallback(
    (more: Partial<Notes>): void => {
      if (newest.current !== version) return;
      setKept((before) => {
        const notes = before.version === version ? before.notes : NO_NOTES;
        const isNew = (Object.keys(more) as (keyof Notes)[]).some((key) => more[key] !== notes[key]);
        return isNew ? { version, notes: { ...notes, ...more } } : before;
      });
    },
    [version],
  );
  return [kept.version === version ? kept.notes : NO_NOTES, note];
}

const seatOf = (action: LegalAction, otherwise: string | undefined): string =>
  action.movers[0]?.replace(/-\d+$/, "") ?? action.pawns[0]?.replace(/-\d+$/, "") ?? otherwise ?? "";

const myFirst = (session: Session): string | undefined => {
  const kept = session.kept.value;
  return kept && session.game.value?.seats.find((seat) => seat.seat in kept.seats)?.seat;
};

/** The moves with the places where they end. Several moves to the same place have a marker each. */
function targetsOf(moves: LegalAction[]): { place: string; actions: LegalAction[] }[] {
  return moves.filter((action) => action.to).map((action) => ({ place: action.to!, actions: [action] }));
}

/** The reasons why a pawn cannot move, each with the numbers of the hand that it is about. At most six. */
async function explain(session: Session, pawn: string): Promise<string[]> {
  const legal = await read<Legal>(`/v1/games/${session.id}/legal?explain=all`, session.token);
  const lines = (legal.attempts ?? [])
    .filter((attempt) => attempt.reason && attempt.pawns.includes(pawn))
    .map((attempt) => `${attempt.spends.map(numberText).join(" + ")}: ${attempt.reason!.detail.replace(/`/g, "")}`);
  return lines.length > 0 ? [...new Set(lines)].slice(0, 6) : [t("no_reason")];
}
