// The panel of actions: the button to throw, the legal actions as buttons, or a note that another player decides.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LegalAction } from "../api/types";
import { Connection, Trouble } from "../form/notes";
import { t } from "../i18n";
import { Die, Hand } from "./Dice";
import type { Session } from "./session";
import { actionLabel, actionText, decider, playerName } from "./words";

interface Props {
  session: Session;
  selected: string | undefined;
  why: string[];
  onSelect: (pawn: string | undefined) => void;
  onWay: (action: LegalAction | undefined) => void;
}

export function Actions({ session, selected, why, onSelect, onWay }: Props): JSX.Element | null {
  const game = session.game.value;
  const layout = session.layout.value;
  const panel = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  const [all, setAll] = useState(false);
  const names = { game, rules: session.rules.value, layout };
  const open = !session.busy.value && !session.animating.value;
  const canThrow = session.mine.value && open && game?.awaits === "throw";
  const legal = session.mine.value && open ? session.legal.value?.legal : undefined;
  const chosen = selected ? legal?.filter((action) => action.pawns.includes(selected)) : undefined;
  // Actions that move no pawn are listed in any case.
  const others = legal?.filter((action) => action.kind !== "move") ?? [];
  const listed =
    chosen && chosen.length > 0 && !all ? [...chosen, ...others.filter((one) => !chosen.includes(one))] : legal;

  // The buttons change with every decision. If the focus was in this panel, it moves to the new first button: in a
  // layout effect, so that the new buttons and the focus are drawn in one frame.
  const version = game?.version;
  useLayoutEffect(() => {
    if (!panel.current || !hadFocus.current || !(canThrow || legal)) return;
    const focus = document.activeElement;
    if (focus && focus !== document.body && focus !== panel.current) return;
    panel.current.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  }, [version, canThrow, Boolean(legal)]);

  // A layout effect, so that a key that is pressed right after the buttons appear already acts on them.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target as Element | null;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target?.closest("input, select, textarea, button, a, [role=button]")
      ) {
        if (!/^[1-9]$/.test(event.key) || target?.closest("input, select, textarea")) return;
      }
      if ((event.key === " " || event.key === "Enter" || event.key === "t") && canThrow) {
        event.preventDefault();
        hadFocus.current = true;
        void session.throwDice();
      } else if (/^[1-9]$/.test(event.key) && listed?.[Number(event.key) - 1]) {
        hadFocus.current = true;
        void session.play(listed[Number(event.key) - 1]!.action);
      } else if (event.key === "Escape") onSelect(undefined);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  if (!game || !layout) return null;
  const trouble = session.trouble.value;
  const play = (action: LegalAction): void => {
    onWay(undefined);
    void session.play(action.action);
  };
  return (
    <section
      class="actions"
      ref={panel}
      aria-label={t("your_turn")}
      tabIndex={-1}
      onFocusIn={() => (hadFocus.current = true)}
      onPointerDown={() => (hadFocus.current = false)}
    >
      <div class="turn">
        <p class="whose" aria-live="polite">
          {game.status === "finished" ? (
            <b>{t("game_over")}</b>
          ) : session.mine.value ? (
            <b>{t(game.awaits === "throw" ? "turn_throw" : "turn_move", { seat: playerName(decider(game), names) })}</b>
          ) : (
            <span>{t("turn_of", { seat: playerName(decider(game), names) })}</span>
          )}
        </p>
        <Hand game={game} layout={layout} rolling={session.rolling.value} />
      </div>
      <Connection online={session.online.value} />
      <Trouble trouble={trouble} />
      {why.length > 0 && (
        <div class="note" role="status">
          <b>{t("why_not")}</b>
          <ul>
            {why.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {canThrow &&
        (game.dice === "players" ? (
          <TypedThrow session={session} />
        ) : (
          <button class="primary throw" onClick={() => void session.throwDice()}>
            {t("throw")} <kbd>␣</kbd>
          </button>
        ))}
      {listed && (
        <>
          {listed.length > 1 && <p class="hint">{t(selected && chosen?.length ? "hint_target" : "hint_pawn")}</p>}
          <ul class="choices">
            {listed.map((action, index) => (
              <li key={action.action}>
                <button
                  class={action.captured.length > 0 ? "captures" : ""}
                  data-action={action.action}
                  title={action.text ?? ""}
                  onClick={() => play(action)}
                  onPointerEnter={() => onWay(action)}
                  onPointerLeave={() => onWay(undefined)}
                  onFocus={() => onWay(action)}
                  onBlur={() => onWay(undefined)}
                >
                  <span class="unseen">{actionLabel(action, names)}</span>
                  {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
                  {action.movers.length > 1 && (
                    <span class="count" aria-hidden="true">
                      {action.movers.length}×
                    </span>
                  )}
                  <span class="what" aria-hidden="true">
                    {actionText(action, names)}
                  </span>
                  {action.captured.length > 0 && (
                    <span class="cut" aria-hidden="true">
                      ✕
                    </span>
                  )}
                  <span class="spends" aria-hidden="true">
                    {action.spends.map((number, at) => (
                      <Die key={at} text={number} pips={layout.dice.kind === "faces" && /^\d$/.test(number)} />
                    ))}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {chosen && chosen.length > 0 && legal && (all || listed.length < legal.length) && (
            <button class="quiet" onClick={() => (all ? setAll(false) : onSelect(undefined))}>
              {t("all_actions")}
            </button>
          )}
          {session.legal.value?.legal_complete === false && <p class="hint">{t("not_complete")}</p>}
        </>
      )}
    </section>
  );
}

function TypedThrow({ session }: { session: Session }): JSX.Element {
  const [text, setText] = useState("");
  const dice = session.layout.value?.dice;
  const example =
    dice?.kind === "faces"
      ? Array.from({ length: dice.count }, (_, k) => dice.faces[k % dice.faces.length]).join("+")
      : "4";
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault();
        void session.throwDice(text.trim());
        setText("");
      }}
    >
      <label>
        {t("type_throw")}
        <input
          value={text}
          placeholder={example}
          required
          maxLength={40}
          inputMode="text"
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button class="primary">{t("throw_done")}</button>
    </form>
  );
}
