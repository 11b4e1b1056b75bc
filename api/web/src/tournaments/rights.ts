// What this browser may do in tournaments: tokens of organisers, arbiters and entrants, and invitations. They are
// stored in the browser only.
import { signal } from "@preact/signals";
import { setting } from "../keep";

export interface Rights {
  id: string;
  /** The token by which this browser runs the tournament, as its organiser or as an arbiter. */
  token?: string;
  role?: "organiser" | "arbiter";
  /** The token that the organiser gives to arbiters. */
  arbiter?: string;
  /** The token that people send when they enter. */
  invitation?: string;
  /**
   * The tokens of people without an account whom this browser has entered, by the number of the entrant: one for each
   * member, empty for a player with an account.
   */
  entrants?: Record<string, string[]>;
  /** The token of the entrant who plays at this browser without an account. */
  entrant?: string;
  /**
   * The index of the team member to whom `entrant` belongs, from 0. `undefined`: the first member, or the entrant is
   * one person.
   */
  member?: number;
}

const RIGHTS = "pagade.tournaments";
/** Maximum number of tournaments that the browser stores. */
const MOST = 40;

function load(): Rights[] {
  try {
    const stored: unknown = JSON.parse(setting(RIGHTS) ?? "[]");
    return Array.isArray(stored) ? (stored as Rights[]).filter((one) => typeof one?.id === "string") : [];
  } catch {
    return [];
  }
}

const all = signal<Rights[]>(load());

/** The rights of this browser in a tournament. */
export const rightsIn = (id: string): Rights | undefined => all.value.find((one) => one.id === id);

/** Adds rights to those that are stored. A value `undefined` removes a right. */
export function addRights(id: string, more: Partial<Rights>): void {
  const known = all.peek().find((one) => one.id === id);
  all.value = [{ ...known, ...more, id }, ...all.peek().filter((one) => one.id !== id)].slice(0, MOST);
  setting(RIGHTS, JSON.stringify(all.value));
}
