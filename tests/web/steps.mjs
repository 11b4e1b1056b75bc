// Steps that several tests of the page take.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

export const PHONE = 390;
export const DESKTOP = 1280;
/** Texts that would do harm, or be too wide, if a page did not take them as text. */
export const MARKUP = `<img src=x onerror="globalThis.hacked=1"> "&amp;'`;
export const LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänswitwe";

/** Waits until this page has to decide or the game is over. Returns false if the game is over. */
export const decisionIsDue = async (page) => (await nextDecision(page)) !== "over";

/** Waits until this page has to decide, or the game is over: returns `throw`, `typed`, `choices` or `over`. */
export async function nextDecision(page) {
  for (;;) {
    try {
      return await page.evaluate(seeDecision, { patience: 20_000 });
    } catch (error) {
      // The page has loaded another document during this call, so the call is repeated.
      if (!/context was destroyed|navigat/.test(error.message)) throw error;
    }
  }
}

/**
 * Runs in the page, which looks whenever it has changed. It would cost more processor time if the test asked the page
 * at intervals.
 */
function seeDecision({ patience }) {
  const kinds = { throw: ".throw", typed: ".typed input", choices: ".choices button", over: ".over" };
  const shown = () => Object.keys(kinds).find((kind) => document.querySelector(kinds[kind])?.checkVisibility());
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no decision is shown after ${patience} ms`)), patience);
    const watch = new MutationObserver(() => look());
    const look = () => {
      const kind = shown();
      if (!kind) return;
      clearTimeout(timer);
      watch.disconnect();
      done(kind);
    };
    watch.observe(document, { subtree: true, childList: true, attributeFilter: ["class", "hidden", "open"] });
    look();
  });
}

export async function isOver(page, set) {
  assert.ok((await page.locator(".ranking li").count()) > 0);
  const id = new URL(page.url()).pathname.split("/").pop();
  const game = await page.evaluate(async (game) => (await fetch(`/v1/games/${game}`)).json(), id);
  assert.equal(game.status, "finished");
  assert.equal(game.ended_by, "rules");
  assert.equal(game.rule_set.id, set);
  // The page shows the pawns where the service has them.
  const shown = await page
    .locator("[data-pawn]")
    .evaluateAll((pawns) => pawns.map((pawn) => `${pawn.dataset.pawn} ${pawn.dataset.place}`).sort());
  const stored = game.seats.flatMap((seat) => seat.pawns.map((pawn) => `${pawn.id} ${pawn.place}`)).sort();
  assert.deepEqual(shown, stored);
}

/** Checks that axe finds nothing serious, and that the page is not wider than the screen. */
export async function accessible(page, world, name) {
  // The Content-Security-Policy blocks an inserted script, so axe is evaluated through the debugger.
  await page.evaluate(readFileSync(world.axe, "utf8"));
  // Neither style sheets nor selectors of the found elements are needed. To collect them takes a quarter of the time.
  const options = { resultTypes: ["violations"], preload: false, selectors: false };
  const { violations } = await page.evaluate((wish) => globalThis.axe.run(document, wish), options);
  const serious = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  const lines = serious.map(
    (one) =>
      `${one.id}: ${one.help}: ${one.nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
  );
  assert.equal(lines.join("\n"), "", name);
  await fits(page, name);
}

/** Checks that the page is not wider than the screen. `innerWidth` of a phone grows with the page. */
export async function fits(page, name) {
  const wide = (await page.evaluate(() => document.documentElement.scrollWidth)) - page.viewportSize().width;
  assert.ok(wide <= 1, `${name}: ${wide} pixels wider than the screen`);
}

/** Sends a request to the service as another client would, and returns the answer. */
export async function api(world, method, path, { token, body, version } = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  const answer = await fetch(world.base + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** Creates a game that is played at one screen, and opens it. */
export const openGame = async (world, body, options) => openCreated(world, await createGame(world, body), options);

/** Creates a game of which one token plays all seats. */
export const createGame = (world, body) => api(world, "POST", "/v1/games", { body: { hot_seat: true, ...body } });

/** Opens a game in a browser that stores its tokens, as the browser of its creator does. */
export async function openCreated(world, created, options) {
  const kept = { "pagade.games": keptText([created]) };
  const page = await world.open(`/play/${created.game.id}`, { ...options, kept });
  await page.locator("svg.board").waitFor();
  return page;
}

/** The text by which a browser stores created games with their tokens. */
export const keptText = (games) =>
  JSON.stringify(
    games.map(({ game, token }) => {
      const seats = Object.fromEntries(game.seats.map(({ seat }) => [seat, token]));
      return { id: game.id, rule_set: game.rule_set.id, title: "", at: Date.now(), owner: token, seats };
    }),
  );

/** Goes to another address as by the button "Back" of the browser, without loading the page again. */
export const goWithin = (page, path) =>
  page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);

/** Opens a table of the Royal Game of Ur by the form of the lobby. */
export async function openTable(page, { name, title, isPrivate = false, time = "0" }) {
  await page.locator(".open-table summary").click();
  await page.locator(".open-table select[name=rule_set]").selectOption("royal-game-of-ur");
  await page.locator(".open-table input[name=title]").fill(title);
  await page.locator(".open-table input[name=name]").fill(name);
  await page.locator(".open-table select[name=time]").selectOption(time);
  if (isPrivate) await page.locator(".open-table input[name=private]").check();
  await page.locator(".open-table .primary").click();
  await page.waitForURL(/\/tables\/[0-9a-f-]{36}$/);
}

/** The row of a seat at a table. */
export const seat = (page, name) => page.locator(`.at-table [data-seat=${name}]`);

/** Creates a tournament of the Royal Game of Ur, as another client would. */
export const createTournament = (world, more = {}) =>
  api(world, "POST", "/v1/tournaments", {
    body: { title: "Village <i>cup</i>", rule_set: "royal-game-of-ur", format: { kind: "swiss", rounds: 3 }, ...more },
  });
