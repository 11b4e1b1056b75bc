// Every page for four rule sets, with light colours on a phone and with dark ones on a desktop: it fits, and passes the
// checks of axe. With the environment variable PICTURES, pictures of the pages are written to target/web/pictures, for
// people to look at, also with dark colours on a phone and with light ones on a desktop.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { accessible, api, DESKTOP, fits, PHONE } from "./steps.mjs";

/** Whether pictures are taken. They take as long as all other parts of the test. */
const TAKES_PICTURES = Boolean(process.env.PICTURES);

const SETS = ["pagade", "royal-game-of-ur", "chaukabara-7", "parchesi-us"];

export async function every_page_fits_and_is_accessible(world) {
  const folder = join(world.output, "pictures");
  mkdirSync(folder, { recursive: true });
  const scenes = [];
  for (const set of SETS) scenes.push(await sceneOf(world, set));
  const { tournament, rights } = await tournamentOf(world);
  const member = await memberOf(world);
  const general = {
    home: "/",
    tables: "/tables",
    tournaments: "/tournaments",
    tournament: `/tournaments/${tournament}`,
    "tournament-form": "/tournaments#create",
    lab: "/lab",
    leaderboard: "/leaderboards/pagade",
    player: `/players/${member.id}`,
  };
  for (const width of [PHONE, DESKTOP]) {
    for (const scheme of ["light", "dark"]) {
      const isChecked = (width === PHONE) === (scheme === "light");
      if (!isChecked && !TAKES_PICTURES) continue;
      const page = await world.open("/", { width, scheme });
      const take = async (name, path, first = async () => undefined) => {
        await page.goto(world.base + path);
        await page.locator("main:not(.plain)").waitFor();
        await first();
        // Nothing shows that every part is loaded and drawn; some animations go on for seconds.
        await page.waitForTimeout(500);
        if (isChecked) await accessible(page, world, `${name} ${scheme} ${width}`);
        else await fits(page, `${name} ${width}`);
        if (!TAKES_PICTURES) return;
        await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: name !== "home" });
      };
      await page.route(/\/v1\/(leaderboards\/|players\/.*\/statistics)/, (route) =>
        route.fulfill({ json: reached(route.request().url(), member) }),
      );
      await page.evaluate((me) => localStorage.setItem("pagade.player", me), JSON.stringify(member));
      for (const [name, path] of Object.entries(general)) await take(name, path);
      // The organiser sees more of a tournament. The QR code of the invitation and the form for a result are open.
      await page.evaluate((text) => localStorage.setItem("pagade.tournaments", text), JSON.stringify([rights]));
      await take("organiser", `/tournaments/${tournament}`, async () => {
        await page.locator(".links [data-qr]").click();
        await page.locator(".links .qr svg").waitFor();
        await page.locator(".give-result summary").first().click();
      });
      for (const { set, game, kept, table, player } of scenes) {
        await page.evaluate(
          ([games, me]) => {
            localStorage.setItem("pagade.games", games);
            localStorage.setItem("pagade.player", me);
          },
          [JSON.stringify([kept]), JSON.stringify(player)],
        );
        await take(`rules-${set}`, `/rules/${set}`);
        await take(`play-${set}`, `/play/${game}`);
        await take(`watch-${set}`, `/watch/${game}`);
        await take(`table-${set}`, `/tables/${table}`);
      }
    }
  }
}

/** A game in its middle with a move to choose, and a table with two players, a watcher and a chat. */
async function sceneOf(world, set) {
  const { game, token } = await api(world, "POST", "/v1/games", {
    body: { rule_set: set, hot_seat: true, seed: "77".repeat(32) },
  });
  const seats = Object.fromEntries(game.seats.map(({ seat }) => [seat, token]));
  const kept = { id: game.id, rule_set: set, title: set, at: Date.now(), owner: token, seats };
  await playOn(world, game, token);
  const people = [];
  for (const name of ["Asha", "Ravi", "Meera"]) {
    const made = await api(world, "POST", "/v1/players", { body: { name } });
    people.push({ id: made.player.id, token: made.token, name });
  }
  const table = await api(world, "POST", "/v1/tables", {
    token: people[0].token,
    body: { rule_set: set, title: "Friday evening" },
  });
  const path = `/v1/tables/${table.id}`;
  await api(world, "POST", `${path}/seats/${table.seats[1].seat}`, { token: people[1].token, body: {} });
  await api(world, "POST", `${path}/watchers`, { token: people[2].token, body: {} });
  for (const [index, text] of ["Good evening!", "Shall we play with five pieces?", "I only watch today."].entries()) {
    await api(world, "POST", `${path}/chat`, { token: people[index].token, body: { text } });
  }
  return { set, game: game.id, kept, table: table.id, player: people[0] };
}

