// Tests of the rule lab: scenarios, simulations, and the comparison with the base.
import assert from "node:assert/strict";
import { isPlayable, lab, tab, VARIANT, write } from "./lab_steps.mjs";
import { accessible, PHONE } from "./steps.mjs";

export async function scenarios_fail_at_their_lines_and_are_mended(world) {
  const page = await lab(world, `${VARIANT}dice: {count: 3}\n`);
  await isPlayable(page);
  await tab(page, "scenarios");
  const scenarios =
    "ruleset: my-lane\nscenarios:\n  - name: three dice are thrown\n" +
    "    script:\n      - throw: 3+4+1\n      - turn: yellow\n";
  await write(page, scenarios);
  await page.locator("[data-failed='1']").waitFor();
  assert.equal(await page.locator(".results .error").count(), 1);
  await page.locator(".cm-lintRange-error").first().waitFor();
  assert.match(await page.locator(".results .error").innerText(), /Expected: turn of yellow\s+Found: red/);
  await page.locator(".results .error button").click();
  // A click on the failure shows its line in the editor.
  await page.locator(".cm-activeLine", { hasText: "turn: yellow" }).waitFor();
  await accessible(page, world, "failing scenarios");
  await write(page, scenarios.replace("turn: yellow", "turn: red"));
  await page.locator("[data-failed='0']").waitFor();
  assert.equal(await page.locator(".results .passed").count(), 1);
  // A mistake in the form of the scenario file is marked at its line, too.
  await write(page, scenarios.replace("script:", "skript:"));
  await page.locator("[data-failed='1']").waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.reload();
  await isPlayable(page);
  await tab(page, "scenarios");
  assert.match(await page.locator(".cm-content").innerText(), /skript:/, "what is typed survives");
}

export async function a_simulation_is_followed_and_cancelled(world) {
  const page = await lab(world, VARIANT, { width: PHONE });
  await isPlayable(page);
  await tab(page, "simulate");
  await page.locator("select[name=games]").selectOption("20000");
  await page.locator("select[name=robot]").selectOption("hunter");
  await page.locator("input[name=beside]").uncheck();
  await page.locator(".simulate .primary").tap();
  await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
  await page.locator(".chart").first().waitFor();
  await page.locator("[data-cancel]").tap();
  await page.locator("[data-ended=true]", { hasText: "Cancelled" }).waitFor();
  const played = await page.locator("progress").evaluate((bar) => bar.value);
  assert.ok(played > 0 && played < 20_000, `${played}`);
  await accessible(page, world, "cancelled simulation");
}

/** A simulation finds a rule that can never have an effect. A click on the finding shows the line of the rule. */
export async function a_rule_that_never_fires_is_found(world) {
  const page = await lab(world, `${VARIANT}landing:\n  - {id: never, on: pawn, when: pawns(home) = 9, then: refuse}\n`);
  await isPlayable(page);
  await tab(page, "simulate");
  await page.locator("select[name=games]").selectOption("100");
  await page.locator("input[name=beside]").uncheck();
  await page.locator(".simulate .primary").click();
  await page.locator("[data-ended=true]").waitFor();
  await page.locator(".outcome .lines button", { hasText: "landing.never" }).click();
  await page.locator(".cm-activeLine", { hasText: "id: never" }).waitFor();
}

export async function a_variant_is_compared_with_its_base(world) {
  const page = await lab(world, `${VARIANT}dice: {count: 3}\n`);
  await isPlayable(page);
  await tab(page, "simulate");
  await page.locator("select[name=games]").selectOption("100");
  await page.locator(".simulate .primary").click();
  await page.locator("[data-ended=true]").waitFor();
  assert.equal(await page.locator(".figures thead th").count(), 3, "the variant and its base");
  assert.equal(await page.locator(".chart").count(), 2);
  assert.match(
    await page.locator(".chart svg[role=img]").first().getAttribute("aria-label"),
    /My lane.*turns on average/,
  );
  // Rules that never had an effect are listed. A rule of the text has a button that shows its line; a rule of the base
  // has none.
  const never = page.locator(".outcome .lines li");
  assert.ok((await never.count()) > 0);
  assert.equal(await never.locator("button").count(), 0, "all lines are those of Pagade");
  await accessible(page, world, "simulation");
  await tab(page, "compare");
  const dice = page.locator(".differences li", { hasText: "dice.count" });
  await dice.waitFor();
  assert.match(await dice.innerText(), /2[\s\S]*3/);
  await accessible(page, world, "comparison");
  await page.locator("select[name=base]").selectOption("ludo");
  await page.locator(".differences li", { hasText: "board.grid" }).waitFor();
}
