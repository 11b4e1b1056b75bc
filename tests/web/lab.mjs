// Tests of the rule lab, as rule authors use it. Each exported function is one test; see run.mjs for `world`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { accessible } from "./steps.mjs";

const PHONE = 390;
const DESKTOP = 1280;
/** A variant without mistakes. */
const VARIANT = 'rules: my-lane\nversion: 1.0.0\ntitle: My lane\nextends: pagade\nsources: [House rules]\n';
/** A game of the largest size: 120 squares, and 8 pawns for each of 4 seats. */
const LARGEST = `rules: long-road
version: 1.0.0
title: The long road
sources: [A test]
players:
  - {seats: [red, green, yellow, blue]}
board:
  grid: 31 x 31
  seats: [red, green, yellow, blue]
  paints: ["#c0392b", "#27ae60", "#f1c40f", "#2980b9"]
  turned: clockwise
  path:
    - {zone: yard, squares: yard, off_board: yes}
    - {zone: loop, squares: 1..118, walk: "from 0,0 E30 S30 W30 N27"}
    - {zone: home, squares: home}
pawns: {each: 8, start: [yard, yard, yard, yard, yard, yard, yard, yard]}
dice: {count: 2, faces: [1, 2, 3, 4, 5, 6]}
spend:
  - {id: enter, move: pawn, from: yard, with: die, to: 1}
  - {id: die, move: pawn, from: loop, with: die}
landing:
  - {id: cut, on: enemy, then: cut}
turn: {first: random, use_dice: most}
finish: {play_on: no}
`;

