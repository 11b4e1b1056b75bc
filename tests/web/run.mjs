// Tests of the page in a real browser: node tests/web/run.mjs TOOLS PROGRAM [NAME ..]
//
// TOOLS is the folder where tests/tools/install.sh has installed playwright-core and axe-core. The tests start the
// program with an empty store, run in three lanes, and print the result of each. After a failure, screenshots of the
// open pages are written to target/web.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as atTables from "./at_tables.mjs";
import * as chips from "./chips.mjs";
import * as everyDecision from "./every_decision.mjs";
import * as games from "./games.mjs";
import * as inTournaments from "./in_tournaments.mjs";
import * as inTrouble from "./in_trouble.mjs";
import { startIssuer } from "./issuer.mjs";
import * as labInTrouble from "./lab_in_trouble.mjs";
import * as labLooks from "./lab_looks.mjs";
import * as labResults from "./lab_results.mjs";
import * as labWriting from "./lab_writing.mjs";
import * as largeGames from "./large_games.mjs";
import * as manyArms from "./many_arms.mjs";
import * as organising from "./organising.mjs";
import * as outOfOrder from "./out_of_order.mjs";
import * as pictures from "./pictures.mjs";
import * as robotsAtTables from "./robots_at_tables.mjs";
import * as rules from "./rules.mjs";
import * as signingIn from "./signing_in.mjs";
import * as general from "./stories.mjs";
import * as tournamentForms from "./tournament_forms.mjs";
import * as watching from "./watching.mjs";

/** Seconds without a connection after which a robot plays for a player. */
const ABSENT_AFTER = 4;

/** The tests that measure time, or how much is done in a time. */
const MEASURED = [
  general.a_stranger_makes_a_move_within_ten_seconds,
  general.the_page_loads_small_and_from_here,
  inTrouble.limits_are_told_as_what_they_are,
  labWriting.the_board_is_redrawn_within_100_ms_for_every_bundled_set,
  labWriting.fast_typing_is_followed_until_the_service_has_enough,
];

const USAGE = "usage: node tests/web/run.mjs TOOLS PROGRAM [NAME ..]";
const [tools, program, ...names] = process.argv.slice(2);
if (process.argv.slice(2).some((word) => word === "-h" || word === "--help")) {
  console.log(`${USAGE}\nEach NAME is the name of a test; without one, all tests run.`);
  process.exit(0);
}
if (!tools || !program) {
  console.error(USAGE);
  process.exit(2);
}
const require = createRequire(resolve(tools, "package.json"));
const { chromium } = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");
const typescript = require("typescript");

const port = Number(process.env.PORT ?? 8191);
const base = `http://127.0.0.1:${port}`;
const data = mkdtempSync(join(tmpdir(), "pagade-web-"));
const output = resolve("target/web");
mkdirSync(output, { recursive: true });

const issuer = await startIssuer();
const settings = [
  "--listen",
  `127.0.0.1:${port}`,
  "--unlimited",
  "--data",
  data,
  "--absent-after",
  String(ABSENT_AFTER),
];
const accounts = ["--oidc-issuer", issuer.url, "--oidc-audience", "pagade", "--oidc-client", "pagade"];
const service = spawn(program, ["serve", ...settings, ...accounts], { stdio: "ignore" });
const flags =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking " +
  "--disable-component-update --disable-sync";
