// The positions at which the parts of a board are drawn. The unit is the side of a square; the upper left corner of the
// board is (0, 0).
import type { Layout, SeatPath, Square } from "../api/types";

export interface Point {
  x: number;
  y: number;
}

export interface Area extends Point {
  w: number;
  h: number;
}

/** The area beside the board where a seat's pawns wait, and come home if the board has no middle. */
export interface Tray {
  seat: string;
  area: Area;
  /** The points of the pawns that are off the board, one for each pawn. */
  waiting: Point[];
  /** The size of pawns at the `waiting` points. The size of a pawn alone on a square is 1. */
  size: number;
  /** The points of the pawns that are home, one for each pawn. */
  home: Point[];
  homeIsMiddle: boolean;
}

export interface Geometry {
  view: Area;
  turned: boolean;
  squares: (Square & Point)[];
  middle?: Area;
  trays: Map<string, Tray>;
  /** The centre of the square of a place on a seat's path; `undefined` for places off the board. */
  point(seat: string, place: string): Point | undefined;
  squareOf(seat: string, place: string): string | undefined;
}

const GAP = 0.35;

export function geometryOf(layout: Layout, turned: boolean): Geometry {
  const turn = (x: number, y: number): Point => (turned ? { x: layout.rows - 1 - y, y: x } : { x, y });
  const columns = turned ? layout.rows : layout.columns;
  const rows = turned ? layout.columns : layout.rows;
  const squares = layout.squares.map((square) => ({ ...square, ...turn(square.x, square.y) }));
  const byId = new Map(squares.map((square) => [square.id, square]));
  const places = new Map(
    layout.seats.map((seat) => [
      seat.seat,
      new Map(seat.places.map((place) => [place.place, place.square ?? undefined])),
    ]),
  );
  const squareOf = (seat: string, place: string) => places.get(seat)?.get(place);
  const point = (seat: string, place: string): Point | undefined => {
    const square = byId.get(squareOf(seat, place) ?? "");
    return square && { x: square.x + 0.5, y: square.y + 0.5 };
  };
  let middle: Area | undefined;
  if (layout.middle) {
    const { x, y, columns: w, rows: h } = layout.middle;
    middle = turned ? { x: layout.rows - y - h, y: x, w: h, h: w } : { x, y, w, h };
  }
  const playing = layout.seats.filter((seat) => seat.plays);
  const board = { x: 0, y: 0, w: columns, h: rows };
  const corner = emptyCorner(squares, middle, board);
  const areas =
    corner >= 3 ? cornerAreas(playing, corner, board, point) : sideAreas(playing, layout.pawns, board, point);
  const trays = new Map<string, Tray>();
  for (const seat of playing) {
    const area = areas.get(seat.seat);
    if (area) trays.set(seat.seat, trayOf(seat, area, layout, middle, point));
  }
  const all = [board, ...areas.values()];
  const left = Math.min(...all.map((area) => area.x)) - GAP;
  const top = Math.min(...all.map((area) => area.y)) - GAP;
  const right = Math.max(...all.map((area) => area.x + area.w)) + GAP;
  const bottom = Math.max(...all.map((area) => area.y + area.h)) + GAP;
  const view = { x: left, y: top, w: right - left, h: bottom - top };
  return { view, turned, squares, ...(middle && { middle }), trays, point, squareOf };
}

/** The side of the largest area, a square, that is free in each of the four corners. */
function emptyCorner(squares: Point[], middle: Area | undefined, board: Area): number {
  let size = Math.floor(Math.min(board.w, board.h) / 2);
  const taken = [...squares];
  if (middle) taken.push({ x: middle.x, y: middle.y }, { x: middle.x + middle.w - 1, y: middle.y + middle.h - 1 });
  for (const { x, y } of taken) {
    size = Math.min(size, Math.max(Math.min(x, board.w - 1 - x), Math.min(y, board.h - 1 - y)));
  }
  return size;
}

/** The direction from the centre of the board to the first square of a seat, in degrees clockwise from the right. */
function direction(seat: SeatPath, board: Area, point: Geometry["point"]): number {
  const own = seat.places.map((place) => point(seat.seat, place.place)).find((found) => found);
  const from = own ?? { x: board.w / 2, y: board.h };
  return (Math.atan2(from.y - board.h / 2, from.x - board.w / 2) * 180) / Math.PI;
}

const apart = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

function cornerAreas(seats: SeatPath[], size: number, board: Area, point: Geometry["point"]): Map<string, Area> {
  const w = board.w - size;
  const h = board.h - size;
  const free = [
    { angle: 45, x: w, y: h },
    { angle: 135, x: 0, y: h },
    { angle: 225, x: 0, y: 0 },
    { angle: 315, x: w, y: 0 },
  ];
  const areas = new Map<string, Area>();
  const inset = Math.max(0.3, size * 0.09);
  for (const seat of seats) {
    // The 25 degrees decide for a seat that begins in the middle of a side: it gets the next corner clockwise.
    const angle = (direction(seat, board, point) + 360 + 25) % 360;
    free.sort((a, b) => apart(a.angle, angle) - apart(b.angle, angle));
    const corner = free.shift();
    if (!corner) break;
    const length = size - 2 * inset;
    areas.set(seat.seat, { x: corner.x + inset, y: corner.y + inset, w: length, h: length });
  }
  return areas;
}

