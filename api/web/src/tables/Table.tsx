// The page `/tables/{id}`: who sits at the table, its options, chat, votes and games.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Board } from "../board/Board";
import { Connection, Unopened } from "../form/notes";
import { language, maybe, t } from "../i18n";
import { startOf } from "../pages/Home";
import { robotName } from "../play/robots";
import { seatName } from "../play/words";
import { go } from "../route";
import { Chat } from "./Chat";
import { stakesText } from "./chips";
import { CurrentGame, PastGames } from "./Games";
import { Invite } from "./Invite";
import { Options } from "./Options";
import { PlayerTrouble } from "./PlayerTrouble";
import { TableSession } from "./session";
import { TableSeats } from "./TableSeats";
import "./tables.css";
import { timeText } from "./time";
import { Voting } from "./Voting";

export function Table({ id }: { id: string }): JSX.Element {
  const session = useMemo(() => new TableSession(id), [id]);
  useEffect(() => {
    void session.open();
    return () => session.close();
  }, [session]);
  useEffect(() => {
    if (session.table.peek()) void session.readRules().catch(() => undefined);
  }, [language.value, session]);
  const table = session.table.value;
  const layout = session.layout.value;
  const start = useMemo(() => (layout ? startOf(layout) : []), [layout]);
  // Everybody at the table goes to a game that begins while the page is open.
  const begun = session.begun.value;
  useEffect(() => {
    if (begun && session.gameSeat.peek()) go(`/play/${begun}`);
    else if (begun && session.watches.peek()) go(`/watch/${begun}`);
  }, [begun, session.gameSeat.value]);
  const fatal = session.fatal.value;
  if (fatal) return <Unopened title={t("no_table")} trouble={fatal} to="/tables" toText={t("to_tables")} />;
  if (!table || !layout)
    return (
      <main class="plain">
        <p aria-busy="true">{t("loading")}</p>
      </main>
    );
  const title = table.title ?? session.rules.value?.title ?? table.rule_set.id;
  return (
    <main class="play table-page">
      <div class="table">
        <Board layout={layout} label={t("board_of", { game: session.rules.value?.title ?? "" })} pawns={start} />
      </div>
      <div class="side">
        <header>
          <p class="facts">
            <a href="/tables">{t("tables")}</a>
          </p>
          <h1 dir="auto">{title}</h1>
          <p class="facts">
            <a href={`/rules/${table.rule_set.id}`}>{session.rules.value?.title}</a>
            {` · ${t(table.private ? "private" : "public")} · ${timeText(table.time_per_turn)}`}
            {` · ${t(`games_${table.icon}`)}`}
            {table.icon === "competitive" && table.bet > 0 && ` · ${stakesText(table.bet)}`}
          </p>
        </header>
        {table.status === "closed" && <p class="note">{t("table_closed")}</p>}
        <Connection online={session.stream.online.value} />
        {!session.stream.followed.value && <p class="note">{t("table_not_followed")}</p>}
        <PlayerTrouble trouble={session.trouble.value} clear={() => (session.trouble.value = undefined)} />
        <Voting session={session} />
        <CurrentGame session={session} />
        <TableSeats session={session} />
        <p class="facts last" role="status" dir="auto">
          {happened(session)}
        </p>
        <Options session={session} />
        <Chat session={session} />
        <Invite session={session} />
        <PastGames session={session} />
      </div>
    </main>
  );
}

/** The last event of the table as a sentence. */
function happened(session: TableSession): string {
  const event = session.stream.last.value;
  const table = session.table.value;
  if (!event || !table) return "";
  const known = [...table.seats, ...table.watchers].find((one) => one.player === event.player)?.name;
  const seat = seatName(event.seat, { rules: session.rules.value });
  const values = { seat, name: known ?? event.name ?? (event.robot ? robotName(event.robot) : t("nameless")) };
  const more = event.result ?? event.reason;
  return (more && maybe(`at_table_${event.event}_${more}`, values)) || (maybe(`at_table_${event.event}`, values) ?? "");
}