const stories = {
  ...general,
  ...games,
  ...everyDecision,
  ...watching,
  ...atTables,
  ...robotsAtTables,
  ...chips,
  ...signingIn,
  ...inTournaments,
  ...organising,
  ...tournamentForms,
  ...labWriting,
  ...labResults,
  ...labInTrouble,
  ...labLooks,
  ...rules,
  ...inTrouble,
  ...outOfOrder,
  ...largeGames,
  ...manyArms,
  ...pictures,
};
const unknown = names.filter((name) => !(name in stories));
if (unknown.length > 0) {
  console.error(`there is no test named ${unknown.join(", ")}; the tests are:\n  ${Object.keys(stories).join("\n  ")}`);
  service.kill();
  issuer.stop();
  process.exit(2);
}
let browser;
let failed = 0;
try {
  await ready();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync),
    args: flags.split(" "),
  });
  const chosen = Object.entries(stories).filter(([name]) => names.length === 0 || names.includes(name));
  // Tests that measure time run first, and alone. Whole games mostly wait for robots, so they run in a lane of their
  // own. The other tests run in two lanes, which then take over whole games that are left.
  const isMeasured = ([, story]) => MEASURED.includes(story);
  const isWholeGame = ([name]) => /^a_game_of_.*_by_(keyboard|taps)/.test(name);
  await inTurn(chosen.filter(isMeasured));
  const together = chosen.filter((one) => !isMeasured(one));
  const [games, others] = [together.filter(isWholeGame), together.filter((one) => !isWholeGame(one))];
  const helping = async () => {
    await inTurn(others);
    await inTurn(games);
  };
  await Promise.all([inTurn(games), helping(), helping()]);
} finally {
  await browser?.close();
  service.kill();
  issuer.stop();
  rmSync(data, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);

async function ready() {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      if ((await fetch(`${base}/readyz`)).ok) return;
    } catch {
      // The service does not listen yet.
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${program} is not ready`);
}

/** Runs the tests of a list one after the other, and takes each out of the list, which other lanes may share. */
async function inTurn(list) {
  for (let next = list.shift(); next; next = list.shift()) await run(...next);
}

/** Runs one test. It fails if a page logs an error to the console, or sends a request to another server. */
async function run(name, story) {
  const began = Date.now();
  const complaints = [];
  const contexts = [];
  const world = {
    base,
    axe,
    output,
    typescript,
    issuer,
    /** The servers of the identity provider. */
    provider: [issuer.url, issuer.exchangeUrl],
    /**
     * Opens a page, as on a phone if `width` is below 600. `expected` matches console errors that the test causes,
     * `elsewhere` are other servers to which the page may send requests, and `kept` is what the browser has stored
     * before, by key. If events are not animated (`speed` is 0), the reader prefers less motion, unless `motion` says
     * otherwise: glowing pawns take a third of the browser's processor time.
     */
    async open(path, options = {}) {
      const { width = 1280, height, scheme = "light", speed = "0", lang = "en-GB" } = options;
      const { expected = /^$/, elsewhere = [], kept = {}, motion = speed !== "0" } = options;
      const phone = width < 600;
      const context = await browser.newContext({
        viewport: { width, height: height ?? (phone ? 844 : 800) },
        hasTouch: phone,
        isMobile: phone,
        colorScheme: scheme,
        locale: lang,
        reducedMotion: motion ? "no-preference" : "reduce",
      });
      contexts.push(context);
      await context.addInitScript((value) => localStorage.setItem("pagade.speed", value), speed);
      // The script runs on every page that is opened, so it keeps values that an earlier page has stored.
      await context.addInitScript((pairs) => {
        for (const [key, value] of pairs) if (localStorage.getItem(key) === null) localStorage.setItem(key, value);
      }, Object.entries(kept));
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on("console", (message) => {
        if (message.type() === "error" && !expected.test(message.text())) complaints.push(`console: ${message.text()}`);
      });
      page.on("pageerror", (error) => complaints.push(`error: ${error.stack}`));
      page.on("request", (request) => {
        const isKnown = [base, ...elsewhere].some((server) => request.url().startsWith(`${server}/`));
        if (!isKnown && !/^(data|blob):/.test(request.url())) {
          complaints.push(`request to elsewhere: ${request.url()}`);
        }
        if (/pagade_(game|seat|player|table|tournament)_|eyJ/.test(request.url()))
          complaints.push(`a token in an address: ${request.url()}`);
      });
      await page.goto(base + path);
      return page;
    },
  };
  try {
    await story(world);
    if (complaints.length > 0) throw new Error([...new Set(complaints)].join("\n"));
    console.log(`passed  ${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}\n${error.stack}`);
    if (complaints.length > 0) console.log([...new Set(complaints)].join("\n"));
    let index = 0;
    for (const page of contexts.flatMap((context) => context.pages())) {
      await page.screenshot({ path: join(output, `${name}-${(index += 1)}.png`) }).catch(() => undefined);
    }
  }
  for (const context of contexts) await context.close();
}
