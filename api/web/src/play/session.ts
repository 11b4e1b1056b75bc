// One game as this page follows and plays it: the state, what is shown of it while events are animated, and commands.
import { computed, signal } from "@preact/signals";
import { call, pause, read, Refusal, serverNow } from "../api/client";
import { follow } from "../api/stream";
import type { BriefGame, Game, GameEvent, Layout, Legal, RuleSet, Turn } from "../api/types";
import type { ShownPawn } from "../board/Board";
import { forget, keep, keptGame, setting, type KeptGame } from "../keep";
import { forgetPlayer, player } from "../player";

/** Maximum number of events in the story. */
const STORY = 300;
/** If the page has missed more events than this, it shows the present state at once. */
const MOST_MISSED = 500;
/** If more events than this wait to be shown, they are shown without animation. */
const MOST_WAITING = 60;

export const speed = signal(Number(setting("pagade.speed") ?? 1));
export function setSpeed(value: number): void {
  speed.value = value;
  setting("pagade.speed", String(value));
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Session {
  readonly game = signal<Game | undefined>(undefined);
  readonly layout = signal<Layout | undefined>(undefined);
  readonly rules = signal<RuleSet | undefined>(undefined);
  readonly legal = signal<Legal | undefined>(undefined);
  readonly pawns = signal<ShownPawn[]>([]);
  readonly moving = signal<ReadonlySet<string>>(new Set());
  readonly story = signal<GameEvent[]>([]);
  readonly rolling = signal(false);
  /** Whether the page waits for the answer to a command. */
  readonly busy = signal(false);
  /** Whether an animation of events is running. */
  readonly animating = signal(false);
  /** The step that a watcher has stepped to; `undefined`: the game as it is now. */
  readonly at = signal<number | undefined>(undefined);
  /** Number of steps of the game. */
  readonly steps = signal(0);
  readonly online = signal(true);
  /** The end of the time for the decision at this version of the game, as `performance.now()` counts it. */
  readonly clock = signal<{ version: number; end: number } | undefined>(undefined);
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly fatal = signal<Refusal | undefined>(undefined);
  readonly kept = signal<KeptGame | undefined>(undefined);

  /** Whether a person at this page makes the next decision of the game. */
  readonly mine = computed(() => {
    const game = this.game.value;
    const kept = this.kept.value;
    if (!game?.turn || game.status !== "playing" || !kept) return false;
    return game.turn in kept.seats;
  });

  #reader: string | undefined;
  #seen = 0;
  #queue: GameEvent[] = [];
  #working = false;
  #closed = new AbortController();
  #stream: AbortController | undefined;

  constructor(readonly id: string) {}

  get token(): string | undefined {
    const kept = this.kept.value;
    const turn = this.game.value?.turn;
    const seat = turn ? kept?.seats[turn] : undefined;
    return seat ?? kept?.owner ?? this.#reader ?? kept?.invitation ?? player.peek()?.token;
  }

  /** Reads the game and begins to follow it. */
  async open(watching: boolean): Promise<void> {
    const kept = keptGame(this.id);
    // A watcher sends no commands; a stored token only gives access to private games.
    this.#reader = Object.values(kept?.seats ?? {})[0];
    this.kept.value = kept && watching ? { ...kept, seats: {} } : kept;
    try {
      const game = await this.#readNew();
      await this.readRules(game);
      if (!watching) this.#adoptSeat(game);
      this.#seen = game.events;
      this.steps.value = game.steps;
      this.#show(game);
      void this.#readStoryEnd(game.events, watching ? STORY : 40).catch(() => undefined);
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
        return await read<Game>(`/v1/games/${this.id}`, this.token);
      } catch (error) {
        if (refusalOf(error).status !== 404 || attempt > 3 || !player.peek()) throw error;
        await pause(500);
      }
    }
  }

  #stepping = false;

  /**
   * Shows the game after this step, or as it is now. While a step is being read, only the last of further wishes
   * counts, so that a dragged slider sends few requests.
   */
  async stepTo(step: number | undefined): Promise<void> {
    this.at.value = step;
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      for (let shown: number | undefined | null = null; shown !== this.at.peek(); ) {
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
    const game = await read<Game>(`/v1/games/${this.id}${query}`, this.token);
    this.#show(game);
    if (step !== undefined) {
      if (this.at.peek() === step) await this.#readStoryAt(step);
      return;
    }
    this.steps.value = game.steps;
    await this.#catchUp(game.events);
    if ((this.story.peek().at(-1)?.id ?? 0) < this.#seen - this.#queue.length) await this.#readStoryEnd(this.#seen);
    this.#pending = game;
    await this.#work();
  }

  /** Reads a page of events that has those before this step, if the story does not have them. */
  async #readStoryAt(step: number): Promise<void> {
    const story = this.story.peek();
    const first = story[0];
    const covers = first && (first.id === 1 || first.step < step) && (story.at(-1)!.step >= step || story.at(-1)!.id >= this.#seen);
    if (covers) return;
    // Steps and events grow together, but not evenly: the guess is corrected until the page has the step.
    let [low, high] = [0, this.#seen];
    let [lowStep, highStep] = [0, Math.max(this.steps.peek(), 1)];
    for (let guesses = 0; guesses < 12; guesses += 1) {
      const share = (step - lowStep) / Math.max(1, highStep - lowStep);
      const middle = guesses % 3 === 2 ? (low + high) / 2 : low + share * (high - low);
      const after = Math.max(0, Math.floor(middle) - STORY / 2);
      const page = await this.#readEvents(after, STORY);
      const [from, to] = [page[0], page.at(-1)];
      if (!from || !to) return;
      if (from.id > 1 && from.step >= step) [high, highStep] = [from.id, from.step];
      else if (to.step <= step && to.id < this.#seen) [low, lowStep] = [to.id, to.step];
      else {
        this.story.value = page;
        return;
      }
    }
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
    const me = player.peek();
    const seat = game.seats.find((one) => me && one.player === me.id && !one.gave_up)?.seat;
    if (!me || !seat || this.kept.peek()) return;
    const title = game.title ?? this.rules.peek()?.title ?? "";
    this.adopt({ id: game.id, rule_set: game.rule_set.id, title, at: Date.now(), seats: { [seat]: me.token } });
  }

  /**
   * Forgets the tokens of this game if the service does not accept them any more. The page then goes on as a watcher.
   * Returns false if there is nothing to forget.
   */
  #dropTokens(refusal: Refusal): boolean {
    if (refusal.status !== 401 || !this.token) return false;
    const kept = keptGame(this.id);
    if (!kept && player.peek()) forgetPlayer();
    if (kept) forget(this.id);
    this.kept.value = undefined;
    this.#reader = undefined;
    this.trouble.value = refusal;
    return true;
  }

  /** Stores the game with its tokens. With a first seat, the page follows the game as that seat from now on. */
  adopt(kept: KeptGame): void {
    const before = this.#seatToken;
    keep(kept);
    this.kept.value = kept;
    if (this.#stream && this.#seatToken !== before) void this.#follow();
  }

  /** The token of a seat of this page. A stream with it tells others that the player is there. */
  get #seatToken(): string | undefined {
    return Object.values(this.kept.peek()?.seats ?? {})[0];
  }

  async throwDice(dice?: string): Promise<void> {
    await this.#command("throws", dice ? { throw: dice } : {});
  }

  async play(action: string): Promise<void> {
    await this.#command("actions", { actions: [action] });
  }

  /** Sends a command that is allowed outside the seat's turn, such as a resignation. */
  async post(path: string, body: unknown, token: string | undefined): Promise<void> {
    await this.#post(path, body, token, this.game.peek()?.version);
  }

  /** Plays a seat again that the service plays. What has happened meanwhile does not matter, so no version is sent. */
  async comeBack(seat: string): Promise<void> {
    await this.#post(`seats/${seat}/return`, {}, this.kept.peek()?.seats[seat], undefined);
  }

  async #post(path: string, body: unknown, token: string | undefined, version: number | undefined): Promise<void> {
    try {
      this.trouble.value = undefined;
      await call("POST", `/v1/games/${this.id}/${path}`, { body, token, version });
      await this.refresh();
    } catch (error) {
      await this.#fail(error);
    }
  }

  async refresh(): Promise<void> {
    const game = await read<Game>(`/v1/games/${this.id}`, this.token);
    if (game.version < (this.game.peek()?.version ?? 0)) return;
    if (game.events > this.#seen) await this.#catchUp(game.events);
    this.#pending = game;
    void this.#work();
  }

  #pending: Game | undefined;

  async #command(path: string, body: unknown): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.trouble.value = undefined;
    this.legal.value = undefined;
    if (path === "throws") this.rolling.value = true;
    try {
      const version = this.game.peek()?.version;
      const turn = await call<Turn>("POST", `/v1/games/${this.id}/${path}`, { body, token: this.token, version });
      this.#take(turn.events);
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
      const game = await read<Game>(`/v1/games/${this.id}`, this.token);
      await this.#catchUp(game.events);
      this.#pending = game;
    } catch {
      // `trouble` already has the first error.
    }
  }

  #take(events: GameEvent[]): void {
    for (const event of events) {
      if (event.id !== this.#seen + 1) continue;
      this.#seen = event.id;
      this.#queue.push(event);
    }
  }

  /** Takes the events that the page has not seen. If there are very many up to `newest`, only the last ones are read. */
  async #catchUp(newest = this.#seen): Promise<void> {
    if (newest - this.#seen > MOST_MISSED) {
      this.#queue = [];
      await this.#readStoryEnd(newest);
      this.#seen = newest;
    }
    for (;;) {
      const events = await this.#readEvents(this.#seen, 1000);
      if (events.length === 0) return;
      this.#take(events);
    }
  }

  async #readEvents(after: number, limit: number): Promise<GameEvent[]> {
    const path = `/v1/games/${this.id}/events?after=${after}&limit=${limit}`;
    return (await read<{ events: GameEvent[] }>(path, this.token)).events;
  }

  /** Makes the last events up to `newest` the beginning of the story. */
  async #readStoryEnd(newest: number, count = STORY): Promise<void> {
    const events = await this.#readEvents(Math.max(0, newest - count), count);
    for (const event of events) if (event.game) this.#readClock(event.game);
    const last = events.at(-1)?.id ?? 0;
    const later = this.story.peek().filter((event) => event.id > last && event.id <= last + count);
    this.story.value = [...events, ...later];
  }

  /** Follows the game from now on, in place of an earlier stream. */
  async #follow(): Promise<void> {
    this.#stream?.abort();
    const stream = new AbortController();
    this.#stream = stream;
    const take = (message: { event: string; data: string }): void => {
      if (message.event === "snapshot" || message.event === "resync") {
        void this.refresh().catch(() => undefined);
        return;
      }
      let event: GameEvent;
      try {
        event = JSON.parse(message.data) as GameEvent;
      } catch {
        return;
      }
      if (event.game) this.#readClock(event.game);
      if (typeof event.id !== "number" || event.id <= this.#seen) return;
      if (event.id > this.#seen + 1) {
        void this.refresh().catch(() => undefined);
        return;
      }
      this.#take([event]);
      // The answer to a command of this page contains the new state, so no refresh is needed.
      if (event.next && !this.busy.peek()) void this.refresh().catch(() => undefined);
      else if (!event.next && ["joined", "left_seat", "started", "agreed", "resigned"].includes(event.event))
        void this.refresh().catch(() => undefined);
    };
    const online = (is: boolean): void => {
      if (!stream.signal.aborted) this.online.value = is;
    };
    const signal = AbortSignal.any([stream.signal, this.#closed.signal]);
    const how = await follow(`/v1/games/${this.id}/events`, this.#seatToken ?? this.token, take, online, signal);
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

  /** Animates waiting events, and shows the state behind them. One of these runs at a time. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    try {
      while (!this.#closed.signal.aborted) {
        if (this.#queue.length > 0 && this.at.peek() !== undefined) {
          this.story.value = [...this.story.peek(), ...this.#queue.splice(0)].slice(-STORY);
        } else if (this.#queue.length > 0) {
          this.animating.value = true;
          await this.#animate();
        } else if (this.#pending) {
          const game = this.#pending;
          this.#pending = undefined;
          this.steps.value = game.steps;
          if (game.events >= this.#seen && this.at.peek() === undefined) this.#show(game);
          this.animating.value = false;
        } else if (!(await this.#decide())) break;
      }
    } finally {
      this.#working = false;
      this.animating.value = false;
      this.rolling.value = false;
    }
    // An event can arrive after the last check of the loop and before `#working` is reset.
    if (!this.#closed.signal.aborted && (this.#queue.length > 0 || this.#pending)) await this.#work();
  }

  /** Sets the clock by an event. `seconds_left` is rounded down, so that the clock shows less rather than more. */
  #readClock(game: BriefGame): void {
    if (game.version < (this.clock.peek()?.version ?? 0)) return;
    const left = game.seconds_left;
    this.clock.value = left === undefined ? undefined : { version: game.version, end: performance.now() + left * 1000 };
  }

  /** Sets the clock by the deadline of a game, if no event has told the seconds that are left. */
  #guessClock(game: Game): void {
    const known = this.clock.peek();
    if (known && known.version >= game.version && game.deadline) return;
    const left = game.deadline ? Date.parse(game.deadline) - serverNow() : undefined;
    this.clock.value = left === undefined ? undefined : { version: game.version, end: performance.now() + left };
  }

  #show(game: Game): void {
    this.game.value = game;
    if (this.at.peek() === undefined) this.#guessClock(game);
    this.legal.value = undefined;
    this.pawns.value = game.seats.flatMap((seat) =>
      seat.pawns.map((pawn) => ({ id: pawn.id, seat: seat.seat, place: pawn.place })),
    );
  }

  /** Reads the legal actions, if a person decides here; false if there is nothing to do. */
  async #decide(): Promise<boolean> {
    const game = this.game.peek();
    if (!game || !this.mine.peek() || this.busy.peek() || game.awaits !== "action") return false;
    if (this.legal.peek()?.version === game.version) return false;
    try {
      const legal = await read<Legal>(`/v1/games/${this.id}/legal`, this.token);
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
    const game = await read<Game>(`/v1/games/${this.id}`, this.token);
    await this.#catchUp(game.events);
    this.#pending = game;
  }

  #pause(milliseconds: number): Promise<void> {
    const factor = still.matches ? Math.min(speed.peek(), 0.3) : speed.peek();
    return milliseconds * factor < 1 ? Promise.resolve() : pause(milliseconds * factor);
  }

  #put(ids: string[], place: (id: string) => string | undefined): void {
    this.pawns.value = this.pawns.peek().map((pawn) => {
      const to = ids.includes(pawn.id) ? place(pawn.id) : undefined;
      return to ? { ...pawn, place: to } : pawn;
    });
  }

  /** Removes the next event to show from the queue. A move that captures comes before its captures. */
  #next(): GameEvent {
    const first = this.#queue[0]!;
    let at = 0;
    if (first.event === "cut") {
      const move = this.#queue.findIndex(
        (event) => event.event === "moved" && event.step === first.step && first.by?.includes(event.pawn ?? ""),
      );
      at = Math.max(move, 0);
    }
    return this.#queue.splice(at, 1)[0]!;
  }

  async #animate(): Promise<void> {
    const event = this.#next();
    const group = [event];
    // Pawns that move together have one event each, and these events follow each other.
    while (event.event === "moved" && event.with?.length && this.#queue[0]?.event === "moved" && event.with.includes(this.#queue[0].pawn ?? "")) {
      group.push(this.#queue.shift()!);
    }
    this.story.value = [...this.story.peek(), ...group].slice(-STORY);
    const many = this.#queue.length > MOST_WAITING || speed.peek() === 0;
    if (event.event === "thrown") {
      this.rolling.value = true;
      if (!many) await this.#pause(450);
      this.rolling.value = false;
      const game = this.game.peek();
      if (game && event.next) this.game.value = { ...game, hand: event.next.hand, throw: event.throw! };
      if (!many) await this.#pause(250);
      return;
    }
    if (event.event === "started" && event.pawns) {
      const places = new Map(event.pawns.map((pawn) => [pawn.id, pawn.place]));
      this.#put([...places.keys()], (id) => places.get(id));
    }
    if (event.event === "moved") {
      const ids = group.map((one) => one.pawn!);
      this.moving.value = new Set(ids);
      const steps = Math.max(...group.map((one) => one.path?.length ?? 0));
      if (!many && !still.matches && speed.peek() > 0.2) {
        for (let step = 0; step < steps - 1; step += 1) {
          this.#put(ids, (id) => group.find((one) => one.pawn === id)?.path?.[step]);
          await this.#pause(steps > 12 ? 70 : 130);
        }
      }
      this.#put(ids, (id) => group.find((one) => one.pawn === id)?.to);
      if (!many) await this.#pause(260);
      this.moving.value = new Set();
    } else if (["cut", "sent", "put_back", "left", "entered"].includes(event.event) && event.pawn && event.to) {
      this.moving.value = new Set([event.pawn]);
      this.#put([event.pawn], () => event.to);
      if (!many && event.event !== "entered") await this.#pause(420);
      this.moving.value = new Set();
    }
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(0, { code: "page", detail: error instanceof Error ? error.message : String(error) });
}

/** The URL path of the layout of a game. It contains the digest of the rules, so that browsers can cache the layout. */
export function layoutPath(game: Game, rules: RuleSet): string {
  const query = new URLSearchParams({ digest: game.rule_set.digest });
  const changed = rules.options.filter((option) => game.options[option.name] !== option.default);
  if (changed.length > 0) {
    query.set("options", changed.map((option) => `${option.name}:${game.options[option.name]}`).join(","));
  }
  query.set("players", game.seats.map((seat) => seat.seat).join(","));
  return `/v1/rule-sets/${game.rule_set.id}/layout?${query}`;
}
