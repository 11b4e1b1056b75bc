// Publishing of rule texts: under their own name, or, to be tried, under the name of a draft.
import { call, read, Refusal } from "../api/client";
import type { Check, RuleSetSummary } from "../api/types";

/** The beginning of the names of drafts. The list of games leaves them out. */
export const DRAFT_PREFIX = "draft-";

/** The text with another name; `undefined` if its line `rules:` has an unusual form. */
export function named(text: string, id: string): string | undefined {
  return /^rules:.*$/m.test(text) ? text.replace(/^rules:.*$/m, () => `rules: ${id}`) : undefined;
}

/** The text with another version; `undefined` if its line `version:` has an unusual form. */
export function versioned(text: string, version: string): string | undefined {
  return /^version:.*$/m.test(text) ? text.replace(/^version:.*$/m, () => `version: ${version}`) : undefined;
}

/** The version with its last number raised by one. */
export const raised = (version: string): string =>
  version.replace(/(\d+)(?=\D*$)/, (number) => String(Number(number) + 1));

/** The name of the draft of a text. It contains the digest: a text has one draft, however often it is tried. */
export const draftName = (set: RuleSetSummary): string => `${DRAFT_PREFIX}${set.digest.slice(0, 12)}`;

/**
 * Publishes a text as a draft, so that it can be played. A text that is published already, as a draft or under its own
 * name, is not published again.
 */
export async function publishDraft(text: string): Promise<RuleSetSummary> {
  // The text may have changed since it was last checked, and the name of its draft depends on every letter.
  const { rule_set: set } = await call<Check>("POST", "/v1/rule-checks", { body: { text } });
  if (!set) return call<RuleSetSummary>("POST", "/v1/rule-sets", { body: { text } });
  const known = await published(set);
  if (known) return known;
  try {
    return await call<RuleSetSummary>("POST", "/v1/rule-sets", { body: { text: named(text, draftName(set)) ?? text } });
  } catch (error) {
    // Another page of this browser may have published the draft at the same moment.
    const draft =
      error instanceof Refusal && error.problem.code === "rule_set_exists" ? await published(set) : undefined;
    if (!draft) throw error;
    return draft;
  }
}

/** Finds the published rule set with the same rules. */
async function published(set: RuleSetSummary): Promise<RuleSetSummary | undefined> {
  const { rule_sets: sets } = await read<{ rule_sets: RuleSetSummary[] }>("/v1/rule-sets");
  return sets.find((one) => one.digest === set.digest || one.id === draftName(set));
}
