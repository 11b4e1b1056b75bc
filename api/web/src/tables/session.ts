// One table as this page follows it: its state, chat and options, and the commands of the player.
import { computed, signal } from "@preact/signals";
import { call, pause, read, Refusal, refusalOf } from "../api/client";
import type { ChatLine, Layout, OptionValue, RuleSet, Table, TableInvitation } from "../api/types";
import { needPlayer, player } from "../player";
import { ChatLines } from "./chat-lines";
import { linkOf, storeLink } from "./links";
import { MarkedOptions } from "./marked-options";
import { TableStream } from "./table-stream";

/** The time in which the service creates a game that a table has announced, in milliseconds. */
const CREATED_SOON = 1_000;

export class TableSession {
  readonly table = signal<Table | undefined>(undefined);
  readonly rules = signal<RuleSet | undefined>(undefined);
  readonly layout = signal<Layout | undefined>(undefined);
  readonly chat: ChatLines;
  readonly marked: MarkedOptions;
  readonly invitations = signal<TableInvitation[]>([]);
  readonly stream = new TableStream(this);
  /** The game that began while the page was open. */
  readonly begun = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly fatal = signal<Refusal | undefined>(undefined);

  readonly seat = computed(() => {
    const me = player.value?.id;
    return me ? this.table.value?.seats.find((seat) => seat.player === me)?.seat : undefined;
  });
  readonly watches = computed(() => {
    const me = player.value?.id;
    return Boolean(me && this.table.value?.watchers.some((watcher) => watcher.player === me));
  });
  readonly isMaster = computed(() => Boolean(player.value && this.table.value?.master === player.value.id));
  /** The seat of this player in the game in play. */
  readonly gameSeat = computed(() => {
    const me = player.value?.id;
    return me ? this.table.value?.game?.players.find((one) => one.player === me && !one.left)?.seat : undefined;
  });

  #isClosed = false;

  constructor(readonly id: string) {
    this.chat = new ChatLines(`${this.path}/chat`, () => this.token);
    this.marked = new MarkedOptions(id, `${this.path}/options`);
  }

  /** The token with which the page follows the table: that of this browser's player, if there is one. */
  get token(): string | undefined {
    return player.peek()?.token;
  }

  get path(): string {
    return `/v1/tables/${this.id}`;
  }

  async open(): Promise<void> {
    try {
      await this.read();
      await this.readRules();
    } catch (error) {
      this.fatal.value = refusalOf(error);
      return;
    }
    this.stream.restart();
  }

  close(): void {
    this.#isClosed = true;
    this.stream.close();
  }

  /** Reads the texts of the rules in the language of the page, and the board. */
  async readRules(): Promise<void> {
    const { id, version, digest } = this.table.peek()!.rule_set;
    const rules = await read<RuleSet>(`/v1/rule-sets/${id}?version=${encodeURIComponent(version)}`);
    this.rules.value = rules;
    this.layout.value ??= await read<Layout>(`/v1/rule-sets/${id}/layout?digest=${digest}`);
    if (this.marked.options.peek()) await this.readOptions();
  }

  /** Reads the options, and marks those that were changed since the last reading. */
  async readOptions(): Promise<void> {
    await this.marked.read(this.token).catch((error: unknown) => (this.trouble.value = refusalOf(error)));
  }

  async changeOption(name: string, value: OptionValue): Promise<void> {
    this.trouble.value = undefined;
    try {
      await this.marked.change(name, value, this.token);
    } catch (error) {
      this.trouble.value = refusalOf(error);
    }
  }

  async sit(seat: string, name: string): Promise<void> {
    await this.#run(async () => {
      await needPlayer(name);
      this.show(await call<Table>("POST", `${this.path}/seats/${seat}`, { body: this.#joining(), token: this.token }));
      this.stream.restart();
    });
  }

  async watch(name: string): Promise<void> {
    await this.#run(async () => {
      await needPlayer(name);
      this.show(await call<Table>("POST", `${this.path}/watchers`, { body: this.#joining(), token: this.token }));
      this.stream.restart();
    });
  }

  /** Sends a command whose answer is not needed, and reads the table again. */
  async command(method: string, path: string, body?: unknown): Promise<void> {
    await this.#run(async () => {
      await call(method, `${this.path}/${path}`, { body, token: this.token });
      await this.read();
    });
  }

