// The values of the form that creates a tournament.
import type { Refusal } from "../api/client";
import type { OptionValue } from "../api/types";
import type { OptionData } from "../options/OptionInput";
import type { TypedPoints } from "./points";
import { type TieBreak, USUAL_TIE_BREAKS } from "./tie-breaks";

export const KINDS = ["round_robin", "swiss", "knock_out", "groups", "arena"] as const;
export type Kind = (typeof KINDS)[number];

/** How a late decision is made: at random, by the first legal action, or by a robot. */
export const LATE = ["random", "first", "runner", "hunter", "thinker", "learned"] as const;

export interface Wish {
  ruleSet: string;
  /** The version of the rule set; empty: the newest. */
  version: string;
  title: string;
  kind: Kind;
  /** The fields of the format, by name. Fields that the chosen kind of format does not have are not sent. */
  format: Record<string, OptionValue>;
  /** The options of the rule set that differ from their defaults. */
  options: Record<string, OptionValue>;
  /**
   * The chosen seats, by the number of seats at a table. Without an entry, the seats lie as evenly as the rules allow.
   */
  boards: Record<number, string[]>;
  /** Whether a table may have one entrant fewer; empty: if the rules allow it. */
  smallerTables: "" | "yes" | "no";
  teamSize: number;
  registration: "open" | "invited" | "list";
  /** The greatest number of entrants, as it was typed; empty: as many as the service accepts. */
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
  late: (typeof LATE)[number];
  /** Whether the service decides at once for a player after a late decision, until the player sends a command. */
  lateAutomatic: boolean;
  /** Seconds within which an entrant has to come to a game; 0: the time for a decision. */
  noShow: number;
  /** The entrant is withdrawn after missing this number of tables, as it was typed; empty: never. */
  withdrawAfter: string;
  /** The pause of robots in milliseconds, as it was typed; empty: that of the service. */
  robotPause: string;
  points: TypedPoints;
  tieBreaks: TieBreak[];
  /** The seed of all lots; empty: the service draws it. */
  seed: string;
  /** The prizes, one a line. */
  prizes: string;
}

/** Changes some values of the form. */
export type Set = (more: Partial<Wish>) => void;

/** The properties of a part of the form. */
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

/** The field of an arena whose input counts minutes. The service counts this value in seconds. */
export const MINUTES = "seconds";
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
  version: "",
  title: "",
  kind: "swiss",
  format: {},
  options: {},
  boards: {},
  smallerTables: "",
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
  late: "random",
  lateAutomatic: false,
  noShow: 300,
  withdrawAfter: "",
  robotPause: "",
  points: {},
  tieBreaks: USUAL_TIE_BREAKS,
  seed: "",
  prizes: "",
};

/** The value of a field of the format. */
export const formatValue = (wish: Wish, field: OptionData): OptionValue => {
  const value = wish.format[field.name];
  const isOffered = value !== undefined && (!field.one_of || field.one_of.includes(String(value)));
  return isOffered ? value : field.default;
};

/** Whether tables of the format may have one entrant fewer. Only then the form has a field for it. */
export const hasSmallerTables = (wish: Wish): boolean =>
  (wish.kind === "swiss" || wish.kind === "arena") && Number(formatValue(wish, LOOSE_TABLE)) > 2;

/** The numbers of entrants that a table may have, the smallest first. */
export function tableSizes(wish: Wish): (2 | 3 | 4)[] {
  const sizes = FIELDS[wish.kind].filter((field) => field.name === "table" || field.name === "knock_out_table");
  const largest = Math.max(...sizes.map((field) => Number(formatValue(wish, field))));
  return ([2, 3, 4] as const).filter((size) => size <= largest);
}
