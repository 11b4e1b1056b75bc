// Tests of boards with more than four arms, by a made-up layout: eight seats with 16 pawns each. The page draws what
// the layout says, whatever the number of seats.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { accessible, createGame, DESKTOP, openCreated, PHONE } from "./steps.mjs";

const SEATS = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "grey"];
const PAINTS = ["#b03a2e", "#d35400", "#d4ac0d", "#1e8449", "#17a2a2", "#1f618d", "#7d3c98", "#5d6d7e"];
const PAWNS = 16;
/** Squares of an arm from the middle to its end; an arm is three squares wide. */
const LENGTH = 7;
const SIDE = 24;

const numbered = (count) => Array.from({ length: count }, (_, index) => index);
const squareId = (arm, out, column) => `${arm}-${out}-${column}`;

/** The squares of a star with an arm for each seat. Their positions are fractions of a square. */
function starSquares(arms) {
  return numbered(arms).flatMap((arm) => {
    const angle = (arm * 2 * Math.PI) / arms;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    return numbered(LENGTH).flatMap((out) =>
      [-1, 0, 1].map((column) => ({
        id: squareId(arm, out, column),
        x: SIDE / 2 - 0.5 + (4.4 + out) * dx - column * dy,
        y: SIDE / 2 - 0.5 + (4.4 + out) * dy + column * dx,
        shape: "square",
        ...(column === 0 && out < LENGTH - 1 && { seat: SEATS[arm] }),
        tags: column !== 0 && out === LENGTH - 2 ? [{ tag: "safe" }] : [],
      })),
    );
  });
}

/** The path of a seat: along all arms, beginning with its own, and then up the middle of its own arm. */
function pathOf(own, arms) {
  const round = numbered(arms).flatMap((step) => {
    const arm = (own + step) % arms;
    const up = numbered(LENGTH).map((out) => squareId(arm, out, 1));
    const down = numbered(LENGTH).map((out) => squareId(arm, LENGTH - 1 - out, -1));
    return [...up.reverse(), ...down.reverse()];
  });
  const home = numbered(LENGTH - 1).map((out) => squareId(own, LENGTH - 2 - out, 0));
  const squares = [...round, ...home];
  const places = squares.map((square, index) => ({ place: String(index + 1), square, zone: "path" }));
  return [{ place: "out", zone: "out" }, ...places, { place: "home", zone: "home" }];
}

/**
 * Changes the answers of the service about a game: its board is a star with an arm for each seat, and `placesOf` gives
 * the places of the pawns.
 */
async function asStar(page, arms, placesOf) {
  const seats = SEATS.slice(0, arms);
  await page.route(/\/v1\/rule-sets\/[^/]+\/layout/, async (route) => {
    // The real layout is read without the query, which names seats that the real rules do not have.
    const url = route.request().url().replace(/\?.*/, "");
    const layout = await (await route.fetch({ url })).json();
    const paths = seats.map((seat, index) => ({
      seat,
      paint: PAINTS[index],
      plays: true,
      start: Array(PAWNS).fill("out"),
      places: pathOf(index, arms),
      edges: [],
    }));
    const middle = { x: 9, y: 9, columns: 6, rows: 6 };
    const board = { columns: SIDE, rows: SIDE, width: SIDE, height: SIDE, squares: starSquares(arms), middle };
    const tables = [{ players: seats, teams: [] }];
    await route.fulfill({ json: { ...layout, ...board, seats: paths, pawns: PAWNS, tables } });
  });
  await page.route(/\/v1\/games\/[^/]+(\?.*)?$/, async (route) => {
    const game = await (await route.fetch()).json();
    const shown = seats.map((seat, index) => {
      const places = placesOf(seat, index);
      const pawns = places.map((place, pawn) => ({ id: `${seat}-${pawn + 1}`, place }));
      return { seat, taken: true, paint: PAINTS[index], name: `${seat} Player of the evening`, pawns };
    });
    await route.fulfill({ json: { ...game, seats: shown, turn: seats[0] } });
  });
  await page.route(/\/v1\/games\/[^/]+\/events\?/, (route) => route.fulfill({ json: { events: [] } }));
  await page.route(/\/v1\/games\/[^/]+\/events$/, (route) => route.fulfill({ status: 204 }));
}

