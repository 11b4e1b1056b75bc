// Test of a tournament that is made and run by the page: entrants, rounds, results, arbiters, the end.
import assert from "node:assert/strict";
import { accessible, decisionIsDue, PHONE } from "./steps.mjs";

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

/** A tournament is made and run on a phone: a list of entrants, robots, a personal link, rounds, the end. */
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
  // The service refuses, and each mistake is shown at its field.
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

  // Robots are entered, and people by a list. A name that is listed twice is refused beside the list.
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

  // A person enters by the invitation; without the invitation nobody can enter.
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
  // Both people play their games, at whatever tables they were paired.
  for (const [person, tap] of [
    [asha, "tap"],
    [meera, "click"],
  ]) {
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
  const finalists = await page
    .locator("[data-round-table='1'] [data-no-show]")
    .evaluateAll((boxes) => boxes.map((box) => box.dataset.noShow));
  await page.locator("[data-round-table='1'] [data-no-show]").nth(1).check();
  await page.locator("[data-round-table='1'] input[name=reason]").fill("did not come");
  await page.locator("[data-round-table='1'] [data-give-result]").tap();
  await page.locator(".pairings .won").waitFor();
  await page.locator(`[data-withdraw="${finalists[1]}"]`).tap();
  await page.locator(`[data-withdraw="${finalists[1]}"]`).tap();
  await page.locator(`[data-entrant="${finalists[1]}"]`, { hasText: "has left" }).waitFor();
  await page.locator(`[data-bring-back="${finalists[1]}"]`).tap();
  await page.locator(`[data-withdraw="${finalists[1]}"]`).waitFor();
  assert.equal(await page.locator(`[data-entrant="${finalists[1]}"]`, { hasText: "has left" }).count(), 0);
  await page.locator("[data-finish]").tap();
  await page.locator("[data-finish]").tap();
  await page.locator("[data-status=finished]").waitFor();
  await page.locator(".standings .prize", { hasText: "A cup" }).waitFor();
  assert.equal(await page.locator(".organise").count(), 0);
  await accessible(page, world, "finished tournament");
}
