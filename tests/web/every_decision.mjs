// Test of the decisions of every bundled game: each legal action has a target on the board, or a button in the list.
import assert from "node:assert/strict";
import { api, createGame, decisionIsDue, openCreated, PHONE } from "./steps.mjs";

/** Number of decisions that are tested in each game. */
const DECISIONS = Number(process.env.DECISIONS ?? 4);

/** Yields pseudo-random numbers, the same ones in every run. */
function* picks() {
  for (let state = 2026; ;) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield state >>> 8;
  }
}

/** Lists the faults of the page: actions without a button, and moves whose target is missing, covered or off-screen. */
async function outOfReach(page, legal) {
  const missing = [];
  const listed = async (action) => (await page.locator(`.choices [data-action="${action}"]`).count()) > 0;
  for (const { action } of legal) if (!(await listed(action))) missing.push(`${action} is not listed`);
  const moves = legal.filter(({ kind, to }) => kind === "move" && to);
  for (const pawn of new Set(moves.map(({ pawns }) => pawns[0]))) {
    const own = moves.filter(({ pawns }) => pawns.includes(pawn));
    if (!(await page.locator(`[data-target="${own[0].action}"]`).count())) {
      await page.locator(`[data-pawn="${pawn}"]`).dispatchEvent("click");
    }
    for (const { action } of own) {
      const target = page.locator(`[data-target="${action}"] .ring`);
      if (!(await target.count())) {
        missing.push(`${action} has no target`);
        continue;
      }
      const hit = await target.evaluate((ring) => {
        const { left, top, width, height } = ring.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        const isOwn = found?.closest("[data-target]") === ring.parentNode;
        return { inside: left >= 0 && left + width <= innerWidth, own: isOwn };
      });
      if (!hit.inside) missing.push(`the target of ${action} is outside the screen`);
      if (!hit.own) missing.push(`the target of ${action} is covered`);
    }
    await page.keyboard.press("Escape");
  }
  return missing;
}

export async function every_legal_action_of_every_game_is_within_reach(world) {
  const { rule_sets: sets } = await api(world, "GET", "/v1/rule-sets");
  const bundled = sets.filter(({ origin }) => origin !== "published").map(({ id }) => id);
  const only = process.env.SETS?.split(",");
  const kinds = new Map();
  const missing = [];
  for (const rule_set of only ?? bundled) {
    const created = await createGame(world, { rule_set, seed: "a7".repeat(32) });
    const page = await openCreated(world, created, { width: PHONE });
    const chance = picks();
    for (let decisions = 0; decisions < DECISIONS && (await decisionIsDue(page));) {
      if (await page.locator(".throw").count()) {
        await page.locator(".throw").tap();
        continue;
      }
      decisions += 1;
      const { legal } = await api(world, "GET", `/v1/games/${created.game.id}/legal`, { token: created.token });
      for (const one of await outOfReach(page, legal)) missing.push(`${rule_set}: ${one}`);
      for (const { action, kind, movers } of legal) {
        const word = kind === "move" ? `move of ${Math.min(movers.length, 3)}` : kind;
        if (!kinds.has(word)) kinds.set(word, `${rule_set} ${action}`);
      }
      const { action } = legal[chance.next().value % legal.length];
      await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith("/actions")),
        page.locator(`.choices [data-action="${action}"]`).evaluate((button) => button.click()),
      ]);
    }
    await page.context().close();
  }
  console.log(`        ${[...kinds].map(([word, example]) => `${word}: ${example}`).join("; ")}`);
  assert.equal(missing.join("\n"), "");
}
