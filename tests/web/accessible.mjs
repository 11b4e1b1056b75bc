// Checks that a page is accessible, and not wider than its screen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Fails if axe finds something serious, or if the page has to be scrolled sideways. `name` is for the message. */
export async function accessible(page, world, name) {
  // The Content-Security-Policy blocks an inserted script, so axe is evaluated through the debugger.
  await page.evaluate(readFileSync(world.axe, "utf8"));
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  const lines = serious.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  assert.equal(lines.join("\n"), "", name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 1, `${name}: ${wide} pixels wider than the screen`);
}
