// The rounds of a tournament: who meets whom and why, the games with links to watch them, and the results.
import type { JSX } from "preact";
import type { Round } from "../api/types";
import { t } from "../i18n";
import { GiveResult } from "./GiveResult";
import type { TournamentSession } from "./session";

type RoundTable = Round["tables"][number];

export function Rounds({ session }: { session: TournamentSession }): JSX.Element | null {
  const tournament = session.tournament.value;
  const round = session.round.value;
  if (!tournament || !round) return null;
  const nameOf = (number: number): string =>
    tournament.entrants.find((one) => one.number === number)?.name ?? `#${number}`;
  const newest = tournament.rounds.at(-1)!.round;
  return (
    <section class="box rounds" aria-labelledby="rounds">
      <h2 id="rounds">{t("round_number", { round: round.round })}</h2>
      {tournament.rounds.length > 1 && (
        <label class="row">
          {t("round")}
          <select
            value={round.round}
            onChange={(event) => {
              const chosen = Number(event.currentTarget.value);
              void session.choose(chosen === newest ? undefined : chosen);
            }}
          >
            {tournament.rounds.map((one) => (
              <option key={one.round} value={one.round}>{`${one.round} (${one.results}/${one.tables})`}</option>
            ))}
          </select>
        </label>
      )}
      <ol class="pairings">
        {round.tables.map((table) => (
          <TableOfRound key={table.table} session={session} round={round.round} table={table} nameOf={nameOf} />
        ))}
      </ol>
      {round.byes.length > 0 && (
        <ul class="byes">
          {round.byes.map((bye) => (
            <li key={bye.entrant}>
              <b dir="auto">{nameOf(bye.entrant)}</b> {t("has_bye")} <span class="facts">{bye.why}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface TableProps {
  session: TournamentSession;
  round: number;
  table: RoundTable;
  nameOf: (number: number) => string;
}

function TableOfRound({ session, round, table, nameOf }: TableProps): JSX.Element {
  const places = new Map(table.result?.seats.map((seat) => [seat.entrant, seat]));
  return (
    <li data-round-table={table.table}>
      <div class="row spread">
        <span class="facts">{t("table_number", { number: table.table })}</span>
        <span class="row">
          {table.games.map((game, index) =>
            game.status === "planned" ? (
              <span key={game.id} class="facts">
                {t("game_planned")}
              </span>
            ) : (
              <a key={game.id} data-watch={game.id} href={`/watch/${game.id}`}>
                {t(game.status === "playing" ? "watch_live" : "look_back")}
                {table.games.length > 1 ? ` ${index + 1}` : ""}
              </a>
            ),
          )}
        </span>
      </div>
      <ol class="players">
        {table.entrants.map((number) => {
          const result = places.get(number);
          return (
            <li key={number} class={result?.place === 1 ? "won" : ""}>
              <span dir="auto">{nameOf(number)}</span>
              {result && (
                <span class="facts">
                  {result.no_show
                    ? t("did_not_come")
                    : t("place_and_score", { place: result.place, score: result.score })}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {table.games.some((game) => game.status === "void") && !table.result && (
        <p class="facts">{t("arbiter_decides")}</p>
      )}
      {table.result?.reason && <p class="facts">{t("arbiter_decided", { reason: table.result.reason })}</p>}
      <details>
        <summary>{t("why_this_table")}</summary>
        <p class="facts">{table.why}</p>
      </details>
      <GiveResult session={session} round={round} table={table} nameOf={nameOf} />
    </li>
  );
}
