// The open vote of a table, and the buttons that open one.
import type { JSX } from "preact";
import { t } from "../i18n";
import { player } from "../player";
import { useSecondsTo } from "../play/clock";
import type { TableSession } from "./session";

export function Voting({ session }: { session: TableSession }): JSX.Element | null {
  const table = session.table.value;
  const left = useSecondsTo(table?.vote?.deadline);
  if (!table) return null;
  const me = player.value?.id ?? "";
  const { vote, game } = table;
  if (vote) {
    const may = vote.on === "end" ? Boolean(session.gameSeat.value) : Boolean(session.seat.value);
    const voters = vote.on === "end" ? (game?.players ?? []) : table.seats.filter((seat) => seat.player);
    const agreed = voters
      .filter((one) => one.player && vote.agreed.includes(one.player))
      .map((one) => one.name ?? one.seat);
    const cast = (agree: boolean): void => void session.command("POST", "votes/current", { agree });
    return (
      <section class="box vote" role="status" aria-label={t("vote")}>
        <p>
          <b>{t(vote.on === "end" ? "vote_end" : "vote_next_game")}</b>{" "}
          {left !== undefined && <small class="facts">{t("seconds_left", { seconds: left })}</small>}
        </p>
        <p class="facts">{t("vote_agreed", { names: agreed.join(", ") })}</p>
        {may && !vote.agreed.includes(me) && (
          <p class="row">
            <button class="primary" data-vote="yes" disabled={session.busy.value} onClick={() => cast(true)}>
              {t("agree")}
            </button>
            <button data-vote="no" disabled={session.busy.value} onClick={() => cast(false)}>
              {t("refuse")}
            </button>
          </p>
        )}
      </section>
    );
  }
  const open = (on: "end" | "next_game"): void => void session.command("POST", "votes", { on });
  if (game?.amicable_end && session.gameSeat.value) {
    return (
      <p>
        <button class="quiet" data-propose="end" disabled={session.busy.value} onClick={() => open("end")}>
          {t("propose_end")}
        </button>
      </p>
    );
  }
  const canPropose = !game && session.seat.value && !session.isMaster.value && table.past_games.length > 0;
  if (!canPropose) return null;
  return (
    <p>
      <button data-propose="next_game" disabled={session.busy.value} onClick={() => open("next_game")}>
        {t("propose_next_game")}
      </button>
    </p>
  );
}
