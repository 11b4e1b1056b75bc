// Whole games of several rule sets, by taps on a phone and by keyboard on a desktop. The dice have a seed and the
// choices follow a fixed rule, so that the same kinds of decision come every time.
import assert from "node:assert/strict";
import {
  api,
  createGame,
  decisionIsDue,
  DESKTOP,
  isOver,
  nextDecision,
  openCreated,
  openGame,
  PHONE,
} from "./steps.mjs";

/** Kinds of decision, as a word and the pattern of their notation. */
const KINDS = {
  sum: /:\w+\+\w+/,
  pair: /\w=\w/,
  bonus: /:b\d+/,
  capture: /x(:|$)/,
  "named throw": /@\d/,
  "named pawn": /~\d/,
  "choice with an argument": /^[a-z_]+ \S/,
};

const chopat = {
  rule_set: "chopat",
  players: ["black", "yellow"],
  options: { play_on: false, bring_back_exit: false },
  seed: "55".repeat(32),
};
const parchesi = { rule_set: "parchesi-us", players: ["red", "yellow"], seed: "71".repeat(32) };
const chaukabara = { rule_set: "chaukabara-7", players: ["south", "north"], seed: "19".repeat(32) };
const parques = { rule_set: "parques", seed: "5e".repeat(32) };

const OF_CHOPAT = ["sum", "pair", "capture", "named throw"];
export const a_game_of_chopat_by_taps_on_a_phone = (world) => playToEnd(world, chopat, byTap, OF_CHOPAT);
export const a_game_of_chopat_by_keyboard = (world) => playToEnd(world, chopat, byKeys, OF_CHOPAT);
const OF_PARCHESI = ["sum", "bonus", "capture"];
/** With animations: pawns that can be chosen glow, and pawns may still be moving when they are tapped. */
export const a_game_of_parchesi_by_taps_on_a_phone = (world) => playToEnd(world, parchesi, byTap, OF_PARCHESI, true);
export const a_game_of_parchesi_by_keyboard = (world) => playToEnd(world, parchesi, byKeys, OF_PARCHESI);
const OF_CHAUKABARA = ["pair", "capture"];
export const a_game_of_chaukabara_by_taps_on_a_phone = (world) => playToEnd(world, chaukabara, byTap, OF_CHAUKABARA);
export const a_game_of_chaukabara_by_keyboard = (world) => playToEnd(world, chaukabara, byKeys, OF_CHAUKABARA);

async function playToEnd(world, body, way, kinds, motion = false) {
  const { page, seen } = await play(world, body, way, kinds, () => false, motion);
  await isOver(page, body.rule_set);
  // People who play by keyboard go on at the result.
  if (way === byKeys) assert.equal(await page.evaluate(() => document.activeElement.id), "over");
  const missing = kinds.filter((kind) => !seen.has(kind));
  assert.deepEqual(missing, [], `played: ${JSON.stringify([...seen])}`);
  console.log(`        played: ${[...seen.values()].join("  ")}`);
}

/** Plays until the game is over, or until `isEnough` returns true for the kinds of decision that were played. */
async function play(world, body, way, kinds, isEnough, motion = false) {
  const created = await createGame(world, body);
  const page = await openCreated(world, created, { width: way === byTap ? PHONE : DESKTOP, motion });
  const seen = new Map();
  const chance = picks();
  while (!isEnough(seen)) {
    const due = await nextDecision(page);
    if (due === "over") break;
    if (due === "throw") {
      await isAnswered(page, "throws", () => way.throwDice(page));
      continue;
    }
    const { legal } = await api(world, "GET", `/v1/games/${created.game.id}/legal`, { token: created.token });
    const wish = legal.find(({ action }) => kinds.some((kind) => KINDS[kind].test(action) && !seen.has(kind)));
    const chosen = legal[chance.next().value % legal.length];
    // An action of a rare kind is played as soon as it is legal for the first time. The random number is drawn anyway,
    // so the sequence of numbers stays the same.
    const next = wish && isRare(wish.action) ? wish : chosen;
    await isAnswered(page, "actions", () => way.choose(page, next));
    for (const [kind, pattern] of Object.entries(KINDS))
      if (pattern.test(next.action) && !seen.has(kind)) seen.set(kind, next.action);
  }
  return { page, seen };
}

/** Makes a tap or presses a key, and waits until the service has answered the command that the page sends then. */
const isAnswered = (page, command, input) =>
  Promise.all([page.waitForResponse((answer) => answer.url().endsWith(`/${command}`)), input()]);

const isRare = (action) =>
  ["pair", "named throw", "named pawn", "choice with an argument"].some((kind) => KINDS[kind].test(action));

/** A fixed sequence of numbers that looks like chance. */
function* picks() {
  for (let state = 12345; ;) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield state >>> 8;
  }
}

/** Taps on the board: a pawn, and then its target. Actions that move no pawn are in the list. */
const byTap = {
  throwDice: (page) => page.locator(".throw").tap(),
  async choose(page, { kind, action, pawns, to }) {
    if (kind !== "move" || !to) return page.locator(`[data-action="${action}"]`).tap();
    const target = async () => {
      const [ring] = await page.locator(`[data-target="${action}"] .ring`).evaluateAll(middles);
      return ring;
    };
    let middle = await target();
    if (!middle) {
      await tapPawn(page, pawns[0]);
      middle = await target();
    }
    // Another pawn may cover this one and take the tap. Then the list of all moves has the action.
    if (!middle) {
      const listed = page.locator(`[data-action="${action}"]`);
      if (!(await listed.count())) await page.getByText("All moves").tap();
      return listed.tap();
    }
    // Targets on neighbouring squares may overlap on a phone. Then the list has the action.
    await page.touchscreen.tap(...middle);
  },
};

