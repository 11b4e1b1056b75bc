// Tests of robots at tables: at seats of their own, and in place of a player who is away.
import assert from "node:assert/strict";
import { accessible, decisionIsDue, DESKTOP, openTable, PHONE, seat } from "./steps.mjs";

/** The master gives the free seat to a robot, and plays against it. */
export async function a_robot_sits_at_a_table(world) {
  const page = await world.open("/tables", { width: PHONE, expected: /Failed to load resource/ });
  await openTable(page, { name: "Asha", title: "With a robot" });
  // The page tells a master without other players that a free seat has to be taken.
  await page.locator("[data-start]").tap();
  await page.locator("[role=alert]", { hasText: "another player, or a robot, has to take a free seat" }).waitFor();
  await seat(page, "black").locator(".more summary").tap();
  await accessible(page, world, "menu of a free seat");
  await seat(page, "black").locator("[data-robot=hunter]").tap();
  await seat(page, "black").getByText("Hunter (robot)").waitFor();
  await page.locator("[data-start]").tap();
  await page.waitForURL(/\/play\//);
  await page.locator(".seats", { hasText: "Hunter (robot)" }).waitFor();
  await page.locator(".throw, .choices button").first().waitFor();
}

/** A robot of each kind gets a seat from the master; the robots that have a seat when the game starts play it. */
export async function robots_of_each_kind_sit_at_a_table(world) {
  const page = await world.open("/tables#open=pagade", { width: DESKTOP });
  await page.locator(".open-table input[name=name]").fill("Asha");
  await page.locator(".open-table").getByLabel("Seats").selectOption({ label: "4 players" });
  await page.locator(".open-table .primary").click();
  await page.waitForURL(/\/tables\/[0-9a-f-]{36}$/);
  const give = async (name, kind) => {
    await seat(page, name).locator(".more summary").click();
    await seat(page, name).locator(`[data-robot=${kind}]`).click();
    await seat(page, name).getByText("robot", { exact: false }).first().waitFor();
  };
  await seat(page, "red").waitFor();
  const free = await page
    .locator(".at-table [data-seat]:not(.mine)")
    .evaluateAll((rows) => rows.map((row) => row.dataset.seat));
  assert.equal(free.length, 3);
  await give(free[0], "random");
  await give(free[1], "runner");
  for (const [index, kind] of ["thinker", "learned"].entries()) {
    await seat(page, free[index]).getByText("Free this seat").click();
    await give(free[index], kind);
  }
  await give(free[2], "hunter");
  for (const name of ["Thinker", "Learned", "Hunter"])
    await page.locator(".at-table", { hasText: `${name} (robot)` }).waitFor();
  await accessible(page, world, "table of robots");
  await page.locator("[data-start]").click();
  await page.waitForURL(/\/play\//);
  // After each turn of this player, the three robots have theirs.
  const haveThrown = async () => {
    const told = (await page.locator(".story").innerText()).toLowerCase();
    return free.every((name) => told.includes(`${name} throws`));
  };
  for (let decisions = 0; !(await haveThrown()); decisions += 1) {
    assert.ok(decisions < 60, "a robot has not thrown");
    await decisionIsDue(page);
    await page.locator(".throw, .choices button").first().click();
  }
}

/** A robot plays for a player who loses the connection. The player comes back by a button, and plays on. */
export async function who_was_away_comes_back_by_the_button(world) {
  const expected = /Failed to load resource|net::/;
  const asha = await world.open("/tables", { width: PHONE, expected });
  await openTable(asha, { name: "Asha", title: "Long way" });
  const id = new URL(asha.url()).pathname.split("/").pop();
  const ravi = await world.open(`/tables/${id}`, { expected });
  await ravi.locator(".name-field input").fill("Ravi");
  await ravi.locator("[data-sit=black]").click();
  await seat(asha, "black").getByText("Ravi").waitFor();
  await asha.locator("[data-start]").tap();
  for (const page of [asha, ravi]) await page.waitForURL(/\/play\//);
  await ravi.locator(".seats [data-connected=true]").nth(1).waitFor();
  const address = asha.url();
  await asha.goto(world.base);
  await ravi.locator(".seats li", { hasText: "Asha" }).getByText("Hunter (robot)").waitFor({ timeout: 40_000 });
  // A player who opens a stream of events has returned by that alone. Here the streams are blocked, so the button is
  // needed.
  const blocked = (route) => route.abort("connectionrefused");
  await asha.route(/\/events$/, blocked);
  await asha.goto(address);
  await asha.locator("[data-return]").waitFor();
  await accessible(asha, world, "a robot plays for me");
  await asha.locator("[data-return]").tap();
  await asha.locator("[data-return]").waitFor({ state: "detached" });
  await asha.unroute(/\/events$/, blocked);
  await ravi.locator(".seats li", { hasText: "Asha" }).getByText("Hunter (robot)").waitFor({ state: "detached" });
  // Both players decide for themselves again.
  const throwsOfAsha = () => asha.locator(".story .is-thrown", { hasText: "Asha throws" }).count();
  const before = await throwsOfAsha();
  for (let looks = 0; (await throwsOfAsha()) === before; looks += 1) {
    assert.ok(looks < 300, "the player who came back has not thrown");
    for (const page of [asha, ravi]) {
      const button = page.locator(".throw:enabled, .choices button:enabled").first();
      if (await button.count()) await button.click({ timeout: 1000 }).catch(() => undefined);
    }
    await asha.waitForTimeout(100);
  }
}
