// Tests of what may go wrong: hostile texts, a service that is away, late or refuses, revoked tokens, large rule sets
// and very long games.
import assert from "node:assert/strict";
import { accessible, api, decisionIsDue, DESKTOP, openGame, PHONE } from "./steps.mjs";

const MARKUP = `<img src=x onerror="globalThis.hacked=1"> "&amp;'`;
const LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwe";

/** Texts of rule files with markup and long words are shown as they are, on every page that shows them. */
export async function texts_with_markup_are_shown_as_text(world) {
  const text = JSON.stringify(`${MARKUP} ${LONG_WORD}`);
  await api(world, "POST", "/v1/rule-sets", {
    body: {
      text: `rules: hostile-ur\nversion: 1.0.0\ntitle: ${text}\nabout: ${text}\nregion: ${text}\nextends: royal-game-of-ur\n` +
        `texts:\n  seats: {white: ${text}, black: ${JSON.stringify(MARKUP)}}\n  options: {pieces: {seven: ${text}}}\n`,
    },
  });
  const page = await world.open("/", { width: PHONE });
  await page.locator("[data-set=hostile-ur] h3", { hasText: MARKUP }).waitFor();
  await accessible(page, world, "home with a hostile title");
  await page.goto(`${world.base}/rules/hostile-ur`);
  await page.locator("h1", { hasText: MARKUP }).waitFor();
  await accessible(page, world, "rules with hostile texts");
  await page.goto(`${world.base}/tables#open=hostile-ur`);
  await page.locator(".open-table input[name=name]").fill(LONG_WORD.slice(0, 40));
  await page.locator(".open-table input[name=title]").fill(`${MARKUP}`);
  await page.locator(".open-table .primary").tap();
  await page.locator("h1", { hasText: MARKUP }).waitFor();
  await page.locator(".options summary").tap();
  await page.locator("[data-option=pieces]").waitFor();
  await accessible(page, world, "table with hostile texts");
  await page.goto(`${world.base}/tables`);
  await page.locator("option", { hasText: MARKUP }).first().waitFor({ state: "attached" });
  await accessible(page, world, "lobby with hostile texts");
  const game = await openGame(world, { rule_set: "hostile-ur", title: MARKUP }, { width: PHONE });
  await game.locator(".throw").tap();
  await game.locator(".about h2", { hasText: MARKUP }).waitFor();
  await accessible(game, world, "game with hostile texts");
  for (const one of [page, game]) assert.equal(await one.evaluate(() => globalThis.hacked), undefined);
}

/** The service goes away in the middle of a game, and comes back; then it answers late. The game goes on. */
export async function a_service_that_goes_away_or_is_late_stops_no_game(world) {
  const expected = /Failed to load resource|net::/;
  const page = await openGame(world, { rule_set: "royal-game-of-ur" }, { expected });
  const away = async (route) => route.abort("connectionrefused");
  await page.route("**/v1/**", away);
  await page.locator(".throw").click();
  await page.locator(".actions [role=alert]", { hasText: "does not answer" }).waitFor();
  await page.unroute("**/v1/**", away);
  await page.locator(".throw").click();
  await page.locator(".story .is-thrown").first().waitFor();

  let waits = 1;
  await page.route("**/v1/games/*/*", async (route) => {
    if (route.request().method() === "POST" && waits > 0) {
      waits -= 1;
      await new Promise((done) => setTimeout(done, 5000));
    }
    await route.continue();
  });
  await decisionIsDue(page);
  await page.locator(".throw, .choices button").first().click();
  await page.locator(".late").waitFor();
  await page.locator(".late").waitFor({ state: "detached" });
  await decisionIsDue(page);
  assert.equal(await page.locator(".actions [role=alert]").count(), 0);
}

