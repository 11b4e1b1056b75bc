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

  /** Shows a group of events that `takeGroup` has returned. In haste, only the result of the events is shown. */
  async play(group: GameEvent[], inHaste: boolean): Promise<void> {
    const event = group[0]!;
    if (event.event === "thrown") {
      this.rolling.value = true;
      if (!inHaste) await wait(450);
      this.rolling.value = false;
      const game = this.game.peek();
      if (game && event.next) this.game.value = { ...game, hand: event.next.hand, throw: event.throw! };
      if (!inHaste) await wait(250);
      return;
    }
    if (event.event === "started" && event.pawns) {
      const places = new Map(event.pawns.map((pawn) => [pawn.id, pawn.place]));
      this.#put([...places.keys()], (id) => places.get(id));
    }
    if (event.event === "moved") await this.#move(group, inHaste);
    else if (["cut", "sent", "put_back", "left", "entered", "stayed"].includes(event.event) && event.pawn && event.to) {
      this.moving.value = new Set([event.pawn]);
      this.#put([event.pawn], () => event.to);
      if (!inHaste && event.event !== "entered") await wait(420);
      this.moving.value = new Set();
    }
  }

  async #move(group: GameEvent[], inHaste: boolean): Promise<void> {
    const ids = group.map((one) => one.pawn!);
    this.moving.value = new Set(ids);
    const steps = Math.max(...group.map((one) => one.path?.length ?? 0));
    if (!inHaste && isWalking()) {
      for (let step = 0; step < steps - 1; step += 1) {
        this.#put(ids, (id) => group.find((one) => one.pawn === id)?.path?.[step]);
        await wait(steps > 12 ? 70 : 130);
      }
    }
    this.#put(ids, (id) => group.find((one) => one.pawn === id)?.to);
    if (!inHaste) await wait(260);
    this.moving.value = new Set();
  }

  #put(ids: string[], place: (id: string) => string | undefined): void {
    this.pawns.value = this.pawns.peek().map((pawn) => {
      const to = ids.includes(pawn.id) ? place(pawn.id) : undefined;
      return to ? { ...pawn, place: to } : pawn;
    });
  }
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
