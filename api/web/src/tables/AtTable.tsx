// The panel of a game that is played at a table: the way back, votes, chat, and the next game.
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { t } from "../i18n";
import { Settled } from "../play/Stakes";
import { go } from "../route";
import { Chat } from "./Chat";
import { TableSession } from "./session";
import { PlayerTrouble } from "./PlayerTrouble";
import "./tables.css";
import { Voting } from "./Voting";

export function AtTable({ id, game }: { id: string; game: string }): JSX.Element {
  const session = useMemo(() => new TableSession(id), [id]);
  useEffect(() => {
    void session.open();
    return () => session.close();
  }, [session]);
  const table = session.table.value;
  const begun = session.begun.value;
  useEffect(() => {
    if (!begun || begun === game) return;
    if (session.gameSeat.peek()) go(`/play/${begun}`);
    else if (session.watches.peek()) go(`/watch/${begun}`);
  }, [begun, session.gameSeat.value]);
  return (
    <div class="at-this-table">
      <p>
        <a class="button" data-back-to-table href={`/tables/${id}`}>
          {table?.title ? t("back_to_table_named", { title: table.title }) : t("back_to_table")}
        </a>
      </p>
      <PlayerTrouble trouble={session.trouble.value} clear={() => (session.trouble.value = undefined)} />
      <Settled session={session} game={game} />
      <Voting session={session} />
      <Chat session={session} />
    </div>
  );
}
