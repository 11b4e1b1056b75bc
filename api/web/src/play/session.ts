// One game as this page follows and plays it: the rights of this browser, the commands, and the stream of events.
import { computed, type Signal, signal } from "@preact/signals";
import { call, pause, read, Refusal, refusalOf } from "../api/client";
import type { Game, GameEvent, Layout, Legal, RuleSet, Turn } from "../api/types";
import type { KeptGame } from "../keep";
import { STORY } from "./event-log";
import { GameStream } from "./game-stream";
import { layoutPath } from "./layout-path";
import { GameRights } from "./rights";
import { Showing } from "./showing";
import { decider } from "./words";

/** Number of past events that a player's page shows when it opens. */
const RECENT = 40;

export class Session {
  readonly #rights: GameRights;
  readonly #showing: Showing;
  readonly #stream: GameStream;
  readonly layout = signal<Layout | undefined>(undefined);
  readonly rules = signal<RuleSet | undefined>(undefined);
  readonly legal = signal<Legal | undefined>(undefined);
  /** Whether the page waits for the answer to a command. */
  readonly busy = signal(false);
  readonly fatal = signal<Refusal | undefined>(undefined);

  /** Whether a person at this page makes the next decision of the game. */
  readonly mine = computed(() => {
    const game = this.game.value;
    const kept = this.kept.value;
    const seat = game && decider(game);
    if (!seat || game.status !== "playing" || !kept) return false;
    return seat in kept.seats;
  });

  #closed = new AbortController();

  constructor(readonly id: string) {
    this.#rights = new GameRights(id);
    this.#showing = new Showing({
      path: this.path,
      token: () => this.token,
      closed: this.#closed.signal,
      shown: ({ version }) => {
        if (this.legal.peek()?.version !== version) this.legal.value = undefined;
      },
      decide: () => this.#decide(),
    });
    this.#stream = new GameStream(
      this.#showing,
      () => this.refresh(),
      () => this.#startAgain(),
      () => this.busy.peek(),
    );
  }

  get path(): string {
    return `/v1/games/${this.id}`;
  }

  // The state of the game that the page shows.
  get game(): Signal<Game | undefined> {
    return this.#showing.game;
  }
  get pawns(): Showing["pawns"] {
    return this.#showing.pawns;
  }
  get moving(): Showing["moving"] {
    return this.#showing.moving;
  }
  get rolling(): Signal<boolean> {
    return this.#showing.rolling;
  }
  get animating(): Signal<boolean> {
    return this.#showing.animating;
  }
  get at(): Signal<number | undefined> {
    return this.#showing.at;
  }
  get steps(): Signal<number> {
    return this.#showing.steps;
  }
  get clock(): Showing["clock"]["end"] {
    return this.#showing.clock.end;
  }
  get story(): Signal<GameEvent[]> {
    return this.#showing.events.story;
  }
  get online(): Signal<boolean> {
    return this.#stream.online;
  }
  get trouble(): Signal<Refusal | undefined> {
    return this.#showing.trouble;
  }

  /** The game as this browser stores it, with its tokens. */
  get kept(): Signal<KeptGame | undefined> {
    return this.#rights.kept;
  }

  get token(): string | undefined {
    return this.#rights.tokenFor(this.game.value && decider(this.game.value));
  }

  /** The token of a seat that this browser plays. */
  tokenOf(seat: string | undefined): string | undefined {
    return seat && this.#rights.tokenOf(seat);
  }

  /** Reads the game and begins to follow it. */
  async open(watching: boolean): Promise<void> {
    this.#rights.load(watching);
    try {
      const game = await this.#showing.readNew();
      await this.readRules(game);
      if (!watching) this.#adoptSeat(game);
      this.#showing.begin(game, watching ? STORY : RECENT);
    } catch (error) {
      const refusal = refusalOf(error);
      if (this.#dropTokens(refusal)) return this.open(watching);
      this.fatal.value = refusal;
      return;
    }
    void this.#follow();
    void this.#showing.work();
  }

  close(): void {
    this.#closed.abort();
  }

  stepTo = (step: number | undefined): Promise<void> => this.#showing.stepTo(step);

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

  /** Forgets the tokens of this game if they were refused, and shows the refusal. Returns whether they were. */
  #dropTokens(refusal: Refusal): boolean {
    const isDropped = this.#rights.drop(refusal, this.token);
    if (isDropped) this.trouble.value = refusal;
    return isDropped;
  }

  /** Stores the game with its tokens. With a first seat, the page follows the game as that seat from now on. */
  adopt(kept: KeptGame): void {
    const before = this.#rights.seatToken;
    this.#rights.adopt(kept);
    if (this.#stream.isOpen && this.#rights.seatToken !== before) void this.#follow();
  }

  throwDice = (dice?: string): Promise<void> => this.#command("throws", dice ? { throw: dice } : {});

  play = (action: string): Promise<void> => this.#command("actions", { actions: [action] });

  /**
   * Sends a command that is allowed outside the seat's turn, such as a resignation. No version is sent, because moves
   * in the meantime do not matter.
   */
  async post(path: string, body: unknown, token: string | undefined): Promise<void> {
    try {
      this.trouble.value = undefined;
      await call("POST", `${this.path}/${path}`, { body, token });
      await this.refresh();
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #command(path: string, body: unknown): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.trouble.value = undefined;
    this.legal.value = undefined;
    if (path === "throws") this.rolling.value = true;
    try {
      const version = this.game.peek()?.version;
      this.#showing.take(await call<Turn>("POST", `${this.path}/${path}`, { body, token: this.token, version }));
    } catch (error) {
      await this.#fail(error);
    }
    this.busy.value = false;
    await this.#showing.work();
  }

  async #fail(error: unknown): Promise<void> {
    const refusal = refusalOf(error);
    this.rolling.value = false;
    this.#dropTokens(refusal);
    this.trouble.value = refusal;
    // With 409 or 412, the page showed an old state. If the new state cannot be read, `trouble` keeps the first error.
    await this.#showing.catchUp().catch(() => undefined);
  }

  async refresh(): Promise<void> {
    await this.#showing.catchUp();
    void this.#showing.work();
  }

  /** Shows the game as it is now, after the service may have lost states that the page has seen. */
  async #startAgain(): Promise<void> {
    await this.#showing.startAgain(RECENT);
    this.legal.value = undefined;
    void this.#showing.work();
  }

  async #follow(): Promise<void> {
    if ((await this.#stream.follow(this.#rights.seatToken ?? this.token)) === "ended") return;
    try {
      await this.refresh();
    } catch (error) {
      const refusal = refusalOf(error);
      if (this.#dropTokens(refusal)) return this.open(true);
      this.fatal.value = refusal;
    }
    this.online.value = false;
  }

  /**
   * Reads the legal actions, if a person at this page decides. Returns whether the state may have changed meanwhile.
   */
  async #decide(): Promise<boolean> {
    const game = this.game.peek();
    if (!game || !this.mine.peek() || this.busy.peek() || game.awaits !== "action") return false;
    if (this.legal.peek()?.version === game.version) return false;
    try {
      const legal = await read<Legal>(`${this.path}/legal`, this.token);
      if (legal.version !== game.version) {
        await this.#showing.catchUp();
        return true;
      }
      this.legal.value = legal;
      return false;
    } catch (error) {
      this.trouble.value = refusalOf(error);
      await pause(2000);
      await this.#showing.catchUp().catch(() => undefined);
      // Without the legal actions the game cannot go on, so they are asked for again, as long as the service is away.
      const status = this.trouble.peek()?.status ?? 0;
      return status === 0 || status >= 500;
    }
  }
}
