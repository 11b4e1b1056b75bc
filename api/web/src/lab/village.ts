// The first variant of a beginner: answers to a few questions become a short rule file.

export interface Village {
  name: string;
  /** How many dice are thrown: 2 or 3. */
  dice: string;
  /** The places of the four pawns at the start, or `out`. */
  start: string;
  /** How many cuts open the way home. */
  cuts: string;
  /** What a pawn does where the way is closed: `lap` or `wait`. */
  closed: string;
  /** Whether a cut earns another throw: `yes` or `no`. */
  again: string;
  /** Whether a pair blocks the way: `yes` or `no`. */
  pairs: string;
}

/** The answers that change no rule, so that the file only has a name of its own. */
export const QUIET: Village = {
  name: "",
  dice: "2",
  start: "6 7 12 12",
  cuts: "1",
  closed: "lap",
  again: "no",
  pairs: "no",
};

/** Maximum length of an id that is made from a name. */
const LONGEST_ID = 40;

/** Characters that control the text around them; a title may not have them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A YAML string on one line. The escapes of JSON are those of YAML. */
const quoted = (text: string): string => JSON.stringify(text);

/** A line of the file, with a comment behind it. */
const said = (line: string, comment: string): string => `${line.padEnd(42)} # ${comment}`;

export function villageFile(answers: Village): string {
  const title = answers.name.replace(/\s+/g, " ").replace(CONTROLS, "").trim() || "Pagade as my village plays it";
  const plain = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_ID)
    .replace(/^-+|-+$/g, "");
  // An id begins with a letter.
  const id = /^[a-z]/.test(plain) ? plain : `my-village${plain && `-${plain}`}`;
  const start = answers.start === "out" ? "out, out, out, out" : answers.start.split(" ").join(", ");
  const options = [
    answers.cuts !== QUIET.cuts && said(`  min_cuts: {default: ${answers.cuts}}`, "cuts that open the way home"),
    answers.closed !== QUIET.closed &&
      said("  if_closed: {default: wait}", "without a cut, a pawn waits before its belly"),
    answers.again !== QUIET.again && said("  cut_extra_throw: {default: yes}", "who cuts throws again"),
    answers.pairs !== QUIET.pairs && said("  pair_blocks_passage: {default: yes}", "nobody jumps over a pair"),
  ].filter(Boolean);
  return [
    "# Everything that is not said here is as in Pagade.",
    `rules: ${id}`,
    "version: 1.0.0",
    `title: ${quoted(title)}`,
    "extends: pagade",
    "sources: [House rules]",
    ...(answers.dice !== QUIET.dice
      ? [
          said("dice: {count: 3}", "three dice are thrown"),
          said("remove: [spend.joint, options.pair_distance]", "a pair moves by two equal dice; there are three"),
        ]
      : []),
    ...(answers.start !== QUIET.start ? [said(`pawns: {start: [${start}]}`, "where the pawns begin")] : []),
    ...(options.length > 0 ? ["options:", ...options] : []),
    "",
  ].join("\n");
}
