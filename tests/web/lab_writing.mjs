// Tests of the rule lab: writing, trying and publishing a variant, and the questions for beginners.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isPlayable, lab, VARIANT, write } from "./lab_steps.mjs";
import { DESKTOP, PHONE } from "./steps.mjs";

export async function a_variant_from_an_empty_file_is_published_and_played(world) {
  const page = await lab(world, "", { width: DESKTOP });
  await isPlayable(page, false);
  // The text is typed as fast as a person can. It must stay, and its mistake must be underlined.
  await page.locator(".cm-content").click();
  await page.keyboard.type(
    "rules: my-lane\nversion: 1.0.0\ntitle: My lane\nextends: pagade\nsources: [House rules]\npawns: {coun: 4}",
    { delay: 10 },
  );
  await page.locator(".problems .error", { hasText: "coun" }).first().waitFor();
  await page.locator(".cm-lintRange-error").first().waitFor();
  for (let letters = 0; letters < 16; letters += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("dice: {count: 3}\n");
  await isPlayable(page);
  // Hovering over a key shows its meaning.
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

/** The editor completes keys and words where they are allowed, also in later entries of a list and in later lines. */
export async function the_editor_completes_what_the_language_allows(world) {
  const page = await lab(world, VARIANT);
  const cases = [
    ["pa", ["pawns", "passing"]],
    ["dice: {cou", ["count"]],
    ["dice:\n  fa", ["faces"]],
    ["board:\n  turned: anti", ["anticlockwise"]],
    ["landing:\n  - {id: a, on: pawn, then: join}\n  - {id: b, on: pawn, the", ["then"]],
    ["landing:\n  - id: a\n    then: cu", ["cut"]],
    ["board:\n  path:\n    - {zone: out, squares: out}\n    - {zone: loop,\n       wal", ["walk"]],
  ];
  for (const [text, expected] of cases) {
    await write(page, VARIANT + text.slice(0, -1));
    await page.keyboard.press("Control+End");
    await page.keyboard.type(text.slice(-1));
    for (const word of expected) {
      const option = page.locator(".cm-tooltip-autocomplete li", { hasText: new RegExp(`^${word}$`) });
      await option.waitFor({ timeout: 5000 }).catch(() => assert.fail(`${word} is not offered after ${text}`));
    }
    await page.keyboard.press("Escape");
  }
  // The editor offers ids of rule sets after `extends:`, and writes the chosen one.
  await write(page, VARIANT.replace("extends: pagade", "extends: chauka"));
  await page.locator(".cm-line", { hasText: "extends" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("b");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "chaukabara-7" }).click();
  await page.locator(".cm-line", { hasText: /^extends: chaukabara-7$/ }).waitFor();
  await isPlayable(page);
  // If the typed id is complete, Enter ends the line, although longer ids begin with the same letters.
  await write(page, VARIANT.replace("extends: pagade\n", ""));
  await page.keyboard.press("Control+End");
  await page.keyboard.type("extends: pagad", { delay: 30 });
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "pagade-castles" }).waitFor();
  await page.keyboard.type("e");
  await page.locator(".cm-tooltip-autocomplete").waitFor({ state: "detached" });
  // The editor offers no keys for a later word of a text. It looks for them a tenth of a second after the last key, and
  // nothing shows that it has looked and found none.
  await page.keyboard.type("\nabout: A long lan", { delay: 30 });
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".cm-tooltip-autocomplete li").count(), 0);
  await page.keyboard.type("e\npawns: {each: 4}");
  await page.locator(".cm-line", { hasText: /^extends: pagade$/ }).waitFor();
  await isPlayable(page);
}

/** A mistake is underlined where it is; its message and its help are shown there, and in the list below. */
export async function a_mistake_is_underlined_and_explained(world) {
  const page = await lab(world, VARIANT);
  await write(page, `${VARIANT}dice: {count: 9}\n`);
  const mark = page.locator(".cm-lintRange-error");
  await mark.waitFor();
  assert.equal(await mark.innerText(), "9");
  await mark.hover();
  await page.locator(".cm-tooltip-lint", { hasText: /`9` is out of range\s+a number from 1 to 4/ }).waitFor();
  await page.locator(".problems li", { hasText: /9.? is out of range/ }).getByText("a number from 1 to 4").waitFor();
}

/**
 * After every key the page checks the text at once. When the service has little quota left for the client, the page
 * waits longer between checks.
 */
