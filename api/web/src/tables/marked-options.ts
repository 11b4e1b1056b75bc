// The options of a table with the marks of those that were changed since this player had read them.
import { signal } from "@preact/signals";
import { read } from "../api/client";
import type { TableOption } from "../api/types";
import { seenOptions, storeSeenOptions } from "./seen";

export class MarkedOptions {
  /** `undefined` until they were read. */
  readonly options = signal<TableOption[] | undefined>(undefined);
  /** The names of the options that were changed since this player had read them. */
  readonly changed = signal<ReadonlySet<string>>(new Set());

  constructor(
    readonly id: string,
    readonly path: string,
  ) {}

  /** Reads the options, which removes the mark `options_changed` of the player, and remembers what was read. */
  async read(token: string | undefined): Promise<void> {
    const { options } = await read<{ options: TableOption[] }>(this.path, token);
    const before = seenOptions(this.id);
    const differs = options.filter((option) => before && before[option.name] !== option.value);
    this.mark(differs.map((option) => option.name));
    this.take(options);
  }

  /** Remembers what this player has read, or has chosen. */
  take(options: TableOption[]): void {
    storeSeenOptions(this.id, Object.fromEntries(options.map((option) => [option.name, option.value])));
    this.options.value = options;
  }

  mark(names: string[]): void {
    this.changed.value = new Set([...this.changed.peek(), ...names]);
  }
}
