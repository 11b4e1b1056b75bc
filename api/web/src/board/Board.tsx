// The board with its pawns. Pawns that can move, and the places where they can go, are buttons for touch, mouse and
// keyboard.
import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Layout } from "../api/types";
import { aimsOf } from "./aims";
import { buttonProps } from "./button";
import { geometryOf, type Geometry } from "./geometry";
import { Ground } from "./Ground";
import { Pawn } from "./Pawn";
import { type ShownPawn, spotsOf } from "./spots";

export type { ShownPawn };

export interface Target {
  /** The action that a press on the marker plays, in its notation. */
  action: string;
  seat: string;
  place: string;
  path: string[];
  /** The text on the marker: the numbers that the action spends. */
  text: string;
  label: string;
  captures: boolean;
  play: () => void;
}

interface Props {
  layout: Layout;
  label: string;
  pawns?: ShownPawn[];
  /** Seats in the order of travel. The index of a seat selects its sign. */
  order?: string[];
  movable?: ReadonlySet<string>;
  /** Pawns that show, when pressed, the reasons why they cannot move. */
  askable?: ReadonlySet<string>;
  selected?: string | undefined;
  targets?: Target[];
  /** The path to draw, such as the path of the action that has the focus. */
  way?: { seat: string; from: string; path: string[] } | undefined;
  labels?: string | undefined;
  due?: string | undefined;
  moving?: ReadonlySet<string>;
  onPawn?: (pawn: string) => void;
  pawnLabel?: (pawn: ShownPawn) => string;
}

const NO_PAWNS: ShownPawn[] = [];
const NONE: ReadonlySet<string> = new Set();

export function Board(props: Props): JSX.Element {
  const { layout, pawns = NO_PAWNS, movable = NONE, askable = NONE, moving = NONE, targets = [] } = props;
  const turned = useNarrow() && layout.width > layout.height * 1.4;
  const geometry = useMemo(() => geometryOf(layout, turned), [layout, turned]);
  const order = props.order ?? layout.seats.map((seat) => seat.seat);
  const paints = useMemo(() => new Map(layout.seats.map((seat) => [seat.seat, seat.paint])), [layout]);
  const { pawns: spots, piles } = useMemo(() => spotsOf(pawns, layout, geometry), [pawns, layout, geometry]);
  const aims = aimsOf(targets, layout, geometry);
  // One function for all renderings: pawns with another function would be drawn again.
  const press = useRef(props.onPawn);
  press.current = props.onPawn;
  const onPress = useCallback((pawn: string) => press.current?.(pawn), []);
  const { view } = geometry;
  const due = props.due ? geometry.trays.get(props.due) : undefined;
  // A pawn in motion is drawn above the others, and a pawn of a pile that can move above the rest of the pile.
  const piled = new Set(piles.flatMap((pile) => pile.pawns));
  const height = ({ id }: ShownPawn): number => (moving.has(id) ? 2 : piled.has(id) && movable.has(id) ? 1 : 0);
  const drawn = [...pawns].sort((a, b) => height(a) - height(b));
  return (
    <svg
      class="board"
      viewBox={`${view.x} ${view.y} ${view.w} ${view.h}`}
      role={props.onPawn ? "group" : "img"}
      aria-label={props.label}
      data-turned={turned}
    >
      <Ground layout={layout} geometry={geometry} labels={props.labels} />
      {due && (
        <rect
          class="due"
          stroke-width={0.05 + view.w * 0.004}
          x={due.area.x - 0.08}
          y={due.area.y - 0.08}
          width={due.area.w + 0.16}
          height={due.area.h + 0.16}
          rx={Math.min(due.area.w, due.area.h) * 0.2 + 0.08}
        />
      )}
      {props.way && <Way {...props.way} geometry={geometry} paint={paints.get(props.way.seat)} />}
      <g class="pawns">
        {drawn.map((pawn) => {
          const spot = spots.get(pawn.id);
          if (!spot) return null;
          const canMove = movable.has(pawn.id);
          return (
            <Pawn
              key={pawn.id}
              {...pawn}
              {...spot}
              paint={paints.get(pawn.seat) ?? "#888888"}
              sign={order.indexOf(pawn.seat)}
              canMove={canMove}
              isSelected={props.selected === pawn.id}
              isMoving={moving.has(pawn.id)}
              label={canMove || askable.has(pawn.id) ? (props.pawnLabel?.(pawn) ?? pawn.id) : undefined}
              onPress={onPress}
            />
          );
        })}
      </g>
      {/* The number of pawns of each pile. Screen readers do not need it: each pawn names its place. */}
      <g class="piles" aria-hidden="true">
        {piles.map(({ seat, x, y, size, pawns: { length } }) => (
          <g key={`${seat} ${x} ${y}`} data-pile={length} transform={`translate(${x} ${y}) scale(${size})`}>
            <circle cx="0.3" cy="-0.28" r="0.26" />
            <text x="0.3" y="-0.26">
              {length}
            </text>
          </g>
        ))}
      </g>
      <g class="targets">
        {targets.map((target) => {
          const spot = aims.get(target);
          if (!spot) return null;
          return (
            <g
              key={target.action}
              class={`target${target.captures ? " captures" : ""}`}
              data-target={target.action}
              transform={`translate(${spot.x} ${spot.y})`}
              {...buttonProps(target.play, target.label, 0)}
            >
              <circle class="reach" r={Math.min(0.62, spot.room)} />
              <circle class="ring" r={Math.min(0.42, spot.room)} />
              <text class={target.text.length > 2 ? "long" : ""} y="0.02">
                {target.text}
              </text>
            </g>
          );
        })}
      </g>
    </svg>
  );
}

interface WayProps {
  seat: string;
  from: string;
  path: string[];
  geometry: Geometry;
  paint: string | undefined;
}

function Way({ seat, from, path, geometry, paint }: WayProps): JSX.Element | null {
  const points = [from, ...path].map((place) => geometry.point(seat, place)).filter((point) => point !== undefined);
  if (points.length === 0) return null;
  const line = points.map((point, index) => `${index ? "L" : "M"}${point.x} ${point.y}`).join("");
  return (
    <g class="way" aria-hidden="true">
      <path class="under" d={line} />
      <path d={line} stroke={paint} />
      {points.slice(1).map((point, index) => (
        <circle key={index} cx={point.x} cy={point.y} r="0.11" fill={paint} />
      ))}
    </g>
  );
}

/** Whether the screen is at most 640 pixels wide. Wide boards are then turned by a quarter. */
function useNarrow(): boolean {
  const query = useMemo(() => matchMedia("(max-width: 640px)"), []);
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const change = (): void => setNarrow(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [query]);
  return narrow;
}
