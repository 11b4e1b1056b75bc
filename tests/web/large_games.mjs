// Tests of the largest rule sets, and of very long games.
import assert from "node:assert/strict";
import { LARGEST, largestRules } from "./largest_rules.mjs";
import { accessible, api, decisionIsDue, DESKTOP, openGame, PHONE } from "./steps.mjs";

/** The largest rules can be played on a phone: every pawn is drawn within the screen, and the page answers at once. */
export async function the_largest_rules_are_played_on_a_phone(world) {
  await api(world, "POST", "/v1/rule-sets", { body: { text: largestRules("large-board", "Large board") } });
  const page = await openGame(world, { rule_set: "large-board" }, { width: PHONE });
  assert.equal(await page.locator("[data-pawn]").count(), LARGEST.seats * LARGEST.pawns);
  assert.equal(await page.locator("[data-square]").count(), LARGEST.squares);
  const boxes = await page
    .locator("[data-pawn] .body")
    .evaluateAll((pawns) => pawns.map((pawn) => pawn.getBoundingClientRect().toJSON()));
  for (const box of boxes) assert.ok(box.left >= 0 && box.right <= PHONE && box.width >= 6, JSON.stringify(box));
  for (let decisions = 0; decisions < 30; decisions += 1) {
    await decisionIsDue(page);
    await page.locator(".throw, .choices button").first().tap();
  }
  await accessible(page, world, "large board");
}

/** A game of 100,000 events is watched: pages of events are read, the slider sends few requests, nothing hangs. */
export async function a_game_of_a_hundred_thousand_events_is_watched(world) {
  const EVENTS = 100_000;
  const STEPS = 40_000;
  const { game } = await api(world, "POST", "/v1/games", { body: { rule_set: "royal-game-of-ur", hot_seat: true } });
  const page = await world.open("/", { width: DESKTOP });
  let pages = 0;
  let most = 0;
  let reads = 0;
  await page.route(new RegExp(`/v1/games/${game.id}/events\\?`), (route) => {
    const query = new URL(route.request().url()).searchParams;
    const after = Number(query.get("after") ?? 0);
    const count = Math.max(0, Math.min(Number(query.get("limit") ?? 100), EVENTS - after));
    pages += 1;
    most = Math.max(most, count);
    const events = Array.from({ length: count }, (_, index) => {
      const id = after + index + 1;
      return {
        id,
        event: "thrown",
        at: game.created_at,
        version: id,
        step: Math.ceil((id * STEPS) / EVENTS),
        seat: "white",
        throw: String(id),
      };
    });
    return route.fulfill({ json: { events, next_after: after + count, complete: false } });
  });
  await page.route(new RegExp(`/v1/games/${game.id}(\\?at=\\d+)?$`), async (route) => {
    reads += 1;
    // A slow network: each answer takes its time.
    await new Promise((done) => setTimeout(done, 150));
    const answer = await route.fetch({ url: `${world.base}/v1/games/${game.id}` });
    await route.fulfill({ response: answer, json: { ...(await answer.json()), events: EVENTS, steps: STEPS } });
  });
  await page.goto(`${world.base}/watch/${game.id}`);
  await page.locator(".story li").nth(250).waitFor();
  await page.evaluate(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, entry.duration);
    }).observe({ entryTypes: ["longtask"] });
  });
  assert.ok(pages <= 4 && most <= 1000, `${pages} pages of at most ${most} events`);
  // The slider is dragged over the whole game.
  const before = reads;
  const slider = page.locator(".steps input[type=range]");
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
  await page.mouse.down();
  for (let moves = 0; moves <= 60; moves += 1)
    await page.mouse.move(box.x + 4 + ((box.width - 8) * (60 - moves)) / 60, box.y + box.height / 2);
  await page.mouse.up();
  await page.keyboard.press("Home");
  await page.locator('[data-step="0"]').waitFor();
  await slider.fill("20000");
  await page.locator(".story li", { hasText: "50000" }).waitFor();
  assert.ok((await page.locator(".story li").count()) <= 300);
  assert.ok(reads - before < 30, `${reads - before} requests`);
  const longest = await page.evaluate(() => globalThis.longest);
  assert.ok(longest < 1500, `a task of ${longest} ms`);
  const requests = `${reads - before} requests for 61 moves of the slider`;
  console.log(`        ${pages} pages of events, ${requests}, longest task ${longest.toFixed(0)} ms`);
}
