// The data that the browser stores: games with their tokens, and settings.
import { signal } from "@preact/signals";

export interface KeptGame {
  id: string;
  rule_set: string;
  title: string;
  at: number;
  /**
   * The tokens of the seats that this browser plays, by seat. `AS_PLAYER` stands for the present token of its player.
   */
  seats: Record<string, string>;
  owner?: string;
  invitation?: string;
}

/** Is stored in place of the token of this browser's player, because that token is renewed and replaced. */
export const AS_PLAYER = "player";

const GAMES = "pagade.games";
const MOST = 60;

function load(): KeptGame[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(GAMES) ?? "[]");
    return Array.isArray(kept) ? (kept as KeptGame[]) : [];
  } catch {
    return [];
  }
}

export const kept = signal<KeptGame[]>(load());
export const keptGame = (id: string): KeptGame | undefined => kept.value.find((game) => game.id === id);

/** Stores a game at the head of the list. Drops the oldest games if there are more than `MOST`. */
export function keep(game: KeptGame): void {
  store([game, ...kept.value.filter((other) => other.id !== game.id)].slice(0, MOST));
}

export function forget(id: string): void {
  store(kept.value.filter((game) => game.id !== id));
}

function store(games: KeptGame[]): void {
  kept.value = games;
  setting(GAMES, JSON.stringify(games));
}

/** Reads a setting, or writes it if `value` is given. Does nothing in browsers without storage. */
export function setting(name: string, value?: string): string | null {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    // The browser has no storage, or it is full.
  }
  return value ?? null;
}
