// The games of a table: the one in play, and those that are over.
import type { JSX } from "preact";
import { language, maybe, t } from "../i18n";
import { seatName } from "../play/words";
import { gainText, stakesText } from "./chips";
import type { TableSession } from "./session";

/** The game in play, or the button that starts the next one. */
export function CurrentGame({ session }: { session: TableSession }): JSX.Element | null {
  const table = session.table.value;
  if (!table || table.status === "closed") return null;
  if (table.game) {
    return (
      <p class="row">
        <a
          class="button primary"
          data-game={table.game.id}
          href={`/${session.gameSeat.value ? "play" : "watch"}/${table.game.id}`}
        >
          {t(session.gameSeat.value ? "to_game" : "watch_game", { number: table.game.number })}
        </a>
        {table.game.stakes && <small class="facts">{stakesText(table.game.stakes.bet, table.game.stakes.pot)}</small>}
      </p>
    );
  }
  if (session.isMaster.value) {
    const free = table.seats.some((seat) => !seat.taken);
    return (
      <p class="row">
        <button
          class="primary"
          data-start
          disabled={session.busy.value}
          onClick={() => void session.start()}
        >
          {t(table.past_games.length > 0 ? "next_game" : "start_game")}
        </button>
        {free && <small class="facts">{t("start_with_free_seats")}</small>}
      </p>
    );
  }
  return <p class="facts">{t("master_starts")}</p>;
}

/** The games that are over, newest first, with the places of their players. */
export function PastGames({ session }: { session: TableSession }): JSX.Element | null {
  const games = session.table.value?.past_games ?? [];
  if (games.length === 0) return null;
  const names = { rules: session.rules.value, layout: session.layout.value };
  return (
    <section class="box past" aria-labelledby="past">
      <h2 id="past">{t("past_games")}</h2>
      <ol>
        {games.map((game) => (
          <li key={game.id}>
            <a href={`/watch/${game.id}`}>{t("game_number", { number: game.number })}</a>{" "}
            <small class="facts">
              {new Date(game.ended_at).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" })}
            </small>
            <p dir="auto">
              {game.players
                .map((one) => {
                  const gain = gainText(one);
                  const who = `${one.place ? `${one.place}. ` : ""}${one.name ?? seatName(one.seat, names)}`;
                  return gain ? `${who} (${gain})` : who;
                })
                .join(" · ")}
            </p>
            {game.ended_by && game.ended_by !== "rules" && <p class="facts">{maybe(`ended_by_${game.ended_by}`)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
