// One tournament as this page follows it: the terms and entrants, one round, and the standings.
import { computed, signal } from "@preact/signals";
import { call, insist, pause, read, Refusal, refusalOf } from "../api/client";
import { follow } from "../api/stream";
import type { Round, RuleSet, Standing, Tournament } from "../api/types";
import { needPlayer, player } from "../player";
import { addRights, rightsIn } from "./rights";

/** Events within this time lead to one reading of the tournament, in milliseconds. */
const GATHER = 250;
/** The time after which a round with games that are still to be created is read again, in milliseconds. */
const CREATED_SOON = 1_500;

export class TournamentSession {
  readonly tournament = signal<Tournament | undefined>(undefined);
  readonly rules = signal<RuleSet | undefined>(undefined);
  readonly round = signal<Round | undefined>(undefined);
  readonly standings = signal<Standing[]>([]);
  /** The round that the reader has chosen; `undefined`: the newest one. */
  readonly chosen = signal<number | undefined>(undefined);
  readonly online = signal(true);
  readonly busy = signal(false);
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly fatal = signal<Refusal | undefined>(undefined);
  /** The number of the entrant whose personal link this browser has. */
  readonly linked = signal<number | undefined>(undefined);
  /** The number of the entrant who plays at this browser; `undefined` if there is none. */
  readonly mine = computed(() => this.#own().find((one) => one.left_before_round == null)?.number);
  /** The number of the entrant who played at this browser and has left the tournament; `undefined` if there is none. */
  readonly left = computed(() =>
    this.mine.value === undefined ? this.#own().find((one) => one.left_before_round != null)?.number : undefined,
  );

  #closed = new AbortController();
  #loading = false;
  #again = false;

  constructor(readonly id: string) {}

  get path(): string {
    return `/v1/tournaments/${this.id}`;
  }

  async open(): Promise<void> {
    try {
      await this.#load();
      await this.readRules();
      await this.readEntrant();
    } catch (error) {
      this.fatal.value = refusalOf(error);
      return;
    }
    const take = (): void => void this.#reload();
    void follow(`${this.path}/events`, undefined, take, (is) => (this.online.value = is), this.#closed.signal);
  }

  close(): void {
    this.#closed.abort();
  }

  async readRules(): Promise<void> {
    const { id, version } = this.tournament.peek()!.rule_set;
    this.rules.value = await read<RuleSet>(`/v1/rule-sets/${id}?version=${encodeURIComponent(version)}`);
  }

  async choose(round: number | undefined): Promise<void> {
    this.chosen.value = round;
    this.trouble.value = undefined;
    await this.#load().catch((error: unknown) => (this.trouble.value = refusalOf(error)));
  }

  /** Enters the player of this browser, with further members if the tournament has teams. */
  async enter(name: string, team: string, partners: string[]): Promise<void> {
    const invitation = rightsIn(this.id)?.invitation;
    await this.#run(async () => {
      const me = await needPlayer(name);
      const isTeam = this.tournament.peek()!.team_size > 1;
      const members = [name, ...partners].map((one) => one.trim());
      const entrant = isTeam ? { name: team.trim() || name.trim(), members } : name.trim() ? { name: name.trim() } : {};
      const body = { entrants: [entrant], ...(invitation && { invitation }) };
      const { entrants } = await call<{ entrants: { number: number; tokens: string[] }[] }>(
        "POST",
        `${this.path}/entrants`,
        { body, token: me.token },
      );
      const [entered] = entrants;
      // The first member is this player, who needs no token.
      if (entered?.tokens.length)
        addRights(this.id, { entrants: { ...rightsIn(this.id)?.entrants, [entered.number]: ["", ...entered.tokens] } });
    });
  }

