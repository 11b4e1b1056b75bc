// Tests of tables: the lobby, sitting down, options, chat, votes, games one after another, and clocks.
import assert from "node:assert/strict";
import { accessible, api, DESKTOP, LONG_WORD, MARKUP, openTable, PHONE, seat } from "./steps.mjs";

/** Two people meet at a table: options, chat, a game that is ended by a vote, and the next game. */
export async function two_people_meet_at_a_table_and_play_one_game_after_another(world) {
  const asha = await world.open("/tables");
  await openTable(asha, { name: "Asha", title: "Friday <b>evening</b>" });
  assert.equal(await asha.locator("h1").innerText(), "Friday <b>evening</b>");
  const ravi = await world.open("/tables", { width: PHONE });
  const row = ravi.locator("[data-table]", { hasText: "Friday <b>evening</b>" });
  await row.getByText("1 of 2 seats free").waitFor();
  await accessible(ravi, world, "lobby");
  await row.locator("a").tap();
  await ravi.locator(".name-field input").fill("Ravi");
  await ravi.locator("[data-sit=black]").tap();
  await seat(asha, "black").getByText("Ravi").waitFor();

  // The master changes options: the other player sees a badge on the changed option, and one on the closed list.
  await asha.locator(".options summary").click();
  await ravi.locator(".options summary").tap();
  await ravi.locator("[data-option=pieces]").waitFor();
  assert.equal(await ravi.locator("fieldset:enabled").count(), 0, "only the master changes options");
  await asha.locator("[data-option=pieces] select").selectOption("five");
  await ravi.locator("[data-option=pieces].changed").waitFor();
  await ravi.locator(".options summary").tap();
  await asha.locator("[data-option=time_per_turn] input").fill("120");
  await asha.locator("[data-option=time_per_turn] input").press("Enter");
  await ravi.locator(".options [data-changed]").waitFor();
  await accessible(asha, world, "table");

  // A chat line is shown as plain text, not as markup. The master can remove it.
  await ravi.locator(".say input").fill("<img src=x onerror=alert(1)> hello");
  await ravi.locator(".say button").tap();
  const line = asha.locator("[data-line='1'] .said");
  await line.waitFor();
  assert.equal(await line.innerText(), "<img src=x onerror=alert(1)> hello");
  await asha.getByRole("button", { name: "Remove line 1" }).click();
  await ravi.getByText("This line was removed.").waitFor();

  // The master starts a game, and both come to it.
  await asha.locator("[data-start]").click();
  for (const page of [asha, ravi]) await page.waitForURL(/\/play\//);
  await asha.locator(".seats [data-connected=true]").nth(1).waitFor();
  await asha.locator(".clock").waitFor();
  assert.ok(Number(await asha.locator(".clock").getAttribute("data-seconds")) <= 120);
  assert.equal(await ravi.locator(".seats .who").count(), 2);
  await asha.locator("[data-propose=end]").click();
  await ravi.locator("[data-vote=yes]").tap();
  for (const page of [asha, ravi]) await page.locator(".over").waitFor();
  await accessible(ravi, world, "game of a table");

  // The table has the game among its past games; a vote begins the next one.
  await ravi.locator(".over a[href^='/tables/']").tap();
  await ravi.locator(".past li").waitFor();
  await ravi.locator("[data-propose=next_game]").tap();
  await asha.locator(".at-this-table [data-vote=yes]").click();
  for (const page of [asha, ravi]) {
    await page.waitForURL(/\/play\//);
    await page.locator(".seats .due").waitFor();
  }
  const game = await ravi.evaluate(async (id) => {
    const { token } = JSON.parse(localStorage.getItem("pagade.player"));
    return (await fetch(`/v1/games/${id}`, { headers: { Authorization: `Bearer ${token}` } })).json();
  }, new URL(ravi.url()).pathname.split("/").pop());
  assert.equal(game.options.pieces, "five");
  assert.equal(game.turn_timer.seconds, 120);
  await Promise.all([asha, ravi].map((page) => page.locator("[data-back-to-table]").first().waitFor()));
}

/** A private table: a stranger cannot sit down, a friend with the link can, another person watches. */
export async function a_private_table_is_entered_by_its_link_and_watched(world) {
  const host = await world.open("/tables");
  await openTable(host, { name: "Host", title: "Private", isPrivate: true });
  await host.locator("[data-make-link]").click();
  await host.waitForFunction(() => document.querySelector(".invite input")?.value.includes("#link="));
  const link = await host.locator(".invite input").inputValue();
  await host.locator(".invite [data-qr]").click();
  await host.getByRole("img", { name: "QR code of the link above" }).waitFor();
  const address = new URL(link).pathname;
  const expected = /Failed to load resource/;
  const stranger = await world.open(address, { expected });
  await stranger.getByText("The table is private.").waitFor();
  await stranger.locator(".name-field input").fill("Stranger");
  await stranger.locator("[data-sit=black]").click();
  await stranger.locator("[role=alert]").waitFor();

  const friend = await world.open(link.slice(world.base.length), { width: PHONE });
  assert.ok(!friend.url().includes("link"), "the link stays in the address");
  await friend.locator(".name-field input").fill("Friend");
  await friend.locator("[data-sit=black]").tap();
  await seat(host, "black").getByText("Friend").waitFor();

  const watcher = await world.open(link.slice(world.base.length));
  await watcher.locator(".name-field input").fill("Watcher");
  await watcher.locator("[data-watch]").click();
  await host.locator(".watchers", { hasText: "Watcher" }).waitFor();
  await watcher.locator(".say input").fill("I only watch");
  await watcher.locator(".say button").click();
  await friend.locator(".said", { hasText: "I only watch" }).waitFor();
  await friend.getByRole("button", { name: "Report line 1" }).tap();
  await friend.getByRole("button", { name: "Report line 1" }).getByText("Reported").waitFor();

  await seat(host, "black").locator(".more summary").click();
  await seat(host, "black").getByText("Mute in the chat").click();
  await seat(host, "black").getByText("muted in the chat").waitFor();
  await seat(host, "black").locator("[data-mute=false]", { hasText: "Let speak again" }).waitFor();
  await friend.locator(".say input").fill("may I?");
  friend.removeAllListeners("console");
  await friend.locator(".say button").tap();
  await friend.locator("[role=alert]").waitFor();

  await host.locator("[data-start]").click();
  await watcher.waitForURL(/\/watch\//);
  await watcher.locator("[data-step]").waitFor();
  await friend.waitForURL(/\/play\//);
  await accessible(watcher, world, "watch a game of a private table");
}

/**
 * Text that is typed while a line is being sent stays; lines with markup are shown as text; characters that change the
 * direction of text are refused.
 */
export async function the_chat_takes_every_line_as_text(world) {
  const page = await world.open("/tables", { width: PHONE, expected: /Failed to load resource/ });
  await openTable(page, { name: "<i>Asha</i>", title: "Chat" });
  const input = page.locator(".say input");
  const say = page.locator(".say button:enabled");
  const lines = [MARKUP, `"><svg/onload="globalThis.hacked=1">{name}`, LONG_WORD.repeat(8).slice(0, 300)];
  await page.route("**/chat", async (route) => {
    // A slow network: each line takes a second, so that the next one is typed meanwhile.
    await new Promise((done) => setTimeout(done, 1000));
    await route.continue();
  });
  await input.fill(lines[0]);
  await say.tap();
  for (const line of lines.slice(1)) {
    await input.fill(line);
    await say.tap();
  }
  await page.locator(".said").nth(2).waitFor();
  assert.deepEqual(await page.locator(".said").allInnerTexts(), lines);
  assert.equal(await input.inputValue(), "");
  await input.fill("a\u202eb");
  await say.tap();
  await page.locator("[role=alert]", { hasText: "controls the text" }).waitFor();
  assert.equal(await input.inputValue(), "a\u202eb", "a refused line can be mended");
  assert.equal(await page.locator(".said *").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  await accessible(page, world, "chat with hostile lines");
}

/** When the time for a decision is over, the clock says so, and the service plays. */
export async function the_clock_runs_out_and_the_service_plays(world) {
  const page = await world.open("/tables");
  await openTable(page, { name: "Slow", title: "Fast clock" });
  await page.locator(".options summary").click();
  await page.locator("[data-option=time_per_turn] input").fill("3");
  await page.locator("[data-option=time_per_turn] input").press("Enter");
  const id = new URL(page.url()).pathname.split("/").pop();
  const other = await api(world, "POST", "/v1/players", { body: { name: "Absent" } });
  await api(world, "POST", `/v1/tables/${id}/seats/black`, { token: other.token, body: {} });
  await page.locator("[data-start]").click();
  await page.waitForURL(/\/play\//);
  await page.locator(".clock.short").waitFor();
  await page.locator(".story .is-time_over").first().waitFor();
  await page.locator(".seats [data-connected=false]").waitFor();
}

/** Two players who met by an invitation agree to end their game. */
export async function two_players_agree_to_end_a_game(world) {
  const host = await world.open("/rules/royal-game-of-ur", { width: DESKTOP });
  await host.locator("select[name=black]").selectOption("invited");
  await host.locator(".set-up .primary").click();
  const link = await host.locator(".invitation input").inputValue();
  const friend = await world.open(link.slice(world.base.length), { width: PHONE });
  await friend.locator("[data-join=black]").tap();
  await host.locator(".join .primary", { hasText: "Start" }).click();
  await host.locator("[data-agree=end]").click();
  await friend.getByText("Agree to end the game").tap();
  for (const page of [host, friend]) await page.locator(".over").getByText("The players agreed to end it.").waitFor();
}

/** Two strangers ask for a game of the same kind, get seats at one table, and the game begins by itself. */
export async function two_strangers_play_at_once(world) {
  const pages = [];
  for (const name of ["One", "Two"]) {
    const page = await world.open("/tables#open=twenty-squares");
    pages.push(page);
    await page.locator(".open-table input[name=name]").fill(name);
    await page.locator("[data-quick-play]").click();
    await page.waitForURL(/\/tables\/|\/play\//);
  }
  const [one, two] = pages;
  await one.waitForURL(/\/play\//);
  if (new URL(two.url()).pathname.startsWith("/tables/")) await two.locator("[data-game]").click();
  for (const page of pages) await page.locator(".seats [data-connected=true]").nth(1).waitFor();
  assert.equal(new URL(one.url()).pathname, new URL(two.url()).pathname);
}

/** A changed option shows the wish at once, and then the answer of the service, also if the service refuses. */
export async function a_changed_option_shows_the_wish_and_then_the_answer(world) {
  const expected = /Failed to load resource/;
  const page = await world.open("/tables", { expected });
  await openTable(page, { name: "Asha", title: "Options" });
  await page.locator(".options summary").click();
  const box = page.locator("[data-option=watchers_may_chat] input, [data-option=spectators_allowed] input").first();
  await box.waitFor();
  const before = await box.isChecked();
  const bodies = [];
  const held = [];
  let refuses = false;
  await page.route("**/options", async (route) => {
    if (route.request().method() !== "PATCH") return route.continue();
    bodies.push(route.request().postDataJSON().options);
    await new Promise((letGo) => held.push(letGo));
    if (!refuses) return route.continue();
    const problem = { status: 409, code: "game_in_play", title: "Refused", detail: "not <i>now</i>" };
    return route.fulfill({ status: 409, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  // Waits for the next change, does `meanwhile` while the page waits for the answer, then lets the change through.
  const answered = async (meanwhile) => {
    const end = Date.now() + 20_000;
    while (held.length === 0) {
      assert.ok(Date.now() < end, `no change after ${JSON.stringify(bodies)}`);
      await page.waitForTimeout(20);
    }
    await meanwhile();
    const isChange = (response) => response.request().method() === "PATCH";
    const answer = page.waitForResponse(isChange);
    held.shift()();
    await answer;
  };
  await box.click();
  // Before the answer, the page shows the wished value, the field keeps the focus, and further changes are possible.
  assert.deepEqual([await box.isChecked(), await box.isEnabled()], [!before, true]);
  assert.ok(await box.evaluate((input) => document.activeElement === input));
  const select = page.locator("[data-option=pieces] select");
  await select.selectOption("five");
  assert.equal(await select.inputValue(), "five");
  await answered(async () => {
    // Nothing shows that the page sends no second change beside the first one.
    await page.waitForTimeout(300);
    assert.deepEqual([await box.isChecked(), bodies.length], [!before, 1]);
  });
  await answered(async () => {
    assert.deepEqual([await box.isChecked(), await select.inputValue(), bodies.length], [!before, "five", 2]);
    assert.deepEqual(bodies[1].pieces, "five");
  });
  assert.deepEqual([await box.isChecked(), await select.inputValue()], [!before, "five"]);
  // After a refusal, the page shows the value of the service again, and says why.
  refuses = true;
  await box.click();
  await answered(async () => assert.equal(await box.isChecked(), before));
  await page.locator("[role=alert]", { hasText: "not <i>now</i>" }).waitFor();
  assert.deepEqual([await box.isChecked(), await select.inputValue()], [!before, "five"]);
}
