// Requests to the service. Every command has an idempotency key, so that it is safe to send it again.
import { signal } from "@preact/signals";
import { language } from "../i18n";
import { limitOf, noteLimits, type Reached, waitingFor } from "./limits";
import type { Problem } from "./types";

/** A request that failed: the service answered with a problem, or did not answer (`status` 0, code `unreachable`). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem> & { code: string; detail: string; values?: Record<string, string> },
    /** The limit that was reached, if the request was refused because of a limit. */
    readonly reached?: Reached,
  ) {
    super(problem.detail);
  }
}

/** An error of any kind as a refusal; `status` is 0 if the service has not refused anything. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(0, { code: "page", detail: error instanceof Error ? error.message : String(error) });
}

export interface Request {
  body?: unknown;
  token?: string | undefined;
  version?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the answer is a text rather than JSON. */
  isText?: boolean;
  /** Whether the token was renewed for this request. A request renews its token at most once. */
  isRenewed?: boolean;
}

/** Finds the token that replaces an expired token. */
let renew: (token: string) => Promise<string | undefined> = () => Promise.resolve(undefined);

/** Sets how expired tokens are renewed. */
export function renewWith(how: typeof renew): void {
  renew = how;
}

/** The token that replaces `token`, if `response` says that `token` has expired, and if it can be renewed. */
export async function renewedToken(token: string | undefined, response: Response): Promise<string | undefined> {
  if (!token || response.status !== 401) return undefined;
  const { code } = await problemOf(response.clone());
  return code === "token_expired" ? renew(token).catch(() => undefined) : undefined;
}

const ATTEMPTS = 4;
/** The longest wait before a request is sent again by itself, in milliseconds. */
const LONGEST_WAIT = 8_000;
/** The time after which a request without an answer is given up and sent again, in milliseconds. */
const LONGEST_ANSWER = 20_000;

/** The time after which the page says that an answer is late, in milliseconds. */
const LATE = 3_000;

/** Number of requests whose answers are late. */
export const late = signal(0);

/** The time of the service, from the header `Date` of its answers, minus the time of this browser, in milliseconds. */
let ahead = 0;

/** The time of the service in milliseconds since 1970, exact to a second. The clock of this browser may be wrong. */
export const serverNow = (): number => Date.now() + ahead;

export function noteDate(response: Response): void {
  const date = Date.parse(response.headers.get("Date") ?? "");
  // The header is rounded down to a second, so it is half a second too early on average.
  if (date) ahead = date + 500 - Date.now();
}

/** A random UUID. `crypto.randomUUID` is missing on pages that come over plain HTTP from another machine. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 15) | 64;
  bytes[8] = (bytes[8]! & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The time before a reading that has failed is tried again, in milliseconds. */
const BETWEEN_READS = 2_000;

/** Repeats a reading until it succeeds or is refused, or the page is closed. */
export async function insist(reading: () => Promise<void>, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    try {
      return await reading();
    } catch (error) {
      const { status } = refusalOf(error);
      if (status >= 400 && status < 500 && status !== 429) return;
      await pause(BETWEEN_READS);
    }
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** Does work, and counts it in `late` while it lasts longer than `LATE`. */
async function watchTime<T>(work: () => Promise<T>): Promise<T> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.value += 1;
  }, LATE);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (isLate) late.value -= 1;
  }
}

/**
 * Sends a request. Repeats it if the service is away or busy, or if its answer ends too early. Throws a `Refusal` for
 * other problems.
 */
export async function call<T>(method: string, path: string, request: Request = {}): Promise<T> {
  const headers: Record<string, string> = { "Accept-Language": language.value };
  if (request.token) headers["Authorization"] = `Bearer ${request.token}`;
  if (request.version !== undefined) headers["If-Match"] = `"${request.version}"`;
  if (method !== "GET") headers["Idempotency-Key"] = uuid();
  if (request.body !== undefined) headers["Content-Type"] = "application/json";
  const body = request.body === undefined ? null : JSON.stringify(request.body);
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt === ATTEMPTS;
    let response: Response;
    let answer: unknown;
    try {
      const longest = AbortSignal.timeout(LONGEST_ANSWER);
      const signal = request.signal ? AbortSignal.any([request.signal, longest]) : longest;
      response = await watchTime(() => fetch(path, { method, headers, body, signal }));
      if (response.ok && response.status !== 204)
        answer = await (request.isText ? response.text() : response.json());
    } catch (error) {
      if (request.signal?.aborted || error instanceof SyntaxError) throw error;
      if (last) throw new Refusal(0, { code: "unreachable", detail: "" });
      await pause(400 * attempt);
      continue;
    }
    noteDate(response);
    noteLimits(response);
    if (response.ok) return answer as T;
    const seconds = Math.max(Number(response.headers.get("Retry-After")) || 1, 0.5);
    if (response.status === 429) {
      const reached = { limit: limitOf(method, path), seconds: Math.ceil(seconds) };
      if (last || seconds * 1000 > LONGEST_WAIT) throw new Refusal(429, await problemOf(response), reached);
      waitingFor.value = reached;
      await pause(seconds * 1000);
      if (waitingFor.peek() === reached) waitingFor.value = undefined;
      continue;
    }
    if (response.status === 503 && !last) {
      await watchTime(() => pause(Math.min(seconds * 1000, LONGEST_WAIT)));
      continue;
    }
    const renewed = request.isRenewed ? undefined : await renewedToken(request.token, response);
    if (renewed) return call(method, path, { ...request, token: renewed, isRenewed: true });
    throw new Refusal(response.status, await problemOf(response));
  }
}

export const read = <T>(path: string, token?: string): Promise<T> => call<T>("GET", path, { token });

export const readText = (path: string, token?: string): Promise<string> =>
  call<string>("GET", path, { token, isText: true });

async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return { code: "unreachable", detail: `HTTP ${response.status}` } as Problem;
  }
}
