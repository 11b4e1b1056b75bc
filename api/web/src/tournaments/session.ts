// One tournament as this page follows it: the terms and entrants, one round, and the standings.
import { signal } from "@preact/signals";
import { call, pause, read, Refusal } from "../api/client";
import { follow } from "../api/stream";
import type { Round, RuleSet, Standing, Tournament } from "../api/types";
import { needPlayer, player } from "../player";
import { refusalOf } from "../play/session";

/** The time in which several events lead to one reading of the tournament, in milliseconds. */
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
    await this.#run(async () => {
      const me = await needPlayer(name);
      const isTeam = this.tournament.peek()!.team_size > 1;
      const entrant = isTeam ? { name: team.trim() || name.trim(), members: partners.map((one) => one.trim()) } : name.trim() ? { name: name.trim() } : {};
      await call("POST", `${this.path}/entrants`, { body: { entrants: [entrant] }, token: me.token });
    });
  }

  async withdraw(number: number): Promise<void> {
    await this.#run(() => call("DELETE", `${this.path}/entrants/${number}`, { token: player.peek()?.token }));
  }

  async skip(number: number, round: number): Promise<void> {
    await this.#run(() => call("POST", `${this.path}/entrants/${number}/absences`, { body: { round }, token: player.peek()?.token }));
  }

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
      await this.#load().catch(() => undefined);
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
      this.round.value = await read<Round>(`${this.path}/rounds/${wanted}`);
      this.standings.value = (await read<{ standings: Standing[] }>(`${this.path}/standings?round=${wanted}`)).standings;
    }
    this.tournament.value = tournament;
  }
}

/** The number of the entrant for whom the player of this browser plays; `undefined` if there is none. */
export function myEntrant(session: TournamentSession): number | undefined {
  const me = player.value?.id;
  const entrants = session.tournament.value?.entrants ?? [];
  return me ? entrants.find((one) => one.players?.includes(me) && one.left_before_round == null)?.number : undefined;
}
