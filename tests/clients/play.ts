/** Plays a whole game with the generated TypeScript client: play.ts ADDRESS. Prints the seats by rank. */

import { randomUUID } from "node:crypto";
import {
  type ApiResponse,
  Awaits,
  Configuration,
  GamesApi,
  GameStatus,
  type GameView,
  RecordsApi,
  ResponseError,
  RuleSetsApi,
  TurnsApi,
} from "../../target/clients/typescript-fetch/index";

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

function client(basePath: string, accessToken?: string): Configuration {
  return new Configuration({ basePath, accessToken });
}

function etag(answer: ApiResponse<unknown>): string {
  return answer.raw.headers.get("ETag") ?? "";
}

async function refused(call: Promise<unknown>, status: number, code: string): Promise<void> {
  const problem = await call.then(() => undefined, (error: unknown) => error);
  if (!(problem instanceof ResponseError)) throw new Error(`it was not refused: ${code}`);
  const body = await problem.response.json();
  expect(problem.response.status === status && body.code === code, JSON.stringify(body));
}

async function main(address: string): Promise<void> {
  const games = new GamesApi(client(address));
  const { ruleSets } = await new RuleSetsApi(client(address)).listRuleSets();
  expect(ruleSets.some((one) => one.id === "royal-game-of-ur"), "the rule set is there");
  const wish = { createGame: { ruleSet: "royal-game-of-ur", title: "By the TypeScript client" }, idempotencyKey: randomUUID() };
  const created = await games.createGame(wish);
  expect((await games.createGame(wish)).game.id === created.game.id, "a request that is sent again has one effect");
  const id = created.game.id;
  const players = new Map<string, TurnsApi>();
  for (const { seat } of created.game.seats) {
    const joined = await games.joinSeat({ id, seat, joinSeat: { name: `TypeScript, ${seat}` } });
    players.set(seat, new TurnsApi(client(address, joined.token)));
  }
  const started = await new GamesApi(client(address, created.token)).startGameRaw({ id, body: {} });
  let game: GameView = await started.value();
  let ifMatch = etag(started);
  await refused(players.get(game.turn ?? "")!.throwDice({ id, ifMatch: '"0"' }), 412, "version_conflict");

  while (game.status === GameStatus.Playing) {
    const player = players.get(game.turn ?? "")!;
    const more = { id, ifMatch, idempotencyKey: randomUUID() };
    let answer;
    if (game.awaits === Awaits.Throw) {
      answer = await player.throwDiceRaw(more);
    } else {
      const { legal } = await player.listLegalActions({ id });
      expect(legal.map(({ action }) => action).join() === game.legal.join(), "both lists of actions are one");
      answer = await player.playActionsRaw({ ...more, playActions: { actions: game.legal.slice(0, 1) } });
    }
    game = (await answer.value()).game;
    ifMatch = etag(answer);
  }

  const ids: number[] = [];
  for (let after = 0, complete = false; !complete; ) {
    const page = (await games.listEvents({ id, after, limit: 1000 }))!;
    ids.push(...page.events.map((event) => event.id));
    after = page.nextAfter;
    complete = page.complete;
  }
  expect(ids.length === game.events && ids.every((event, index) => event === index + 1), "every event is there once");
  expect((await games.readGame({ id }))?.status === GameStatus.Finished, "the game is over");
  const proof = (await games.readDice({ id }))!;
  expect(proof.dice.kind === "lots" && proof.throws.length > 0, "the dice can be proven");
  expect((await new RecordsApi(client(address)).readRecord({ id })).includes("royal-game-of-ur"), "there is a record");
  for (const { place, seat } of game.ranking) console.log(place, seat);
}

main(process.argv[2] ?? "").catch((error) => {
  console.error(error);
  process.exit(1);
});