/** Strips on the sides of the board, for boards without free corners. */
function sideAreas(seats: SeatPath[], pawns: number, board: Area, point: Geometry["point"]): Map<string, Area> {
  const wide = board.w > board.h * 1.3;
  const tall = board.h > board.w * 1.3;
  const both = [
    { angle: 90, side: "bottom", seats: [] as string[] },
    { angle: 270, side: "top", seats: [] as string[] },
    { angle: 0, side: "right", seats: [] as string[] },
    { angle: 180, side: "left", seats: [] as string[] },
  ];
  const sides = both.filter(({ side }) => {
    if (wide) return side === "bottom" || side === "top";
    if (tall) return side === "left" || side === "right";
    return seats.length > 2 || side === "bottom" || side === "top";
  });
  const most = Math.ceil(seats.length / sides.length);
  for (const seat of seats) {
    const angle = (direction(seat, board, point) + 360) % 360;
    const open = sides.filter((side) => side.seats.length < most);
    open.sort((a, b) => a.seats.length - b.seats.length || apart(a.angle, angle) - apart(b.angle, angle));
    open[0]?.seats.push(seat.seat);
  }
  const areas = new Map<string, Area>();
  const depth = Math.max(1.15, Math.min(board.w, board.h) / 8);
  for (const { side, seats: here } of sides) {
    here.forEach((seat, index) => {
      const across = side === "bottom" || side === "top";
      const whole = across ? board.w : board.h;
      const length = Math.min(whole / here.length - 0.2, Math.max(whole * 0.7, (pawns + 1) * depth * 0.9));
      const start = (index + 0.5) * (whole / here.length) - length / 2;
      if (side === "bottom") areas.set(seat, { x: start, y: board.h + GAP, w: length, h: depth });
      if (side === "top") areas.set(seat, { x: start, y: -GAP - depth, w: length, h: depth });
      if (side === "right") areas.set(seat, { x: board.w + GAP, y: start, w: depth, h: length });
      if (side === "left") areas.set(seat, { x: -GAP - depth, y: start, w: depth, h: length });
    });
  }
  return areas;
}

function trayOf(seat: SeatPath, area: Area, layout: Layout, middle: Area | undefined, point: Geometry["point"]): Tray {
  const n = layout.pawns;
  const isCorner = Math.abs(area.w - area.h) < 0.01;
  const between = (k: number, count: number): number => (k + 0.5) / count;
  const waiting: Point[] = [];
  const home: Point[] = [];
  let size = 0.95;
  if (isCorner) {
    const columns = Math.ceil(Math.sqrt(n));
    const rows = Math.ceil(n / columns);
    const step = Math.min(area.w / (columns + 0.6), 1.9);
    const left = area.x + area.w / 2 - (step * columns) / 2;
    const top = area.y + area.h / 2 - (step * rows) / 2;
    for (let k = 0; k < n; k += 1) {
      waiting.push({ x: left + step * ((k % columns) + 0.5), y: top + step * (Math.floor(k / columns) + 0.5) });
    }
  } else {
    // On a board without a middle, one end of the strip is the home of the seat.
    const share = middle ? 1 : 0.58;
    size = Math.min(1, (Math.max(area.w, area.h) * share) / n / 0.8);
    for (let k = 0; k < n; k += 1) {
      const a = between(k, n) * share;
      waiting.push(
        area.w > area.h
          ? { x: area.x + area.w * a, y: area.y + area.h / 2 }
          : { x: area.x + area.w / 2, y: area.y + area.h * a },
      );
    }
  }
  if (middle) {
    const centre = { x: middle.x + middle.w / 2, y: middle.y + middle.h / 2 };
    const last = [...seat.places]
      .reverse()
      .map((place) => point(seat.seat, place.place))
      .find((found) => found);
    const angle = last ? Math.atan2(last.y - centre.y, last.x - centre.x) : 0;
    const reach = Math.min(middle.w, middle.h) * 0.3;
    const width = Math.min(middle.w, middle.h) * 0.3;
    const columns = Math.ceil(Math.sqrt(n));
    for (let k = 0; k < n; k += 1) {
      const row = Math.floor(k / columns);
      const inRow = Math.min(columns, n - row * columns);
      const side = ((k % columns) - (inRow - 1) / 2) * (width / columns);
      const out = reach + (0.5 - row) * (width / columns) * 0.8;
      home.push({
        x: centre.x + Math.cos(angle) * out - Math.sin(angle) * side,
        y: centre.y + Math.sin(angle) * out + Math.cos(angle) * side,
      });
    }
  } else {
    for (let k = 0; k < n; k += 1) {
      const a = 0.61 + between(k, n) * 0.37;
      home.push(
        area.w > area.h
          ? { x: area.x + area.w * a, y: area.y + area.h / 2 }
          : { x: area.x + area.w / 2, y: area.y + area.h * a },
      );
    }
  }
  return { seat: seat.seat, area, waiting, home, size, homeIsMiddle: Boolean(middle) };
}

/** The point and the size of the pawn with this index, when `count` pawns stand on one square. */
export function inSquare(centre: Point, index: number, count: number): Point & { size: number } {
  if (count <= 1) return { ...centre, size: 1 };
  if (count === 2) return { x: centre.x + (index ? 0.19 : -0.19), y: centre.y + (index ? 0.13 : -0.13), size: 0.84 };
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const step = 0.8 / columns;
  return {
    x: centre.x + ((index % columns) - (columns - 1) / 2) * step,
    y: centre.y + (Math.floor(index / columns) - (rows - 1) / 2) * step,
    size: Math.max(0.4, step * 1.45),
  };
}
