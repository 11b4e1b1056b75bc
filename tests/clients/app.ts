/**
 * An app without a browser, from the generated TypeScript client alone: app.ts ADDRESS RULE_SET STEPS.
 *
 * It draws the board from the layout as text, shows every legal move by pawn, moves pawns place by place along the
 * paths of events, and computes the state from events alone. After every step it compares that state with the
 * server's. It says in two languages why the other moves are refused.
 */

import { randomUUID } from "node:crypto";
import {
  type AttemptView,
  Awaits,
  type BoardLayout,
  Configuration,
  type EventView,
  GamesApi,
  type GameView,
  type LegalAction,
  LegalKind,
  type NextDecision,
  type ProblemBody,
  ResponseError,
  RuleSetsApi,
  TurnsApi,
} from "../../target/clients/typescript-fetch/index";

type Pawn = { place: string; marks: Set<string> };
type Moved = Extract<EventView, { event: "moved" }>;

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

/** The board of a table, drawn as text. */
class Board {
  private readonly squares = new Map<string, string | undefined>();

  constructor(private readonly layout: BoardLayout) {
    for (const { seat, places } of layout.seats) {
      for (const { place, square } of places) this.squares.set(`${seat} ${place}`, square);
    }
  }

  square(seat: string, place: string): string | undefined {
    expect(this.squares.has(`${seat} ${place}`), `${seat} has no place ${place}`);
    return this.squares.get(`${seat} ${place}`);
  }

  /** Squares as dots, tagged ones as plus signs; pawns as the letter of their seat and their number. */
  draw(pawns: Map<string, Pawn>): string {
    const standing = new Map<string, string>();
    const elsewhere: string[] = [];
    for (const [id, { place, marks }] of pawns) {
      const [seat, number] = id.split("-");
      const square = this.square(seat, place);
      if (square === undefined) elsewhere.push(`${id} ${place}`);
      else standing.set(square, (standing.get(square) ?? "") + seat[0] + number + (marks.size > 0 ? "'" : ""));
    }
    const rows = Array.from({ length: this.layout.rows }, () => Array<string>(this.layout.columns).fill("    "));
    for (const { id, x, y, tags } of this.layout.squares) {
      rows[y][x] = (standing.get(id) ?? (tags.length > 0 ? "+" : ".")).padEnd(4);
    }
    return [...rows.map((row) => row.join("").trimEnd()), elsewhere.join(", ")].join("\n");
  }
}

/** The state of a game, from its events alone. */
class State {
  readonly pawns = new Map<string, Pawn>();
  private counters: Record<string, Record<string, unknown>> = {};
  private ranking: string[] = [];
  next?: NextDecision;
  frames = 0;

  constructor(private readonly board: Board) {}

  add(event: EventView): void {
    switch (event.event) {
      case "started":
        for (const { id, place, marks } of event.pawns) this.pawns.set(id, { place, marks: new Set(marks) });
        this.counters = structuredClone(event.counters);
        break;
      case "moved":
        this.walk(event);
        break;
      case "cut":
      case "sent":
      case "put_back":
        this.pawn(event.pawn).place = event.to;
        break;
      case "mark_changed":
        if (event.set) this.pawn(event.pawn).marks.add(event.mark);
        else this.pawn(event.pawn).marks.delete(event.mark);
        break;
      case "counter_changed":
        this.counters[event.seat ?? "game"][event.counter] = event.value;
        break;
    }
    this.next = event.next ?? this.next;
    this.ranking = event.ranking?.map(({ seat }) => seat) ?? this.ranking;
  }

  private pawn(id: string): Pawn {
    const pawn = this.pawns.get(id);
    if (pawn === undefined) throw new Error(`there is no pawn ${id}`);
    return pawn;
  }