/** Plays at least 40 throws and moves of a game, as another client would, and ends where a move is to be chosen. */
async function playOn(world, { id, version, awaits }, token) {
  const path = `/v1/games/${id}`;
  let now = { version, awaits };
  for (let decisions = 0; decisions < 40 || now.awaits === "throw"; decisions += 1) {
    const send = async (what, body) =>
      (await api(world, "POST", `${path}/${what}`, { token, body, version: now.version })).game;
    if (now.awaits === "throw") {
      now = await send("throws", {});
      continue;
    }
    const { legal } = await api(world, "GET", `${path}/legal`, { token });
    now = await send("actions", { actions: [legal.at(-1).action] });
  }
}

/** A registered player, who sees the balance of chips. */
async function memberOf(world) {
  const token = world.issuer.tokenOf("Savitri");
  const { player } = await api(world, "GET", "/v1/me", { token });
  return { id: player.id, token, name: "Savitri" };
}

/** Makes up leaderboards and statistics. Real ones would take many games of people at different addresses. */
function reached(url, member) {
  const at = "2026-05-04T18:00:00Z";
  const names = ["Meera", "Savitri", "Ravi", "Kiran", "Omkar"];
  const lines = names.map((name, index) => ({
    rank: index + 1,
    player: name === "Savitri" ? member.id : `0000000${index}-0000-7000-8000-000000000000`,
    name,
    experience: 900 - 130 * index,
  }));
  if (url.includes("/leaderboards/")) return { rule_set: "pagade", players: 5, lines, mine: lines[1] };
  const record = (rule_set, played, won, value) => ({
    rule_set,
    played,
    won,
    lost: played - won,
    experience: 40 * won,
    rating: { value, uncertainty: 2.3 },
    seasons: [],
  });
  return {
    player: member.id,
    name: member.name,
    experience: 1240,
    level: 6,
    next_level: 1500,
    played: 54,
    won: 31,
    lost: 23,
    streak: 4,
    badges: [
      { id: "ten_wins", text: "Ten games won", at },
      { id: "first_win", text: "First game won", at },
    ],
    rule_sets: [record("pagade", 40, 22, 29.4), record("royal-game-of-ur", 14, 9, 27.1)],
  };
}

/** A tournament after its first round, and the rights of its organiser. */
async function tournamentOf(world) {
  const body = {
    title: "Village cup",
    rule_set: "royal-game-of-ur",
    format: { kind: "swiss", rounds: 3 },
    registration: "invited",
    prizes: ["A cup", "Mangoes"],
  };
  const {
    tournament,
    token,
    arbiter_token: arbiter,
    invitation,
  } = await api(world, "POST", "/v1/tournaments", { body });
  const path = `/v1/tournaments/${tournament.id}`;
  const entrants = ["Asha", "Ravi", "Meera", "Kiran", "Lata", "Omkar", "Devi"].map((name) => ({ name }));
  const entered = await api(world, "POST", `${path}/entrants`, { token, body: { entrants } });
  const tokens = Object.fromEntries(entered.entrants.map((one) => [one.number, one.tokens]));
  await api(world, "POST", `${path}/start`, { token, body: {} });
  for (let round = 1; round <= 2; round += 1) {
    await api(world, "POST", `${path}/rounds`, { token, body: {} });
    if (round === 2) break;
    const { tables } = await api(world, "GET", `${path}/rounds/${round}`);
    for (const table of tables) {
      const seats = table.entrants.map((entrant, index) => ({ entrant, place: index + 1, score: 7 - 3 * index }));
      await api(world, "PUT", `${path}/rounds/${round}/tables/${table.table}/result`, {
        token,
        body: { seats, reason: "played at a real board" },
      });
    }
  }
  return {
    tournament: tournament.id,
    rights: { id: tournament.id, role: "organiser", token, arbiter, invitation, entrants: tokens },
  };
}
