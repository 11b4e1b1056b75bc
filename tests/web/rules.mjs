// Tests of the page of a rule set. Each exported function is one test; see run.mjs for `world`.
import assert from "node:assert/strict";
import { join } from "node:path";
import { accessible, api, DESKTOP, PHONE } from "./steps.mjs";

export async function the_page_of_a_rule_set_tells_its_facts_and_statistics(world) {
  const page = await world.open("/rules/royal-game-of-ur");
  await page.locator(".rules-facts").waitFor();
  const facts = await page.locator(".rules-facts").innerText();
  assert.match(facts, /lots/);
  await page.locator(".rules-facts summary").click();
  assert.ok((await page.locator(".rules-facts dt").count()) > 0);
  await page.locator(".paths button").first().click();
  await page.locator(".way path").first().waitFor({ state: "attached" });
  await page.locator("[data-simulate]").click();
  await page.locator("[data-ended=true]", { hasText: "500" }).waitFor();
  assert.equal(await page.locator(".chart").count(), 2);
  await accessible(page, world, "rules with statistics");
}

/** The page says how to play with the chosen options: what a throw allows, and the sentences of the sources. */
export async function the_page_of_a_rule_set_tells_how_to_play(world) {
  const page = await world.open("/rules/pagade", { width: PHONE, lang: "es" });
  const moves = page.locator(".rules-words li");
  await moves.filter({ hasText: "Una ficha avanza la suma" }).waitFor();
  await page.locator(".set-up summary").tap();
  await page.locator(".set-up select", { has: page.locator("option[value=two_hops]") }).selectOption("two_hops");
  await moves.filter({ hasText: "Una ficha avanza la suma" }).waitFor({ state: "detached" });
  await page.locator(".rules-words summary").tap();
  const sentence = "A pawn is cut when an opponent pawn lands in the same square.";
  await page.locator(".rules-words dd", { hasText: sentence }).waitFor();
  assert.equal(await page.locator(".rules-words dl").getAttribute("lang"), "en");
  await accessible(page, world, "how to play");
}

/** The first page says of each bundled game its length, its region, and the dice or lots that are thrown. */
export async function every_game_tells_its_length_region_and_dice(world) {
  const { rule_sets: sets } = await api(world, "GET", "/v1/rule-sets");
  const page = await world.open("/", { width: DESKTOP });
  for (const { id } of sets.filter(({ bundled }) => bundled)) {
    const card = page.locator(`.card[data-set="${id}"]`);
    await card.scrollIntoViewIfNeeded();
    await card.locator("svg.board").waitFor();
    const facts = card.locator(".facts", { hasText: /\d players · .*(dice|die|lots) · about \d+ turns$/ });
    await facts.waitFor({ timeout: 10_000 }).catch(async () => {
      assert.fail(`${id}: ${await card.locator(".facts").innerText()}`);
    });
    const { region } = await api(world, "GET", `/v1/rule-sets/${id}`);
    if (region) assert.ok((await facts.innerText()).startsWith(region), id);
  }
}

/** A change of an option changes the board of the rule page at once, and a new game has the chosen options. */
export async function a_game_is_begun_with_options(world) {
  const page = await world.open("/rules/royal-game-of-ur", { width: PHONE });
  await page.locator(".set-up summary").tap();
  const home = page.locator("[data-pawn][data-place=home]");
  assert.equal(await home.count(), 0);
  // With five pieces a seat, two of the seven are home from the start.
  await page.locator(".set-up select", { has: page.locator("option[value=five]") }).selectOption("five");
  await home.nth(3).waitFor();
  await page.locator(".set-up .primary").tap();
  await page.waitForURL(/\/play\//);
  await page.locator("svg.board").waitFor();
  const game = await api(world, "GET", `/v1/games/${new URL(page.url()).pathname.split("/").pop()}`);
  assert.equal(game.options.pieces, "five");
  assert.equal(await home.count(), 4);
}

/** Writes screenshots of the pages of four rule sets to target/web, for people to look at. */
export async function pages_of_rule_sets_are_drawn_on_small_and_large_screens(world) {
  for (const set of ["pagade", "chopat", "parchesi-us", "fifty-eight-holes"]) {
    for (const scheme of ["light", "dark"]) {
      for (const width of [390, 1280]) {
        const page = await world.open(`/rules/${set}`, { width, scheme });
        await page.locator(".statistics").waitFor();
        await page.locator(".paths button").first().click();
        await accessible(page, world, `${set} ${scheme} ${width}`);
        await page.screenshot({ path: join(world.output, `rules-${set}-${width}-${scheme}.png`), fullPage: true });
        await page.context().close();
      }
    }
  }
}