  /** Animates a move: a picture for every place of the path. */
  private walk({ seat, pawn, from, to, path }: Moved): void {
    const moving = this.pawn(pawn);
    expect(moving.place === from && path.at(-1) === to, `${pawn} walks from ${from} to ${to}`);
    for (const place of path) {
      const before = this.board.draw(this.pawns);
      moving.place = place;
      const isSame = this.board.square(seat, from) === this.board.square(seat, place);
      expect(isSame || this.board.draw(this.pawns) !== before, `${pawn} does not move: ${path.join(" ")}`);
      this.frames += 1;
    }
  }

  compare(game: GameView): void {
    for (const { seat, pawns } of game.seats) {
      for (const { id, place, square, marks } of pawns) {
        const own = this.pawn(id);
        expect(own.place === place && this.board.square(seat, place) === square, `${id} stands on ${place}`);
        expect([...own.marks].sort().join() === [...(marks ?? [])].sort().join(), `${id} has ${marks?.join()}`);
      }
    }
    const sorted = (counters: object) => JSON.stringify(Object.entries(counters).sort());
    expect(sorted(this.counters) === sorted(game.counters), `counters: ${sorted(this.counters)}`);
    const told = ({ awaits, turn, _throw, hand }: NextDecision | GameView) =>
      JSON.stringify([awaits, turn, _throw, hand]);
    expect(this.next !== undefined && told(this.next) === told(game), "the next decision");
    expect(this.ranking.join() === game.ranking.map(({ seat }) => seat).join(), "the ranking");
  }
}

/** Every legal move, by the pawn that a person would touch. */
function movesByPawn(legal: LegalAction[]): Map<string, LegalAction[]> {
  const moves = new Map<string, LegalAction[]>();
  for (const action of legal) {
    for (const pawn of action.pawns) moves.set(pawn, [...(moves.get(pawn) ?? []), action]);
  }
  return moves;
}

function choose(legal: LegalAction[], step: number): LegalAction {
  const usual = legal.filter(({ voluntary, kind }) => !voluntary && kind !== LegalKind.Pass);
  const capturing = usual.filter(({ captured }) => captured.length > 0);
  const wanted = [capturing, usual, legal].find((some) => some.length > 0) ?? [];
  return wanted[step % wanted.length];
}

/** The languages in which the app speaks. */
const LANGUAGES = ["en", "hi"];

/** Says why moves are refused: before they are tried, and when the server refuses them. */
class Refusals {
  said = 0;
  readonly codes = new Set<string>();

  /** A client of the player for each language. */
  constructor(private readonly players: TurnsApi[]) {}

  /** Checks that every own pawn with every number has an action or a reason, in each language. Returns the attempts. */
  private async explain(game: GameView): Promise<AttemptView[]> {
    const ask = (player: TurnsApi) => player.listLegalActions({ id: game.id, explain: "all" });
    const [english = [], other = []] = (await Promise.all(this.players.map(ask))).map((told) => told?.attempts);
    expect(english.length > 0 && english.length === other.length, "each language explains every attempt");
    const explained = new Set(english.flatMap(({ pawns, spends }) => pawns.flatMap((pawn) => spends.map((one) => `${pawn} ${one}`))));
    const own = game.seats.find(({ seat }) => seat === (game.moves ?? game.turn));
    for (const { id } of own?.pawns ?? []) {
      for (const number of game.hand ?? []) expect(explained.has(`${id} ${number}`), `${id} with ${number} is explained`);
    }
    english.forEach(({ action, reason }, index) => {
      expect((action === undefined) !== (reason === undefined), "an attempt is legal or has a reason");
      const said = other[index]?.reason;
      expect(reason === undefined || reason.detail !== said?.detail, `${reason?.detail} is said in two languages`);
      expect(JSON.stringify(reason?.args) === JSON.stringify(said?.args), "the values are the same");
    });
    return english;
  }

