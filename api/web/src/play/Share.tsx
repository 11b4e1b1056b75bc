// The panel beside a game: the link to the record, the link for watchers, and the button to resign.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import type { Session } from "./session";

export function Share({ session }: { session: Session }): JSX.Element | null {
  const [sure, setSure] = useState(false);
  const game = session.game.value;
  const kept = session.kept.value;
  if (!game) return null;
  const seat = game.seats.find((one) => kept && one.seat in kept.seats && !kept.robots.includes(one.seat))?.seat;
  return (
    <footer class="share">
      <a href={`/watch/${game.id}`}>{t("watch")}</a>
      {game.status === "playing" && kept && seat && (
        <button
          class="quiet"
          onBlur={() => setSure(false)}
          onClick={() => {
            if (!sure) return setSure(true);
            setSure(false);
            void session.post("resignations", game.hot_seat ? { seat: session.mine.value ? game.turn : seat } : {}, kept.seats[seat]);
          }}
        >
          {t(sure ? "resign_sure" : "resign")}
        </button>
      )}
    </footer>
  );
}
