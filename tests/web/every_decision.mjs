// Test of the decisions of every bundled game: each legal action has a target on the board, or a button in the list.
import assert from "node:assert/strict";
import { api, createGame, goWithin, keptText, nextDecision, PHONE } from "./steps.mjs";

/** Number of decisions that are tested in each game. */
const DECISIONS = Number(process.env.DECISIONS ?? 4);

/** Yields pseudo-random numbers, the same ones in every run. */
function* picks() {
  for (let state = 2026; ;) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield state >>> 8;
  }
}

/** Tells whether the page lists these actions. Runs in the page. */
const areListed = (legal) =>
  legal.every(({ action }) => document.querySelector(`.choices [data-action="${action}"]`));

/**
 * Lists the faults of the page: actions without a button, and moves whose target is missing, covered or off-screen. It
 * runs in the page, because a request to the browser for each action would take longer than the check itself.
 */
async function outOfReach(legal) {
  const missing = [];
  const find = (attribute, value) => document.querySelector(`[data-${attribute}="${value}"]`);
  // What a click or a key changes is drawn before the next task.
  const drawn = () => new Promise((done) => setTimeout(done));
  for (const { action } of legal)
    if (!document.querySelector(`.choices [data-action="${action}"]`)) missing.push(`${action} is not listed`);
  const moves = legal.filter(({ kind, to }) => kind === "move" && to);
  for (const pawn of new Set(moves.map(({ pawns }) => pawns[0]))) {
    const own = moves.filter(({ pawns }) => pawns.includes(pawn));
    if (!find("target", own[0].action)) {
      find("pawn", pawn).dispatchEvent(new MouseEvent("click", { bubbles: true }));
      await drawn();
    }
    for (const { action } of own) {
      const ring = find("target", action)?.querySelector(".ring");
      if (!ring) {
        missing.push(`${action} has no target`);
        continue;
      }
      const { left, top, width, height } = ring.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      if (left < 0 || left + width > innerWidth) missing.push(`the target of ${action} is outside the screen`);
      if (found?.closest("[data-target]") !== ring.parentNode) missing.push(`the target of ${action} is covered`);
    }
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await drawn();
  }
  return missing;
}

export async function every_legal_action_of_every_game_is_within_reach(world) {
  const { rule_sets: sets } = await api(world, "GET", "/v1/rule-sets");
  const bundled = sets.filter(({ origin }) => origin !== "published").map(({ id }) => id);
  const only = process.env.SETS?.split(",");
  const kinds = new Map();
  const missing = [];
  const games = [];
  for (const rule_set of only ?? bundled) games.push(await createGame(world, { rule_set, seed: "a7".repeat(32) }));
  const page = await world.open("/tables", { width: PHONE, kept: { "pagade.games": keptText(games) } });
  /** Presses a button, and waits until the service has answered the command that the page sends then. */
  const isAnswered = (command, button) =>
    Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith(`/${command}`)),
      page.locator(button).evaluate((element) => element.click()),
    ]);
  for (const { game, token } of games) {
    const rule_set = game.rule_set.id;
    await goWithin(page, `/play/${game.id}`);
    // The page shows the game before until it has read this one.
    await page.locator(`.about a[href="/rules/${rule_set}"]`).waitFor();
    const chance = picks();
    for (let decisions = 0; decisions < DECISIONS;) {
      const due = await nextDecision(page);
      if (due === "over") break;
      if (due === "throw") {
        await isAnswered("throws", ".throw");
        continue;
      }
      decisions += 1;
      const { legal } = await api(world, "GET", `/v1/games/${game.id}/legal`, { token });
      // The page may still be drawing the answer to the last command. What it does not list then is reported below.
      await page.waitForFunction(areListed, legal, { timeout: 5000 }).catch(() => undefined);
      for (const one of await page.evaluate(outOfReach, legal)) missing.push(`${rule_set}: ${one}`);
      for (const { action, kind, movers } of legal) {
        const word = kind === "move" ? `move of ${Math.min(movers.length, 3)}` : kind;
        if (!kinds.has(word)) kinds.set(word, `${rule_set} ${action}`);
      }
      const { action } = legal[chance.next().value % legal.length];
      await isAnswered("actions", `.choices [data-action="${action}"]`);
    }
    assert.doesNotMatch(await page.locator(".seats").innerText(), /\b(true|false)\b/, rule_set);
  }
  console.log(`        ${[...kinds].map(([word, example]) => `${word}: ${example}`).join("; ")}`);
  assert.equal(missing.join("\n"), "");
}
