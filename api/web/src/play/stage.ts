// What is shown of a game while events are animated: pawns on their way, dice that roll, the state between two events.
import { signal } from "@preact/signals";
import type { Game, GameEvent } from "../api/types";
import type { ShownPawn } from "../board/Board";
import { seatOfPawn } from "./colours";
import { isWalking, wait } from "./speed";

export class Stage {
  readonly game = signal<Game | undefined>(undefined);
  readonly pawns = signal<ShownPawn[]>([]);
  readonly moving = signal<ReadonlySet<string>>(new Set());
  readonly rolling = signal(false);

  show(game: Game): void {
    this.game.value = game;
    this.pawns.value = game.seats.flatMap((seat) =>
      seat.pawns.map((pawn) => ({ id: pawn.id, seat: seatOfPawn(pawn.id), place: pawn.place })),
    );
  }

  /** Animates a group of events that `takeGroup` has returned. */
  async play(group: GameEvent[]): Promise<void> {
    const event = group[0]!;
    if (event.event === "thrown") {
      this.rolling.value = true;
      await wait(450);
      this.skip(group);
      await wait(250);
      return;
    }
    if (event.event === "started") return this.skip(group);
    const places = placesAfter(group);
    if (places.size === 0) return;
    this.moving.value = new Set(places.keys());
    if (event.event === "moved") await this.#walk(group);
    this.#put(places);
    if (event.event !== "entered") await wait(event.event === "moved" ? 260 : 420);
    this.moving.value = new Set();
  }

  /** Shows the result of a group of events, without animation. */
  skip(group: GameEvent[]): void {
    const event = group[0]!;
    if (event.event !== "thrown") return this.#put(placesAfter(group));
    this.rolling.value = false;
    const game = this.game.peek();
    if (game && event.next) this.game.value = { ...game, hand: event.next.hand, throw: event.throw! };
  }

  /** Moves pawns along their paths, except for the last step. */
  async #walk(group: GameEvent[]): Promise<void> {
    if (!isWalking()) return;
    const steps = Math.max(...group.map((one) => one.path?.length ?? 0));
    for (let step = 0; step < steps - 1; step += 1) {
      this.#put(new Map(group.map((one) => [one.pawn!, one.path?.[step]])));
      await wait(steps > 12 ? 70 : 130);
    }
  }

  #put(places: ReadonlyMap<string, string | undefined>): void {
    if (places.size === 0) return;
    this.pawns.value = this.pawns.peek().map((pawn) => {
      const place = places.get(pawn.id);
      return place ? { ...pawn, place } : pawn;
    });
  }
}

/** The events, besides moves, that put a pawn on another place. */
const PUTTING = ["cut", "sent", "put_back", "left", "entered", "stayed"];

/** The places of the pawns that a group of events moves, by the ids of the pawns. */
function placesAfter(group: GameEvent[]): Map<string, string> {
  const event = group[0]!;
  if (event.event === "started") return new Map(event.pawns?.map((pawn) => [pawn.id, pawn.place]));
  const movers = event.event === "moved" || PUTTING.includes(event.event) ? group : [];
  return new Map(movers.flatMap((one) => (one.pawn && one.to ? [[one.pawn, one.to]] : [])));
}

/** Removes from a queue the events that are shown next, at the same time. */
export function takeGroup(queue: GameEvent[]): GameEvent[] {
  const event = takeNext(queue);
  const group = [event];
  // Pawns that move together have one event each, and these events follow each other.
  const isTogether = (next: GameEvent | undefined): boolean =>
    event.event === "moved" && next?.event === "moved" && Boolean(event.with?.includes(next.pawn ?? ""));
  while (isTogether(queue[0])) group.push(queue.shift()!);
  return group;
}

/** The events in the order in which they are shown. */
export function inOrder(events: GameEvent[]): GameEvent[] {
  const queue = [...events];
  return events.map(() => takeNext(queue));
}

/** Removes the next event from a queue. A move that captures comes before its captures. */
function takeNext(queue: GameEvent[]): GameEvent {
  const first = queue[0]!;
  let at = 0;
  if (first.event === "cut") {
    const move = queue.findIndex(
      (event) => event.event === "moved" && event.step === first.step && first.by?.includes(event.pawn ?? ""),
    );
    at = Math.max(move, 0);
  }
  return queue.splice(at, 1)[0]!;
}
