// Requests that the service refuses because there were too many of a kind in a short time (429).
import { signal } from "@preact/signals";

/** A kind of requests with its own limit. In the language files, the key of its text is `limit_` and this word. */
export type Limit = "chat" | "create" | "friend" | "invite" | "other" | "publish";

const KINDS: [RegExp, Limit][] = [
  [/^\/v1\/tables\/[^/]+\/chat$/, "chat"],
  [/^\/v1\/tables\/[^/]+\/invitations$/, "invite"],
  [/^\/v1\/players\/[^/]+\/friends\/[^/]+$/, "friend"],
  [/^\/v1\/rule-sets$/, "publish"],
  [/^\/v1\/(games|tables|tournaments|players|quick-play)$/, "create"],
];

export const limitOf = (method: string, path: string): Limit =>
  (method === "GET" ? undefined : KINDS.find(([pattern]) => pattern.test(path))?.[1]) ?? "other";

/** A limit that was reached, and the seconds until the service accepts the next request. */
export interface Reached {
  limit: Limit;
  seconds: number;
}

/** The limit because of which the page waits before it sends a request again. `undefined` while it does not wait. */
export const waitingFor = signal<Reached | undefined>(undefined);

/** The share of the quota of heavy requests that is left, from 0 to 1. 1 if the service sets no limit. */
let heavy = 1;

/** Notes how many heavy requests (rule texts, scenarios and simulations) the service still accepts. */
export function noteLimits(response: Response): void {
  const left = /"heavy";r=(\d+)/.exec(response.headers.get("RateLimit") ?? "");
  const most = /"heavy";q=(\d+)/.exec(response.headers.get("RateLimit-Policy") ?? "");
  if (left && most) heavy = Number(left[1]) / Number(most[1]);
}

export const heavyLeft = (): number => heavy;
