// One game as this page follows and plays it: the state, what is shown of it while events are animated, and commands.
import { computed, type Signal, signal } from "@preact/signals";
import { call, pause, read, Refusal, refusalOf } from "../api/client";
import { follow, type Message } from "../api/stream";
import type { BriefGame, Game, GameEvent, Layout, Legal, RuleSet, Turn } from "../api/types";
import type { KeptGame } from "../keep";
import { player } from "../player";
import { EventLog, STORY } from "./event-log";
import { layoutPath } from "./layout-path";
import { GameRights } from "./rights";
import { speed } from "./speed";
import { Stage, takeGroup } from "./stage";
import { TurnClock } from "./turn-clock";

/** If more events than this wait to be shown, they are shown without animation. */
const MOST_WAITING = 60;

/** The events after which the game is read again, although they are not followed by a decision. */
const RESHAPING = ["joined", "left_seat", "started", "agreed", "resigned"];

export class Session {
  readonly #stage = new Stage();
  readonly game = this.#stage.game;
  readonly pawns = this.#stage.pawns;
  readonly moving = this.#stage.moving;
  readonly rolling = this.#stage.rolling;
  readonly layout = signal<Layout | undefined>(undefined);
  readonly rules = signal<RuleSet | undefined>(undefined);
  readonly legal = signal<Legal | undefined>(undefined);
  /** Whether the page waits for the answer to a command. */
  readonly busy = signal(false);
  /** Whether an animation of events is running. */
  readonly animating = signal(false);
  /** The step that a watcher has stepped to; `undefined`: the game as it is now. */
  readonly at = signal<number | undefined>(undefined);
  /** Number of steps of the game. */
  readonly steps = signal(0);
  readonly online = signal(true);
  readonly #clock = new TurnClock();
  readonly clock = this.#clock.end;
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly fatal = signal<Refusal | undefined>(undefined);

  /** Whether a person at this page makes the next decision of the game. */
  readonly mine = computed(() => {
    const game = this.game.value;
    const kept = this.kept.value;
    if (!game?.turn || game.status !== "playing" || !kept) return false;
    return game.turn in kept.seats;
  });

  readonly #rights: GameRights;
  readonly #events: EventLog;
  /** The state that is shown when the waiting events have been shown. */
  #pending: Game | undefined;
  #working = false;
  #stepping = false;
  #closed = new AbortController();
  #stream: AbortController | undefined;

  constructor(readonly id: string) {
    this.#rights = new GameRights(id);
    const learn = (game: BriefGame): void => this.#clock.read(game);
    this.#events = new EventLog(`${this.path}/events`, () => this.token, learn);
  }

  get path(): string {
    return `/v1/games/${this.id}`;
  }

  get story(): Signal<GameEvent[]> {
    return this.#events.story;
  }

  /** The game as this browser stores it, with its tokens. */
  get kept(): Signal<KeptGame | undefined> {
    return this.#rights.kept;
  }

  get token(): string | undefined {
    return this.#rights.tokenFor(this.game.value?.turn);
  }

