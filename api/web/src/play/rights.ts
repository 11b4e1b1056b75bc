// The tokens by which this browser plays a game, or sees it.
import { signal } from "@preact/signals";
import type { Refusal } from "../api/client";
import type { Game } from "../api/types";
import { AS_PLAYER, forget, keep, keptGame, type KeptGame } from "../keep";
import { forgetPlayer, player } from "../player";

export class GameRights {
  readonly kept = signal<KeptGame | undefined>(undefined);
  #reader: string | undefined;

  constructor(readonly id: string) {}

  /** Reads what the browser stores. A watcher sends no commands; a stored token only gives access to private games. */
  load(watching: boolean): void {
    const kept = keptGame(this.id);
    this.#reader = present(Object.values(kept?.seats ?? {})[0]);
    this.kept.value = kept && watching ? { ...kept, seats: {} } : kept;
  }

  /** The token for requests while it is the turn of a seat. */
  tokenFor(turn: string | null | undefined): string | undefined {
    const kept = this.kept.value;
    const seat = turn ? this.tokenOf(turn) : undefined;
    return seat ?? kept?.owner ?? this.#reader ?? kept?.invitation ?? player.peek()?.token;
  }

  /** The token of a seat that this browser plays. */
  tokenOf(seat: string): string | undefined {
    return present(this.kept.value?.seats[seat]);
  }

  /** The token of a seat of this page. A stream that is opened with it shows others that the player is connected. */
  get seatToken(): string | undefined {
    return present(Object.values(this.kept.peek()?.seats ?? {})[0]);
  }

  /** Stores the game with its tokens. */
  adopt(kept: KeptGame): void {
    keep(kept);
    this.kept.value = kept;
  }

  /** The game to store if the player of this browser has a seat in it, as in games of tables and tournaments. */
  seatIn(game: Game, title: string): KeptGame | undefined {
    const me = player.peek();
    const seat = game.seats.find((one) => me && one.player === me.id && !one.gave_up)?.seat;
    if (!me || !seat || this.kept.peek()) return undefined;
    return { id: game.id, rule_set: game.rule_set.id, title, at: Date.now(), seats: { [seat]: AS_PLAYER } };
  }

  /**
   * Forgets the tokens of this game if the service has refused `token`. The page then goes on as a watcher. Returns
   * false if there is nothing to forget.
   */
  drop(refusal: Refusal, token: string | undefined): boolean {
    // An expired token is kept, because the next sign-in renews it.
    if (refusal.status !== 401 || !token || refusal.problem.code === "token_expired") return false;
    const kept = keptGame(this.id);
    if (!kept && player.peek()) forgetPlayer();
    if (kept) forget(this.id);
    this.kept.value = undefined;
    this.#reader = undefined;
    return true;
  }
}

const present = (token: string | undefined): string | undefined =>
  token === AS_PLAYER ? player.peek()?.token : token;
