// The trays beside the board: where the pawns of each seat wait, and come home if the board has no middle.
import type { SeatPath } from "../api/types";
import { type Area, GAP, type Point, type Spot } from "./geometry";

export interface Tray {
  seat: string;
  area: Area;
  /** The spots of the pawns that are off the board, one for each pawn. */
  waiting: Spot[];
  /** The spots of the pawns that are home, one for each pawn. */
  home: Spot[];
}

/** The parts of the picture that decide where the trays of the pawns are placed. */
export interface Surroundings {
  board: Area;
  squares: Point[];
  middle: Area | undefined;
  /** Number of pawns of each seat. */
  pawns: number;
  point: (seat: string, place: string) => Point | undefined;
}

/** The largest distance between two pawns that wait. */
const WIDEST = 1.9;
/** Number of corners, and of sides, of a board. */
const CORNERS = 4;

/** The trays of these seats: in the corners of a cross, on the sides of a full board, or between many arms. */
export function traysOf(seats: SeatPath[], around: Surroundings): Map<string, Tray> {
  const corner = emptyCorner(around);
  const place = seats.length > CORNERS ? areasBetween : corner >= 3 ? cornerAreas : sideAreas;
  const areas = place(seats, around, corner);
  const trays = new Map<string, Tray>();
  for (const seat of seats) {
    const area = areas.get(seat.seat);
    if (area) trays.set(seat.seat, { seat: seat.seat, area, ...spotsIn(area, seat, seats.length, around) });
  }
  return trays;
}

/** The side of the largest area, a square, that is free in each of the four corners. */
function emptyCorner({ board, squares, middle }: Surroundings): number {
  let size = Math.floor(Math.min(board.w, board.h) / 2);
  const taken = [...squares];
  if (middle) taken.push({ x: middle.x, y: middle.y }, { x: middle.x + middle.w - 1, y: middle.y + middle.h - 1 });
  for (const { x, y } of taken) {
    size = Math.min(size, Math.max(Math.min(x, board.w - 1 - x), Math.min(y, board.h - 1 - y)));
  }
  return size;
}

/** The centre of the first square of a seat. */
function beginning(seat: SeatPath, { board, point }: Surroundings): Point {
  const own = seat.places.map((place) => point(seat.seat, place.place)).find((found) => found);
  return own ?? { x: board.w / 2, y: board.h };
}

/** The direction from the centre of the board to the first square of a seat, in degrees clockwise from the right. */
function direction(seat: SeatPath, around: Surroundings): number {
  const from = beginning(seat, around);
  const { w, h } = around.board;
  return ((Math.atan2(from.y - h / 2, from.x - w / 2) * 180) / Math.PI + 360) % 360;
}

const apart = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);

function cornerAreas(seats: SeatPath[], around: Surroundings, size: number): Map<string, Area> {
  const w = around.board.w - size;
  const h = around.board.h - size;
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
    const angle = (direction(seat, around) + 25) % 360;
    free.sort((a, b) => apart(a.angle, angle) - apart(b.angle, angle));
    const corner = free.shift();
    if (!corner) break;
    const length = size - 2 * inset;
    areas.set(seat.seat, { x: corner.x + inset, y: corner.y + inset, w: length, h: length });
  }
  return areas;
}

