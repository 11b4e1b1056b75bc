// Test of the rule lab with bad input, and with a service that is away or refuses.
import assert from "node:assert/strict";
import { join } from "node:path";
import { isPlayable, lab, tab, VARIANT, write } from "./lab_steps.mjs";
import { LARGEST, largestRules } from "./largest_rules.mjs";
import { accessible } from "./steps.mjs";

export async function the_lab_withstands_bad_input(world) {
  const expected = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;
  const page = await lab(world, VARIANT, { expected });
  await write(
    page,
    `${VARIANT.replace("My lane", '"<img src=x onerror=alert(1)> <b>bold</b>"')}about: "<script>alert(2)</script>"\n`,
  );
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await page.locator("[data-playable=true]", { hasText: "<b>bold</b>" }).waitFor();
  assert.equal(await page.locator(".see img, .see b b, .state b").count(), 0);

  await write(page, largestRules("long-road", "The long road"));
  await page.locator("[data-playable=true]", { hasText: "The long road" }).waitFor();
  assert.equal(await page.locator(".board [data-pawn]").count(), LARGEST.seats * LARGEST.pawns);
  await accessible(page, world, "largest board");
  await page.screenshot({ path: join(world.output, "lab-largest.png") });

  // The page says that a text is too long, and keeps the text.
  await write(page, `# ${"long ".repeat(20)}\n`.repeat(11_000));
  await page.locator(".see .warn", { hasText: /262144/ }).waitFor();
  await write(page, VARIANT);
  await page.locator("[data-playable=true]", { hasText: "My lane" }).waitFor();
  assert.equal(await page.locator(".see .warn").count(), 0);

  // The page says when the server does not answer, and checks the text when the server is back.
  await page.context().setOffline(true);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("dice: {coun: 3}");
  await page.locator(".see .warn", { hasText: "does not answer" }).waitFor();
  await page.context().setOffline(false);
  await page.locator(".problems .error", { hasText: "coun" }).waitFor();

  // If the server refuses a simulation because of too many requests, the page waits and tries again.
  await write(page, VARIANT);
  await isPlayable(page);
  let refused = 0;
  await page.route("**/v1/simulations", async (route) => {
    refused += 1;
    const body = {
      code: "too_many_requests",
      status: 429,
      title: "Too many requests",
      detail: "a client may have 4 simulations at a time",
    };
    await route.fulfill({
      status: 429,
      headers: { "Retry-After": "1" },
      contentType: "application/problem+json",
      body: JSON.stringify(body),
    });
  });
  await tab(page, "simulate");
  await page.locator("input[name=beside]").uncheck();
  await page.locator(".simulate .primary").click();
  await page.locator(".panel .warn", { hasText: "too many requests from here" }).waitFor();
  assert.ok(refused > 1, "it was tried again before");
  await page.unroute("**/v1/simulations");
  await page.locator("select[name=games]").selectOption("100");
  await page.locator(".simulate .primary").click();
  await page.locator("[data-ended=true]", { hasText: "100 of 100" }).waitFor();

  // The page says when the server no longer knows a simulation.
  await page.route("**/v1/simulations/*", (route) =>
    route.fulfill({
      status: 404,
      contentType: "application/problem+json",
      body: JSON.stringify({
        code: "simulation_not_found",
        status: 404,
        title: "There is no such simulation",
        detail: "no simulation has this id",
      }),
    }),
  );
  await page.locator(".simulate .primary").click();
  await page.locator(".panel .warn", { hasText: "no simulation" }).waitFor();
  assert.equal(dialogs, 0);
}
