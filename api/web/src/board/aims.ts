// Where the targets of moves are drawn: each can be hit by a finger, however many of them are close together.
import type { Layout } from "../api/types";
import type { Geometry, Point } from "./geometry";

interface Target {
  seat: string;
  place: string;
}

/** The point of a target, and the largest radius with which it does not cover another one. */
export interface Aim extends Point {
  room: number;
}

/** The least distance between two targets, and from a target to the edge of the picture. */
const APART = 0.84;
const EDGE = 0.45;
/** How often targets that are too close push each other apart. */
const PUSHES = 30;

/** Places all targets. Several targets at one place stand side by side. */
export function aimsOf<T extends Target>(targets: T[], layout: Layout, geometry: Geometry): Map<T, Aim> {
  const points = new Map<T, Point>();
  for (const target of targets) {
    const place = pointOf(target, layout, geometry);
    const here = targets.filter((other) => other.seat === target.seat && other.place === target.place);
    const beside = (here.indexOf(target) - (here.length - 1) / 2) * APART;
    if (place) points.set(target, { x: place.x + beside, y: place.y });
  }
  const all = [...points.values()];
  const { x, y, w, h } = geometry.view;
  for (let pushes = 0; pushes < PUSHES; pushes += 1) {
    for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) push(one, other);
    for (const point of all) {
      point.x = Math.min(Math.max(point.x, x + EDGE), x + w - EDGE);
      point.y = Math.min(Math.max(point.y, y + EDGE), y + h - EDGE);
    }
  }
  return new Map([...points].map(([target, point]) => [target, { ...point, room: roomOf(point, all) }]));
}

/** Moves two points apart along the line between them, if they are too close. */
function push(one: Point, other: Point): void {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const distance = Math.hypot(dx, dy);
  if (distance >= APART) return;
  const share = distance > 0 ? (APART - distance) / 2 / distance : 0;
  // If both targets are at the same point, one goes up and the other down.
  const [px, py] = distance > 0 ? [dx * share, dy * share] : [0, APART / 2];
  one.x -= px;
  one.y -= py;
  other.x += px;
  other.y += py;
}

const roomOf = (point: Point, all: Point[]): number =>
  Math.min(...all.filter((other) => other !== point).map(({ x, y }) => Math.hypot(x - point.x, y - point.y) / 2), 1);

/** The point of the target's place, or of the tray where a pawn comes home or waits. */
function pointOf({ seat, place }: Target, layout: Layout, geometry: Geometry): Point | undefined {
  const onBoard = geometry.point(seat, place);
  if (onBoard) return onBoard;
  const tray = geometry.trays.get(seat);
  const slots = (place === layout.home ? tray?.home : tray?.waiting) ?? [];
  return slots[Math.floor(slots.length / 2)] ?? slots[0];
}
