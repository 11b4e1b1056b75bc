// The page `/tournaments/{id}`: terms, entrants, rounds with their tables, and standings.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Connection, Trouble, Unopened } from "../form/notes";
import { inLine, language, t } from "../i18n";
import { timeText } from "../tables/time";
import { Entering } from "./Entering";
import { Entrants } from "./Entrants";
import { MyGame } from "./MyGame";
import { Organise, TakeRole } from "./Organise";
import { Rounds } from "./Rounds";
import { TournamentSession } from "./session";
import { Standings } from "./Standings";
import { Terms } from "./Terms";
import "../tables/tables.css";
import "./tournaments.css";

export function Tournament({ id }: { id: string }): JSX.Element {
  const session = useMemo(() => new TournamentSession(id), [id]);
  useEffect(() => {
    void session.open();
    return () => session.close();
  }, [session]);
  useEffect(() => {
    if (session.tournament.peek()) void session.readRules().catch(() => undefined);
  }, [language.value, session]);
  const tournament = session.tournament.value;
  const fatal = session.fatal.value;
  if (fatal) return <Unopened title={t("no_tournament")} trouble={fatal} to="/tournaments" toText={t("to_tournaments")} />;
  if (!tournament)
    return (
      <main class="plain">
        <p aria-busy="true">{t("loading")}</p>
      </main>
    );
  const rules = session.rules.value;
  const { format } = tournament;
  const facts = [
    t(`format_${format.kind}`),
    format.rounds && t("rounds_count", { count: format.rounds }),
    t("at_a_table", { count: format.table ?? 2 }),
    format.best_of && format.best_of > 1 && t("best_of", { count: format.best_of }),
    tournament.team_size > 1 && t("teams_of", { count: tournament.team_size }),
    tournament.same_dice && t("same_dice"),
    tournament.turn_timer && timeText(tournament.turn_timer.seconds),
  ];
  return (
    <main class="lobby tournament">
      <header>
        <p class="facts">
          <a href="/tournaments">{t("tournaments")}</a>
        </p>
        <h1 dir="auto">{tournament.title ?? rules?.title ?? tournament.rule_set.id}</h1>
        <p class="facts">
          <span class={`badge${tournament.status === "finished" ? "" : " good"}`} data-status={tournament.status}>
            {t(`tournament_${tournament.status}`)}
          </span>
          <a href={`/rules/${tournament.rule_set.id}`}>{rules?.title ?? tournament.rule_set.id}</a> ·{" "}
          {inLine(facts)}
        </p>
      </header>
      <Connection online={session.online.value} />
      <Trouble trouble={session.trouble.value} />
      <MyGame session={session} />
      <Organise session={session} />
      <Entering session={session} />
      {tournament.rounds.length > 0 && (
        <div class="halves">
          <Rounds session={session} />
          <Standings session={session} />
        </div>
      )}
      {tournament.prizes && tournament.prizes.length > 0 && (
        <section class="box" aria-labelledby="prizes">
          <h2 id="prizes">{t("prizes")}</h2>
          <ol class="prizes">
            {tournament.prizes.map((prize, index) => (
              <li key={index} dir="auto">
                {index + 1}. {prize}
              </li>
            ))}
          </ol>
        </section>
      )}
      <Entrants session={session} />
      <Terms session={session} />
      <p class="facts">
        <a href={`/v1/tournaments/${tournament.id}/export`} target="_blank" rel="noopener">
          {t("export")}
        </a>
      </p>
      <TakeRole session={session} />
    </main>
  );
}
