/**
 * Runs a round of games with the generated TypeScript client: round.ts ADDRESS. Prints the results of the round.
 *
 * An organiser creates a group and its games in one request, follows the group by a ticket, as a browser does, and
 * reads the results in one answer.
 */

import { randomUUID } from "node:crypto";
import { Configuration, EndedBy, GamesApi, GameStatus, GroupsApi, ServiceApi } from "../../target/clients/typescript-fetch/index";

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

function table(number: number) {
  const seats = { white: { name: `white ${number}` }, black: { name: `black ${number}` } };
  return { ruleSet: "royal-game-of-ur", title: `Table ${number}`, seats, start: true };
}

/** The words of the events of a stream, up to the word `last`. */
async function wordsOf(body: ReadableStream<Uint8Array>, last: string): Promise<string[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes(`event: ${last}\n`)) break;
  }
  return [...text.matchAll(/^event: (.*)$/gm)].map(([, word]) => word);
}

async function main(basePath: string): Promise<void> {
  const client = (accessToken?: string) => new Configuration({ basePath, accessToken });
  const wish = { idempotencyKey: randomUUID(), createGroup: { title: "A round", _private: true } };
  const created = await new GroupsApi(client()).createGroup(wish);
  const id = created.group.id;
  const owner = new GroupsApi(client(created.token));
  const round = { id, idempotencyKey: randomUUID(), createGames: { games: [table(1), table(2), table(3)] } };
  const { games } = await owner.createGames(round);
  const again = await owner.createGames(round);
  expect(JSON.stringify(again.games) === JSON.stringify(games), "a request that is sent again has one effect");
  expect((await owner.completeGroup({ id, body: {} })).games.playing === 3, "three games are in play");
  const me = await new ServiceApi(client(games[0].seats?.white)).readMe();
  expect(me.seat === "white" && me.game?.id === games[0].id && me.may.includes("throw_dice"), "a token says what it is");

  const { url } = await owner.createGroupTicket({ id, body: {} });
  // As `EventSource` opens a stream.
  const open = () => fetch(basePath + url, { headers: { Accept: "text/event-stream" } });
  const stream = await open();
  expect(stream.ok && stream.body !== null, `the ticket opens a stream: ${stream.status}`);
  const told = wordsOf(stream.body!, "group_over");
  for (const game of games) {
    const black = new GamesApi(client(game.seats?.black));
    await black.resignSeat({ id: game.id, idempotencyKey: randomUUID() });
  }
  const words = await told;
  expect(words[0] === "snapshot", "the stream begins with the group");
  expect(words.filter((word) => word === "game_over").length === 3, words.join());
  expect((await open()).status === 401, "a ticket opens one stream, once");

  const listed = (await owner.listGroupGames({ id, status: GameStatus.Finished }))!.games;
  expect(listed.length === 3, `${listed.length} games are listed`);
  for (const { title, endedBy, ranking } of listed) {
    expect(endedBy === EndedBy.Resignation && ranking[0].seat === "white", `${title} ended by ${endedBy}`);
    console.log(title, ranking[0].seat);
  }
}

main(process.argv[2] ?? "").catch((error) => {
  console.error(error);
  process.exit(1);
});
