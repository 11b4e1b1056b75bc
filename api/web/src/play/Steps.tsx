// For watchers: step through the game, back and forth, by buttons, by the slider or by arrow keys.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Connection, Trouble } from "../form/notes";
import { t } from "../i18n";
import { Hand } from "./Dice";
import type { Session } from "./session";
import { decider, playerName } from "./words";

const BEAT = 900;

export function Steps({ session }: { session: Session }): JSX.Element | null {
  const [running, setRunning] = useState(false);
  const game = session.game.value;
  const layout = session.layout.value;
  const steps = session.steps.value;
  const at = session.at.value ?? steps;
  const live = session.at.value === undefined;
  const go = (step: number): void => {
    const isNow = step >= steps && game?.status !== "finished";
    void session.stepTo(isNow ? undefined : Math.max(0, Math.min(step, steps)));
  };
  useEffect(() => {
    if (!running) return;
    if (at >= steps) {
      setRunning(false);
      return;
    }
    const timer = setTimeout(() => go(at + 1), BEAT);
    return () => clearTimeout(timer);
  }, [running, at, steps]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.target as Element | null)?.closest("input, select, textarea")) return;
      if (event.key === "ArrowLeft") go(at - 1);
      else if (event.key === "ArrowRight") go(at + 1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  if (!game || !layout) return null;
  const names = { game, rules: session.rules.value, layout };
  return (
    <section class="actions steps" aria-label={t("steps")}>
      <div class="turn">
        <p class="whose">
          {game.status === "finished" && at >= steps ? (
            <b>{t("game_over")}</b>
          ) : (
            <span>{t("turn_of", { seat: playerName(decider(game), names) })}</span>
          )}
          {live && game.status === "playing" && <small> · {t("live")}</small>}
        </p>
        <Hand game={game} layout={layout} rolling={session.rolling.value} />
      </div>
      <Connection online={session.online.value} />
      <Trouble trouble={session.trouble.value} />
      <div class="row">
        <button aria-label={t("step_first")} onClick={() => go(0)}>
          |◀
        </button>
        <button aria-label={t("step_back")} onClick={() => go(at - 1)}>
          ‹
        </button>
        <button aria-label={t(running ? "step_pause" : "step_play")} onClick={() => setRunning(!running)}>
          {running ? "❚❚" : "▶"}
        </button>
        <button aria-label={t("step_on")} onClick={() => go(at + 1)}>
          ›
        </button>
        <button aria-label={t("step_last")} onClick={() => go(steps)}>
          ▶|
        </button>
        <span class="facts" data-step={at}>
          {at} / {steps}
        </span>
      </div>
      <input
        type="range"
        aria-label={t("steps")}
        min={0}
        max={steps}
        value={at}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </section>
  );
}