/** Refusals: too many requests are repeated, others are explained, and the page shows the present state. */
export async function refusals_are_explained_and_the_game_goes_on(world) {
  const expected = /Failed to load resource/;
  const page = await openGame(world, { rule_set: "royal-game-of-ur" }, { expected });
  const refuse = async (status, code, headers = {}) => {
    const body = JSON.stringify({ status, code, title: "Refused", detail: `<b>${code}</b>` });
    await page.route("**/v1/games/*/throws", (route) => route.fulfill({ status, headers, contentType: "application/problem+json", body }), { times: 1 });
    await page.locator(".throw").click();
  };
  await refuse(409, "not_your_turn");
  await page.locator(".actions [role=alert]", { hasText: "<b>not_your_turn</b>" }).waitFor();
  await refuse(412, "version_conflict");
  await page.locator(".actions [role=alert]", { hasText: "Something else happened first." }).waitFor();
  await refuse(500, "internal");
  await page.locator(".actions [role=alert]", { hasText: "internal" }).waitFor();
  await refuse(429, "too_many_requests", { "Retry-After": "1" });
  await page.locator(".story .is-thrown").first().waitFor();
  assert.equal(await page.locator(".actions [role=alert]").count(), 0);
  // An answer that is not JSON is a failure of the service, too.
  await decisionIsDue(page);
  if (await page.locator(".throw").count()) {
    await page.route("**/v1/games/*/throws", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }), { times: 1 });
    await page.locator(".throw").click();
    await page.locator(".actions [role=alert]").waitFor();
  }
}

/** A seat's token is revoked: its player is told so, and goes on as a watcher. */
export async function a_player_whose_token_is_revoked_watches_on(world) {
  const expected = /Failed to load resource/;
  const body = { rule_set: "royal-game-of-ur", seats: { white: {}, black: {} } };
  const { game, token, seats } = await api(world, "POST", "/v1/games", { body });
  await api(world, "POST", `/v1/games/${game.id}/start`, { token, body: {} });
  const page = await world.open("/", { expected });
  const kept = [{ id: game.id, rule_set: "royal-game-of-ur", title: "", at: 0, seats }];
  await page.evaluate((text) => localStorage.setItem("pagade.games", text), JSON.stringify(kept));
  await page.goto(`${world.base}/play/${game.id}`);
  await page.locator(".throw").waitFor();
  for (const seat of ["white", "black"]) await api(world, "DELETE", `/v1/games/${game.id}/seats/${seat}/token`, { token });
  await page.locator(".throw").click();
  await page.locator("[role=alert]", { hasText: "You can watch on" }).waitFor();
  await page.locator("svg.board").waitFor();
  assert.equal(await page.locator(".throw").count(), 0);
}

/** A player who was deleted elsewhere is told so at the tables, and begins as a new one. */
export async function a_player_whom_the_service_does_not_know_begins_anew(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tables", { expected });
  const { token, player } = await api(world, "POST", "/v1/players", { body: { name: "Gone" } });
  await page.evaluate((text) => localStorage.setItem("pagade.player", text), JSON.stringify({ id: player.id, token, name: "Gone" }));
  await api(world, "DELETE", `/v1/players/${player.id}`, { token });
  await page.reload();
  await page.locator("[data-forget-player]").click();
  assert.equal(await page.locator(".you").count(), 0);
  await page.locator(".open-table summary").click();
  await page.locator(".open-table input[name=name]").fill("New");
  await page.locator(".open-table .primary").click();
  await page.waitForURL(/\/tables\/[0-9a-f-]{36}$/);
}