/** Strips on the sides of the board, for boards without free corners. */
function sideAreas(seats: SeatPath[], around: Surroundings): Map<string, Area> {
  const { board, pawns } = around;
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
    const angle = direction(seat, around);
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

/** The radius of the circle round a square, with a margin: a square may be turned. */
const SQUARE = 0.8;

/**
 * One free area for the pawns of each seat, between the arms or outside the board: near the seat's first square, and
 * where it enlarges the picture little.
 */
function areasBetween(seats: SeatPath[], around: Surroundings): Map<string, Area> {
  const { board, pawns, middle } = around;
  const side = Math.ceil(Math.sqrt(pawns)) * 0.8 + 0.5;
  const centre = { x: board.w / 2, y: board.h / 2 };
  const areas = new Map<string, Area>();
  const isFree = (area: Area): boolean => {
    const beside = (other: Area): boolean =>
      area.x > other.x + other.w + 0.2 ||
      other.x > area.x + area.w + 0.2 ||
      area.y > other.y + other.h + 0.2 ||
      other.y > area.y + area.h + 0.2;
    if (middle && !beside(middle)) return false;
    if (![...areas.values()].every(beside)) return false;
    return around.squares.every((square) => {
      const x = square.x + 0.5;
      const y = square.y + 0.5;
      const dx = Math.max(area.x - x, 0, x - area.x - area.w);
      const dy = Math.max(area.y - y, 0, y - area.y - area.h);
      return Math.hypot(dx, dy) >= SQUARE;
    });
  };
  const outside = ({ x, y, w, h }: Area): number =>
    Math.max(0, -x) + Math.max(0, -y) + Math.max(0, x + w - board.w) + Math.max(0, y + h - board.h);
  const farthest = Math.hypot(board.w, board.h) / 2 + 2 * side;
  for (const seat of [...seats].sort((a, b) => direction(a, around) - direction(b, around))) {
    const first = beginning(seat, around);
    const angle = direction(seat, around);
    let best: { area: Area; cost: number } | undefined;
    for (let turn = -90; turn <= 90; turn += 5) {
      const radians = ((angle + turn) * Math.PI) / 180;
      for (let away = 0; away <= farthest; away += 0.5) {
        const x = centre.x + Math.cos(radians) * away;
        const y = centre.y + Math.sin(radians) * away;
        const area = { x: x - side / 2, y: y - side / 2, w: side, h: side };
        // A turn against the clock costs a little more, so that all seats choose the same side of their arms.
        const cost = Math.hypot(x - first.x, y - first.y) + outside(area) * 1.5 + (turn < 0 ? 0.4 : 0);
        if ((!best || cost < best.cost) && isFree(area)) best = { area, cost };
      }
    }
    if (best) areas.set(seat.seat, best.area);
  }
  return areas;
}

/** The spots of `count` pawns in an area, as large as there is room for. */
function grid(area: Area, count: number): Spot[] {
  const stepWith = (columns: number): number => Math.min(area.w / columns, area.h / Math.ceil(count / columns));
  let columns = 1;
  for (let more = 2; more <= count; more += 1) if (stepWith(more) > stepWith(columns) + 1e-6) columns = more;
  const rows = Math.ceil(count / columns);
  const across = Math.min(area.w / columns, WIDEST);
  const down = Math.min(area.h / rows, WIDEST);
  const left = area.x + (area.w - across * columns) / 2;
  const top = area.y + (area.h - down * rows) / 2;
  const size = Math.min(0.95, Math.min(across, down) / 0.8);
  return Array.from({ length: count }, (_, k) => ({
    x: left + across * ((k % columns) + 0.5),
    y: top + down * (Math.floor(k / columns) + 0.5),
    size,
  }));
}

/** The spots of a seat's pawns that wait in its area, and of those that are home. */
function spotsIn(area: Area, seat: SeatPath, seats: number, around: Surroundings): Pick<Tray, "waiting" | "home"> {
  const { middle, pawns } = around;
  const isSquare = Math.abs(area.w - area.h) < 0.01;
  const inner = isSquare ? inset(area, Math.min(area.w * 0.1, 0.3)) : area;
  if (middle) return { waiting: grid(inner, pawns), home: homeInMiddle(middle, seat, seats, around) };
  // On a board without a middle, one end of the area is the home of the seat.
  const isWide = area.w > area.h;
  const part = (from: number, share: number): Area =>
    isWide
      ? { ...inner, x: inner.x + inner.w * from, w: inner.w * share }
      : { ...inner, y: inner.y + inner.h * from, h: inner.h * share };
  const home = grid(part(0.6, 0.4), pawns).map((spot) => ({ ...spot, size: spot.size * 0.7 }));
  return { waiting: grid(part(0, 0.58), pawns), home };
}

const inset = ({ x, y, w, h }: Area, by: number): Area => ({ x: x + by, y: y + by, w: w - 2 * by, h: h - 2 * by });

/** The spots in the middle of the board, on the side from which the seat's pawns come home. */
function homeInMiddle(middle: Area, seat: SeatPath, seats: number, { pawns, point }: Surroundings): Spot[] {
  const centre = { x: middle.x + middle.w / 2, y: middle.y + middle.h / 2 };
  const last = [...seat.places]
    .reverse()
    .map((place) => point(seat.seat, place.place))
    .find((found) => found);
  const angle = last ? Math.atan2(last.y - centre.y, last.x - centre.x) : 0;
  const length = Math.min(middle.w, middle.h);
  const reach = length * 0.3;
  // Up to five seats have room enough. With more seats, each has a smaller share of the circle.
  const share = Math.min(1, Math.sin(Math.PI / Math.max(seats, CORNERS)) / Math.sin(Math.PI / 5));
  const width = reach * share;
  const columns = Math.ceil(Math.sqrt(pawns));
  const size = Math.min(1, (middle.w * 0.95) / Math.max(2.6, columns * 1.5)) * 0.75 * share;
  return Array.from({ length: pawns }, (_, k) => {
    const row = Math.floor(k / columns);
    const inRow = Math.min(columns, pawns - row * columns);
    const side = ((k % columns) - (inRow - 1) / 2) * (width / columns);
    const out = reach + (0.5 - row) * (width / columns) * 0.8;
    return {
      x: centre.x + Math.cos(angle) * out - Math.sin(angle) * side,
      y: centre.y + Math.sin(angle) * out + Math.cos(angle) * side,
      size,
    };
  });
}
