// The player of this browser, who sits at tables and enters tournaments: a guest of the service, or a person who has
// signed in at the identity provider.
import { signal } from "@preact/signals";
import { call, Refusal } from "./api/client";
import type { PlayerToken } from "./api/types";
import { setting } from "./keep";

export interface Player {
  id: string;
  token: string;
  name: string;
  /** The account at the identity provider. Guests have none. */
  account?: Account;
}

export interface Account {
  /** The refresh token, which gets a new token when `token` has expired. */
  refresh?: string;
  /** Earlier tokens, which were replaced when they expired. */
  earlier: string[];
}

/** The name of the setting that stores the player. */
const PLAYER = "pagade.player";
/** The longest name of a player. */
export const LONGEST_NAME = 40;

/** The player as the browser stores it. Another tab may have changed it. */
export function storedPlayer(): Player | undefined {
  try {
    const stored = JSON.parse(setting(PLAYER) ?? "null") as Player | null;
    return stored && typeof stored.id === "string" && typeof stored.token === "string" ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The player of this browser; `undefined` before somebody has sat down or entered for the first time. */
export const player = signal<Player | undefined>(storedPlayer());

/** Whether the player's token has expired and cannot be renewed. */
export const isExpired = signal(false);

export function storePlayer(next: Player | undefined): void {
  player.value = next;
  isExpired.value = false;
  setting(PLAYER, next ? JSON.stringify(next) : "null");
}

/** Returns the player of this browser. Creates one if there is none. A changed name is sent to the service. */
export async function needPlayer(name: string): Promise<Player> {
  const wish = name.trim();
  const known = player.peek();
  if (!known) {
    const created = await call<PlayerToken>("POST", "/v1/players", { body: wish ? { name: wish } : {} });
    const made = { id: created.player.id, token: created.token, name: wish };
    storePlayer(made);
    setting("pagade.name", wish);
    return made;
  }
  if (wish && wish !== known.name) {
    await call("PATCH", `/v1/players/${known.id}`, { body: { name: wish }, token: known.token });
    storePlayer({ ...known, name: wish });
    setting("pagade.name", wish);
  }
  return player.peek()!;
}

/** Deletes the player of this browser at the service, and forgets the player. */
export async function deletePlayer(): Promise<void> {
  const known = player.peek();
  if (!known) return;
  try {
    await call("DELETE", `/v1/players/${known.id}`, { token: known.token });
  } catch (error) {
    // If the service does not know the player, there is nothing to delete, and this browser forgets the player.
    if (!(error instanceof Refusal) || !isGone(error)) throw error;
  }
  storePlayer(undefined);
}

/** Forgets the player of this browser without a request. */
export const forgetPlayer = (): void => storePlayer(undefined);

/**
 * Whether a refusal says that the token of the player is not valid. An expired token does not count, because a new
 * sign-in renews it.
 */
export const isGone = (refusal: Refusal): boolean =>
  (refusal.status === 401 && refusal.problem.code !== "token_expired") || refusal.problem.code === "player_not_found";

// Another tab signs in or out.
addEventListener("storage", (event) => {
  if (event.key !== PLAYER) return;
  player.value = storedPlayer();
  isExpired.value = false;
});
