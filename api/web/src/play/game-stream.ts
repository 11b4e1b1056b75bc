// The stream of the events of a game. Events are shown in their order. The game is read again if the events do not
// contain its state.
import { signal } from "@preact/signals";
import { insist } from "../api/client";
import { follow, type Message } from "../api/stream";
import type { GameEvent } from "../api/types";
import type { Showing } from "./showing";

/**
 * Events after which the game is read again, although they have no field `next`: they change its seats or its status.
 */
const RESHAPING = ["joined", "left_seat", "started", "agreed", "resigned"];

export class GameStream {
  readonly online = signal(true);
  #open: AbortController | undefined;
  #isReading = false;
  /** How the game is to be read next, if a message wants it. */
  #due: (() => Promise<void>) | undefined;

  constructor(
    readonly showing: Showing,
    readonly refresh: () => Promise<void>,
    readonly startAgain: () => Promise<void>,
    /** Whether the page waits for the answer to a command, which contains the next state. */
    readonly isBusy: () => boolean,
  ) {}

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Follows the game from now on, in place of an earlier stream. */
  async follow(token: string | undefined): Promise<"ended" | "refused"> {
    this.#open?.abort();
    const stream = new AbortController();
    this.#open = stream;
    const { path, closed } = this.showing.watcher;
    const take = (message: Message): void => this.#receive(message);
    const online = (is: boolean): void => {
      if (!stream.signal.aborted) this.online.value = is;
    };
    return follow(`${path}/events`, token, take, online, AbortSignal.any([stream.signal, closed]));
  }

  #receive(message: Message): void {
    const refresh = (): void => void this.#read(this.refresh);
    if (message.event === "snapshot") return refresh();
    if (message.event === "resync") return void this.#read(this.startAgain);
    let event: GameEvent;
    try {
      event = JSON.parse(message.data) as GameEvent;
    } catch {
      return;
    }
    const { events, clock } = this.showing;
    if (event.game) clock.read(event.game);
    if (typeof event.id !== "number" || event.id <= events.seen) return;
    if (event.id > events.seen + 1) return refresh();
    events.take([event]);
    if (event.next ? !this.isBusy() : RESHAPING.includes(event.event)) refresh();
  }

  /** Reads the game until that succeeds or is refused. Wishes during a read count as one further read. */
  async #read(how: () => Promise<void>): Promise<void> {
    if (this.#due !== this.startAgain) this.#due = how;
    if (this.#isReading) return;
    this.#isReading = true;
    const { closed } = this.showing.watcher;
    while (this.#due && !closed.aborted) {
      const due: () => Promise<void> = this.#due;
      this.#due = undefined;
      await insist(due, closed);
    }
    this.#isReading = false;
  }
}