/** The forms of tournaments: refusals are told where they belong, hostile texts fit on a phone, a lost role is said. */
export async function forms_of_tournaments_withstand_refusals_and_hostile_texts(world) {
  const expected = /Failed to load resource|net::/;
  const page = await world.open("/tournaments#create", { width: PHONE, expected });
  await page.locator(".create input[name=title]").fill(`${LONG_WORD}${LONG_WORD}`.slice(0, 80));
  await page.locator(".create select[name=rule_set]").selectOption("royal-game-of-ur");
  await page.locator(".create input[name=automatic]").uncheck();
  await page.locator(".create textarea[name=prizes]").fill(`${MARKUP}\n${LONG_WORD.repeat(4).slice(0, 200)}`);
  const refuse = async (answer) => {
    await page.route("**/v1/tournaments", (route) => (route.request().method() === "POST" ? answer(route) : route.continue()), { times: 1 });
    await page.locator("[data-create]").tap();
  };
  const problem = (status, code, more = {}) => (route) =>
    route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify({ status, code, title: "Refused", detail: `<b>${code}</b>`, ...more }) });
  await refuse(problem(409, "too_much"));
  await page.locator(".create [role=alert]", { hasText: "<b>too_much</b>" }).waitFor();
  await refuse(problem(422, "body_invalid", { problems: [{ pointer: "/options/none/such", detail: MARKUP }, { pointer: "/seed", detail: "no `seed`" }] }));
  await page.locator(".create [role=alert]", { hasText: "no seed" }).waitFor();
  await refuse((route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }));
  await page.locator(".create [role=alert]", { hasText: "HTTP 502" }).waitFor().catch(() => page.locator(".create [role=alert]", { hasText: "does not answer" }).waitFor());
  // Too many requests: the page waits and sends the request again.
  await page.route("**/v1/tournaments", (route) => (route.request().method() === "POST" ? problem(429, "too_many_requests")(route) : route.continue()), { times: 1 });
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
  const seats = [{ entrant: 1, place: 1 }, { entrant: 2, place: 2 }];
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

/** A path of 120 places on a board of 12 by 10 squares, and 8 pawns for each of 4 seats: as large as rules may be. */
const LARGE = `rules: large-board
version: 1.0.0
title: Large board
sources: [made for this test]
players: [{seats: [red, yellow, green, blue]}]
board:
  grid: 12 x 10
  seats: [red, yellow, green, blue]
  paints: ["#c0392b", "#f1c40f", "#27ae60", "#2980b9"]
  turned: same
  path:
    - {zone: out, squares: out, off_board: yes}
    - {zone: squares, squares: 1..118,
       walk: "from 0,9 E11 N1 W11 N1 E11 N1 W11 N1 E11 N1 W11 N1 E11 N1 W11 N1 E11 N1 W9"}
    - {zone: home, squares: home}
pawns: {each: 8, start: [out, out, out, out, out, out, out, out]}
dice: {count: 2, faces: [1, 2, 3, 4, 5, 6]}
turn: {first: highest, use_dice: most}
spend: [{id: pawn, move: pawn, from: [out, squares], with: die}]
landing: [{id: any, on: pawn, then: join}]
finish: {when: pawns(home) = 8, play_on: no}
texts: {seats: {red: Red, yellow: Yellow, green: Green, blue: Blue}}
`;

/** The largest rules can be played on a phone: every pawn is drawn within the screen, and the page answers at once. */
export async function the_largest_rules_are_played_on_a_phone(world) {
  await api(world, "POST", "/v1/rule-sets", { body: { text: LARGE } });
  const page = await openGame(world, { rule_set: "large-board" }, { width: PHONE });
  assert.equal(await page.locator("[data-pawn]").count(), 32);
  assert.equal(await page.locator("[data-square]").count(), 118);
  const boxes = await page.locator("[data-pawn] .body").evaluateAll((pawns) => pawns.map((pawn) => pawn.getBoundingClientRect().toJSON()));
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
      return { id, event: "thrown", at: game.created_at, version: id, step: Math.ceil((id * STEPS) / EVENTS), seat: "white", throw: String(id) };
    });
    return route.fulfill({ json: { events, next_after: after + count, complete: false } });
  });
  await page.route(new RegExp(`/v1/games/${game.id}(\\?at=\\d+)?$`), async (route) => {
    reads += 1;
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
  for (let moves = 0; moves <= 60; moves += 1) await page.mouse.move(box.x + 4 + ((box.width - 8) * (60 - moves)) / 60, box.y + box.height / 2);
  await page.mouse.up();
  await page.keyboard.press("Home");
  await page.locator('[data-step="0"]').waitFor();
  await slider.fill("20000");
  await page.locator(".story li", { hasText: "50000" }).waitFor();
  assert.ok((await page.locator(".story li").count()) <= 300);
  assert.ok(reads - before < 30, `${reads - before} requests`);
  const longest = await page.evaluate(() => globalThis.longest);
  assert.ok(longest < 1500, `a task of ${longest} ms`);
  console.log(`        ${pages} pages of events, ${reads - before} requests for 61 moves of the slider, longest task ${longest.toFixed(0)} ms`);
}
