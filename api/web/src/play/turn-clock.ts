// The moment at which the time for the current decision of a game is over.
import { signal } from "@preact/signals";
import { serverNow } from "../api/client";
import type { BriefGame, Game } from "../api/types";

export class TurnClock {
  /** The end of the time for the decision at this version of the game, as `performance.now()` counts it. */
  readonly end = signal<{ version: number; end: number } | undefined>(undefined);

  /** Sets the clock by an event. `seconds_left` is rounded down, so that the clock shows less rather than more. */
  read(game: BriefGame): void {
    if (game.version < (this.end.peek()?.version ?? 0)) return;
    this.#set(game.version, game.seconds_left === undefined ? undefined : game.seconds_left * 1000);
  }

  /** Sets the clock by the deadline of a game, if no event had the number of seconds that are left. */
  guess(game: Game): void {
    const known = this.end.peek();
    if (known && known.version >= game.version && game.deadline) return;
    this.#set(game.version, game.deadline ? Date.parse(game.deadline) - serverNow() : undefined);
  }

  #set(version: number, left: number | undefined): void {
    this.end.value = left === undefined ? undefined : { version, end: performance.now() + left };
  }
}
