// The points for the places, as the form that creates a tournament has them: typed texts by their pointers.
import type { Tournament } from "../api/types";

export type Points = Tournament["points"];

/** The points that the service uses if a request has none. */
const USUAL: Required<Points> = { two: [6, 0], three: [6, 3, 0], four: [6, 4, 2, 0], bye: 6, absent: 0, no_show: 0 };

/** The lists of points, by the number of entrants at a table. */
export const LISTS = { 2: "two", 3: "three", 4: "four" } as const;
/** The points of entrants who have no table, or do not come to it. */
export const SINGLE = ["bye", "absent", "no_show"] as const;

/** What was typed into the fields, by pointers below `/points`, such as `two/0`. Other fields have the usual points. */
export type TypedPoints = Record<string, string>;

export const usualList = (entrants: keyof typeof LISTS): number[] => USUAL[LISTS[entrants]];
export const usualSingle = (name: (typeof SINGLE)[number]): number => USUAL[name];

/** The points of the request; `undefined` if all are usual. An empty field is `null`, which the service refuses. */
export function pointsOf(typed: TypedPoints): Record<string, unknown> | undefined {
  const value = (at: string, usual: number): number | null => {
    const text = typed[at];
    return text === undefined ? usual : text === "" ? null : Number(text);
  };
  const lists = Object.values(LISTS).map((name) => [
    name,
    USUAL[name].map((usual, at) => value(`${name}/${at}`, usual)),
  ]);
  const single = SINGLE.map((name) => [name, value(name, USUAL[name])]);
  const points = Object.fromEntries([...lists, ...single]) as Record<string, unknown>;
  return JSON.stringify(points) === JSON.stringify(USUAL) ? undefined : points;
}
