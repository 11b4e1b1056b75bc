// The values of the form that creates a tournament, and the request that they make.
import type { Refusal } from "../api/client";
import type { OptionValue } from "../api/types";
import type { OptionData } from "../options/OptionInput";

export const KINDS = ["round_robin", "swiss", "knock_out", "groups", "arena"] as const;
export type Kind = (typeof KINDS)[number];

export interface Wish {
  ruleSet: string;
  title: string;
  kind: Kind;
  /** The fields of the format, by name. Those that the kind does not have are not sent. */
  format: Record<string, OptionValue>;
  /** The options of the rule set that differ from their defaults. */
  options: Record<string, OptionValue>;
  teamSize: number;
  registration: "open" | "invited" | "list";
  /** The greatest number of entrants, as it was typed; empty: as many as the service takes. */
  most: string;
  lateEntries: boolean;
  automatic: boolean;
  robots: boolean;
  sameDice: boolean;
  seeding: "lots" | "as_listed";
  /** Seconds for a decision; 0 for no limit. */
  time: number;
  /** Late decisions in a row after which a game is lost, as it was typed; empty: never. */
  forfeitAfter: string;
  /** Seconds within which an entrant has to come to a game; 0: the time for a decision. */
  noShow: number;
  /** The prizes, one a line. */
  prizes: string;
}

/** Changes some values of the form. */
export type Set = (more: Partial<Wish>) => void;

/** What a part of the form gets. */
export interface PartProps {
  wish: Wish;
  set: Set;
  trouble: Refusal | undefined;
}

const number = (name: string, from: number, to: number, usual: number): OptionData => ({
  name,
  from,
  to,
  default: usual,
});
const truth = (name: string): OptionData => ({ name, default: false });
const oneOf = (name: string, ...words: string[]): OptionData => ({ name, one_of: words, default: words[0]! });

/** The field of an arena, in minutes; the service counts in seconds. */
const MINUTES = "seconds";
const LOOSE_TABLE = oneOf("table", "2", "3", "4");

/** The fields of each kind of format, in the order of the form. */
export const FIELDS: Record<Kind, OptionData[]> = {
  round_robin: [LOOSE_TABLE, number("cycles", 1, 16, 1)],
  swiss: [LOOSE_TABLE, number("rounds", 1, 64, 5)],
  knock_out: [oneOf("table", "2", "4"), number("best_of", 1, 15, 1), truth("third_place")],
  groups: [
    LOOSE_TABLE,
    number("groups", 1, 128, 2),
    number("advance", 1, 64, 2),
    number("cycles", 1, 16, 1),
    oneOf("knock_out_table", "2", "4"),
    number("best_of", 1, 15, 1),
    truth("third_place"),
  ],
  arena: [LOOSE_TABLE, number(MINUTES, 1, 1440, 60)],
};

export const FIRST: Wish = {
  ruleSet: "pagade",
  title: "",
  kind: "swiss",
  format: {},
  options: {},
  teamSize: 1,
  registration: "open",
  most: "",
  lateEntries: false,
  automatic: true,
  robots: true,
  sameDice: false,
  seeding: "lots",
  time: 60,
  forfeitAfter: "3",
  noShow: 300,
  prizes: "",
};

/** The value of a field of the format. */
export const formatValue = (wish: Wish, field: OptionData): OptionValue => {
  const value = wish.format[field.name];
  const isOffered = value !== undefined && (!field.one_of || field.one_of.includes(String(value)));
  return isOffered ? value : field.default;
};

/** The prizes of the form. Empty lines between others are kept: the service says that they are empty. */
export const prizesOf = (wish: Wish): string[] => {
  const text = wish.prizes.trim();
  return text ? text.split("\n").map((line) => line.trim()) : [];
};

/** The body of `POST /v1/tournaments`. What has its default is left out. */
export function bodyOf(wish: Wish): Record<string, unknown> {
  const format: Record<string, unknown> = { kind: wish.kind };
  for (const field of FIELDS[wish.kind]) {
    const value = formatValue(wish, field);
    if (field.name === MINUTES) format[field.name] = Number(value) * 60;
    else if (field.one_of) format[field.name] = Number(value);
    else if (value !== field.default || field.name === "rounds" || field.name === "groups" || field.name === "advance")
      format[field.name] = value;
  }
  const prizes = prizesOf(wish);
  const isArena = wish.kind === "arena";
  return {
    rule_set: wish.ruleSet,
    format,
    ...(wish.title.trim() && { title: wish.title.trim() }),
    ...(Object.keys(wish.options).length > 0 && { options: wish.options }),
    ...(wish.teamSize > 1 && { team_size: wish.teamSize }),
    registration: wish.registration,
    ...(wish.most !== "" && { most_entrants: Number(wish.most) }),
    late_entries: wish.lateEntries,
    ...(!isArena && { automatic: wish.automatic }),
    robots: wish.robots,
    same_dice: wish.sameDice,
    seeding: wish.seeding,
    ...(wish.time > 0 && {
      turn_timer: { seconds: wish.time, ...(wish.forfeitAfter !== "" && { forfeit_after: Number(wish.forfeitAfter) }) },
      ...(wish.noShow > 0 && { no_show: { seconds: wish.noShow } }),
    }),
    ...(prizes.length > 0 && { prizes }),
  };
}
