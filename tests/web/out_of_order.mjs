// Tests of answers that arrive after newer ones, and of a service that has lost a state that the page has seen.
import assert from "node:assert/strict";
import { api, createGame, createTournament, keptText } from "./steps.mjs";

const isStream = (request) => request.headers()["accept"] === "text/event-stream";

/** Opens a new game, of which the test changes some requests: `change` gets the page and the created game before. */
async function openChanged(world, change, options = {}) {
  const created = await createGame(world, { rule_set: "royal-game-of-ur", seed: "a7".repeat(32) });
  const page = await world.open("/signed-in", { ...options, kept: { "pagade.games": keptText([created]) } });
  await change(page, created);
  await page.goto(`${world.base}/play/${created.game.id}`);
  return { page, created };
}

/** A promise, and the function that keeps it. */
function gate() {
  let open;
  const opened = new Promise((done) => (open = done));
  return { open, opened };
}

/** If the state that is shown is read once more, the buttons of its actions are not drawn again. */
export async function buttons_stay_if_the_same_state_is_read_again(world) {
  const stream = gate();
  const { page, created } = await openChanged(world, (page) =>
    page.route("**/events", async (route) => {
      if (isStream(route.request())) await stream.opened;
      await route.continue();
    }),
  );
  await page.locator(".throw").click();
  await page.locator(".choices button").first().waitFor();
  await page.evaluate(() => {
    globalThis.removals = 0;
    const removes = ({ removedNodes }) => removedNodes.length > 0;
    const watch = (changes) => (globalThis.removals += changes.filter(removes).length);
    new MutationObserver(watch).observe(document.querySelector(".actions"), { childList: true, subtree: true });
  });
  // The stream begins with a snapshot, after which the page reads the game.
  const read = page.waitForResponse((answer) => answer.url().endsWith(`/games/${created.game.id}`));
  stream.open();
  await (await read).finished();
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => globalThis.removals), 0);
}

/** An answer with an older state arrives while a throw is animated. The state after the throw is shown nevertheless. */
export async function an_older_state_does_not_replace_a_newer_one(world) {
  const thrown = gate();
  let reads = 0;
  const { page } = await openChanged(
    world,
    (page, { game }) =>
      page.route(`**/v1/games/${game.id}`, async (route) => {
        const response = await route.fetch();
        reads += 1;
        if (reads > 1) await thrown.opened;
        await route.fulfill({ response });
      }),
    { speed: "1" },
  );
  await page.locator(".throw").waitFor();
  for (let tries = 0; reads < 2; tries += 1) {
    assert.ok(tries < 1000, "the page reads the game when its stream begins");
    await page.waitForTimeout(20);
  }
  const answer = page.waitForResponse((response) => response.url().endsWith("/throws"));
  await page.locator(".throw").click();
  await (await answer).finished();
  thrown.open();
  await page.locator(".choices button").first().waitFor();
}

/** After a restored backup, the page shows the state that the service has, and not the lost state that it has seen. */
export async function a_state_that_the_service_has_lost_is_not_shown_any_more(world) {
  const stream = gate();
  let isRestored = false;
  const { page, created } = await openChanged(world, async (page) => {
    await page.route("**/events", async (route) => {
      if (!isStream(route.request())) return route.continue();
      await stream.opened;
      if (isRestored) return;
      isRestored = true;
      await route.fulfill({ contentType: "text/event-stream", body: "event: resync\ndata: {}\n\n" });
    });
  });
  const path = `/v1/games/${created.game.id}`;
  const before = await api(world, "GET", path, { token: created.token });
  await page.locator(".throw").click();
  await page.locator(".choices button").first().waitFor();
  await page.route(`**${path}`, (route) => route.fulfill({ json: before }));
  stream.open();
  await page.locator(".throw").waitFor();
  assert.equal(await page.locator(".choices button").count(), 0);
}

/** Answers the next `times` requests to a path with an error of the service. Returns their present number by a call. */
async function fail(page, path, times) {
  const body = JSON.stringify({ status: 500, code: "internal", title: "Error", detail: "" });
  let failures = 0;
  const answer = (route) => {
    failures += 1;
    return route.fulfill({ status: 500, contentType: "application/problem+json", body });
  };
  await page.route(`**${path}`, answer, { times });
  return () => failures;
}

/** A move is made elsewhere while the service cannot answer this page. The page reads the new state when it can. */
export async function a_state_that_could_not_be_read_is_read_again(world) {
  const { page, created } = await openChanged(world, () => {}, { expected: /Failed to load resource/ });
  await page.locator(".throw").waitFor();
  const path = `/v1/games/${created.game.id}`;
  const failures = await fail(page, path, 2);
  await api(world, "POST", `${path}/throws`, { token: created.token, body: {}, version: 1 });
  await page.locator(".choices button").first().waitFor();
  assert.equal(failures(), 2);
}

/** The page of a tournament, too, reads a new state until it has it. */
export async function a_tournament_that_could_not_be_read_is_read_again(world) {
  const { tournament, token } = await createTournament(world);
  const path = `/v1/tournaments/${tournament.id}`;
  const page = await world.open(path.replace("/v1", ""), { expected: /Failed to load resource/ });
  await page.locator("h1").waitFor();
  const failures = await fail(page, path, 2);
  await api(world, "POST", `${path}/entrants`, { token, body: { entrants: [{ name: "Latecomer" }] } });
  await page.getByText("Latecomer").first().waitFor();
  assert.equal(failures(), 2);
}
