// The end of a game: the places, and another game of the same kind.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Refusal, refusalOf } from "../api/client";
import { Trouble } from "../form/notes";
import { maybe, t } from "../i18n";
import { create, type Player } from "./create";
import type { Session } from "./session";
import { Sign } from "./Seats";
import { playerName } from "./words";

interface Props {
  session: Session;
  /** Whether the game was in play on this page. */
  hasPlayed: boolean;
}

export function Over({ session, hasPlayed }: Props): JSX.Element | null {
  const [trouble, setTrouble] = useState<Refusal>();
  const head = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone, so people who play by keyboard or hear the page go on here.
  useLayoutEffect(() => {
    if (hasPlayed && document.activeElement === document.body) head.current?.focus();
  }, []);
  const game = session.game.value;
  const layout = session.layout.value;
  if (!game || !layout) return null;
  const names = { game, rules: session.rules.value, layout };
  const order = layout.seats.map((seat) => seat.seat);
  const kept = session.kept.value;
  const again = async (): Promise<void> => {
    const players: Record<string, Player> = {};
    for (const seat of game.seats) {
      players[seat.seat] = seat.robot
        ? seat.robot === "random"
          ? "easy"
          : "robot"
        : kept && seat.seat in kept.seats
          ? "me"
          : "invited";
    }
    const changed = session.rules.value?.options.filter((option) => game.options[option.name] !== option.default) ?? [];
    try {
      await create({
        ruleSet: game.rule_set.id,
        version: game.rule_set.version,
        title: session.rules.value?.title ?? game.rule_set.id,
        players,
        options: Object.fromEntries(changed.map((option) => [option.name, game.options[option.name]!])),
      });
    } catch (error) {
      setTrouble(refusalOf(error));
    }
  };
  return (
    <section class="over" aria-labelledby="over">
      <h2 id="over" ref={head} tabIndex={-1}>
        {t("game_over")}
      </h2>
      {game.ended_by && game.ended_by !== "rules" && <p>{maybe(`ended_by_${game.ended_by}`)}</p>}
      <ol class="ranking">
        {game.ranking.map((rank) => {
          const seat = game.seats.find((one) => one.seat === rank.seat);
          return (
            <li key={rank.seat} class={rank.place === 1 ? "first" : ""}>
              <span class="place">{rank.place}</span>
              <Sign seat={rank.seat} paint={seat?.paint ?? "#888888"} order={order} />
              <b>{playerName(rank.seat, names)}</b>
            </li>
          );
        })}
      </ol>
      <Trouble trouble={trouble} />
      {game.table && (
        <a class="button primary" href={`/tables/${game.table}`}>
          {t("back_to_table")}
        </a>
      )}
      {game.tournament && (
        <a class="button primary" href={`/tournaments/${game.tournament}`}>
          {t("back_to_tournament")}
        </a>
      )}
      {kept && !game.table && !game.tournament && (
        <button class="primary" onClick={() => void again()}>
          {t("again")}
        </button>
      )}
      <a class="button" href={`/watch/${game.id}`}>
        {t("step_through")}
      </a>
    </section>
  );
}
