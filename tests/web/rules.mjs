// Tests of the page of a rule set. Each exported function is one test; see run.mjs for `world`.
import assert from "node:assert/strict";
import { join } from "node:path";
import { accessible } from "./steps.mjs";

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

/** Pictures of four rule sets for the eye, in target/web. */
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
