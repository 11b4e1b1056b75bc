// Whole games of several rule sets, by taps on a phone and by keyboard on a desktop. The dice have a seed and the
// choices follow a fixed rule, so that the same kinds of decision come every time.
import assert from "node:assert/strict";
import { decisionIsDue, DESKTOP, isOver, openGame, PHONE } from "./steps.mjs";

const SEED = "5e".repeat(32);

/** Kinds of decision, as a word and the pattern of their notation. */
const KINDS = {
  sum: /:\w+\+\w+/,
  pair: /\d=\d/,
  bonus: /:b\d+/,
  capture: /x(:|$)/,
  "named throw": /@\d/,
  "named pawn": /~\d/,
  choice: /^[a-z_]+( |$)/,
};

const chopat = {
  rule_set: "chopat",
  players: ["black", "yellow"],
  options: { true_pair_rule: true, khado: "both" },
};

export const a_game_of_chopat_by_taps_on_a_phone = (world) => byTaps(world, chopat, ["sum", "capture", "choice"]);
export const a_game_of_chopat_by_keyboard = (world) => byKeyboard(world, chopat, ["sum", "capture", "choice"]);
const parchesi = { rule_set: "parchesi-us", players: ["red", "yellow"] };
export const a_game_of_parchesi_by_taps_on_a_phone = (world) => byTaps(world, parchesi, ["sum", "bonus", "capture"]);
export const a_game_of_parchesi_by_keyboard = (world) => byKeyboard(world, parchesi, ["sum", "bonus", "capture"]);
const chaukabara = { rule_set: "chaukabara-7", players: ["south", "north"] };
export const a_game_of_chaukabara_by_taps_on_a_phone = (world) => byTaps(world, chaukabara, ["capture"]);
export const a_game_of_chaukabara_by_keyboard = (world) => byKeyboard(world, chaukabara, ["capture"]);

/** A fixed sequence of numbers that looks like chance. */
function* picks() {
  for (let state = 12345; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield state >>> 8;
  }
}

async function byTaps(world, body, kinds) {
  const page = await openGame(world, { ...body, seed: SEED }, { width: PHONE });
  const seen = new Seen(page);
  const chance = picks();
  const next = (count) => chance.next().value % count;
  while (await decisionIsDue(page)) {
    if (await page.locator(".throw").count()) {
      await page.locator(".throw").tap();
      continue;
    }
    await seen.note();
    const pawns = page.locator(".pawn.movable .body");
    const count = await pawns.count();
    if (count > 1 && !(await page.locator(".target").count())) await pawns.nth(next(count)).tap({ force: true }).catch(() => undefined);
    const targets = page.locator(".target");
    const words = page.locator(".choices button[data-action]:not([data-action*=':'])");
    if ((await words.count()) > 0 && next(3) === 0) await words.nth(next(await words.count())).tap();
    else if (await targets.count()) await targets.nth(next(await targets.count())).tap({ force: true });
    else await page.locator(".choices button").nth(next(await page.locator(".choices button[data-action]").count())).tap();
  }
  await isOver(page, body.rule_set);
  seen.has(kinds);
}

async function byKeyboard(world, body, kinds) {
  const page = await openGame(world, { ...body, seed: SEED }, { width: DESKTOP });
  const seen = new Seen(page);
  const chance = picks();
  while (await decisionIsDue(page)) {
    if (await page.locator(".throw").count()) {
      await page.keyboard.press("Space");
      continue;
    }
    await seen.note();
    const count = Math.min(9, await page.locator(".choices button[data-action]").count());
    if (count > 0) await page.keyboard.press(String((chance.next().value % count) + 1));
  }
  await isOver(page, body.rule_set);
  seen.has(kinds);
}

/** The kinds of decision that the page has offered. */
class Seen {
  #page;
  #actions = new Map();

  constructor(page) {
    this.#page = page;
  }

  async note() {
    const listed = await this.#page.locator(".choices button[data-action]").evaluateAll((all) => all.map((one) => one.dataset.action));
    for (const [kind, pattern] of Object.entries(KINDS)) {
      const found = listed.find((action) => pattern.test(action));
      if (found && !this.#actions.has(kind)) this.#actions.set(kind, found);
    }
  }

  has(kinds) {
    const missing = kinds.filter((kind) => !this.#actions.has(kind));
    assert.deepEqual(missing, [], `offered: ${JSON.stringify([...this.#actions])}`);
    console.log(`        offered: ${[...this.#actions.values()].join("  ")}`);
  }
}

/** People who have dice of their own type what they have thrown; a throw that is impossible is explained. */
export async function real_dice_are_typed_in(world) {
  const expected = /Failed to load resource/;
  const page = await openGame(world, { rule_set: "pagade", players: ["red", "yellow"], dice: "players" }, { width: PHONE, expected });
  await page.locator(".typed input").fill("7+9");
  await page.locator(".typed button").tap();
  await page.locator("[role=alert]").waitFor();
  await page.locator(".typed input").fill("3+4");
  await page.locator(".typed button").tap();
  await page.locator('.choices button[data-action="6-9:3"]').waitFor();
  assert.deepEqual(await page.locator(".hand .die .unseen").allInnerTexts(), ["3", "4"]);
}

/** Several actions that lead to the same place name the throw or the pawn, on the board and in the list. */
export async function an_action_that_names_a_throw_or_a_pawn_is_played(world) {
  const page = await openGame(world, { rule_set: "chopat", players: ["black", "yellow"], seed: SEED }, { width: DESKTOP });
  const wanted = { "@": false, "~": false };
  const chance = picks();
  while ((await decisionIsDue(page)) && !(wanted["@"] && wanted["~"])) {
    if (await page.locator(".throw").count()) {
      await page.keyboard.press("Space");
      continue;
    }
    const listed = await page.locator(".choices button[data-action]").evaluateAll((all) => all.map((one) => one.dataset.action));
    const sign = Object.keys(wanted).find((one) => !wanted[one] && listed.some((action) => action.includes(one)));
    if (!sign) {
      await page.keyboard.press(String((chance.next().value % Math.min(9, listed.length)) + 1));
      continue;
    }
    const action = listed.find((one) => one.includes(sign));
    const button = page.locator(`.choices button[data-action="${action}"]`);
    assert.match(await button.locator(".what").innerText(), sign === "@" ? /throw \d/ : /pawn \d/);
    const answer = page.waitForResponse((response) => response.url().endsWith("/actions"));
    await button.click();
    assert.equal((await answer).status(), 200);
    wanted[sign] = true;
  }
  assert.deepEqual(wanted, { "@": true, "~": true });
}
