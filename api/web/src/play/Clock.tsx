// The time that is left for a decision, and what happens when it is over.
import type { JSX } from "preact";
import { t } from "../i18n";
import { useSeconds } from "./clock";
import type { Session } from "./session";

/** When this number of seconds is left, the clock is marked, and the player is warned. */
const SHORT = 10;

export function Clock({ session }: { session: Session }): JSX.Element | null {
  const game = session.game.value;
  const clock = session.clock.value;
  const isFor = clock && game && game.turn_timer && game.status === "playing" && session.at.value === undefined;
  const left = useSeconds(isFor ? clock.end : undefined, isFor ? clock.end : undefined);
  if (!isFor || left === undefined) return null;
  const mine = session.mine.value;
  return (
    <>
      <span
        class={`clock${left <= SHORT ? " short" : ""}`}
        role="timer"
        aria-label={t("seconds_left", { seconds: left })}
        data-seconds={left}
      >
        {timeOf(left)}
      </span>
      {mine && left <= SHORT && left > 0 && (
        <span class="unseen" role="alert">
          {t("hurry")}
        </span>
      )}
      {left === 0 && (
        <small class="over-time" role="status">
          {t(lateKey(game.turn_timer!.then ?? "random"))}
        </small>
      )}
    </>
  );
}

/** The text that says how the service plays a late turn: at random, the first action, or by a robot. */
function lateKey(then: string): "late_random" | "late_first" | "late_robot" {
  if (then === "first") return "late_first";
  return then === "random" ? "late_random" : "late_robot";
}

/** Seconds as minutes and seconds, or as hours, minutes and seconds. */
export function timeOf(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
