// Tests of tournaments: the list, entering, rounds and standings as they happen, and playing in one.
import assert from "node:assert/strict";
import { accessible, api, decisionIsDue, DESKTOP, fits, PHONE } from "./steps.mjs";

const create = (world, more = {}) =>
  api(world, "POST", "/v1/tournaments", {
    body: { title: "Village <i>cup</i>", rule_set: "royal-game-of-ur", format: { kind: "swiss", rounds: 3 }, ...more },
  });

/** Somebody enters by the page, plays a game of the tournament, and sees pairings and standings change by themselves. */
export async function a_tournament_is_entered_and_its_rounds_and_standings_are_live(world) {
  const { token, tournament } = await create(world, { prizes: ["A <b>cup</b>", "Mangoes"] });
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
  await api(world, "PUT", `${path}/rounds/1/tables/${other.table}/result`, { token, body: { seats, reason: "<b>late</b>" } });
  await watcher.waitForFunction(() => document.querySelectorAll(".pairings .won").length === 2);
  await watcher.getByText("Decided by an arbiter: <b>late</b>").waitFor();
  await watcher.waitForFunction(() => document.querySelector(".standings tr[data-standing] td:nth-child(3)")?.textContent === "6");
  const points = await watcher.locator(".standings tbody tr[data-standing] td:nth-child(3)").allInnerTexts();
  assert.deepEqual(points, ["6", "6", "0", "0"]);
  await watcher.locator(".standings th button").first().click();
  await watcher.locator(".explained dt").first().waitFor();
  await watcher.locator(".prizes li", { hasText: "A <b>cup</b>" }).waitFor();
  assert.ok((await watcher.locator(".standings .prize").count()) > 0, "the standings show no prizes");
  for (const [one, name] of [[page, "phone"], [watcher, "desktop"]]) await accessible(one, world, `tournament ${name}`);

  // A second round, of which the entrant sits out the next but one; then the first round can be read again.
  await api(world, "POST", `${path}/rounds`, { token, body: {} });
  await watcher.getByRole("heading", { name: "Round 2" }).waitFor();
  await watcher.locator(".rounds select").selectOption("1");
  await watcher.getByRole("heading", { name: "Round 1" }).waitFor();
  await page.getByRole("button", { name: "Sit out round 3" }).tap();
  await page.getByText("You sit out round 3").waitFor();
}

/** A person enters a team. The partner, who has no account, plays by the personal link that the person passes on. */
export async function a_team_enters_and_the_partner_plays_by_a_personal_link(world) {
  const { token, tournament } = await create(world, { rule_set: "pagade", options: { mode: "partnership" }, team_size: 2 });
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

/** Plays some decisions of the game of a page, and gives up if the game is not over then. */
async function playAndGiveUp(page, decisions) {
  for (let made = 0; made < decisions && (await decisionIsDue(page)); made += 1) {
    await page.locator(".throw, .choices button").first().click();
  }
  if (!(await decisionIsDue(page))) return;
  await page.getByText("Give up").click();
  await page.getByText("Really give up?").click();
  await page.locator(".over").waitFor();
}

/** The tokens of tournaments that a page stores. */
const storedRights = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("pagade.tournaments") ?? "[]")[0]);

