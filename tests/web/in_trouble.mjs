// Tests of what may go wrong: hostile texts, a service that is away, late or refuses, and revoked tokens.
import assert from "node:assert/strict";
import {
  accessible,
  api,
  createGame,
  createTournament,
  decisionIsDue,
  goWithin,
  keptText,
  LONG_WORD,
  MARKUP,
  openCreated,
  openGame,
  openTable,
  PHONE,
} from "./steps.mjs";

/** Texts of rule files with markup and long words are shown as they are, on every page that shows them. */
export async function texts_with_markup_are_shown_as_text(world) {
  const text = JSON.stringify(`${MARKUP} ${LONG_WORD}`);
  await api(world, "POST", "/v1/rule-sets", {
    body: {
      text:
        `rules: hostile-ur\nversion: 1.0.0\nextends: royal-game-of-ur\n` +
        `title: ${text}\nabout: ${text}\nregion: ${text}\n` +
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

/** Texts that are read from right to left move nothing that stands beside them. */
export async function texts_from_right_to_left_keep_their_place(world) {
  const title = "برجيس القرية";
  await api(world, "POST", "/v1/rule-sets", {
    body: {
      text:
        `rules: rtl-pagade\nversion: 1.0.0\nextends: pagade\ntitle: ${title}\n` +
        `region: الشام\nabout: ${title} 12, abc!\n` +
        "texts:\n  seats: {red: أحمر, yellow: أصفر, black: أسود, green: أخضر}\n",
    },
  });
  const page = await world.open("/rules/rtl-pagade", { width: PHONE });
  await page.locator("h1", { hasText: title }).waitFor();
  /** Where parts of a text are drawn: their left ends. */
  const leftOf = (selector, parts) =>
    page.locator(selector).first().evaluate((element, wanted) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const nodes = [];
      while (walker.nextNode()) nodes.push(walker.currentNode);
      return wanted.map((part) => {
        const node = nodes.find(({ data }) => data.includes(part));
        const range = document.createRange();
        range.setStart(node, node.data.indexOf(part));
        range.setEnd(node, node.data.indexOf(part) + part.length);
        return range.getBoundingClientRect().left;
      });
    }, parts);
  const inOrder = (lefts) => lefts.every((left, index) => index === 0 || left > lefts[index - 1]);
  const facts = await leftOf(".side > .facts", ["الشام", "2", "4 players"]);
  assert.ok(inOrder(facts), `${facts}`);
  const tables = await leftOf(".rules-facts li", ["2", "أحمر", "أصفر"]);
  assert.ok(inOrder(tables), `${tables}`);
  const [begin] = await leftOf("h1", [title]);
  assert.ok(begin < 40, `the title begins at ${begin}`);
  await accessible(page, world, "texts from right to left");
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

/** A page without a network says so at once. When the network is back, it shows what has happened meanwhile. */
export async function a_network_that_goes_away_is_noticed_at_once(world) {
  const created = await createGame(world, { rule_set: "royal-game-of-ur", seed: "a7".repeat(32) });
  const page = await openCreated(world, created, { expected: /Failed to load resource|net::/ });
  await page.locator(".throw").waitFor();
  const lost = page.locator(".actions [role=status]", { hasText: "The connection is lost." });
  await page.context().setOffline(true);
  await lost.waitFor({ timeout: 5000 });
  const path = `/v1/games/${created.game.id}/throws`;
  await api(world, "POST", path, { token: created.token, body: {}, version: 1 });
  await page.context().setOffline(false);
  await page.locator(".choices button").first().waitFor({ timeout: 5000 });
  await lost.waitFor({ state: "detached" });
}

/** A connection on which nothing arrives any more, not even a heartbeat, is replaced by a new one. */
export async function a_connection_that_has_fallen_silent_is_replaced(world) {
  const created = await createGame(world, { rule_set: "royal-game-of-ur" });
  const page = await world.open("/signed-in", { kept: { "pagade.games": keptText([created]) } });
  await page.clock.install();
  const isStream = (request) => request.headers()["accept"] === "text/event-stream";
  const first = page.waitForRequest(isStream);
  await page.goto(`${world.base}/play/${created.game.id}`);
  await (await first).response();
  await page.locator(".throw").waitFor();
  const second = page.waitForRequest(isStream);
  await page.clock.runFor(45_000);
  assert.equal((await (await second).response()).status(), 200);
}

/** A page that is opened while the service is away says so, and opens when the service is back. */
export async function pages_opened_while_the_service_is_away_open_when_it_is_back(world) {
  const expected = /Failed to load resource|net::/;
  const { game } = await api(world, "POST", "/v1/games", { body: { rule_set: "royal-game-of-ur", hot_seat: true } });
  const { token, player } = await api(world, "POST", "/v1/players", { body: { name: "Asha" } });
  const body = { rule_set: "royal-game-of-ur", title: "Away" };
  const table = await api(world, "POST", "/v1/tables", { token, body });
  const { tournament } = await createTournament(world);
  const pages = {
    "/": "[data-set=pagade] svg.board",
    "/rules/pagade": ".set-up .primary",
    [`/watch/${game.id}`]: "svg.board [data-pawn]",
    [`/tables/${table.id}`]: ".at-table",
    "/tournaments": `[data-tournament="${tournament.id}"]`,
    [`/tournaments/${tournament.id}`]: "h1:has-text('Village')",
    [`/players/${player.id}`]: "h1:has-text('Asha')",
    "/leaderboards/pagade": "text=Nobody has experience here yet.",
  };
  const visit = async ([path, content]) => {
    const page = await world.open("/signed-in", { expected, width: PHONE });
    const away = (route) => route.abort("connectionrefused");
    await page.route("**/v1/**", away);
    await page.goto(world.base + path);
    await page.locator("main [role=alert]", { hasText: "The service does not answer." }).first().waitFor();
    await accessible(page, world, `${path} without the service`);
    await page.unroute("**/v1/**", away);
    await page.locator(content).first().waitFor();
    assert.equal(await page.locator("main [role=alert]").count(), 0, path);
  };
  await Promise.all(Object.entries(pages).map(visit));
  // After another failure a person tries again.
  const page = await world.open("/signed-in", { expected });
  const problem = JSON.stringify({ status: 500, code: "internal", title: "Error", detail: "<b>broken</b>" });
  const broken = (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: problem });
  await page.route("**/v1/rule-sets/**", broken);
  await page.goto(`${world.base}/rules/pagade`);
  await page.locator("[role=alert]", { hasText: "<b>broken</b>" }).waitFor();
  await page.unroute("**/v1/rule-sets/**", broken);
  await page.locator("[data-again]").click();
  await page.locator(".set-up .primary").waitFor();
}

/** Refusals: too many requests are repeated, others are explained, and the page shows the present state. */
export async function refusals_are_explained_and_the_game_goes_on(world) {
  const expected = /Failed to load resource/;
  const page = await openGame(world, { rule_set: "royal-game-of-ur" }, { expected });
  const refuse = async (status, code, headers = {}) => {
    const body = JSON.stringify({ status, code, title: "Refused", detail: `<b>${code}</b>` });
    await page.route(
      "**/v1/games/*/throws",
      (route) => route.fulfill({ status, headers, contentType: "application/problem+json", body }),
      { times: 1 },
    );
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
    await page.route(
      "**/v1/games/*/throws",
      (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
      { times: 1 },
    );
    await page.locator(".throw").click();
    await page.locator(".actions [role=alert]").waitFor();
  }
}

/**
 * The page explains limits of chat, invitations and friend requests, and does not call them failures of the service.
 */
export async function limits_are_told_as_what_they_are(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tables", { expected });
  await openTable(page, { name: "Fast", title: "Chatty" });
  const told = [];
  await page.exposeFunction("note", (text) => told.push(text));
  await page.evaluate(() =>
    new MutationObserver(() => {
      const text = document.querySelector(".late")?.textContent;
      if (text) globalThis.note(text);
    }).observe(document.body, { childList: true, subtree: true, characterData: true }),
  );
  const alert = (text) => page.locator("[role=alert]", { hasText: text }).waitFor();
  const say = page.locator(".say button:enabled");
  for (let line = 1; line <= 5; line += 1) {
    await page.locator(".say input").fill(`line ${line}`);
    await say.click();
    await page.locator(".said", { hasText: `line ${line}` }).waitFor();
  }
  await page.locator(".say input").fill("line 6");
  await say.click();
  // If the wait is long, the text stays in the field, and the page says why.
  await alert("You have written many lines in a short time. You can write again in");
  assert.equal(await page.locator(".say input").inputValue(), "line 6");
  // If the wait is short, the page waits, says why, and then sends the line.
  // Nothing shows that the rest of the wait has become short.
  await page.waitForTimeout(5000);
  await say.click();
  await page.locator(".said", { hasText: "line 6" }).waitFor();
  assert.match(told[0] ?? "", /^You have written many lines .* in \d seconds?\. The page sends it then\.$/);
  assert.ok(told.every((text) => text.startsWith("You have written many lines")), told.join("\n"));
  const refuse = (path, seconds) =>
    page.route(path, (route) =>
      route.fulfill({
        status: 429,
        headers: { "Retry-After": String(seconds) },
        contentType: "application/problem+json",
        body: JSON.stringify({ status: 429, code: "too_many_requests", title: "Too many requests", detail: "limit" }),
      }),
    );
  const { player: other } = await api(world, "POST", "/v1/players", { body: { name: "Other" } });
  await refuse("**/v1/players/*/friends/*", 1500);
  await page.goto(`${world.base}/players/${other.id}`);
  await page.locator("[data-ask]").click();
  await alert("You have asked many players to be friends in a short time. You can ask again in 25 minutes.");
  await refuse("**/v1/tables", 90);
  await page.goto(`${world.base}/tables`);
  await page.locator(".open-table summary").click();
  await page.locator(".open-table .primary").click();
  await alert("Many games and tables were opened from here in a short time. The next one can be opened in 90 seconds.");
}

/** A seat's token is revoked: the page says so to its player, who goes on as a watcher. */
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
  for (const seat of ["white", "black"])
    await api(world, "DELETE", `/v1/games/${game.id}/seats/${seat}/token`, { token });
  await page.locator(".throw").click();
  await page.locator("[role=alert]", { hasText: "You can watch on" }).waitFor();
  await page.locator("svg.board").waitFor();
  assert.equal(await page.locator(".throw").count(), 0);
}

/** A player is deleted elsewhere: the page says so at the tables, and the person begins as a new player. */
export async function a_player_whom_the_service_does_not_know_begins_anew(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tables", { expected });
  const { token, player } = await api(world, "POST", "/v1/players", { body: { name: "Gone" } });
  await page.evaluate(
    (text) => localStorage.setItem("pagade.player", text),
    JSON.stringify({ id: player.id, token, name: "Gone" }),
  );
  await api(world, "DELETE", `/v1/players/${player.id}`, { token });
  await page.reload();
  await page.locator("[data-forget-player]").click();
  assert.equal(await page.locator(".you").count(), 0);
  await page.locator(".open-table summary").click();
  await page.locator(".open-table input[name=name]").fill("New");
  await page.locator(".open-table .primary").click();
  await page.waitForURL(/\/tables\/[0-9a-f-]{36}$/);
}

/** A part of the page that is left while its script is still on the way makes room for the next one. */
export async function a_part_that_is_left_while_it_loads_makes_room_for_the_next(world) {
  const created = await createGame(world, { rule_set: "pagade" });
  const page = await world.open("/", { kept: { "pagade.games": keptText([created]) } });
  let arrive;
  const arrived = new Promise((done) => (arrive = done));
  await page.route(/Lobby.*\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await goWithin(page, "/tables");
  await page.locator("[aria-busy=true]").waitFor();
  await goWithin(page, `/play/${created.game.id}`);
  await page.locator("svg.board").waitFor();
  arrive();
  await page.waitForResponse(/Lobby.*\.js$/);
  await decisionIsDue(page);
  await goWithin(page, "/tables");
  await page.locator(".open-table").waitFor();
}