/** Replaces the text of the editor that is shown, as by pasting. */
async function write(page, text) {
  const editor = page.locator(".cm-content");
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const isPlayable = (page, truth = true) => page.locator(`[data-playable=${truth}]`).waitFor();
const tab = (page, name) => page.locator(`#tab-${name}`).click();

/** Opens the lab with this rule text. */
async function lab(world, text, how = {}) {
  const page = await world.open("/lab", how);
  await isPlayable(page);
  await write(page, text);
  const title = /^title: (.*)$/m.exec(text)?.[1];
  if (title) await page.locator("[data-playable=true]", { hasText: title }).waitFor();
  return page;
}

export async function a_variant_from_an_empty_file_is_published_and_played(world) {
  const page = await lab(world, "", { width: DESKTOP });
  await isPlayable(page, false);
  // Typed as fast as a person can: what is typed must stay, and the mistake be underlined.
  await page.locator(".cm-content").click();
  await page.keyboard.type("rules: my-lane\nversion: 1.0.0\ntitle: My lane\nextends: pagade\nsources: [House rules]\npawns: {coun: 4}", { delay: 10 });
  await page.locator(".problems .error", { hasText: "coun" }).first().waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  for (let letters = 0; letters < 16; letters += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("dice: {count: 3}\n");
  await isPlayable(page);
  // Hovering over a key tells what it means.
  await page.locator(".cm-line", { hasText: "dice:" }).locator("span").first().hover();
  await page.locator(".cm-tooltip .help").waitFor();
  await page.reload();
  assert.match(await page.locator(".cm-content").innerText(), /dice: \{count: 3\}/, "what is typed survives");
  await isPlayable(page);

  await page.locator(".publish input[name=id]").fill("lane-of-the-village");
  await page.locator(".publish button", { hasText: "Publish" }).first().click();
  await page.locator(".see .note", { hasText: "is published" }).waitFor();
  assert.match(await page.locator(".cm-content").innerText(), /rules: lane-of-the-village/);
  const set = await page.request.get(`${world.base}/v1/rule-sets/lane-of-the-village`);
  assert.equal((await set.json()).title, "My lane");
}

export async function a_text_is_tried_as_a_draft_that_no_list_shows(world) {
  const page = await lab(world, `${VARIANT}pawns: {each: 3, start: [6, 7, 12]}\n`, { width: PHONE });
  await isPlayable(page);
  const name = await page.locator(".see .hint", { hasText: "draft-" }).innerText();
  const draft = /draft-[0-9a-f]{12}/.exec(name)[0];
  await page.locator("[data-try]").tap();
  await page.waitForURL(/\/play\//);
  await page.locator(".throw").tap();
  const game = await page.evaluate(async (id) => (await fetch(`/v1/games/${id}`)).json(), new URL(page.url()).pathname.split("/").pop());
  assert.equal(game.rule_set.id, draft);
  assert.equal(game.seats[0].pawns.length, 3);
  // The same text is the same draft.
  await page.goto(`${world.base}/lab`);
  await isPlayable(page);
  await page.locator("[data-try]").tap();
  await page.waitForURL(/\/play\//);
  await page.goto(`${world.base}/`);
  await page.locator("[data-set=pagade]").first().waitFor();
  assert.equal(await page.locator(`[data-set="${draft}"]`).count(), 0);
}

export async function a_name_that_is_taken_is_told_with_the_next_version(world) {
  const text = VARIANT.replace("my-lane", "taken-lane");
  const page = await lab(world, text, { expected: /409/ });
  await isPlayable(page);
  const publish = page.locator(".publish button", { hasText: "Publish" }).first();
  await publish.click();
  await page.locator(".see .note", { hasText: "is published" }).waitFor();
  await write(page, `${text}dice: {count: 3}\n`);
  await page.waitForFunction(() => document.querySelector("[data-playable=true]"));
  await page.waitForTimeout(500);
  await publish.click();
  await page.locator(".see .warn", { hasText: "published already" }).waitFor();
  await page.locator(".publish button", { hasText: "1.0.1" }).click();
  await publish.click();
  await page.locator(".see .note", { hasText: "1.0.1 is published" }).waitFor();
}

export async function scenarios_fail_at_their_lines_and_are_mended(world) {
  const page = await lab(world, `${VARIANT}dice: {count: 3}\n`);
  await isPlayable(page);
  await tab(page, "scenarios");
  const scenarios = "ruleset: my-lane\nscenarios:\n  - name: three dice are thrown\n    script:\n      - throw: 3+4+1\n      - turn: yellow\n";
  await write(page, scenarios);
  await page.locator("[data-failed='1']").waitFor();
  assert.equal(await page.locator(".results .error").count(), 1);
  await page.locator(".cm-lintRange-error").first().waitFor();
  assert.match(await page.locator(".results .error").innerText(), /Expected: turn of yellow\s+Found: red/);
  await page.locator(".results .error button").click();
  // The failure leads to its line.
  await page.locator(".cm-activeLine", { hasText: "turn: yellow" }).waitFor();
  await accessible(page, world, "failing scenarios");
  await write(page, scenarios.replace("turn: yellow", "turn: red"));
  await page.locator("[data-failed='0']").waitFor();
  assert.equal(await page.locator(".results .passed").count(), 1);
  // A mistake in the file itself has its line, too.
  await write(page, scenarios.replace("script:", "skript:"));
  await page.locator("[data-failed='1']").waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  await page.reload();
  await isPlayable(page);
  await tab(page, "scenarios");
  assert.match(await page.locator(".cm-content").innerText(), /skript:/, "what is typed survives");
}

export async function a_simulation_is_followed_and_cancelled(world) {
  const page = await lab(world, VARIANT, { width: PHONE });
  await isPlayable(page);
  await tab(page, "simulate");
  await page.locator("select[name=games]").selectOption("20000");
  await page.locator("select[name=robot]").selectOption("hunter");
  await page.locator("input[name=beside]").uncheck();
  await page.locator(".simulate .primary").tap();
  await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
  await page.locator(".chart").first().waitFor();
  await page.locator("[data-cancel]").tap();
  await page.locator("[data-ended=true]", { hasText: "Cancelled" }).waitFor();
  const played = await page.locator("progress").evaluate((bar) => bar.value);
  assert.ok(played > 0 && played < 20_000, `${played}`);
  await accessible(page, world, "cancelled simulation");
}

export async function a_variant_is_compared_with_its_base(world) {
  const page = await lab(world, `${VARIANT}dice: {count: 3}\n`);
  await isPlayable(page);
  await tab(page, "simulate");
  await page.locator("select[name=games]").selectOption("100");
  await page.locator(".simulate .primary").click();
  await page.locator("[data-ended=true]").waitFor();
  assert.equal(await page.locator(".figures thead th").count(), 3, "the variant and its base");
  assert.equal(await page.locator(".chart").count(), 2);
  assert.match(await page.locator(".chart svg[role=img]").first().getAttribute("aria-label"), /My lane.*turns on average/);
  await accessible(page, world, "simulation");
  await tab(page, "compare");
  const dice = page.locator(".differences li", { hasText: "dice.count" });
  await dice.waitFor();
  assert.match(await dice.innerText(), /2[\s\S]*3/);
  await accessible(page, world, "comparison");
  await page.locator("select[name=base]").selectOption("ludo");
  await page.locator(".differences li", { hasText: "board.grid" }).waitFor();
}

/** Every answer to the questions gives a file that can be played, and that a person can read. */
export async function every_answer_of_a_beginner_gives_a_valid_file(world) {
  const source = readFileSync("api/web/src/lab/village.ts", "utf8");
  const script = world.typescript.transpileModule(source, { compilerOptions: { module: "ESNext", target: "ES2022" } }).outputText;
  const { villageFile, QUIET } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const page = await world.open("/lab");
  await page.locator(".questions summary").click();
  const choices = {};
  for (const select of await page.locator(".questions select").all()) {
    choices[await select.getAttribute("name")] = await select.locator("option").evaluateAll((all) => all.map((one) => one.value));
  }
  assert.deepEqual(Object.keys(choices).sort(), Object.keys(QUIET).filter((name) => name !== "name").sort());
  let files = [{ ...QUIET }];
  for (const [name, values] of Object.entries(choices)) files = files.flatMap((file) => values.map((value) => ({ ...file, [name]: value })));
  assert.ok(files.length >= 192, `${files.length} combinations`);
  const names = ["", "Our \"game\": \\ 7 # <b>", "ಪಗಡೆ", "7 stones", "-", "a: [b]", "x".repeat(60), "tab\tand \u0007 bell"];
  files.push(...names.map((name) => ({ ...QUIET, name })));
  for (const answers of files) {
    const text = villageFile(answers);
    const checked = await (await page.request.post(`${world.base}/v1/rule-checks`, { data: { text } })).json();
    assert.deepEqual([checked.playable, checked.problems], [true, []], `${JSON.stringify(answers)}\n${text}`);
    assert.ok(text.split("\n").every((line) => line.length <= 100), text);
    const changed = Object.keys(QUIET).filter((name) => name !== "name" && answers[name] !== QUIET[name]).length;
    assert.ok((text.match(/ {2,}# |\S # /g) ?? []).length >= changed, `each answer has a line with a comment:\n${text}`);
  }
  await page.locator("select[name=start]").selectOption("out");
  await page.locator(".questions button").click();
  await page.locator(".cm-line", { hasText: "out, out, out, out" }).waitFor();
  await isPlayable(page);
}

export async function the_board_is_redrawn_within_100_ms_for_every_bundled_set(world) {
  const page = await lab(world, VARIANT);
  const { rule_sets: sets } = await (await page.request.get(`${world.base}/v1/rule-sets`)).json();
  const slow = [];
  const times = [];
  const redraws = () => page.locator(".see").evaluate((see) => Number(see.dataset.redraws ?? 0));
  for (const set of sets.filter((one) => one.bundled)) {
    await write(page, await (await page.request.get(`${world.base}/v1/rule-sets/${set.id}/source`)).text());
    await page.waitForFunction((title) => document.querySelector("[data-playable=true]")?.textContent.includes(title), set.title);
    await page.keyboard.press("Control+End");
    const found = [];
    for (const key of "# abcdefghijklmnopqrstuvwxyz") {
      if (found.length >= 5 && Math.min(...found) <= 100) break;
      const before = await redraws();
      await page.keyboard.type(key);
      await page.waitForFunction((count) => Number(document.querySelector(".see").dataset.redraws ?? 0) > count, before);
      found.push(Number(await page.locator(".see").getAttribute("data-redraw")));
    }
    // The machine does other work, too: the fastest redraw shows what the page and the service need.
    const time = Math.min(...found);
    times.push(time);
    if (time > 100) slow.push(`${set.id}: ${found.join(", ")} ms`);
  }
  times.sort((a, b) => a - b);
  console.log(`        redraw of ${times.length} boards: median ${times[Math.floor(times.length / 2)]} ms, slowest ${times.at(-1)} ms`);
  assert.ok(times.length >= 40, `${times.length} sets`);
  assert.equal(slow.join("\n"), "");
}

export async function the_lab_withstands_bad_input(world) {
  const expected = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;
  const page = await lab(world, VARIANT, { expected });
  await write(page, `${VARIANT.replace("My lane", '"<img src=x onerror=alert(1)> <b>bold</b>"')}about: "<script>alert(2)</script>"\n`);
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  await page.locator("[data-playable=true]", { hasText: "<b>bold</b>" }).waitFor();
  assert.equal(await page.locator(".see img, .see b b, .state b").count(), 0);

  await write(page, LARGEST);
  await page.locator("[data-playable=true]", { hasText: "The long road" }).waitFor();
  assert.equal(await page.locator(".board [data-pawn]").count(), 32);
  await accessible(page, world, "largest board");
  await page.screenshot({ path: join(world.output, "lab-largest.png") });

  // A text that is too long is refused in words, and stays.
  await write(page, `# ${"long ".repeat(20)}\n`.repeat(11_000));
  await page.locator(".see .warn", { hasText: /1000000|bytes/ }).waitFor();
  await write(page, VARIANT);
  await page.locator("[data-playable=true]", { hasText: "My lane" }).waitFor();
  assert.equal(await page.locator(".see .warn").count(), 0);

  // A server that goes away is named, and the check goes on when it is back.
  await page.context().setOffline(true);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("dice: {coun: 3}");
  await page.locator(".see .warn", { hasText: "does not answer" }).waitFor();
  await page.context().setOffline(false);
  await page.locator(".problems .error", { hasText: "coun" }).waitFor();

  // A server that refuses is waited for.
  await write(page, VARIANT);
  await isPlayable(page);
  let refused = 0;
  await page.route("**/v1/simulations", async (route) => {
    refused += 1;
    const body = { code: "too_many_requests", status: 429, title: "Too many requests", detail: "a client may have 4 simulations at a time" };
    await route.fulfill({ status: 429, headers: { "Retry-After": "1" }, contentType: "application/problem+json", body: JSON.stringify(body) });
  });
  await tab(page, "simulate");
  await page.locator("input[name=beside]").uncheck();
  await page.locator(".simulate .primary").click();
  await page.locator(".panel .warn", { hasText: "too fast" }).waitFor();
  assert.ok(refused > 1, "it was tried again before");
  await page.unroute("**/v1/simulations");
  await page.locator("select[name=games]").selectOption("100");
  await page.locator(".simulate .primary").click();
  await page.locator("[data-ended=true]", { hasText: "100 of 100" }).waitFor();

  // A simulation that the server no longer knows.
  await page.route("**/v1/simulations/*", (route) =>
    route.fulfill({ status: 404, contentType: "application/problem+json", body: JSON.stringify({ code: "simulation_not_found", status: 404, title: "There is no such simulation", detail: "no simulation has this id" }) }),
  );
  await page.locator(".simulate .primary").click();
  await page.locator(".panel .warn", { hasText: "no simulation" }).waitFor();
  assert.equal(dialogs, 0);
}

export async function the_lab_speaks_other_languages(world) {
  for (const [lang, word] of [["kn-IN", "ಸನ್ನಿವೇಶಗಳು"], ["gu-IN", "દૃષ્ટાંત"], ["hi-IN", "उदाहरण"], ["es-ES", "Escenarios"], ["pt-BR", "Cenários"]]) {
    const page = await world.open("/lab", { lang, width: PHONE });
    await isPlayable(page);
    await page.locator("#tab-scenarios", { hasText: word }).waitFor();
    await tab(page, "simulate");
    await page.locator("select[name=games]").selectOption("100");
    await page.locator(".simulate .primary").tap();
    await page.locator("[data-ended=true]").waitFor();
    await accessible(page, world, `lab ${lang}`);
  }
}

/** Pictures of the lab for the eye, in target/web. */
export async function the_lab_is_drawn_on_small_and_large_screens(world) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [PHONE, DESKTOP]) {
      const page = await lab(world, `${VARIANT}dice: {count: 3}\n`, { width, scheme });
      await isPlayable(page);
      const picture = (name) => page.screenshot({ path: join(world.output, `lab-${name}-${width}-${scheme}.png`), fullPage: true });
      await accessible(page, world, `lab ${scheme} ${width}`);
      await picture("play");
      await tab(page, "simulate");
      await page.locator("select[name=robot]").selectOption("random");
      await page.locator(".simulate .primary").click();
      await page.locator("[data-ended=true]").waitFor();
      await accessible(page, world, `lab simulate ${scheme} ${width}`);
      await picture("simulate");
      await tab(page, "compare");
      await page.locator(".differences li").first().waitFor();
      await accessible(page, world, `lab compare ${scheme} ${width}`);
      await tab(page, "scenarios");
      await write(page, "ruleset: my-lane\nscenarios:\n  - {name: three dice are thrown, script: [{throw: 3+4+1}]}\n  - name: yellow begins\n    script:\n      - turn: yellow\n  - {name: nobody has finished, script: [{ranking: []}]}\n");
      await page.locator(".results .error").first().waitFor();
      await accessible(page, world, `lab scenarios ${scheme} ${width}`);
      await picture("compare-scenarios");
    }
  }
}
