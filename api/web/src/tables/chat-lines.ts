// The lines of the chat of a table that the page has read.
import { signal } from "@preact/signals";
import { read } from "../api/client";
import type { ChatLine } from "../api/types";

/** Maximum number of lines that the page shows. */
const LINES = 300;

export class ChatLines {
  readonly lines = signal<ChatLine[]>([]);

  constructor(
    readonly path: string,
    readonly token: () => string | undefined,
  ) {}

  /** Reads the missing lines of a chat that has `count` lines. */
  async read(count: number): Promise<void> {
    const newest = this.lines.peek().at(-1)?.line ?? Math.max(0, count - LINES);
    for (let after = newest; ;) {
      const path = `${this.path}?after=${after}&limit=200`;
      const page = await read<{ lines: ChatLine[]; next_after: number }>(path, this.token());
      this.add(page.lines);
      if (page.lines.length === 0 || page.next_after === after) return;
      after = page.next_after;
    }
  }

  add(lines: ChatLine[]): void {
    const known = new Map(this.lines.peek().map((line) => [line.line, line]));
    for (const line of lines) known.set(line.line, line);
    this.lines.value = [...known.values()].sort((a, b) => a.line - b.line).slice(-LINES);
  }

  /** Removes the text of a line that the service reports as removed. */
  clear(line: number): void {
    this.lines.value = this.lines.peek().map((one) => {
      const { text: _, ...rest } = one;
      return one.line === line ? rest : one;
    });
  }
}
