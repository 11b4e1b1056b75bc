// The events of a game as this page has read them: a queue of events to show, and the story of the events shown.
import { signal } from "@preact/signals";
import { read } from "../api/client";
import type { BriefGame, GameEvent } from "../api/types";

/** Maximum number of events in the story. */
export const STORY = 300;
/** If the page has missed more events than this, only the last ones are read. */
const MOST_MISSED = 500;

export class EventLog {
  readonly story = signal<GameEvent[]>([]);
  /** The events that wait to be shown. */
  readonly queue: GameEvent[] = [];
  /** The id of the last event that was read. */
  seen = 0;

  constructor(
    readonly path: string,
    readonly token: () => string | undefined,
    /** Takes over the state of the game that an event carries. */
    readonly learn: (game: BriefGame) => void,
  ) {}

  /** Adds events to the queue, if they directly follow the last event that was read. */
  take(events: GameEvent[]): void {
    for (const event of events) {
      if (event.id !== this.seen + 1) continue;
      this.seen = event.id;
      this.queue.push(event);
    }
  }

  tell(events: GameEvent[]): void {
    this.story.value = [...this.story.peek(), ...events].slice(-STORY);
  }

  /** Reads the events up to `newest` that were not read yet. If they are very many, reads only the last ones. */
  async catchUp(newest = this.seen): Promise<void> {
    if (newest - this.seen > MOST_MISSED) {
      this.queue.length = 0;
      await this.readEnd(newest);
      this.seen = newest;
    }
    for (;;) {
      const events = await this.#page(this.seen, 1000);
      if (events.length === 0) return;
      this.take(events);
    }
  }

  /** Replaces the story up to event `newest` by the last `count` events of that part. */
  async readEnd(newest: number, count = STORY): Promise<void> {
    const events = await this.#page(Math.max(0, newest - count), count);
    for (const event of events) if (event.game) this.learn(event.game);
    const last = events.at(-1)?.id ?? 0;
    const later = this.story.peek().filter((event) => event.id > last && event.id <= last + count);
    this.story.value = [...events, ...later];
  }

  /** Reads the end of the story again if the story does not reach it, as after a look at earlier steps. */
  async returnToEnd(): Promise<void> {
    if ((this.story.peek().at(-1)?.id ?? 0) < this.seen - this.queue.length) await this.readEnd(this.seen);
  }

  /** Replaces the story by a page of events before this step, unless the story has these events. */
  async readAt(step: number, steps: number): Promise<void> {
    const [first, last] = [this.story.peek()[0], this.story.peek().at(-1)];
    if (first && last && (first.id === 1 || first.step < step) && (last.step >= step || last.id >= this.seen)) return;
    // Steps and events grow together, but not evenly: the guess is corrected until the page has the step.
    let [low, high] = [0, this.seen];
    let [lowStep, highStep] = [0, Math.max(steps, 1)];
    for (let guesses = 0; guesses < 12; guesses += 1) {
      const share = (step - lowStep) / Math.max(1, highStep - lowStep);
      const middle = guesses % 3 === 2 ? (low + high) / 2 : low + share * (high - low);
      const after = Math.max(0, Math.floor(middle) - STORY / 2);
      const page = await this.#page(after, STORY);
      const [from, to] = [page[0], page.at(-1)];
      if (!from || !to) return;
      if (from.id > 1 && from.step >= step) [high, highStep] = [from.id, from.step];
      else if (to.step <= step && to.id < this.seen) [low, lowStep] = [to.id, to.step];
      else {
        this.story.value = page;
        return;
      }
    }
  }

  async #page(after: number, limit: number): Promise<GameEvent[]> {
    return (await read<{ events: GameEvent[] }>(`${this.path}?after=${after}&limit=${limit}`, this.token())).events;
  }
}