/** The points in the middle of elements, on the screen. Runs in the page. */
const middles = (elements) =>
  elements.map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });

/** Waits until a pawn has stopped, then taps on its middle, even if another pawn covers it. */
async function tapPawn(page, pawn) {
  const body = page.locator(`[data-pawn="${pawn}"] .body`);
  await (await body.elementHandle()).waitForElementState("stable");
  await body.tap({ force: true });
  const outline = await body.evaluate((element) => getComputedStyle(element.closest("[data-pawn]")).outlineStyle);
  assert.equal(outline, "none", "browsers draw the outline of a pressed pawn over the board");
}

/** Keys: Space throws, a digit chooses one of the first nine actions, Tab and Enter any other. */
const byKeys = {
  throwDice: (page) => page.keyboard.press("Space"),
  async choose(page, { action }) {
    const listed = () =>
      page.locator(".choices button[data-action]").evaluateAll((all) => all.map((one) => one.dataset.action));
    let index = (await listed()).indexOf(action);
    if (index < 0) {
      await page.keyboard.press("Escape");
      index = (await listed()).indexOf(action);
    }
    assert.ok(index >= 0, `${action} is not listed`);
    if (index < 9) return page.keyboard.press(String(index + 1));
    for (let presses = 0; presses < 120; presses += 1) {
      if ((await page.evaluate(() => document.activeElement?.dataset.action)) === action)
        return page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not reach ${action}`);
  },
};

/** Where several pawns stand on a square and it matters which of them moves, the action names the pawn. */
export async function a_move_that_names_a_pawn_is_made(world) {
  const kinds = ["named pawn"];
  for (const way of [byTap, byKeys]) {
    const { seen } = await play(world, { ...chopat, seed: "66".repeat(32) }, way, kinds, (all) => all.has(kinds[0]));
    assert.match(seen.get(kinds[0]), /^\w+~\d/);
  }
}

/** A choice that names a pawn is made from the list, by a tap and by keyboard. */
export async function a_choice_with_an_argument_is_made(world) {
  const kinds = ["choice with an argument"];
  for (const way of [byTap, byKeys]) {
    const { seen } = await play(world, parques, way, kinds, (all) => all.has(kinds[0]));
    assert.match(seen.get(kinds[0]), /^blow /);
  }
}

/**
 * A player who gives up sees the places of all players, and plays again with the same players, rules and options. That
 * the game went on meanwhile, as with the move of a robot, is no obstacle.
 */
export async function a_game_is_given_up_and_played_again(world) {
  const people = { seats: { white: { name: "Asha" } }, robots: { black: "runner" } };
  const body = { rule_set: "royal-game-of-ur", options: { pieces: "five" }, ...people, start: true };
  const { game, seats } = await api(world, "POST", "/v1/games", { body });
  const page = await world.open("/", { width: PHONE });
  const { id } = game;
  const kept = [{ id, rule_set: "royal-game-of-ur", title: "", at: Date.now(), seats: { white: seats.white } }];
  await page.evaluate((text) => localStorage.setItem("pagade.games", text), JSON.stringify(kept));
  await page.goto(`${world.base}/play/${game.id}`);
  await decisionIsDue(page);
  await page.getByRole("button", { name: "Give up" }).tap();
  await page.route("**/resignations", async (route) => {
    const { version } = await api(world, "GET", `/v1/games/${id}`);
    await api(world, "POST", `/v1/games/${id}/throws`, { token: seats.white, body: {}, version });
    await route.continue();
  });
  await page.getByRole("button", { name: "Really give up?" }).tap();
  await page.locator(".over", { hasText: "Somebody gave up." }).waitFor();
  assert.match(await page.locator(".ranking li").last().innerText(), /Asha/);
  await page.getByRole("button", { name: "Play again" }).tap();
  await page.waitForURL((address) => !address.pathname.endsWith(game.id));
  await decisionIsDue(page);
  const again = await api(world, "GET", `/v1/games/${new URL(page.url()).pathname.split("/").pop()}`);
  assert.deepEqual([again.options.pieces, again.seats.map((seat) => Boolean(seat.robot))], ["five", [false, true]]);
}

/** A phone on its side shows the whole board beside the button to throw. What fingers press is large enough. */
export async function a_phone_on_its_side_shows_board_and_throw(world) {
  const page = await openGame(world, { rule_set: "parcheesi" }, { width: 599, height: 360 });
  await page.setViewportSize({ width: 800, height: 360 });
  const boxes = await Promise.all(["svg.board", ".throw"].map((what) => page.locator(what).boundingBox()));
  for (const { x, y, width, height } of boxes)
    assert.ok(x >= 0 && y >= 0 && x + width <= 800 && y + height <= 360, JSON.stringify(boxes));
  assert.ok(boxes[0].x + boxes[0].width <= boxes[1].x);
  const low = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, summary, .top nav a")]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
      .map((element) => element.textContent),
  );
  assert.deepEqual(low, []);
}

/** People who have dice of their own type what they have thrown; a throw that is impossible is explained. */
export async function real_dice_are_typed_in(world) {
  const expected = /Failed to load resource/;
  const page = await openGame(
    world,
    { rule_set: "pagade", players: ["red", "yellow"], dice: "players" },
    { width: PHONE, expected },
  );
  await page.locator(".typed input").fill("7+9");
  await page.locator(".typed button").tap();
  await page.locator("[role=alert]").waitFor();
  await page.locator(".typed input").fill("3+4");
  await page.locator(".typed button").tap();
  await page.locator('.choices button[data-action="6-9:3"]').waitFor();
  assert.deepEqual(await page.locator(".hand .die .unseen").allInnerTexts(), ["3", "4"]);
}