/** Places for the pawns of each seat: waiting, all on one square, at home, and spread over the board. */
function placesOf(seat, index) {
  if (index === 1) return Array(PAWNS).fill("5");
  if (index === 2) return Array(PAWNS).fill("home");
  if (index === 3) return numbered(PAWNS).map((pawn) => String(1 + pawn * 3));
  return numbered(PAWNS).map((pawn) => (pawn % 4 === 0 ? "home" : pawn % 4 === 1 ? String(2 + pawn) : "out"));
}

const overlap = (one, other) =>
  one.left < other.right - 0.5 &&
  other.left < one.right - 0.5 &&
  one.top < other.bottom - 0.5 &&
  other.top < one.bottom - 0.5;

const boxes = (page, selector) =>
  page.locator(selector).evaluateAll((found) => found.map((one) => one.getBoundingClientRect().toJSON()));

async function starOf(world, arms, options) {
  const created = await createGame(world, { rule_set: "royal-game-of-ur" });
  const page = await openCreated(world, created, options);
  await asStar(page, arms, placesOf);
  await page.reload();
  await page.locator("[data-pawn='red-16']").waitFor();
  return page;
}

export async function boards_of_six_and_eight_arms_are_drawn_whole(world) {
  const folder = join(world.output, "pictures");
  mkdirSync(folder, { recursive: true });
  for (const [arms, width, scheme] of [
    [6, PHONE, "light"],
    [8, PHONE, "dark"],
    [8, DESKTOP, "light"],
    [6, DESKTOP, "dark"],
    [8, PHONE, "light"],
    [8, DESKTOP, "dark"],
  ]) {
    const name = `star-${arms}-${width}-${scheme}`;
    const page = await starOf(world, arms, { width, scheme });
    // Nothing shows that all is drawn and that pawns have come to rest; some animations go on for seconds.
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    assert.equal(await page.locator("[data-pawn]").count(), arms * PAWNS, name);
    const trays = await boxes(page, ".tray rect");
    assert.equal(trays.length, arms, "each seat has a tray");
    const squares = await boxes(page, ".square .cloth");
    for (const [index, tray] of trays.entries()) {
      const others = [...squares, ...trays.filter((_, other) => other !== index)];
      assert.ok(!others.some((other) => overlap(tray, other)), `${name}: the tray of ${SEATS[index]} is not free`);
    }
    const pawns = await boxes(page, "[data-pawn] .body");
    for (const box of pawns) {
      assert.ok(box.left >= 0 && box.right <= width && box.width >= 4, `${name}: ${JSON.stringify(box)}`);
    }
    // Pawns that wait do not cover each other.
    const waiting = await boxes(page, "[data-seat=red][data-place=out] .body");
    const covered = waiting.filter((one, at) => waiting.some((other, to) => to > at && overlap(one, other)));
    assert.ok(waiting.length > 2 && covered.length === 0, name);
    assert.equal(await page.locator("[data-pile='16']").count(), 1, "16 pawns on one square are a pile");
    await accessible(page, world, name);
  }
}

/** Each seat has a sign with an outline of its own, so seats can be told apart without colours, in lists too. */
export async function eight_seats_are_told_apart_without_colours(world) {
  const page = await starOf(world, 8, { width: PHONE });
  const signs = await page
    .locator(".seats .sign")
    .evaluateAll((found) => found.map((sign) => ({ sign: sign.querySelector("g").innerHTML, text: sign.outerHTML })));
  assert.equal(new Set(signs.map(({ sign }) => sign)).size, 8);
  const luminance = (paint) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const share = parseInt(paint.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  for (const { text } of signs) {
    const [paint, ink] = [...text.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, colour]) => luminance(colour));
    assert.ok(Math.max(paint / ink, ink / paint) >= 4.3, text);
  }
  const rows = await boxes(page, ".seats li");
  for (const row of rows) assert.ok(row.left >= 0 && row.right <= PHONE, JSON.stringify(row));
}