  /** The entrants who play, or have played, at this browser. */
  #own(): Tournament["entrants"] {
    const me = player.value?.id;
    const isMine = (one: Tournament["entrants"][number]): boolean =>
      one.number === this.linked.value || Boolean(me && one.players?.includes(me));
    return this.tournament.value?.entrants.filter(isMine) ?? [];
  }

  /** Lets an entrant who has left take part again, as the organiser or as the entrant. */
  async bringBack(number: number): Promise<void> {
    await this.#run(() =>
      call("POST", `${this.path}/entrants/${number}/return`, { body: {}, token: this.tokenFor(number) }),
    );
  }

  /** Withdraws an entrant, as the organiser or as the entrant. */
  async withdraw(number: number): Promise<void> {
    await this.#run(() => call("DELETE", `${this.path}/entrants/${number}`, { token: this.tokenFor(number) }));
  }

  /** The token that may act for this entrant: that of the entrant, or else that of the organiser. */
  tokenFor(number: number): string | undefined {
    const rights = rightsIn(this.id);
    if (this.mine.peek() !== number && (this.left.peek() !== number || rights?.role === "organiser"))
      return rights?.token;
    return rights?.entrant ?? player.peek()?.token;
  }

  /** Sends a command of the organiser or an arbiter, and reads the tournament again. Throws a `Refusal`. */
  async manage<T>(method: string, path: string, body: unknown, version?: number): Promise<T> {
    try {
      return await call<T>(method, `${this.path}/${path}`, { body, version, token: rightsIn(this.id)?.token });
    } catch (error) {
      this.#dropRole(refusalOf(error));
      throw error;
    } finally {
      await this.#load().catch(() => undefined);
    }
  }

  /** Forgets the token of an organiser or arbiter and shows the refusal, if the service refused the token. */
  #dropRole(refusal: Refusal): void {
    if (refusal.status !== 401) return;
    addRights(this.id, { token: undefined, role: undefined, arbiter: undefined });
    this.trouble.value = refusal;
  }

  /** Reads which entrant the personal link of this browser belongs to. */
  async readEntrant(): Promise<void> {
    const token = rightsIn(this.id)?.entrant;
    if (!token) return;
    try {
      const me = await read<{ entrant?: number }>("/v1/me", token);
      this.linked.value = me.entrant;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status === 401) addRights(this.id, { entrant: undefined, member: undefined });
      this.trouble.value = refusal;
    }
  }

  async skip(number: number, round: number): Promise<void> {
    await this.#run(() =>
      call("POST", `${this.path}/entrants/${number}/absences`, { body: { round }, token: this.tokenFor(number) }),
    );
  }

  /** Does the work of a button, reads the tournament again, and says what went wrong. */
  async #run(work: () => Promise<unknown>): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    this.trouble.value = undefined;
    try {
      await work();
      await this.#load();
    } catch (error) {
      this.trouble.value = refusalOf(error);
    } finally {
      this.busy.value = false;
    }
  }

  /** Reads the tournament again after an event. Events that come meanwhile lead to one more reading. */
  async #reload(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      return;
    }
    this.#loading = true;
    do {
      this.#again = false;
      await pause(GATHER);
      if (this.#closed.signal.aborted) return;
      await insist(() => this.#load(), this.#closed.signal);
      if (this.round.peek()?.tables.some((table) => table.games.some((game) => game.status === "planned"))) {
        await pause(CREATED_SOON);
        this.#again = true;
      }
    } while (this.#again);
    this.#loading = false;
  }

  async #load(): Promise<void> {
    const tournament = await read<Tournament>(this.path);
    const newest = tournament.rounds.at(-1)?.round;
    const wanted = this.chosen.peek() ?? newest;
    if (wanted !== undefined) {
      const round = await read<Round>(`${this.path}/rounds/${wanted}`);
      const { standings } = await read<{ standings: Standing[] }>(`${this.path}/standings?round=${wanted}`);
      // The reader may have chosen another round meanwhile, which is read by another call.
      if (wanted === (this.chosen.peek() ?? newest)) {
        this.round.value = round;
        this.standings.value = standings;
      }
    }
    this.tournament.value = tournament;
  }
}
