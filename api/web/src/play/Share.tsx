// The panel beside a game: the link for watchers, and the buttons to resign and to agree to end the game.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import type { Session } from "./session";
import { decider } from "./words";

export function Share({ session }: { session: Session }): JSX.Element | null {
  const [sure, setSure] = useState(false);
  const game = session.game.value;
  const kept = session.kept.value;
  if (!game) return null;
  const seat = game.seats.find((one) => kept && one.seat in kept.seats && !one.robot)?.seat;
  // Ending early is agreed between people. At a table they vote instead, and against robots resigning is enough.
  const people = game.seats.filter((one) => !one.robot && !one.gave_up).length;
  const agrees = game.seats.find((one) => one.seat === seat)?.agrees_to;
  const proposed = game.seats.some((one) => one.agrees_to === "end" && one.seat !== seat);
  const agree = (to: "end" | "play"): void => void session.post("agreements", { to }, session.tokenOf(seat));
  return (
    <footer class="share">
      <a href={`/watch/${game.id}`}>{t("watch")}</a>
      {game.status === "playing" && seat && !game.hot_seat && !game.table && people > 1 && (
        <button
          class={proposed && agrees !== "end" ? "" : "quiet"}
          data-agree={agrees === "end" ? "play" : "end"}
          onClick={() => agree(agrees === "end" ? "play" : "end")}
        >
          {t(agrees === "end" ? "take_back_proposal" : proposed ? "agree_to_end" : "propose_end")}
        </button>
      )}
      {game.status === "playing" && kept && seat && (
        <button
          class="quiet"
          onBlur={() => setSure(false)}
          onClick={() => {
            if (!sure) return setSure(true);
            setSure(false);
            void session.post(
              "resignations",
              game.hot_seat ? { seat: session.mine.value ? decider(game) : seat } : {},
              session.tokenOf(seat),
            );
          }}
        >
          {t(sure ? "resign_sure" : "resign")}
        </button>
      )}
    </footer>
  );
}
