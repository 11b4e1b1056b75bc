// Tests that use the page as people do. Each exported function is one test. run.mjs calls it with a `world`, whose
// function `open` opens pages.
import assert from "node:assert/strict";
import { accessible, decisionIsDue, DESKTOP, isOver, nextDecision, PHONE } from "./steps.mjs";

export const a_game_of_ur_by_taps_on_a_phone = (world) => byTaps(world, "royal-game-of-ur");
export const a_game_of_pagade_by_taps_on_a_phone = (world) => byTaps(world, "pagade");
export const a_game_of_ur_by_keyboard = (world) => byKeyboard(world, "royal-game-of-ur");
export const a_game_of_pagade_by_keyboard = (world) => byKeyboard(world, "pagade");

/** Plays a game against a robot from the first page to its end, by taps on the board. */
async function byTaps(world, set) {
  const page = await world.open("/", { width: PHONE });
  const card = page.locator(`[data-set="${set}"]`);
  await card.locator("[data-play]").tap();
  await page.waitForURL(/\/play\//);
  const count = { throws: 0, board: 0, list: 0 };
  for (let due = await nextDecision(page); due !== "over"; due = await nextDecision(page)) {
    if (due === "throw") {
      await page.locator(".throw").tap();
      count.throws += 1;
      continue;
    }
    if (!(await page.locator(".target").count())) {
      await page
        .locator(".pawn.movable .body")
        .first()
        .tap({ force: true })
        .catch(() => undefined);
    }
    const target = page.locator(".target").last();
    if (await target.count()) {
      await target.tap({ force: true });
      count.board += 1;
    } else {
      await page.locator(".choices button").first().tap();
      count.list += 1;
    }
  }
  await isOver(page, set);
  assert.ok(count.throws > 10, `only ${count.throws} throws`);
  assert.ok(count.board > count.list * 10, `${count.board} moves on the board, ${count.list} by the list`);
}

/** Plays a game against a robot by keyboard: Tab and Enter open the game; Space, Enter and digits play it. */
async function byKeyboard(world, set) {
  const page = await world.open("/", { width: DESKTOP, motion: set === "royal-game-of-ur" });
  await page.locator(`[data-set="${set}"] svg.board`).waitFor();
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.getAttribute("data-play"))) === set) {
      const isCard = await page.evaluate(() => Boolean(document.activeElement?.closest(".card")));
      if (isCard) break;
    }
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/play\//);
  let decisions = 0;
  let onBoard = 0;
  for (let due = await nextDecision(page); due !== "over"; due = await nextDecision(page)) {
    decisions += 1;
    if (due === "throw") await page.keyboard.press("Space");
    else if (decisions % 7 === 0 && (await onTheBoard(page))) onBoard += 1;
    else if (decisions % 3 === 0) await page.keyboard.press("1");
    else {
      // After a decision by keyboard, the page moves the focus to the next choices.
      await page.waitForFunction(() => document.activeElement?.closest(".choices"));
      await page.keyboard.press("Enter");
    }
  }
  await isOver(page, set);
  assert.ok(decisions > 20, `only ${decisions} decisions`);
  assert.ok(onBoard > 0, "no move was made on the board");
}

/** Chooses a pawn and its target on the board by Tab and Enter. Returns false if Tab does not reach them. */
async function onTheBoard(page) {
  for (const part of ["pawn", "target"]) {
    let presses = 0;
    while (!(await page.evaluate((name) => document.activeElement?.classList.contains(name), part))) {
      if ((presses += 1) > 80) return false;
      await page.keyboard.press("Tab");
    }
    if (part === "target" || !(await page.locator(".target").count())) await page.keyboard.press("Enter");
  }
  return true;
}

/** A stranger opens the page and makes a move within ten seconds, with the animation at its usual speed. */
export async function a_stranger_makes_a_move_within_ten_seconds(world) {
  for (const width of [PHONE, DESKTOP]) {
    const began = Date.now();
    const page = await world.open("/", { width, speed: "1" });
    await page.getByRole("button", { name: "Play Pagade" }).click();
    await page.locator(".throw").click();
    await page.locator(".choices button[data-action]").first().click();
    await page.locator(".story .is-moved").first().waitFor();
    const time = Date.now() - began;
    console.log(`        first move after ${(time / 1000).toFixed(1)} s at ${width} pixels`);
    assert.ok(time < 10_000, `${time} ms`);
  }
}

export async function a_pawn_that_cannot_move_says_why(world) {
  const page = await world.open("/rules/pagade");
  await page.locator(".set-up .primary").click();
  await page.waitForURL(/\/play\//);
  for (let attempt = 0; attempt < 60; attempt += 1) {
    await decisionIsDue(page);
    if (await page.locator(".throw").count()) {
      await page.locator(".throw").click();
      continue;
    }
    const stuck = page.locator('.pawn[role="button"]:not(.movable) .body');
    if (await stuck.count()) {
      await stuck.last().click({ force: true });
      if (
        await page
          .locator(".actions .note li")
          .first()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          )
      ) {
        assert.match(await page.locator(".actions .note li").first().innerText(), /\d.*: .{10,}/);
        return;
      }
    }
    await page.locator(".choices button").first().click();
  }
  assert.fail("every pawn could always move");
}

