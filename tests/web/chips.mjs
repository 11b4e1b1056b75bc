// Tests of chips, and of the pages of players and leaderboards on which they count.
import assert from "node:assert/strict";
import { accessible, api, DESKTOP, openTable, PHONE, seat } from "./steps.mjs";

/**
 * Registered players stake chips on a game. The page shows stake, pot, balance, and the gain of each player at the end.
 */
export async function chips_are_staked_and_settled(world) {
  const expected = /Failed to load resource/;
  const pages = [];
  for (const name of ["Asha <b>K</b>", "Ravi"]) {
    const token = world.issuer.tokenOf(name);
    const { player } = await api(world, "GET", "/v1/me", { token });
    assert.equal(player.registered, true);
    const page = await world.open("/", { expected, width: pages.length > 0 ? PHONE : DESKTOP });
    await page.evaluate(
      (text) => localStorage.setItem("pagade.player", text),
      JSON.stringify({ id: player.id, token, name }),
    );
    await page.goto(`${world.base}/tables`);
    pages.push(Object.assign(page, { playerId: player.id }));
  }
  const [asha, ravi] = pages;
  await asha.locator(".you summary").click();
  await asha.locator(".you [data-balance='1000']").waitFor();
  await openTable(asha, { name: "Asha <b>K</b>", title: "For chips" });
  await asha.locator(".options summary").click();
  // While the option `competitive` is off, games do not count, and the bet has no effect.
  await asha.locator("[data-option=competitive] input").click();
  await asha.locator("[data-option=bet] [data-needs=competitive]").waitFor();
  assert.ok(await asha.locator("[data-option=bet] input").isDisabled());
  await asha.locator("[data-option=competitive] input:enabled").click();
  await asha.locator("[data-option=bet] input:enabled").fill("200");
  await asha.locator("[data-option=bet] input").press("Enter");
  await asha.locator(".table-page header", { hasText: "stake 200 chips" }).waitFor();
  // The lobby shows the stake of each table, and tables can be searched by their stakes.
  await ravi.reload();
  const listed = ravi.locator(".rows li", { hasText: "For chips" });
  await listed.getByText("stake 200 chips").waitFor();
  for (const [stake, count] of [["100", 0], ["200", 1]]) {
    await ravi.locator(".filters [name=stake]").fill(stake);
    await ravi.locator(".filters [name=stake]").press("Enter");
    await ravi.waitForFunction((wanted) => document.querySelectorAll(".lobby [data-table]").length === wanted, count);
  }
  await ravi.goto(asha.url());
  await ravi.locator(".table-page header", { hasText: "stake 200 chips" }).waitFor();
  await ravi.locator("[data-sit=black]").tap();
  await seat(asha, "black").getByText("Ravi").waitFor();
  await asha.locator("[data-start]").click();
  for (const page of pages) {
    await page.waitForURL(/\/play\//);
    await page.locator(".stakes[data-pot='400']", { hasText: "stake 200 chips · pot 400 chips" }).waitFor();
    await page.locator(".stakes", { hasText: "two players came from one address" }).waitFor();
  }
  await ravi.getByText("Give up").tap();
  await ravi.getByText("Really give up?").tap();
  for (const page of pages) {
    await page.locator(".settled").waitFor();
    assert.deepEqual(
      await page
        .locator(".settled [data-settled]")
        .evaluateAll((rows) => rows.map((row) => Number(row.dataset.settled))),
      [100, -200],
    );
    await accessible(page, world, "settled game");
  }
  await asha.locator(".over a[href^='/tables/']").click();
  await asha.locator(".past", { hasText: "+100 chips" }).waitFor();
  // The page of a player shows the balance. The leaderboard of the game is still empty.
  await asha.goto(`${world.base}/players/${asha.playerId}`);
  await asha.locator("[data-balance='1100']").waitFor();
  await asha.locator("h1", { hasText: "Asha <b>K</b>" }).waitFor();
  await accessible(asha, world, "own page of a player");
  await ravi.goto(`${world.base}/leaderboards/royal-game-of-ur`);
  await ravi.getByText("Nobody has experience here yet.").waitFor();
  await accessible(ravi, world, "leaderboard");
}