  /** Reads the game and begins to follow it. */
  async open(watching: boolean): Promise<void> {
    this.#rights.load(watching);
    try {
      const game = await this.#readNew();
      await this.readRules(game);
      if (!watching) this.#adoptSeat(game);
      this.#events.seen = game.events;
      this.steps.value = game.steps;
      this.#show(game);
      void this.#events.readEnd(game.events, watching ? STORY : 40).catch(() => undefined);
    } catch (error) {
      const refusal = refusalOf(error);
      if (this.#dropTokens(refusal)) return this.open(watching);
      this.fatal.value = refusal;
      return;
    }
    void this.#follow();
    void this.#work();
  }

  /** Reads the game. A game of a table may be announced a moment before it exists: then it is read again. */
  async #readNew(): Promise<Game> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read<Game>(this.path, this.token);
      } catch (error) {
        if (refusalOf(error).status !== 404 || attempt > 3 || !player.peek()) throw error;
        await pause(500);
      }
    }
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
    const query = step === undefined ? "" : `?at=${step}`;
    const game = await read<Game>(`${this.path}${query}`, this.token);
    this.#show(game);
    if (step !== undefined) {
      if (this.at.peek() === step) await this.#events.readAt(step, this.steps.peek());
      return;
    }
    this.steps.value = game.steps;
    await this.#events.catchUp(game.events);
    await this.#events.returnToEnd();
    this.#pending = game;
    await this.#work();
  }

  close(): void {
    this.#closed.abort();
  }

  /** Reads the texts of the rules, in the language of the page, and the board for the options of the game. */
  async readRules(game: Game): Promise<void> {
    const { id, version } = game.rule_set;
    const rules = await read<RuleSet>(`/v1/rule-sets/${id}?version=${encodeURIComponent(version)}`, this.token);
    this.rules.value = rules;
    this.layout.value ??= await read<Layout>(layoutPath(game, rules));
  }

  /** Stores the game if the player of this browser has a seat in it, as in games of tables and tournaments. */
  #adoptSeat(game: Game): void {
    const kept = this.#rights.seatIn(game, game.title ?? this.rules.peek()?.title ?? "");
    if (kept) this.adopt(kept);
  }

  /** Forgets the tokens of this game if they were refused, and says so. Returns false if they were not. */
  #dropTokens(refusal: Refusal): boolean {
    const isDropped = this.#rights.drop(refusal, this.token);
    if (isDropped) this.trouble.value = refusal;
    return isDropped;
  }

  /** Stores the game with its tokens. With a first seat, the page follows the game as that seat from now on. */
  adopt(kept: KeptGame): void {
    const before = this.#rights.seatToken;
    this.#rights.adopt(kept);
    if (this.#stream && this.#rights.seatToken !== before) void this.#follow();
  }

  async throwDice(dice?: string): Promise<void> {
    await this.#command("throws", dice ? { throw: dice } : {});
  }

  async play(action: string): Promise<void> {
    await this.#command("actions", { actions: [action] });
  }

  /** The token of a seat that this browser plays. */
  tokenOf(seat: string | undefined): string | undefined {
    return seat && this.#rights.tokenOf(seat);
  }

  /** Sends a command that is allowed outside the seat's turn, such as a resignation. */
  async post(path: string, body: unknown, token: string | undefined): Promise<void> {
    await this.#post(path, body, token, this.game.peek()?.version);
  }

  /** Plays a seat again that the service plays. What has happened meanwhile does not matter, so no version is sent. */
  async comeBack(seat: string): Promise<void> {
    await this.#post(`seats/${seat}/return`, {}, this.tokenOf(seat), undefined);
  }

  async #post(path: string, body: unknown, token: string | undefined, version: number | undefined): Promise<void> {
    try {
      this.trouble.value = undefined;
      await call("POST", `${this.path}/${path}`, { body, token, version });
      await this.refresh();
    } catch (error) {
      await this.#fail(error);
    }
  }

  async refresh(): Promise<void> {
    const game = await read<Game>(this.path, this.token);
    if (game.version < (this.game.peek()?.version ?? 0)) return;
    if (game.events > this.#events.seen) await this.#events.catchUp(game.events);
    this.#pending = game;
    void this.#work();
  }

  async #command(path: string, body: unknown): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.trouble.value = undefined;
    this.legal.value = undefined;
    if (path === "throws") this.rolling.value = true;
    try {
      const version = this.game.peek()?.version;
      const turn = await call<Turn>("POST", `${this.path}/${path}`, { body, token: this.token, version });
      this.#events.take(turn.events);
      this.#pending = turn.game;
    } catch (error) {
      await this.#fail(error);
    }
    this.busy.value = false;
    await this.#work();
  }

  async #fail(error: unknown): Promise<void> {
    const refusal = refusalOf(error);
    this.rolling.value = false;
    this.#dropTokens(refusal);
    this.trouble.value = refusal;
    try {
      // With 409 or 412, the page showed an old state of the game.
      const game = await read<Game>(this.path, this.token);
      await this.#events.catchUp(game.events);
      this.#pending = game;
    } catch {
      // `trouble` already has the first error.
    }
  }

  /** Follows the game from now on, in place of an earlier stream. */
  async #follow(): Promise<void> {
    this.#stream?.abort();
    const stream = new AbortController();
    this.#stream = stream;
    const take = (message: Message): void => this.#receive(message);
    const online = (is: boolean): void => {
      if (!stream.signal.aborted) this.online.value = is;
    };
    const signal = AbortSignal.any([stream.signal, this.#closed.signal]);
    const how = await follow(`${this.path}/events`, this.#rights.seatToken ?? this.token, take, online, signal);
    if (how === "refused") {
      try {
        await this.refresh();
      } catch (error) {
        const refusal = refusalOf(error);
        if (this.#dropTokens(refusal)) return this.open(true);
        this.fatal.value = refusal;
      }
      this.online.value = false;
    }
  }

  #receive(message: Message): void {
    const refresh = (): void => void this.refresh().catch(() => undefined);
    if (message.event === "snapshot" || message.event === "resync") return refresh();
    let event: GameEvent;
    try {
      event = JSON.parse(message.data) as GameEvent;
    } catch {
      return;
    }
    if (event.game) this.#clock.read(event.game);
    if (typeof event.id !== "number" || event.id <= this.#events.seen) return;
    if (event.id > this.#events.seen + 1) return refresh();
    this.#events.take([event]);
    // The answer to a command of this page contains the new state, so no refresh is needed.
    if (event.next ? !this.busy.peek() : RESHAPING.includes(event.event)) refresh();
  }

  /** Animates waiting events, and shows the state behind them. One of these runs at a time. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    const { queue } = this.#events;
    try {
      while (!this.#closed.signal.aborted) {
        if (queue.length > 0 && this.at.peek() !== undefined) {
          this.#events.tell(queue.splice(0));
        } else if (queue.length > 0) {
          this.animating.value = true;
          const group = takeGroup(queue);
          this.#events.tell(group);
          await this.#stage.play(group, queue.length > MOST_WAITING || speed.peek() === 0);
        } else if (this.#pending) {
          const game = this.#pending;
          this.#pending = undefined;
          this.steps.value = game.steps;
          if (game.events >= this.#events.seen && this.at.peek() === undefined) this.#show(game);
          this.animating.value = false;
        } else if (!(await this.#decide())) break;
      }
    } finally {
      this.#working = false;
      this.animating.value = false;
      this.rolling.value = false;
    }
    // An event can arrive after the last check of the loop and before `#working` is reset.
    if (!this.#closed.signal.aborted && (queue.length > 0 || this.#pending)) await this.#work();
  }

  #show(game: Game): void {
    if (this.at.peek() === undefined) this.#clock.guess(game);
    this.legal.value = undefined;
    this.#stage.show(game);
  }

  /** Reads the legal actions, if a person decides here; false if there is nothing to do. */
  async #decide(): Promise<boolean> {
    const game = this.game.peek();
    if (!game || !this.mine.peek() || this.busy.peek() || game.awaits !== "action") return false;
    if (this.legal.peek()?.version === game.version) return false;
    try {
      const legal = await read<Legal>(`${this.path}/legal`, this.token);
      if (legal.version !== game.version) {
        await this.refreshNow();
        return true;
      }
      this.legal.value = legal;
      return false;
    } catch (error) {
      this.trouble.value = refusalOf(error);
      await pause(2000);
      await this.refreshNow().catch(() => undefined);
      // Without the legal actions the game cannot go on, so they are asked for again, as long as the service is away.
      const status = this.trouble.peek()?.status ?? 0;
      return status === 0 || status >= 500;
    }
  }

  async refreshNow(): Promise<void> {
    const game = await read<Game>(this.path, this.token);
    await this.#events.catchUp(game.events);
    this.#pending = game;
  }
}
