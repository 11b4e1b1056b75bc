// What the browser keeps: the games of this person with their tokens, and a few settings.
import { signal } from "@preact/signals";

export interface KeptGame {
  id: string;
  rule_set: string;
  title: string;
  at: number;
  /** The token of each seat that is played here. */
  seats: Record<string, string>;
  /** Seats whose turns this page plays by its simple robot. */
  robots: string[];
  owner?: string;
  invitation?: string;
}

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

/** Keeps a game, newest first; the oldest ones are dropped. */
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

/** Reads a setting of this browser, or writes it. Without storage, as in some private windows, it lasts as the page. */
export function setting(name: string, value?: string): string | null {
  try {
    if (value === undefined) return localStorage.getItem(name);
    localStorage.setItem(name, value);
  } catch {
    // No storage.
  }
  return value ?? null;
}