export async function fast_typing_is_followed_until_the_service_has_enough(world) {
  const page = await lab(world, VARIANT);
  const redraw = async (key) => {
    const see = page.locator(".see");
    const before = Number(await see.getAttribute("data-redraws"));
    await page.keyboard.type(key);
    await page.waitForFunction((count) => Number(document.querySelector(".see").dataset.redraws) > count, before);
    return Number(await see.getAttribute("data-redraw"));
  };
  await page.keyboard.press("Control+End");
  await page.keyboard.type("# ");
  await page.locator(".cm-content").evaluate(typeSlowly, { text: "x", count: 450 });
  const times = [];
  for (let keys = 0; keys < 5; keys += 1) times.push(await redraw("y"));
  assert.ok(Math.min(...times) <= 100, `${times} ms after 450 checks`);
  await page.route("**/v1/rule-checks?**", async (route) => {
    const response = await route.fetch();
    const headers = { "ratelimit-policy": '"heavy";q=600;w=60', ratelimit: '"heavy";r=60;t=54' };
    await route.fulfill({ response, headers: { ...response.headers(), ...headers } });
  });
  await redraw("z");
  const slow = await redraw("z");
  assert.ok(slow >= 700, `${slow} ms although few texts are taken`);
}

/**
 * Types a text `count` times. Each time it waits until the page has drawn the board. It runs in the page, where it
 * takes a third of the time that keys from outside would take.
 */
async function typeSlowly(content, { text, count }) {
  const see = document.querySelector(".see");
  content.focus();
  for (let times = 0; times < count; times += 1) {
    const isDrawn = new Promise((done) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        done();
      });
      watch.observe(see, { attributeFilter: ["data-redraws"] });
    });
    document.execCommand("insertText", false, text);
    await isDrawn;
  }
}

/** Typed text stays when the page is closed at once, and when the browser goes to another address. */
export async function what_is_typed_survives_the_end_of_the_page(world) {
  const page = await lab(world, VARIANT, { width: PHONE });
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("# a last word");
  await page.close();
  const again = await page.context().newPage();
  await again.goto(`${world.base}/lab`);
  await again.locator(".cm-line", { hasText: "# a last word" }).waitFor();
  await again.locator(".cm-content").click();
  await again.keyboard.press("Control+End");
  await again.keyboard.type(" and one more");
  await again.goto(`${world.base}/tables`);
  await again.goto(`${world.base}/lab`);
  await again.locator(".cm-line", { hasText: "# a last word and one more" }).waitFor();
}

