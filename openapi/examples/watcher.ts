/**
 * Watches a game and prints one line for each event.
 *
 *     npx tsx watcher.ts GAME [TOKEN]      GAME is its address, such as http://127.0.0.1:8080/v1/games/01992b3e-...
 *
 * Node.js 23.6 and newer run the file directly: `node watcher.ts GAME`. It needs no packages. `follow` also works in
 * browsers, and unlike `EventSource` it can send the token that a private game requires.
 *
 * The stream may break at any time. The watcher then connects again and sends the id of the last event received, so it
 * misses no event and prints none twice. Exit code 0: the game is over; 1: the server refused access to the game.
 */

/** A message of the stream, in the format `text/event-stream`. */
interface Message {
  id?: number;
  event: string;
  data: string;
}

/** An event of a game; the OpenAPI document describes the other fields as `EventView`. */
interface GameEvent {
  id: number;
  event: string;
  at: string;
  seat?: string;
  throw?: string;
  action?: string;
  pawn?: string;
  to?: string;
}

/** The fields of a game that are printed; the OpenAPI document describes all fields as `GameView`. */
interface Game {
  status: "open" | "playing" | "finished";
  position: Record<string, string[]>;
  ranking: { place: number; seat: string }[];
}

/** A snapshot of the game, or an event. A snapshot comes first, and whenever events were missed. */
type Sight = { kind: "snapshot"; game: Game } | { kind: "event"; event: GameEvent };

class Refused extends Error {}

/** Yields the messages of one stream until the stream ends or breaks. */
async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    // A message ends with an empty line. `rest` keeps an incomplete message until its end arrives.
    const parts = rest.split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const message: Message = { event: "message", data: "" };
      for (const line of part.split("\n")) {
        const [, field, text = ""] = /^(\w+): ?(.*)$/.exec(line) ?? []; // a comment such as `: alive` has no field
        if (field === "id") message.id = Number(text);
        if (field === "event") message.event = text;
        if (field === "data") message.data += text;
      }
      if (message.data) yield message;
    }
  }
}

/** Follows a game to its end. Opens another stream whenever one breaks. */
async function* follow(game: string, token?: string): AsyncGenerator<Sight> {
  let last: number | undefined;
  let pause = 200;
  for (;;) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (token) headers["Authorization"] = `Bearer ${token}`;
      if (last !== undefined) headers["Last-Event-ID"] = String(last);
      const answer = await fetch(`${game}/events`, { headers });
      if (answer.status === 204) return; // the game is over, and the watcher has all its events
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        const problem = (await answer.json()) as { title: string; detail: string };
        throw new Refused(`${problem.title}: ${problem.detail}`);
      }
      if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
      for await (const message of messages(answer.body)) {
        pause = 200;
        if (message.event === "end") return;
        // After `resync`, the service sends a snapshot in place of missed events that it no longer has.
        if (message.event === "resync") continue;
        if (message.event === "snapshot") yield { kind: "snapshot", game: JSON.parse(message.data) as Game };
        else yield { kind: "event", event: JSON.parse(message.data) as GameEvent };
        last = message.id ?? last;
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      console.error(`coming back: ${error}`);
    }
    await new Promise((wake) => setTimeout(wake, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, 20_000);
  }
}

async function main(game: string, token?: string): Promise<void> {
  for await (const sight of follow(game.replace(/\/$/, ""), token)) {
    if (sight.kind === "snapshot") {
      const { status, position, ranking } = sight.game;
      console.log(`${status}: ${JSON.stringify(position)}`);
      for (const { place, seat } of ranking) console.log(`place ${place}: ${seat}`);
    } else {
      const { id, event, seat, throw: thrown, action, pawn, to } = sight.event;
      console.log([id, event, seat, thrown, action, pawn, to].filter((word) => word !== undefined).join(" "));
    }
  }
}

const [game, token] = process.argv.slice(2);
if (!game) {
  console.error("which game? watcher.ts http://127.0.0.1:8080/v1/games/ID [TOKEN]");
  process.exit(2);
}
main(game, token).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
