// The tokens of links to tables that this browser has made or followed, by table.
import { setting } from "../keep";

const LINKS = "pagade.links";
/** Maximum number of links that the browser stores. */
const MOST = 30;

function all(): [string, string][] {
  try {
    const stored: unknown = JSON.parse(setting(LINKS) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, string][]).filter((pair) => Array.isArray(pair)) : [];
  } catch {
    return [];
  }
}

export const linkOf = (table: string): string | undefined => all().find(([id]) => id === table)?.[1];

export function storeLink(table: string, link: string): void {
  setting(LINKS, JSON.stringify([[table, link], ...all().filter(([id]) => id !== table)].slice(0, MOST)));
}
