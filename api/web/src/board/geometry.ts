// The positions at which the parts of a board are drawn. The unit is the side of a square; the upper left corner of the
// board is (0, 0).
import type { Layout, Square } from "../api/types";
import { type Tray, traysOf } from "./trays";

export interface Point {
  x: number;
  y: number;
}

export interface Area extends Point {
  w: number;
  h: number;
}

/** The point of a pawn, and its size. The size of a pawn alone on a square is 1. */
export interface Spot extends Point {
  size: number;
}

/** The attributes of a rectangle. */
export const box = ({ x, y, w, h }: Area) => ({ x, y, width: w, height: h });

/** A square of the picture. `turn` is in degrees clockwise. */
export type PlacedSquare = Square & Point & { turn: number };

export interface Geometry {
  view: Area;
  turned: boolean;
  /** The squares, each with its upper left corner before it is turned about its middle. */
  squares: PlacedSquare[];
  middle?: Area;
  trays: Map<string, Tray>;
  /** The centre of the square of a place on a seat's path; `undefined` for places off the board. */
  point(seat: string, place: string): Point | undefined;
  squareOf(seat: string, place: string): string | undefined;
}

/** The distance between the board, the trays and the edge of the picture. */
export const GAP = 0.35;

export function geometryOf(layout: Layout, turned: boolean): Geometry {
  const turn = (x: number, y: number): Point => (turned ? { x: layout.height - 1 - y, y: x } : { x, y });
  const columns = turned ? layout.height : layout.width;
  const rows = turned ? layout.width : layout.height;
  const squares = layout.squares.map((square): PlacedSquare => {
    const { drawn } = square;
    if (!drawn) return { ...square, ...turn(square.x, square.y), turn: 0 };
    return { ...square, ...turn(drawn.x - 0.5, drawn.y - 0.5), turn: drawn.turn };
  });
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
    middle = turned ? { x: layout.height - y - h, y: x, w: h, h: w } : { x, y, w, h };
  }
  const playing = layout.seats.filter((seat) => seat.plays);
  const board = { x: 0, y: 0, w: columns, h: rows };
  const trays = traysOf(playing, { board, squares, middle, pawns: layout.pawns, point });
  const all = [board, ...[...trays.values()].map((tray) => tray.area)];
  const left = Math.min(...all.map((area) => area.x)) - GAP;
  const top = Math.min(...all.map((area) => area.y)) - GAP;
  const right = Math.max(...all.map((area) => area.x + area.w)) + GAP;
  const bottom = Math.max(...all.map((area) => area.y + area.h)) + GAP;
  const view = { x: left, y: top, w: right - left, h: bottom - top };
  return { view, turned, squares, ...(middle && { middle }), trays, point, squareOf };
}

/** The spot of the pawn with this index, when `count` pawns or piles of pawns stand on one square. */
export function inSquare(centre: Point, index: number, count: number): Spot {
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
