// Tests of `/watch/{game}`: the record of a game, and the proof of its dice.
import assert from "node:assert/strict";
import { accessible, api, createGame, DESKTOP, openCreated, PHONE } from "./steps.mjs";

/** Plays a game to its end: `person` contributes to the dice and resigns after 12 decisions, the others are robots. */
async function finishedGame(world, rule_set, [person, ...robots]) {
  const body = {
    rule_set,
    players: [person, ...robots],
    seats: { [person]: { name: "Asha", contribution: "nine tamarind seeds" } },
    robots: Object.fromEntries(robots.map((seat) => [seat, "runner"])),
    robot_pause_milliseconds: 0,
    start: true,
  };
  const { game, seats } = await api(world, "POST", "/v1/games", { body });
  const path = `/v1/games/${game.id}`;
  const token = seats[person];
  for (let decisions = 0; ;) {
    const now = await api(world, "GET", path, { token });
    if (now.status === "finished") return now;
    if (now.turn !== person) continue;
    const send = (what, body) => api(world, "POST", `${path}/${what}`, { token, body, version: now.version });
    decisions += 1;
    if (decisions > 12) await send("resignations", {});
    else if (now.awaits === "throw") await send("throws", {});
    else {
      const { legal } = await api(world, "GET", `${path}/legal`, { token });
      await send("actions", { actions: [legal[0].action] });
    }
  }
}

/** Lists the pawns that the page shows, each with its place, sorted. */
const shown = (page) =>
  page
    .locator("[data-pawn]")
    .evaluateAll((pawns) => pawns.map(({ dataset }) => `${dataset.pawn} ${dataset.place}`).sort());
/** Lists the pawns of a game as the service describes it, in the form of `shown`. */
const stored = (game) => game.seats.flatMap((seat) => seat.pawns.map((pawn) => `${pawn.id} ${pawn.place}`)).sort();

/** A watcher steps through a whole game, back and forth: each step shows the game as it was. */
export async function a_watcher_steps_back_and_forth_through_a_game(world) {
  for (const [set, seats, width] of [
    ["pagade", ["red", "yellow"], PHONE],
    ["royal-game-of-ur", ["white", "black"], DESKTOP],
  ]) {
    const { id, steps } = await finishedGame(world, set, seats);
    const page = await world.open(`/watch/${id}`, { width });
    const isAt = async (step) => {
      await page.locator(`[data-step="${step}"]`).waitFor();
      const then = stored(await api(world, "GET", `/v1/games/${id}?at=${step}`));
      for (let looks = 0; String(await shown(page)) !== String(then); looks += 1) {
        assert.ok(looks < 50, `step ${step} of ${set} is not shown`);
        await page.waitForTimeout(100);
      }
    };
    const press = (name) => page.getByRole("button", { name, exact: true }).click();
    await isAt(steps);
    await press("To the start");
    await isAt(0);
    for (const step of [1, 2, 3]) {
      await press("One step on");
      await isAt(step);
    }
    await page.keyboard.press("ArrowLeft");
    await isAt(2);
    await page.keyboard.press("ArrowRight");
    await isAt(3);
    await press("One step back");
    await isAt(2);
    const middle = Math.floor(steps / 2);
    await page.locator(".steps input[type=range]").fill(String(middle));
    await isAt(middle);
    await press("Play on");
    await page.locator(`[data-step="${middle + 2}"]`).waitFor();
    await press("Pause");
    await press("To the end");
    await isAt(steps);
    await accessible(page, world, `steps of ${set}`);
  }
}

const said = (page, text) => page.locator(".proof [role=status]", { hasText: text }).waitFor();
const copy = (page) => page.getByRole("button", { name: "Copy the record" }).click();
const prove = (page) => page.getByRole("button", { name: "Prove the dice" }).click();

/**
 * The copied record equals that of the service. The page proves the dice, and finds throws that do not follow from the
 * seed.
 */
export async function a_record_is_copied_and_the_dice_are_proven(world) {
  const sets = [
    ["royal-game-of-ur", ["white", "black"], PHONE],
    ["ludo", ["red", "yellow"], DESKTOP],
  ];
  for (const [set, seats, width] of sets) {
    const game = await finishedGame(world, set, seats);
    const page = await world.open(`/watch/${game.id}`, { width });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await copy(page);
    await said(page, "The record is in the clipboard.");
    const record = await (await page.request.get(`${world.base}/v1/games/${game.id}/record`)).text();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), record);
    const dice = await api(world, "GET", `/v1/games/${game.id}/dice`);
    assert.equal(Object.values(dice.contributions)[0], "nine tamarind seeds");
    await prove(page);
    await page.locator("[data-proof=true]", { hasText: `all ${dice.throws.length} throws` }).waitFor();
    await accessible(page, world, `proof of ${set}`);

    const answer = async (changed) => {
      await page.route("**/dice", (route) => route.fulfill({ json: { ...dice, ...changed } }), { times: 1 });
      await prove(page);
    };
    const others = dice.throws.map((thrown, index) => (index === 2 ? `${thrown}9` : thrown));
    await answer({ throws: others });
    await page.locator("[data-proof=false]", { hasText: "Throw 3 is not what the seed gives." }).waitFor();
    await answer({ seed: `${dice.seed}0` });
    await page.locator("[data-proof=false]", { hasText: "The seed does not have the hash" }).waitFor();
    await answer({ contributions: {} });
    await page.locator("[data-proof=false]", { hasText: "is not what the seed gives." }).waitFor();
  }
}

/** The seed of a game that goes on stays secret: the page shows its hash, and the proof comes later. */
export async function the_seed_of_a_running_game_is_not_shown(world) {
  const created = await createGame(world, { rule_set: "royal-game-of-ur" });
  const page = await openCreated(world, created, { width: PHONE });
  await page.goto(`${world.base}/watch/${created.game.id}`);
  await prove(page);
  const { seed_hash: hash } = await api(world, "GET", `/v1/games/${created.game.id}/dice`);
  await said(page, hash);
  assert.equal(await page.locator("[data-proof]").count(), 0);
}

/**
 * A browser that refuses the clipboard shows the record to copy by hand. If the service refuses the record, nothing is
 * shown to copy.
 */
export async function a_record_is_shown_where_the_clipboard_is_closed(world) {
  const { game } = await createGame(world, { rule_set: "royal-game-of-ur" });
  const page = await world.open("/", { width: PHONE, expected: /Failed to load resource/ });
  // On a page that comes over plain HTTP from another machine, browsers have neither function.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    delete Crypto.prototype.subtle;
  });
  await page.goto(`${world.base}/watch/${game.id}`);
  await copy(page);
  await said(page, "Copy the record from this field.");
  const record = await (await page.request.get(`${world.base}/v1/games/${game.id}/record`)).text();
  assert.equal(await page.locator(".proof textarea").inputValue(), record);
  await accessible(page, world, "record to copy by hand");

  const body = JSON.stringify({ status: 404, code: "game_not_found", title: "No game", detail: "<b>no game</b>" });
  const gone = { status: 404, contentType: "application/problem+json", body };
  await page.route("**/record", (route) => route.fulfill(gone), { times: 1 });
  await copy(page);
  await said(page, "<b>no game</b>");
  assert.equal(await page.locator(".proof textarea").count(), 0);

  const finished = await finishedGame(world, "royal-game-of-ur", ["white", "black"]);
  await page.goto(`${world.base}/watch/${finished.id}`);
  await prove(page);
  await said(page, "only on pages that come over HTTPS");
}
