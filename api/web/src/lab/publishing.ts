// Publishing of rule texts: under their own name, or, to be tried, under the name of a draft.
import { call, read, Refusal } from "../api/client";
import type { RuleSetSummary } from "../api/types";

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
export async function publishDraft(text: string, set: RuleSetSummary): Promise<RuleSetSummary> {
  const own = await published(set.id, set.version);
  if (own?.digest === set.digest) return own;
  const draft = named(text, draftName(set));
  try {
    return await call<RuleSetSummary>("POST", "/v1/rule-sets", { body: { text: draft ?? text } });
  } catch (error) {
    const there = error instanceof Refusal && error.problem.code === "rule_set_exists" && draft;
    const known = there ? await published(draftName(set), set.version) : undefined;
    if (!known) throw error;
    return known;
  }
}

/** The published rule set of this name and version, if there is one. */
async function published(id: string, version: string): Promise<RuleSetSummary | undefined> {
  try {
    return await read<RuleSetSummary>(`/v1/rule-sets/${encodeURIComponent(id)}?version=${encodeURIComponent(version)}`);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}
