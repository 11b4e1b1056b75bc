// The first variant of a beginner: answers to a few questions become a short rule file.

export interface Village {
  name: string;
  dice: string;
  cuts: string;
  closed: string;
  again: string;
  pairs: string;
}

export const QUIET: Village = { name: "", dice: "2", cuts: "1", closed: "lap", again: "no", pairs: "no" };

/** A YAML string on one line. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ")}"`;

export function villageFile(answers: Village): string {
  const title = answers.name.trim() || "Pagade as my village plays it";
  const id = title.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40) || "my-village";
  const options = [
    answers.cuts !== "1" && `  min_cuts: {default: ${answers.cuts}}          # cuts that open the way home`,
    answers.closed !== "lap" && "  if_closed: {default: wait}      # without a cut, a pawn waits before its belly",
    answers.again === "yes" && "  cut_extra_throw: {default: true}  # who cuts throws again",
    answers.pairs === "yes" && "  pair_blocks_passage: {default: true}  # nobody jumps over a pair",
  ].filter(Boolean);
  return [
    `# Everything that is not said here is as in Pagade.`,
    `rules: ${id}`,
    "version: 1.0.0",
    `title: ${quoted(title)}`,
    "extends: pagade",
    "sources: [House rules]",
    ...(answers.dice === "3" ? ["dice: {count: 3}", "remove: [spend.joint]   # a pair moves by two equal dice; there are three"] : []),
    ...(options.length > 0 ? ["options:", ...options] : []),
    "",
  ].join("\n");
}
