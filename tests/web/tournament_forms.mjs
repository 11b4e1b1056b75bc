// Tests of the forms of tournaments: every term, mistakes at their fields, refusals, other languages.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { accessible, api, createTournament, DESKTOP, fits, LONG_WORD, MARKUP, PHONE } from "./steps.mjs";

/** Every term that a request can have is given by the form, and seen on the page of the tournament. */
export async function a_tournament_with_every_term_is_created_by_the_form(world) {
  const expected = /Failed to load resource/;
  for (const version of ["1.0.0", "1.1.0"]) {
    const text = `rules: cup-ludo\nversion: ${version}\ntitle: Cup Ludo\nextends: ludo\nsources: [A test]\n`;
    await api(world, "POST", "/v1/rule-sets", { body: { text } });
  }
  const page = await world.open("/tournaments#create", { width: PHONE, expected });
  const choose = (name, value) => page.locator(`.create select[name="${name}"]`).selectOption(value);
  const fill = (name, value) => page.locator(`.create input[name="${name}"]`).fill(value);
  const mistake = (pointer) => page.locator(`.create [data-field="${pointer}"] .problem`);
  const more = page.locator(".more-choices > summary");
  await choose("rule_set", "cup-ludo");
  assert.equal(
    await page.locator(".create select[name=smaller_tables]").count(),
    0,
    "a table of two has no smaller one",
  );
  await page.locator('.create [data-field="/format/table"] select').selectOption("3");
  await choose("smaller_tables", "no");
  await fill("withdraw_after", "2");
  await more.tap();
  await choose("version", "1.0.0");
  await page.locator('.create select[name="board-3"] option').nth(4).waitFor({ state: "attached" });
  await choose("board-2", "green,blue");
  await choose("board-3", "red,green,yellow");
  await choose("late", "hunter");
  await page.locator('.create input[name="turn_timer/automatic"]').check();
  await fill("robot_pause", "0");
  await fill("points/three/0", "5");
  await fill("points/three/2", "4");
  await fill("points/absent", "1");
  await fill("points/no_show", "2000");
  // A tie-break that is chosen for another rank changes places with the tie-break of that rank.
  await choose("tie_break-1", "wins");
  await choose("tie_break-5", "");
  await choose("tie_break-5", "sonneborn_berger");
  await fill("seed", "zz");
  await accessible(page, world, "form with every choice");

  // A mistake in the folded part of the form unfolds that part, whether the browser or the service finds the mistake.
  await more.tap();
  await page.locator("[data-create]").tap();
  await page.locator('.more-choices[open] input[name="points/no_show"]:invalid').waitFor();
  await fill("points/no_show", "");
  await more.tap();
  await page.locator("[data-create]").tap();
  await page.locator(".more-choices[open]").waitFor();
  await mistake("/points/no_show").waitFor();
  await mistake("/seed").waitFor();
  await accessible(page, world, "form with mistakes in further choices");
  await fill("points/no_show", "0");
  await fill("seed", "5E".repeat(32));
  await page.locator("[data-create]").tap();
  await mistake("/points/three").waitFor();
  await fill("points/three/2", "2");
  await page.locator("[data-create]").tap();
  await page.waitForURL(/\/tournaments\/[0-9a-f-]{36}$/);

  const made = await api(world, "GET", `/v1/tournaments/${new URL(page.url()).pathname.split("/").pop()}`);
  assert.equal(made.rule_set.version, "1.0.0");
  assert.deepEqual(made.boards, [
    ["red", "green", "yellow"],
    ["green", "blue"],
  ]);
  assert.deepEqual(made.turn_timer, { seconds: 60, then: "hunter", forfeit_after: 3, automatic: true });
  assert.deepEqual(made.no_show, { seconds: 300, withdraw_after: 2 });
  assert.deepEqual(made.points, { two: [6, 0], three: [5, 3, 2], four: [6, 4, 2, 0], bye: 6, absent: 1, no_show: 0 });
  const tieBreaks = ["wins", "direct_meeting", "buchholz", "score_difference", "sonneborn_berger"];
  assert.deepEqual(made.tie_breaks, tieBreaks);
  assert.deepEqual([made.robot_pause_milliseconds, made.format.smaller_tables], [0, false]);

  const watcher = await world.open(new URL(page.url()).pathname, { width: DESKTOP });
  await watcher.locator(".terms summary").click();
  const terms = await watcher
    .locator(".terms [data-term]")
    .evaluateAll((values) => Object.fromEntries(values.map((one) => [one.dataset.term, one.innerText])));
  assert.equal(terms.table, "3");
  assert.equal(terms.smaller_tables, "No");
  assert.equal(terms["board-2"], "Green, Blue");
  assert.equal(terms["board-3"], "Red, Green, Yellow");
  assert.equal(terms.late, "Hunter (robot)");
  assert.equal(terms.late_automatic, "Yes");
  assert.equal(terms.forfeit_after, "3");
  assert.equal(terms.withdraw_after, "2");
  assert.equal(terms.robot_pause, "0");
  assert.equal(terms["points-three"], "5 · 3 · 2");
  assert.equal(terms["points-absent"], "1");
  assert.match(
    terms.tie_breaks,
    /^1\. Wins · 2\. Direct meeting · 3\. Buchholz · 4\. Score difference · 5\. Sonneborn/,
  );
  const hash = createHash("sha256").update("5e".repeat(32)).digest("hex");
  assert.equal(terms.seed, hash);
  for (const [one, name] of [
    [page, "phone"],
    [watcher, "desktop"],
  ])
    await accessible(one, world, `terms ${name}`);
}

