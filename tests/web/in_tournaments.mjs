// Tests of tournaments, as entrants and watchers see them: the list, entering, rounds and standings as they happen.
import assert from "node:assert/strict";
import { accessible, api, createTournament, DESKTOP, PHONE } from "./steps.mjs";

/** Somebody enters by the page, plays a game, and sees pairings and standings change by themselves. */
export async function a_tournament_is_entered_and_its_rounds_and_standings_are_live(world) {
  const { token, tournament } = await createTournament(world, { prizes: ["A <b>cup</b>", "Mangoes"] });
  const path = `/v1/tournaments/${tournament.id}`;
  const robots = ["Runner", "Hunter", "Thinker"].map((name) => ({ name, robot: name.toLowerCase() }));
  await api(world, "POST", `${path}/entrants`, { token, body: { entrants: robots } });

  const page = await world.open("/tournaments", { width: PHONE });
  await page.locator(`[data-tournament="${tournament.id}"]`).getByText("Village <i>cup</i>").waitFor();
  await accessible(page, world, "tournaments");
  await page.locator(`[data-tournament="${tournament.id}"] a`).tap();
  await page.locator(".enter input[name=name]").fill("Asha & <b>co</b>");
  await page.locator("[data-enter]").tap();
  await page.locator("[data-entered]").waitFor();
  const watcher = await world.open(`/tournaments/${tournament.id}`, { width: DESKTOP });
  await watcher.locator(".entrants", { hasText: "Asha & <b>co</b>" }).waitFor();

  // The organiser starts and pairs: both pages show the round without being loaded again.
  await api(world, "POST", `${path}/start`, { token, body: {} });
  await api(world, "POST", `${path}/rounds`, { token, body: {} });
  for (const one of [page, watcher]) await one.locator("[data-round-table]").nth(1).waitFor();
  await watcher.locator("[data-watch]").nth(1).waitFor();
  await watcher.locator("[data-round-table] details summary").first().click();
  assert.ok((await watcher.locator("[data-round-table] details p").first().innerText()).length > 20);

  // The entrant comes to the game and gives up, and the result appears.
  await page.locator("[data-my-game]").tap();
  await page.waitForURL(/\/play\//);
  await page.getByText("Give up").tap();
  await page.getByText("Really give up?").tap();
  await page.locator(".over").waitFor();
  await page.locator(".over a[href^='/tournaments/']").tap();
  await page.locator(".pairings .won").first().waitFor();
  // An arbiter decides the table of the robots, whose game takes longer.
  const { tables } = await api(world, "GET", `${path}/rounds/1`);
  const other = tables.find((table) => !table.result);
  const seats = other.entrants.map((entrant, index) => ({ entrant, place: index + 1 }));
  await api(world, "PUT", `${path}/rounds/1/tables/${other.table}/result`, {
    token,
    body: { seats, reason: "<b>late</b>" },
  });
  await watcher.waitForFunction(() => document.querySelectorAll(".pairings .won").length === 2);
  await watcher.getByText("Decided by an arbiter: <b>late</b>").waitFor();
  // The standings change with the result of each table.
  await watcher.waitForFunction(() => {
    const points = document.querySelectorAll(".standings tbody tr[data-standing] td:nth-child(3)");
    return [...points].map((one) => one.innerText.trim()).join() === "6,6,0,0";
  });
  await watcher.locator(".standings th button").first().click();
  await watcher.locator(".explained dt").first().waitFor();
  await watcher.locator(".prizes li", { hasText: "A <b>cup</b>" }).waitFor();
  assert.ok((await watcher.locator(".standings .prize").count()) > 0, "the standings show no prizes");
  for (const [one, name] of [
    [page, "phone"],
    [watcher, "desktop"],
  ])
    await accessible(one, world, `tournament ${name}`);

  // A second round is paired. The first round can still be shown, and the entrant can sit out the third.
  await api(world, "POST", `${path}/rounds`, { token, body: {} });
  await watcher.getByRole("heading", { name: "Round 2" }).waitFor();
  await watcher.locator(".rounds select").selectOption("1");
  await watcher.getByRole("heading", { name: "Round 1" }).waitFor();
  await page.getByRole("button", { name: "Sit out round 3" }).tap();
  await page.getByText("You sit out round 3").waitFor();

  // The entrant leaves by mistake, and comes back.
  await page.getByRole("button", { name: "Withdraw" }).tap();
  await page.getByRole("button", { name: "Really withdraw?" }).tap();
  await watcher.locator(".entrants", { hasText: "has left" }).waitFor();
  await accessible(page, world, "an entrant who has left");
  await page.locator("[data-come-back]").tap();
  await page.locator("[data-entered]").waitFor();
  await watcher.waitForFunction(() => !document.querySelector(".entrants")?.textContent?.includes("has left"));
}

/** A person enters a team. The partner, who has no account, plays by the personal link that the person passes on. */
export async function a_team_enters_and_the_partner_plays_by_a_personal_link(world) {
  const wish = { rule_set: "pagade", options: { mode: "partnership" }, team_size: 2 };
  const { token, tournament } = await createTournament(world, wish);
  const path = `/v1/tournaments/${tournament.id}`;
  const robots = { name: "Machines", robot: "runner", members: ["One", "Two"] };
  await api(world, "POST", `${path}/entrants`, { token, body: { entrants: [robots] } });
  const asha = await world.open(`/tournaments/${tournament.id}`, { expected: /Failed to load resource/ });
  await asha.locator(".enter [data-field='/entrants/0/name'] input").fill("Sisters");
  await asha.locator(".enter input[name=name]").fill("Asha");
  await asha.locator(".enter [data-field='/entrants/0/members/0'] input").fill("\u202eMeera");
  await asha.locator("[data-enter]").click();
  await asha.locator("[data-field='/entrants/0/members/0'] .problem, .tournament > [role=alert]").first().waitFor();
  await asha.locator(".enter [data-field='/entrants/0/members/0'] input").fill("Meera");
  await asha.locator("[data-enter]").click();
  await asha.locator("[data-entered]").waitFor();
  await asha.locator(".personal summary", { hasText: "Personal link of Meera" }).click();
  const link = await asha.locator(".personal .invitation input").inputValue();
  await accessible(asha, world, "team with a personal link");
  const meera = await world.open(link.slice(world.base.length), { width: PHONE });
  await meera.locator("[data-entered]").waitFor();
  await api(world, "POST", `${path}/start`, { token, body: {} });
  await api(world, "POST", `${path}/rounds`, { token, body: {} });
  for (const page of [asha, meera]) {
    await page.locator("[data-my-game]").click();
    await page.waitForURL(/\/play\//);
    await page.locator(".seats li", { hasText: "You" }).waitFor();
  }
  assert.match(await meera.locator(".seats li", { hasText: "You" }).innerText(), /Meera/);
  assert.match(await asha.locator(".seats li", { hasText: "You" }).innerText(), /Asha/);
}

export async function a_missing_tournament_or_table_is_said_in_words(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tournaments/00000000-0000-7000-8000-000000000000", { expected });
  await page.getByRole("heading", { name: "This tournament cannot be opened" }).waitFor();
  await page.goto(`${world.base}/tables/00000000-0000-7000-8000-000000000000`);
  await page.getByRole("heading", { name: "This table cannot be opened" }).waitFor();
}
