// What the page shows of a game: its events, animated one group after another, then the state behind them; or the game
// after an earlier step.
import { batch, signal } from "@preact/signals";
import { pause, read, Refusal, refusalOf } from "../api/client";
import type { BriefGame, Game, GameEvent, Turn } from "../api/types";
import { player } from "../player";
import { EventLog } from "./event-log";
import { speed } from "./speed";
import { Stage, takeGroup } from "./stage";
import { TurnClock } from "./turn-clock";

/** If more events than this wait to be shown, they are shown without animation. */
const MOST_WAITING = 60;

/** The page for which a game is shown. */
interface Watcher {
  path: string;
  token: () => string | undefined;
  closed: AbortSignal;
  /** Called when a state is shown: data about another state is outdated then. */
  shown: (game: Game) => void;
  /** Prepares the decision of a person. Returns whether there may be further events or states to show. */
  decide: () => Promise<boolean>;
}

export class Showing {
  readonly #stage = new Stage();
  readonly game = this.#stage.game;
  readonly pawns = this.#stage.pawns;
  readonly moving = this.#stage.moving;
  readonly rolling = this.#stage.rolling;
  /** Whether an animation of events is running. */
  readonly animating = signal(false);
  /** The step that a watcher has stepped to; `undefined`: the game as it is now. */
  readonly at = signal<number | undefined>(undefined);
  /** Number of steps of the game. */
  readonly steps = signal(0);
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly clock = new TurnClock();
  readonly events: EventLog;
  /** The state that is shown when the waiting events have been shown. */
  #pending: Game | undefined;
  #working = false;
  #stepping = false;

  constructor(readonly watcher: Watcher) {
    const learn = (game: BriefGame): void => this.clock.read(game);
    this.events = new EventLog(`${watcher.path}/events`, watcher.token, learn);
  }

  /** Shows the first state of the game that the page has read, and the last `count` events before it. */
  begin(game: Game, count: number): void {
    this.events.seen = game.events;
    this.steps.value = game.steps;
    this.#show(game);
    void this.events.readEnd(game.events, count).catch(() => undefined);
  }

  /** Shows the events of an answer, then its state. */
  take(turn: Turn): void {
    this.events.take(turn.events);
    this.#showNext(turn.game);
  }

  /** Reads the game. A game of a table may be announced a moment before it exists: then it is read again. */
  async readNew(): Promise<Game> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#read();
      } catch (error) {
        if (refusalOf(error).status !== 404 || attempt > 3 || !player.peek()) throw error;
        await pause(500);
      }
    }
  }

  /**
   * Reads the game, and the events that the page has not seen. The game is shown next, unless it is older than the
   * shown state.
   */
  async catchUp(): Promise<void> {
    const game = await this.#read();
    if (game.events > this.events.seen) await this.events.catchUp(game.events);
    this.#showNext(game);
  }

  /** Reads the game and shows it, even if the page has seen a later state, which the service has lost. */
  async startAgain(count: number): Promise<void> {
    const game = await this.#read();
    this.events.queue.length = 0;
    this.#pending = undefined;
    this.begin(game, count);
  }

  /** Shows a game after the waiting events. Answers can arrive after newer ones, so an older state is not shown. */
  #showNext(game: Game): void {
    const newest = this.#pending ?? this.game.peek();
    if (!newest || game.version >= newest.version) this.#pending = game;
  }

  /**
   * Shows the game after this step, or as it is now. While a step is being read, only the last of further wishes
   * counts, so that a dragged slider sends few requests.
   */
  async stepTo(step: number | undefined): Promise<void> {
    this.at.value = step;
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      for (let shown: number | undefined | null = null; shown !== this.at.peek();) {
        shown = this.at.peek();
        await this.#showStep(shown);
      }
      this.trouble.value = undefined;
    } catch (error) {
      this.trouble.value = refusalOf(error);
    } finally {
      this.#stepping = false;
    }
  }

  async #showStep(step: number | undefined): Promise<void> {
    const game = await this.#read(step === undefined ? "" : `?at=${step}`);
    this.#show(game);
    if (step !== undefined) {
      if (this.at.peek() === step) await this.events.readAt(step, this.steps.peek());
      return;
    }
    this.steps.value = game.steps;
    await this.events.catchUp(game.events);
    await this.events.returnToEnd();
    this.#showNext(game);
    await this.work();
  }

  /** Animates waiting events, and shows the state behind them. Only one call runs at a time. */
  async work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    const { queue } = this.events;
    const { closed } = this.watcher;
    try {
      while (!closed.aborted) {
        if (queue.length > 0 && this.at.peek() !== undefined) {
          this.events.tell(queue.splice(0));
        } else if (queue.length > 0) {
          this.animating.value = true;
          if (this.#inHaste) this.#skip();
          else {
            const group = takeGroup(queue);
            this.events.tell(group);
            await this.#stage.play(group);
          }
        } else if (this.#pending) {
          const game = this.#pending;
          this.#pending = undefined;
          this.steps.value = game.steps;
          if (game.events >= this.events.seen && this.at.peek() === undefined) this.#show(game);
          this.animating.value = false;
        } else if (!(await this.watcher.decide())) break;
      }
    } finally {
      this.#working = false;
      this.animating.value = false;
      this.rolling.value = false;
    }
    // An event can arrive after the last check of the loop and before `#working` is reset.
    if (!closed.aborted && (queue.length > 0 || this.#pending)) await this.work();
  }

  get #inHaste(): boolean {
    return this.events.queue.length > MOST_WAITING || speed.peek() === 0;
  }

  /** Shows the state after the waiting events, without animation. The page is drawn once for all of them. */
  #skip(): void {
    const { queue } = this.events;
    batch(() => {
      const told: GameEvent[] = [];
      while (queue.length > 0 && this.#inHaste) {
        const group = takeGroup(queue);
        this.#stage.skip(group);
        told.push(...group);
      }
      this.events.tell(told);
    });
  }

  #show(game: Game): void {
    if (this.at.peek() === undefined) this.clock.guess(game);
    this.watcher.shown(game);
    this.#stage.show(game);
  }

  #read = (query = ""): Promise<Game> => read<Game>(`${this.watcher.path}${query}`, this.watcher.token());
}