/** A tournament is made and run on a phone: entrants by list and robots, a person by a personal link, rounds, the end. */
export async function a_tournament_is_created_run_and_finished_on_a_phone(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tournaments", { width: PHONE, expected });
  await page.locator(".create summary").first().tap();
  await page.locator(".create select[name=rule_set]").selectOption("royal-game-of-ur");
  await page.locator(".create input[name=title]").fill("Phone <b>cup</b>");
  await page.locator(".create select[name=kind]").selectOption("knock_out");
  await page.locator(".create input[name=automatic]").uncheck();
  await page.locator(".create select[name=registration]").selectOption("invited");
  await page.locator(".create textarea[name=prizes]").fill("A cup\n\nMangoes");
  await page.locator('.create [data-field="/format/best_of"] input').fill("2");
  await page.locator("[data-create]").tap();
  // The service refuses, and each mistake is told at its field.
  await page.locator('[data-field="/prizes"] .problem', { hasText: "Line 2" }).waitFor();
  await page.getByText("Something is wrong at the marked fields.").waitFor();
  await accessible(page, world, "form with mistakes");
  await page.locator(".create textarea[name=prizes]").fill("A cup\nMangoes");
  await page.locator("[data-create]").tap();
  await page.locator('[data-field="/format/best_of"] .problem').waitFor();
  await page.locator('.create [data-field="/format/best_of"] input').fill("1");
  await page.locator("[data-create]").tap();
  await page.waitForURL(/\/tournaments\/[0-9a-f-]{36}$/);
  await page.locator("h1", { hasText: "Phone <b>cup</b>" }).waitFor();

  // Robots, and people by a list; a name that is there twice is refused at the list.
  await page.locator("select[name=robot]").selectOption("runner");
  await page.locator("input[name=robots]").fill("2");
  await page.locator("[data-enter-robots]").tap();
  await page.locator(".entrants", { hasText: "Runner 2" }).waitFor();
  await page.locator("textarea[name=names]").fill("Meera\nRunner 1");
  await page.locator("[data-enter-people]").tap();
  await page.locator(".enter-entrants .problem, .enter-entrants [role=alert]").first().waitFor();
  await page.locator("textarea[name=names]").fill("Meera");
  await page.locator("[data-enter-people]").tap();
  await page.locator(".entrants .personal summary").tap();
  const personal = await page.locator(".entrants .personal .invitation input").inputValue();
  await page.locator(".entrants .personal [data-qr]").tap();
  await page.locator(".entrants .qr svg path").waitFor();

  // A person comes by the invitation; without it nobody enters.
  const invitation = await page.locator(".links .invitation input").inputValue();
  const stranger = await world.open(new URL(invitation).pathname);
  await stranger.getByText("People enter this tournament by its invitation link.").waitFor();
  assert.equal(await stranger.locator(".organise").count(), 0);
  const asha = await world.open(invitation.slice(world.base.length), { width: PHONE });
  assert.ok(!asha.url().includes("invitation"), "the invitation stays in the address");
  await asha.locator(".enter input[name=name]").fill("Asha");
  await asha.locator("[data-enter]").tap();
  await asha.locator("[data-entered]").waitFor();
  const meera = await world.open(personal.slice(world.base.length));
  assert.ok(!meera.url().includes("entrant="), "the token stays in the address");
  await meera.locator("[data-entered]").waitFor();
  await accessible(page, world, "organiser");

  await page.locator("[data-start]").tap();
  await page.locator("[data-pair]").tap();
  await page.locator("[data-round-table]").nth(1).waitFor();
  // Both people play, wherever they were paired.
  for (const [person, tap] of [[asha, "tap"], [meera, "click"]]) {
    await person.locator("[data-my-game]")[tap]();
    await person.waitForURL(/\/play\//);
    await person.locator("svg.board").waitFor();
  }
  assert.ok(!meera.url().includes("pagade_"));
  await Promise.all([playAndGiveUp(asha, 8), playAndGiveUp(meera, 1)]);

  // An arbiter at another browser decides both tables, or changes their results.
  const arbiter = await world.open(new URL(invitation).pathname, { expected });
  await arbiter.locator(".take-role summary").click();
  await arbiter.locator("input[name=token]").fill("nonsense");
  await arbiter.locator(".take-role button").click();
  await arbiter.locator(".take-role [role=alert]").waitFor();
  await arbiter.locator("input[name=token]").fill((await storedRights(page)).arbiter);
  await arbiter.locator(".take-role button").click();
  await arbiter.getByText("You are an arbiter of this tournament").waitFor();
  assert.equal(await arbiter.locator("[data-finish]").count(), 0);
  await arbiter.locator("[data-round-table='1'] .give-result summary").click();
  const places = arbiter.locator("[data-round-table='1'] [data-place]");
  await places.first().selectOption("2");
  await places.nth(1).selectOption("2");
  await arbiter.locator("[data-round-table='1'] input[name=reason]").fill("a <b>measured</b> mistake");
  await arbiter.locator("[data-round-table='1'] [data-give-result]").click();
  await arbiter.locator("[data-round-table='1'] .give-result [role=alert]").waitFor();
  await places.first().selectOption("1");
  await arbiter.locator("[data-round-table='1'] [data-give-result]").click();
  await page.getByText("Decided by an arbiter: a <b>measured</b> mistake").waitFor();
  await arbiter.locator("[data-round-table='2'] .give-result summary").click();
  await arbiter.locator("[data-round-table='2'] [data-place]").first().selectOption("1");
  await arbiter.locator("[data-round-table='2'] [data-place]").nth(1).selectOption("2");
  await arbiter.locator("[data-round-table='2'] input[name=reason]").fill("as seen");
  await arbiter.locator("[data-round-table='2'] [data-give-result]").click();
  await page.getByText("Decided by an arbiter: as seen").waitFor();
  await accessible(arbiter, world, "arbiter");

  // The final is decided by the organiser, after one finalist was withdrawn.
  await page.waitForFunction(() => document.querySelectorAll(".pairings .won").length === 2);
  await page.locator("[data-pair]").tap();
  await page.getByRole("heading", { name: "Round 2" }).waitFor();
  await page.locator("[data-round-table='1'] .give-result summary").tap();
  const finalists = await page.locator("[data-round-table='1'] [data-no-show]").evaluateAll((boxes) => boxes.map((box) => box.dataset.noShow));
  await page.locator("[data-round-table='1'] [data-no-show]").nth(1).check();
  await page.locator("[data-round-table='1'] input[name=reason]").fill("did not come");
  await page.locator("[data-round-table='1'] [data-give-result]").tap();
  await page.locator(".pairings .won").waitFor();
  await page.locator(`[data-withdraw="${finalists[1]}"]`).tap();
  await page.locator(`[data-withdraw="${finalists[1]}"]`).tap();
  await page.locator(`[data-entrant="${finalists[1]}"]`, { hasText: "has left" }).waitFor();
  await page.locator("[data-finish]").tap();
  await page.locator("[data-finish]").tap();
  await page.locator("[data-status=finished]").waitFor();
  await page.locator(".standings .prize", { hasText: "A cup" }).waitFor();
  assert.equal(await page.locator(".organise").count(), 0);
  await accessible(page, world, "finished tournament");
}

/** The forms and lists fit on a phone in every language, and no text is left in English. */
export async function pages_of_tournaments_and_players_fit_in_every_language(world) {
  const { token, tournament } = await create(world, { registration: "invited" });
  const english = "Who meets whom";
  for (const lang of ["kn", "hi", "gu", "es", "pt"]) {
    const page = await world.open("/leaderboards/pagade", { width: PHONE, lang });
    await page.locator("main h1").waitFor();
    await fits(page, `leaderboard ${lang}`);
    await page.evaluate((text) => localStorage.setItem("pagade.tournaments", text), JSON.stringify([{ id: tournament.id, role: "organiser", token }]));
    await page.goto(`${world.base}/tournaments/${tournament.id}`);
    await page.locator(".organise").waitFor();
    await fits(page, `organiser ${lang}`);
    await page.goto(`${world.base}/tournaments#create`);
    await page.locator(".create select[name=kind]").waitFor();
    for (const kind of ["groups", "arena"]) {
      await page.locator(".create select[name=kind]").selectOption(kind);
      await fits(page, `form ${lang} ${kind}`);
    }
    assert.ok(!(await page.locator(".create").innerText()).includes(english), lang);
  }
}
