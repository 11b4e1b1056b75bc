// The values of a table's options as this browser has read them last, so that it can mark those that were changed.
import type { OptionValue } from "../api/types";
import { setting } from "../keep";

/** The options of the table that was read last. Those of other tables are not stored. */
const SEEN = "pagade.options-read";

export function seenOptions(table: string): Record<string, OptionValue> | undefined {
  try {
    const stored = JSON.parse(setting(SEEN) ?? "null") as { table: string; values: Record<string, OptionValue> } | null;
    return stored?.table === table ? stored.values : undefined;
  } catch {
    return undefined;
  }
}

export function storeSeenOptions(table: string, values: Record<string, OptionValue>): void {
  setting(SEEN, JSON.stringify({ table, values }));
}
