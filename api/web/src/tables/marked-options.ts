// The options of a table: their values, the changes that are being sent, and the marks of options that were changed
// since this player had read them.
import { signal } from "@preact/signals";
import { call, read } from "../api/client";
import type { OptionValue, TableOption } from "../api/types";
import { seenOptions, storeSeenOptions } from "./seen";

export class MarkedOptions {
  /** The options of the table; `undefined` until they were read. */
  readonly options = signal<TableOption[] | undefined>(undefined);
  /** The names of the options that were changed since this player had read them. */
  readonly changed = signal<ReadonlySet<string>>(new Set());

  /** The values that this player has chosen and that the service has not answered yet. */
  readonly wishes = signal<ReadonlyMap<string, OptionValue>>(new Map());
  #sending = false;

  constructor(
    readonly id: string,
    readonly path: string,
  ) {}

  /** Reads the options and stores their values. Reading removes the mark `options_changed` of the player. */
  async read(token: string | undefined): Promise<void> {
    const { options } = await read<{ options: TableOption[] }>(this.path, token);
    const before = seenOptions(this.id);
    const differs = options.filter((option) => before && before[option.name] !== option.value);
    this.mark(differs.map((option) => option.name));
    this.take(options);
  }

  /** The value to show: the wish of this player until the service has answered. */
  valueOf = ({ name, value }: TableOption): OptionValue => this.wishes.value.get(name) ?? value;

  /**
   * Changes an option. Changes that are made while another change is being sent are sent together after it. If the
   * service refuses a change, the values of the service are shown again.
   */
  async change(name: string, value: OptionValue, token: string | undefined): Promise<void> {
    this.wishes.value = new Map([...this.wishes.peek(), [name, value]]);
    if (this.#sending) return;
    this.#sending = true;
    try {
      while (this.wishes.peek().size > 0) {
        const sent = this.wishes.peek();
        const body = { options: Object.fromEntries(sent) };
        const { options } = await call<{ options: TableOption[] }>("PATCH", this.path, { body, token });
        this.take(options);
        this.wishes.value = new Map([...this.wishes.peek()].filter(([one, wish]) => sent.get(one) !== wish));
      }
    } catch (error) {
      this.wishes.value = new Map();
      throw error;
    } finally {
      this.#sending = false;
    }
  }

  /** Stores the values that this player has read or chosen. */
  take(options: TableOption[]): void {
    storeSeenOptions(this.id, Object.fromEntries(options.map((option) => [option.name, option.value])));
    this.options.value = options;
  }

  mark(names: string[]): void {
    this.changed.value = new Set([...this.changed.peek(), ...names]);
  }
}
