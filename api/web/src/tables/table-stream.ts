// The stream of the events of a table. After an event, the page shows the new table and reads the lists that have
// changed.
import { signal } from "@preact/signals";
import { insist } from "../api/client";
import { follow, type Message } from "../api/stream";
import { eventOf, type TableEvent } from "./event";
import { linkOf } from "./links";
import type { TableSession } from "./session";

export class TableStream {
  readonly online = signal(true);
  /** Whether the service lets this player follow the table. */
  readonly followed = signal(true);
  /** The last event, for the line that says what happened. */
  readonly last = signal<TableEvent | undefined>(undefined);
  #open: AbortController | undefined;

  constructor(readonly session: TableSession) {}

  close(): void {
    this.#open?.abort();
  }

  /** Opens a stream of the table's events, with the present rights of the player, and closes the earlier stream. */
  restart(): void {
    this.#open?.abort();
    this.#open = new AbortController();
    this.followed.value = true;
    void this.#follow(this.#open.signal);
    this.session.readChat();
    this.session.readInvitations();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { session } = this;
    const isHere = session.seat.peek() || session.watches.peek();
    const how = await follow(
      `${session.path}/events`,
      isHere ? session.token : (linkOf(session.id) ?? session.token),
      (message) => this.#take(message, signal),
      (is) => (this.online.value = is),
      signal,
    );
    if (signal.aborted) return;
    if (how === "refused") this.followed.value = false;
    await session.readLast();
  }

  #take(message: Message, closed: AbortSignal): void {
    const { session } = this;
    const hasLost = message.event === "resync";
    const reread = (): void => void insist(() => session.read(hasLost), closed);
    const event = eventOf(message.data);
    if (!event) return;
    if (message.event === "snapshot" || hasLost) {
      reread();
      session.readChat();
      return;
    }
    if (typeof event.id !== "number") return;
    const isNew = event.id > (session.table.peek()?.events ?? 0);
    if (event.table) session.show(event.table);
    else if (isNew) reread();
    if (isNew) this.last.value = event;
    switch (event.event) {
      case "said":
        session.readChat();
        break;
      case "line_removed":
        session.chat.clear(event.line!);
        break;
      case "options_changed":
        if (session.isMaster.peek()) break;
        session.marked.mark(event.options ?? []);
        if (session.marked.options.peek()) void session.readOptions();
        break;
      case "player_invited":
      case "invitation_ended":
        session.readInvitations();
        break;
    }
  }
}
