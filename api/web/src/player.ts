// The player of this browser: a guest account of the service, which sits at tables and enters tournaments.
import { signal } from "@preact/signals";
import { call, Refusal } from "./api/client";
import type { PlayerToken } from "./api/types";
import { setting } from "./keep";

export interface Player {
  id: string;
  token: string;
  name: string;
}

/** The name of the setting that stores the player. */
const PLAYER = "pagade.player";
/** The longest name of a player. */
export const LONGEST_NAME = 40;

function load(): Player | undefined {
  try {
    const stored = JSON.parse(setting(PLAYER) ?? "null") as Player | null;
    return stored && typeof stored.id === "string" && typeof stored.token === "string" ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The player of this browser; `undefined` before somebody has sat down or entered for the first time. */
export const player = signal<Player | undefined>(load());

function store(next: Player | undefined): void {
  player.value = next;
  setting(PLAYER, next ? JSON.stringify(next) : "null");
}

/** Returns the player of this browser. Creates one if there is none. A changed name is sent to the service. */
export async function needPlayer(name: string): Promise<Player> {
  const wish = name.trim();
  const known = player.peek();
  if (!known) {
    const created = await call<PlayerToken>("POST", "/v1/players", { body: wish ? { name: wish } : {} });
    const made = { id: created.player.id, token: created.token, name: wish };
    store(made);
    setting("pagade.name", wish);
    return made;
  }
  if (wish && wish !== known.name) {
    await call("PATCH", `/v1/players/${known.id}`, { body: { name: wish }, token: known.token });
    store({ ...known, name: wish });
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
    // A player whom the service does not know any more is forgotten here, too.
    if (!(error instanceof Refusal) || !isGone(error)) throw error;
  }
  store(undefined);
}

/** Forgets the player of this browser without a request. */
export const forgetPlayer = (): void => store(undefined);

/** Whether a refusal says that the token of the player is not valid any more. */
export const isGone = (refusal: Refusal): boolean =>
  refusal.status === 401 || refusal.problem.code === "player_not_found";