export async function a_text_is_tried_as_a_draft_that_no_list_shows(world) {
  const page = await lab(world, `${VARIANT}pawns: {each: 3, start: [6, 7, 12]}\n`, { width: PHONE });
  await isPlayable(page);
  const name = await page.locator(".see .hint", { hasText: "draft-" }).innerText();
  const draft = /draft-[0-9a-f]{12}/.exec(name)[0];
  await page.locator("[data-try]").tap();
  await page.waitForURL(/\/play\//);
  await page.locator(".throw").tap();
  const game = await page.evaluate(
    async (id) => (await fetch(`/v1/games/${id}`)).json(),
    new URL(page.url()).pathname.split("/").pop(),
  );
  assert.equal(game.rule_set.id, draft);
  assert.equal(game.seats[0].pawns.length, 3);
  // If the same text is tried again, the service makes no second draft.
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
  // Until the new text is checked, the page shows the answer for the earlier text.
  const isOfNewText = (response) => response.request().postData()?.includes("{count: 3}") ?? false;
  const checked = page.waitForResponse((response) => response.url().includes("/rule-checks") && isOfNewText(response));
  await write(page, `${text}dice: {count: 3}\n`);
  await checked;
  await isPlayable(page);
  await publish.click();
  await page.locator(".see .warn", { hasText: "published already" }).waitFor();
  await page.locator(".publish button", { hasText: "1.0.1" }).click();
  await publish.click();
  await page.locator(".see .note", { hasText: "1.0.1 is published" }).waitFor();
}

/** Every answer to the questions gives a file that can be played, and that a person can read. */
export async function every_answer_of_a_beginner_gives_a_valid_file(world) {
  const source = readFileSync("api/web/src/lab/village.ts", "utf8");
  const script = world.typescript.transpileModule(source, {
    compilerOptions: { module: "ESNext", target: "ES2022" },
  }).outputText;
  const { villageFile, QUIET } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  const page = await world.open("/lab");
  await page.locator(".questions summary").click();
  const choices = {};
  for (const select of await page.locator(".questions select").all()) {
    choices[await select.getAttribute("name")] = await select
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.value));
  }
  assert.deepEqual(
    Object.keys(choices).sort(),
    Object.keys(QUIET)
      .filter((name) => name !== "name")
      .sort(),
  );
  let files = [{ ...QUIET }];
  for (const [name, values] of Object.entries(choices))
    files = files.flatMap((file) => values.map((value) => ({ ...file, [name]: value })));
  assert.ok(files.length >= 192, `${files.length} combinations`);
  const names = [
    "",
    'Our "game": \\ 7 # <b>',
    "ಪಗಡೆ",
    "7 stones",
    "-",
    "a: [b]",
    "x".repeat(60),
    "tab\tand \u0007 bell",
  ];
  files.push(...names.map((name) => ({ ...QUIET, name })));
  for (const answers of files) {
    const text = villageFile(answers);
    const checked = await (await page.request.post(`${world.base}/v1/rule-checks`, { data: { text } })).json();
    assert.deepEqual([checked.playable, checked.problems], [true, []], `${JSON.stringify(answers)}\n${text}`);
    assert.ok(
      text.split("\n").every((line) => line.length <= 100),
      text,
    );
    const changed = Object.keys(QUIET).filter((name) => name !== "name" && answers[name] !== QUIET[name]).length;
    assert.ok(
      (text.match(/ {2,}# |\S # /g) ?? []).length >= changed,
      `each answer has a line with a comment:\n${text}`,
    );
  }
  await page.locator("select[name=start]").selectOption("out");
  await page.locator(".questions button").click();
  await page.locator(".cm-line", { hasText: "out, out, out, out" }).waitFor();
  await isPlayable(page);
}

/** After a key, the board of the new text is drawn within 100 ms. In each board here, a seat has another colour. */
export async function the_board_is_redrawn_within_100_ms_for_every_bundled_set(world) {
  const page = await lab(world, VARIANT);
  await page.evaluate(paintEveryCheck);
  const { rule_sets: sets } = await (await page.request.get(`${world.base}/v1/rule-sets`)).json();
  const slow = [];
  const times = [];
  for (const set of sets.filter((one) => one.bundled)) {
    await write(page, await (await page.request.get(`${world.base}/v1/rule-sets/${set.id}/source`)).text());
    await page.waitForFunction(
      (title) => document.querySelector("[data-playable=true]")?.textContent.includes(title),
      set.title,
    );
    await page.keyboard.press("Control+End");
    const found = [];
    for (const key of "# abcdefghijklmnopqrstuvwxyz") {
      const before = await page.locator(".see").evaluate((see) => Number(see.dataset.redraws ?? 0));
      await page.keyboard.type(key);
      const { time, isNew } = await page.evaluate(nextRedraw, before);
      assert.ok(isNew, `${set.id}: the board is not that of the last check`);
      found.push(time);
      // Other work of the machine slows redraws, so one fast redraw shows the time that the page and the service need.
      if (found.at(-1) <= 100) break;
    }
    times.push(Math.min(...found));
    if (times.at(-1) > 100) slow.push(`${set.id}: ${found.join(", ")} ms`);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  console.log(`        redraw of ${times.length} boards: ${times[0]} to ${times.at(-1)} ms, median ${median} ms`);
  assert.ok(times.length >= 53, `${times.length} sets`);
  assert.equal(slow.join("\n"), "");
}

/** Runs in the page: gives the first seat of every checked board another colour, and notes it in `checks`. */
function paintEveryCheck() {
  const ask = globalThis.fetch;
  globalThis.checks = [];
  globalThis.fetch = async (...request) => {
    const answer = await ask(...request);
    if (!answer.ok || !String(request[0]).includes("/rule-checks?board")) return answer;
    const check = await answer.json();
    const paint = `#${(0x102030 + 0x050301 * (globalThis.checks.length % 32)).toString(16)}`;
    const seat = check.board?.seats[0];
    if (seat) seat.paint = paint;
    globalThis.checks.push({ seat: seat?.seat, paint });
    return new Response(JSON.stringify(check), { status: answer.status, headers: answer.headers });
  };
}

/**
 * Runs in the page: waits until more boards are drawn than `before`, and returns the milliseconds that the last one
 * took, and whether it has the colour of the last check.
 */
function nextRedraw(before) {
  const see = document.querySelector(".see");
  return new Promise((done) => {
    const watch = new MutationObserver(() => look());
    const look = () => {
      if (!(Number(see.dataset.redraws) > before)) return;
      watch.disconnect();
      const { seat, paint } = globalThis.checks.at(-1);
      const isNew = see.querySelector(`[data-seat="${seat}"] .body`)?.getAttribute("fill") === paint;
      done({ time: Number(see.dataset.redraw), isNew });
    };
    watch.observe(see, { attributeFilter: ["data-redraws"] });
    look();
  });
}