  /** Starts a game of the players who sit at the table. */
  async start(): Promise<void> {
    await this.#run(async () => {
      try {
        await call("POST", `${this.path}/games`, { body: {}, token: this.token });
      } catch (error) {
        const { status, problem } = refusalOf(error);
        // The service names the seats that cannot play together. The page says instead what the people at the table can
        // do.
        if (problem.code !== "table_invalid") throw error;
        throw new Refusal(status, { ...problem, code: "seats_do_not_suit" });
      }
      await this.read();
    });
  }

  async say(text: string): Promise<boolean> {
    return this.#run(async () => {
      const line = await call<ChatLine>("POST", `${this.path}/chat`, { body: { text }, token: this.token });
      this.chat.add([line]);
    });
  }

  async remove(line: number): Promise<void> {
    await this.command("DELETE", `chat/${line}`);
    this.chat.clear(line);
  }

  async makeLink(): Promise<void> {
    await this.#run(async () => {
      const { link } = await call<{ link: string }>("POST", `${this.path}/link`, { body: {}, token: this.token });
      storeLink(this.id, link);
    });
  }

  async invite(guest: string): Promise<void> {
    await this.#run(async () => {
      const body = { player: guest };
      const { invitations } = await call<{ invitations: TableInvitation[] }>("POST", `${this.path}/invitations`, {
        body,
        token: this.token,
      });
      this.invitations.value = invitations;
    });
  }

  readInvitations(): void {
    if (!this.seat.peek()) return;
    read<{ invitations: TableInvitation[] }>(`${this.path}/invitations`, this.token).then(
      ({ invitations }) => (this.invitations.value = invitations),
      () => undefined,
    );
  }

  #joining(): Record<string, string> {
    const link = linkOf(this.id);
    return link ? { link } : {};
  }

  async #run(work: () => Promise<void>): Promise<boolean> {
    if (this.busy.peek()) return false;
    this.busy.value = true;
    this.trouble.value = undefined;
    try {
      await work();
      return true;
    } catch (error) {
      this.trouble.value = refusalOf(error);
      // Without an answer, the stream of events brings the next state.
      await this.read().catch(() => undefined);
      return false;
    } finally {
      this.busy.value = false;
    }
  }

  /** Reads the table again. With `evenIfOlder`, it replaces a later state, which the service has lost. */
  async read(evenIfOlder = false): Promise<void> {
    this.show(await read<Table>(this.path, this.token), evenIfOlder);
  }

  show(table: Table, evenIfOlder = false): void {
    const before = this.table.peek();
    if (table.version < (before?.version ?? 0) && !evenIfOlder) return;
    this.table.value = table;
    // The event of the start may be missed between two streams, so a new game is detected by the state of the table.
    if (before && table.game && table.game.id !== before.game?.id) void this.#begin(table.game.id);
  }

  /** Reads the table when its stream is over. If that fails, the page shows the error in place of the table. */
  async readLast(): Promise<void> {
    await this.read().catch((error: unknown) => (this.fatal.value = refusalOf(error)));
  }

  /** Reads the new lines of the chat, if this player may read them. */
  readChat(): void {
    if (!this.seat.peek() && !this.watches.peek()) return;
    void this.chat.read(this.table.peek()?.lines ?? 0).catch(() => undefined);
  }

  /**
   * Tells the page that a game begins. The service creates a game a moment after its table has announced it: players
   * wait until it is in the list of their games, watchers wait for `CREATED_SOON`.
   */
  async #begin(game: string): Promise<void> {
    const me = player.peek();
    for (let attempt = 0; me && this.seat.peek() && attempt < 20; attempt += 1) {
      const list = `/v1/players/${me.id}/games?status=playing&limit=20`;
      const found = await read<{ games: { id: string }[] }>(list, me.token).catch(() => undefined);
      if (found?.games.some((one) => one.id === game)) break;
      await pause(300);
    }
    if (!this.seat.peek()) await pause(CREATED_SOON);
    if (!this.#isClosed) this.begun.value = game;
  }
}