/** Two browsers play one game. The second loses its connection during a throw of the first. */
export async function a_friend_comes_by_an_invitation_and_loses_the_connection(world) {
  const host = await world.open("/rules/royal-game-of-ur");
  await host.locator("select[name=black]").selectOption("invited");
  await host.locator(".set-up .primary").click();
  const link = await host.locator(".invitation input").inputValue();
  assert.match(link, /\/play\/[0-9a-f-]+#invitation=/);
  await host.locator(".invitation [data-qr]").click();
  await host.getByRole("img", { name: "QR code of the link above" }).waitFor();
  await accessible(host, world, "invitation with its code");
  const expected = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;
  const friend = await world.open(link.slice(world.base.length), { width: PHONE, expected });
  assert.ok(!friend.url().includes("invitation"), "the invitation stays in the address");
  await friend.locator(".join input").fill("<b>Asha</b> & friends");
  await friend.locator("[data-join=black]").tap();
  await host.locator(".join .primary", { hasText: "Start" }).click();
  let lost = 0;
  for (let decisions = 0; decisions < 60 || lost === 0;) {
    await Promise.race([host, friend].map((page) => page.locator(".throw, .choices button, .over").first().waitFor()));
    for (const page of [host, friend]) {
      const button = page.locator(".throw, .choices button").first();
      if (!(await button.isVisible().catch(() => false))) continue;
      await button.click({ timeout: 2000 }).then(
        () => (decisions += 1),
        () => undefined,
      );
    }
    if (decisions >= 20 && lost === 0 && (await host.locator(".throw").isVisible())) {
      lost = 1;
      await friend.context().setOffline(true);
      await host.locator(".throw").click();
      // The page without network misses events, and tries in vain to read the game, twice.
      for (let attempts = 0; attempts < 2; attempts += 1) await friend.waitForEvent("requestfailed");
      await friend.context().setOffline(false);
    }
    if ((await host.locator(".over").count()) > 0) break;
  }
  assert.equal(lost, 1);
  const places = (page) =>
    page.locator("[data-pawn]").evaluateAll((pawns) =>
      pawns
        .map((pawn) => `${pawn.dataset.pawn} ${pawn.dataset.place}`)
        .sort()
        .join(),
    );
  for (let looks = 0; (await places(friend)) !== (await places(host)); looks += 1) {
    assert.ok(looks < 100, "the pages show different positions");
    await host.waitForTimeout(200);
  }
  // Each player sees that the other one is connected.
  for (const page of [host, friend]) await page.locator(".seats [data-connected=true]").nth(1).waitFor();
  assert.equal(await host.locator(".seats b", { hasText: "<b>Asha</b> & friends" }).count(), 1);
  assert.equal(await host.locator(".seats b b").count(), 0);
}

export async function the_page_loads_small_and_from_here(world) {
  const page = await world.open("/", { expected: /Content Security Policy/ });
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  let answer;
  // Other tests run at the same time, so the fastest of three loads counts.
  const times = [];
  for (let loads = 0; loads < 3; loads += 1) {
    bytes = 0;
    const began = Date.now();
    answer = await page.goto(`${world.base}/`);
    await page.locator("[data-set=pagade] svg.board").waitFor();
    times.push(Date.now() - began);
    await page.waitForLoadState("networkidle");
  }
  console.log(`        first view: ${(bytes / 1000).toFixed(0)} kB, ${times.join(", ")} ms`);
  assert.ok(bytes > 50_000 && bytes < 150_000, `${bytes} bytes`);
  assert.ok(Math.min(...times) < 1000, `${times} ms`);
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  // The page may ask the identity provider, and nobody else.
  const servers = world.provider.join(" ");
  assert.ok(policy.includes(`connect-src 'self' ${servers};`), policy);
  assert.doesNotMatch(policy.replace(servers, ""), /unsafe|https?:|\*/);
  assert.equal(answer.headers()["cache-control"], "no-cache");
  const script = await page.locator("script[src]").getAttribute("src");
  const file = await page.request.get(world.base + script);
  assert.match(file.headers()["cache-control"], /immutable/);
  // The Content-Security-Policy blocks a script that is inserted as text.
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => globalThis.ran ?? false), false);
}

export async function nothing_serious_for_people_with_other_senses(world) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [PHONE, DESKTOP]) {
      const page = await world.open("/", { width, scheme });
      await page.locator("[data-set=pagade] svg.board").waitFor();
      await accessible(page, world, `home ${scheme} ${width}`);
      await page.goto(`${world.base}/rules/ludo`);
      await page.locator(".set-up .primary").waitFor();
      await page
        .locator("summary")
        .first()
        .click()
        .catch(() => undefined);
      await accessible(page, world, `rules ${scheme} ${width}`);
      await page.locator(".set-up .primary").click();
      await page.locator(".throw").waitFor();
      await accessible(page, world, `throw ${scheme} ${width}`);
      for (let attempt = 0; attempt < 40 && !(await page.locator(".choices button").count()); attempt += 1) {
        await page.locator(".throw, .choices button").first().click();
        await page.locator(".throw, .choices button").first().waitFor();
      }
      await accessible(page, world, `move ${scheme} ${width}`);
    }
  }
}

export async function a_missing_game_is_said_in_words(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/play/00000000-0000-7000-8000-000000000000", { expected });
  await page.getByRole("heading", { name: "This game cannot be opened" }).waitFor();
  await page.goto(`${world.base}/rules/no-such-game`);
  await page.getByRole("heading", { name: "This game cannot be opened" }).waitFor();
}

export async function the_page_speaks_other_languages(world) {
  const page = await world.open("/", { lang: "kn-IN" });
  await page.locator("[data-set=pagade] h3", { hasText: "ಪಗಡೆ" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "kn");
  await page.locator(".language select").selectOption("es");
  await page.getByRole("link", { name: "Juegos" }).waitFor();
}