/** The forms and lists fit on a phone in every language, and no text is left in English. */
export async function pages_of_tournaments_and_players_fit_in_every_language(world) {
  const { token, tournament } = await createTournament(world, { registration: "invited" });
  const english = "Who meets whom";
  for (const lang of ["kn", "hi", "gu", "es", "pt"]) {
    const page = await world.open("/leaderboards/pagade", { width: PHONE, lang });
    await page.locator("main h1").waitFor();
    await fits(page, `leaderboard ${lang}`);
    await page.evaluate(
      (text) => localStorage.setItem("pagade.tournaments", text),
      JSON.stringify([{ id: tournament.id, role: "organiser", token }]),
    );
    await page.goto(`${world.base}/tournaments/${tournament.id}`);
    await page.locator(".organise").waitFor();
    await page.locator(".terms summary").tap();
    await fits(page, `organiser ${lang}`);
    await page.goto(`${world.base}/tournaments#create`);
    await page.locator(".create select[name=kind]").waitFor();
    await page.locator(".more-choices > summary").tap();
    for (const kind of ["groups", "arena"]) {
      await page.locator(".create select[name=kind]").selectOption(kind);
      await fits(page, `form ${lang} ${kind}`);
    }
    assert.ok(!(await page.locator(".create").innerText()).includes(english), lang);
  }
}

/**
 * The forms of tournaments: a refusal is shown at its field, hostile texts fit on a phone, and an organiser whose token
 * was renewed elsewhere is told so.
 */
export async function forms_of_tournaments_withstand_refusals_and_hostile_texts(world) {
  const expected = /Failed to load resource|net::/;
  const page = await world.open("/tournaments#create", { width: PHONE, expected });
  await page.locator(".create input[name=title]").fill(`${LONG_WORD}${LONG_WORD}`.slice(0, 80));
  await page.locator(".create select[name=rule_set]").selectOption("royal-game-of-ur");
  await page.locator(".create input[name=automatic]").uncheck();
  await page.locator(".create textarea[name=prizes]").fill(`${MARKUP}\n${LONG_WORD.repeat(4).slice(0, 200)}`);
  const refuse = async (answer) => {
    await page.route(
      "**/v1/tournaments",
      (route) => (route.request().method() === "POST" ? answer(route) : route.continue()),
      { times: 1 },
    );
    await page.locator("[data-create]").tap();
  };
  const problem =
    (status, code, more = {}) =>
    (route) =>
      route.fulfill({
        status,
        contentType: "application/problem+json",
        body: JSON.stringify({ status, code, title: "Refused", detail: `<b>${code}</b>`, ...more }),
      });
  await refuse(problem(409, "too_much"));
  await page.locator(".create [role=alert]", { hasText: "<b>too_much</b>" }).waitFor();
  await refuse(
    problem(422, "body_invalid", {
      problems: [
        { pointer: "/options/none/such", detail: MARKUP },
        { pointer: "/other", detail: "no `other`" },
      ],
    }),
  );
  await page.locator(".create [role=alert]", { hasText: "no other" }).waitFor();
  await refuse((route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }));
  await page
    .locator(".create [role=alert]", { hasText: "HTTP 502" })
    .waitFor()
    .catch(() => page.locator(".create [role=alert]", { hasText: "does not answer" }).waitFor());
  // Too many requests: the page waits and sends the request again.
  await page.route(
    "**/v1/tournaments",
    (route) => (route.request().method() === "POST" ? problem(429, "too_many_requests")(route) : route.continue()),
    { times: 1 },
  );
  await page.locator("[data-create]").tap();
  await page.waitForURL(/\/tournaments\/[0-9a-f-]{36}$/);
  const id = new URL(page.url()).pathname.split("/").pop();
  const path = `/v1/tournaments/${id}`;
  const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem("pagade.tournaments"))[0]);
  await page.locator("textarea[name=names]").fill(`${MARKUP.slice(0, 40)}\n${LONG_WORD.slice(0, 40)}\n\u202eevil`);
  await page.locator("[data-enter-people]").tap();
  await page.locator('[data-field="/entrants"] .problem').first().waitFor();
  await page.locator("textarea[name=names]").fill(`${MARKUP.slice(0, 40)}\n${LONG_WORD.slice(0, 40)}`);
  await page.locator("[data-enter-people]").tap();
  await page.locator(".entrants", { hasText: MARKUP.slice(0, 40).trim() }).waitFor();
  await page.locator("[data-start]").tap();
  await page.locator("[data-pair]").tap();
  await page.locator("[data-round-table] .give-result summary").tap();
  await accessible(page, world, "tournament with hostile texts");
  // Another arbiter was faster: the second result is refused, and the first one is shown.
  const { token, arbiter } = await stored();
  const seats = [
    { entrant: 1, place: 1 },
    { entrant: 2, place: 2 },
  ];
  await api(world, "PUT", `${path}/rounds/1/tables/1/result`, { token: arbiter, body: { seats, reason: MARKUP } });
  await page.getByText(`Decided by an arbiter: ${MARKUP}`).waitFor();
  await page.route(/\/result$/, problem(412, "version_conflict"), { times: 1 });
  await page.locator("input[name=reason]").fill("mine");
  await page.locator("[data-give-result]").tap();
  await page.locator(".give-result [role=alert]", { hasText: "Something else happened first." }).waitFor();
  // The organiser's token is renewed elsewhere.
  await api(world, "POST", `${path}/token`, { token, body: {} });
  await page.locator("[data-pair]").tap();
  await page.locator("[role=alert]", { hasText: "token" }).waitFor();
  assert.equal(await page.locator(".organise").count(), 0);
  await page.locator(".take-role summary").waitFor();
  assert.equal((await stored()).token, undefined);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
}