  /** Tries a move that is not legal, and checks that the server refuses it with the reason that the app has shown. */
  async tryOne(game: GameView, step: number): Promise<void> {
    const text = ({ from, to, together, spends }: AttemptView) => `${from}${together ? "=" : "-"}${to}:${spends.join("+")}`;
    const legal = game.legal.map((action) => action.replace("x:", ":"));
    const attempts = (await this.explain(game)).filter(
      (attempt) => attempt.reason && attempt.to !== undefined && !legal.includes(text(attempt)),
    );
    if (attempts.length === 0) return;
    const attempt = attempts[step % attempts.length];
    const said = new Set<string | undefined>();
    for (const player of this.players) {
      const playActions = { actions: [text(attempt)] };
      try {
        await player.playActions({ id: game.id, ifMatch: "*", playActions });
      } catch (refused) {
        if (!(refused instanceof ResponseError)) throw refused;
        const problem = (await refused.response.json()) as ProblemBody;
        const reason = problem.problems?.find(({ code }) => code === attempt.reason?.code);
        expect(problem.code === "action_not_legal" && reason !== undefined, `${text(attempt)}: ${JSON.stringify(problem)}`);
        said.add(reason?.detail);
      }
    }
    expect(said.size === this.players.length, `${text(attempt)} is refused in every language`);
    this.said += 1;
    this.codes.add(attempt.reason!.code);
  }
}

async function main(basePath: string, ruleSet: string, steps: number): Promise<void> {
  const games = new GamesApi(new Configuration({ basePath }));
  const wish = { ruleSet, hotSeat: true, seed: `an app plays ${ruleSet}` };
  const created = await games.createGame({ createGame: wish, idempotencyKey: randomUUID() });
  const player = new TurnsApi(new Configuration({ basePath, accessToken: created.token }));
  let game: GameView = created.game;
  const id = game.id;
  const sets = new RuleSetsApi(new Configuration({ basePath }));
  const layout = (await sets.readRuleSetLayout({ id: game.ruleSet.id, digest: game.ruleSet.digest }))!;
  const players = game.seats.map(({ seat }) => seat).join();
  expect(layout.tables.some((table) => table.players.join() === players), "the table can be played");
  const board = new Board(layout);
  const state = new State(board);
  for (const event of (await games.listEvents({ id, limit: 100 }))!.events) state.add(event);
  state.compare(game);
  const speaking = (language: string) => ({ basePath, accessToken: created.token, headers: { "Accept-Language": language } });
  const refusals = new Refusals(LANGUAGES.map((language) => new TurnsApi(new Configuration(speaking(language)))));
  let touched = 0;
  for (let step = 0; step < steps && state.next?.awaits !== Awaits.Nothing; step += 1) {
    const more = { id, ifMatch: "*", idempotencyKey: randomUUID() };
    let answer;
    if (state.next?.awaits === Awaits.Throw) {
      answer = await player.throwDice(more);
    } else {
      const { legal } = (await player.listLegalActions({ id }))!;
      await refusals.tryOne(game, step);
      const byPawn = movesByPawn(legal);
      touched += byPawn.size;
      const shown = new Set([...byPawn.values()].flat().map(({ action }) => action));
      for (const { action, pawns } of legal) expect(shown.has(action) || pawns.length === 0, `${action} is shown`);
      expect(legal.map(({ action }) => action).join() === game.legal.join(), "both lists of actions are one");
      const { action, captured } = choose(legal, step);
      answer = await player.playActions({ ...more, playActions: { actions: [action] } });
      const cut = answer.events.flatMap((event) => (event.event === "cut" ? [event.pawn] : []));
      expect(captured.every((pawn) => cut.includes(pawn)), `${action} captures ${captured.join()}`);
    }
    game = answer.game;
    answer.events.forEach((event) => state.add(event));
    state.compare(game);
  }
  console.log(board.draw(state.pawns));
  expect(refusals.said > 0, "a move was refused");
  const told = `${refusals.said} refusals explained (${[...refusals.codes].sort().join(", ")})`;
  console.log(`${ruleSet}: ${game.steps} steps, ${state.frames} pictures, ${touched} pawns with moves, ${told}`);
}

const [address = "", ruleSet = "", steps = "0"] = process.argv.slice(2);
main(address, ruleSet, Number(steps)).catch((error) => {
  console.error(error);
  process.exit(1);
});
