// The events of a table, as its stream has them.
import type { Table } from "../api/types";

export interface TableEvent {
  id: number;
  event: string;
  seat?: string;
  player?: string;
  name?: string;
  /** The kind of the robot that got the seat. */
  robot?: string;
  options?: string[];
  line?: number;
  /** The code of the problem because of which the next game does not begin. */
  reason?: string;
  muted?: boolean;
  on?: string;
  agrees?: boolean;
  result?: string;
  game_id?: string;
  table?: Table;
}

/** The event of a message; `undefined` if it cannot be read. */
export function eventOf(data: string): TableEvent | undefined {
  try {
    return JSON.parse(data) as TableEvent;
  } catch {
    return undefined;
  }
}
