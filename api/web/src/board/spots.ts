// Where the pawns of a game are drawn.
import type { Layout } from "../api/types";
import { type Geometry, inSquare, type Point, type Spot } from "./geometry";

export interface ShownPawn {
  id: string;
  seat: string;
  place: string;
}

/** The spots of pawns by their ids, and the piles: pawns of one seat on one square that are drawn as one. */
export interface Spots {
  pawns: Map<string, Spot>;
  piles: Pile[];
}

export interface Pile extends Spot {
  seat: string;
  pawns: string[];
}

/** If more pawns than this stand on one square, the pawns of each seat become a pile. */
const MOST_APART = 9;
/** The distance between two pawns of a pile, and the number of pawns that are seen in it. */
const LAYER = 0.05;
const LAYERS = 3;

/** Places all pawns. Pawns on the same square are drawn side by side. */
export function spotsOf(pawns: ShownPawn[], layout: Layout, geometry: Geometry): Spots {
  const squares = new Map<string, ShownPawn[]>();
  const spots: Spots = { pawns: new Map(), piles: [] };
  const numbers = new Map<string, number>();
  for (const pawn of pawns) {
    const number = numbers.get(pawn.seat) ?? 0;
    numbers.set(pawn.seat, number + 1);
    const square = geometry.squareOf(pawn.seat, pawn.place);
    if (square) {
      squares.set(square, [...(squares.get(square) ?? []), pawn]);
      continue;
    }
    const tray = geometry.trays.get(pawn.seat);
    const spot = (pawn.place === layout.home ? tray?.home : tray?.waiting)?.[number];
    if (spot) spots.pawns.set(pawn.id, spot);
  }
  for (const here of squares.values()) {
    const centre = geometry.point(here[0]!.seat, here[0]!.place);
    if (!centre) continue;
    if (here.length > MOST_APART) pileUp(here, centre, spots);
    else here.forEach((pawn, index) => spots.pawns.set(pawn.id, inSquare(centre, index, here.length)));
  }
  return spots;
}

function pileUp(here: ShownPawn[], centre: Point, spots: Spots): void {
  const seats = [...new Set(here.map((pawn) => pawn.seat))];
  seats.forEach((seat, index) => {
    const own = here.filter((pawn) => pawn.seat === seat).map((pawn) => pawn.id);
    const { x, y, size } = inSquare(centre, index, seats.length);
    own.forEach((id, at) => {
      const lift = Math.min(own.length - 1 - at, LAYERS - 1) * LAYER * size;
      spots.pawns.set(id, { x: x - lift, y: y - lift, size });
    });
    if (own.length > 1) spots.piles.push({ x, y, size, seat, pawns: own });
  });
}
