// The middle of the board. It has a field for each seat, on the side from which the seat's pawns come home.
import type { JSX } from "preact";
import type { Layout } from "../api/types";
import { type Area, box, type Geometry, type Point } from "./geometry";

interface Props {
  layout: Layout;
  geometry: Geometry;
  paints: Map<string, string>;
}

/** A seat, and the direction from which its pawns come home, in radians clockwise from the right. */
interface Arrival {
  seat: string;
  angle: number;
}

export function Middle({ layout, geometry, paints }: Props): JSX.Element {
  const area = geometry.middle!;
  const centre = { x: area.x + area.w / 2, y: area.y + area.h / 2 };
  const arrivals = layout.seats.flatMap((seat): Arrival[] => {
    const last = [...seat.places]
      .reverse()
      .map((place) => geometry.point(seat.seat, place.place))
      .find(Boolean);
    return last ? [{ seat: seat.seat, angle: Math.atan2(last.y - centre.y, last.x - centre.x) }] : [];
  });
  const length = Math.min(area.w, area.h);
  const isSquare = arrivals.length <= 4;
  const fields = isSquare ? triangles(arrivals, area, centre) : sectors(arrivals, centre, length / 2);
  return (
    <g class="middle">
      <rect class="cloth" {...box(area)} />
      {fields.map(({ seat, d }) => (
        <path key={seat} class="field" d={d} fill={paints.get(seat)} />
      ))}
      {isSquare && <path class="threads" d={diagonals(area)} />}
      <circle class="boss" cx={centre.x} cy={centre.y} r={length * 0.14} />
    </g>
  );
}

interface ShownField {
  seat: string;
  d: string;
}

/** One of the four triangles of the middle for each seat. */
function triangles(arrivals: Arrival[], { x, y, w, h }: Area, centre: Point): ShownField[] {
  const corners = [`${x + w} ${y}`, `${x + w} ${y + h}`, `${x} ${y + h}`, `${x} ${y}`];
  return arrivals.map(({ seat, angle }) => {
    // The sides are right, bottom, left and top, a quarter of a turn each.
    const side = (Math.round((angle * 2) / Math.PI) + 4) % 4;
    return { seat, d: `M${centre.x} ${centre.y}L${corners[side]}L${corners[(side + 1) % 4]}Z` };
  });
}

const diagonals = ({ x, y, w, h }: Area): string => `M${x} ${y}l${w} ${h}M${x + w} ${y}l${-w} ${h}`;

/** A sector of a circle for each seat, which ends half-way to the next seat. */
function sectors(arrivals: Arrival[], centre: Point, radius: number): ShownField[] {
  const turn = 2 * Math.PI;
  const sorted = [...arrivals].sort((a, b) => a.angle - b.angle);
  const at = (angle: number): string =>
    `${centre.x + Math.cos(angle) * radius} ${centre.y + Math.sin(angle) * radius}`;
  return sorted.map(({ seat, angle }, index) => {
    const before = sorted.at(index - 1)!.angle - (index === 0 ? turn : 0);
    const after = sorted[(index + 1) % sorted.length]!.angle + (index === sorted.length - 1 ? turn : 0);
    const [from, to] = [(before + angle) / 2, (angle + after) / 2];
    const isLong = to - from > Math.PI ? 1 : 0;
    return { seat, d: `M${centre.x} ${centre.y}L${at(from)}A${radius} ${radius} 0 ${isLong} 1 ${at(to)}Z` };
  });
}
