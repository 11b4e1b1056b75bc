// The event stream of a game. It is read by `fetch`, so that the token is in a header and never in a URL.
import { renewedToken } from "./client";

export interface Message {
  id: string;
  event: string;
  data: string;
}

const LONGEST_PAUSE = 10_000;
/**
 * The time without a byte after which a connection counts as broken, in milliseconds. The service sends a heartbeat
 * every 15 seconds.
 */
const LONGEST_SILENCE = 40_000;

/**
 * Follows a stream until `signal` is aborted, the stream ends, or the service refuses access. A broken connection is
 * opened again, and continues after the last event received. `online` is called with `true` when a connection is open,
 * and with `false` after the second failure in a row, or at once if the browser has no network.
 *
 * Returns `refused` if the service refuses access (401, 403, 404), otherwise `ended`.
 */
export async function follow(
  path: string,
  token: string | undefined,
  take: (message: Message) => void,
  online: (is: boolean) => void,
  signal: AbortSignal,
): Promise<"ended" | "refused"> {
  let seen = "";
  let failures = 0;
  let isRenewed = false;
  while (!signal.aborted) {
    const connection = new Connection(signal);
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (token) headers["Authorization"] = `Bearer ${token}`;
      if (seen) headers["Last-Event-ID"] = seen;
      const response = await fetch(path, { headers, signal: connection.signal, cache: "no-store" });
      const renewed = isRenewed ? undefined : await renewedToken(token, response);
      if (renewed) {
        token = renewed;
        isRenewed = true;
        continue;
      }
      if (response.status === 404 || response.status === 401 || response.status === 403) return "refused";
      // The game is over, and all its events have been received.
      if (response.status === 204) {
        online(true);
        return "ended";
      }
      if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
      online(true);
      failures = 0;
      isRenewed = false;
      for await (const message of messages(response.body, connection)) {
        if (message.id) seen = message.id;
        if (message.event === "end") return "ended";
        take(message);
      }
    } catch {
      if (signal.aborted) return "ended";
    } finally {
      connection.close();
    }
    failures += 1;
    online(failures < 2 && navigator.onLine);
    await pauseUntilOnline(Math.min(300 * 2 ** failures, LONGEST_PAUSE));
  }
  return "ended";
}

/** A connection of a stream. Its signal is aborted after a silence, and when the browser loses its network. */
class Connection {
  readonly #lost = new AbortController();
  readonly signal: AbortSignal;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#lost.signal]);
    addEventListener("offline", this.#lose);
    this.hear();
  }

  readonly #lose = (): void => this.#lost.abort();

  /** Notes that the service has sent something. */
  hear(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#lose, LONGEST_SILENCE);
  }

  close(): void {
    clearTimeout(this.#silence);
    removeEventListener("offline", this.#lose);
    this.#lose();
  }
}

/** Waits, but not longer than until the browser has its network back. */
function pauseUntilOnline(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
  });
}

async function* messages(body: ReadableStream<Uint8Array>, connection: Connection): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    connection.hear();
    rest += value;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const message: Message = { id: "", event: "message", data: "" };
      for (const line of block.split(/\r?\n/)) {
        const cut = line.indexOf(":");
        if (cut <= 0) continue;
        const field = line.slice(0, cut);
        const text = line.slice(cut + 1).replace(/^ /, "");
        if (field === "id") message.id = text;
        else if (field === "event") message.event = text;
        else if (field === "data") message.data += message.data ? `\n${text}` : text;
      }
      if (message.data) yield message;
    }
  }
}
