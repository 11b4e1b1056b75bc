// The board without pawns: squares, marks, middle, jumps and trays. It is drawn once for each layout.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import type { Layout } from "../api/types";
import { box, type Geometry, type Point } from "./geometry";
import { contrast, MarkSign } from "./glyph";
import { Middle } from "./Middle";

interface Props {
  layout: Layout;
  geometry: Geometry;
  /** The seat whose numbers are written on the squares. */
  labels?: string | undefined;
}

export const Ground = memo(function Ground({ layout, geometry, labels }: Props): JSX.Element {
  const paints = new Map(layout.seats.map((seat) => [seat.seat, seat.paint]));
  const kinds = [...new Set(layout.squares.flatMap((square) => square.tags.map((tag) => tag.tag)))].sort();
  const numbers = new Map<string, string>();
  for (const place of layout.seats.find((seat) => seat.seat === labels)?.places ?? []) {
    if (place.square && !numbers.has(place.square)) numbers.set(place.square, place.place);
  }
  return (
    <g class="ground">
      <Cloth geometry={geometry} />
      {[...geometry.trays.values()].map((tray) => (
        <g key={tray.seat} class="tray">
          <rect {...box(tray.area)} rx={Math.min(tray.area.w, tray.area.h) * 0.2} fill={paints.get(tray.seat)} />
          {tray.waiting.map((slot, index) => (
            <circle key={index} class="slot" cx={slot.x} cy={slot.y} r={0.37 * slot.size} />
          ))}
        </g>
      ))}
      {geometry.squares.map((square) => (
        <g key={square.id} class="square" data-square={square.id} transform={`translate(${square.x} ${square.y})`}>
          <g transform={square.turn ? `rotate(${square.turn} 0.5 0.5)` : undefined}>
            <rect class="cloth" x="0.03" y="0.03" width="0.94" height="0.94" rx="0.08" />
            {square.seat && (
              <rect class="own" x="0.03" y="0.03" width="0.94" height="0.94" rx="0.08" fill={paints.get(square.seat)} />
            )}
            {square.tags.map((tag) => (
              <g
                key={tag.tag}
                class="mark"
                transform="translate(0.5 0.5) scale(0.36)"
                stroke={markPaint(tag.seat && paints.get(tag.seat))}
              >
                <MarkSign index={kinds.indexOf(tag.tag)} />
              </g>
            ))}
          </g>
          {numbers.has(square.id) && (
            <text class="number" x="0.93" y="0.27">
              {numbers.get(square.id)}
            </text>
          )}
        </g>
      ))}
      {geometry.middle && <Middle layout={layout} geometry={geometry} paints={paints} />}
      <Jumps layout={layout} geometry={geometry} />
    </g>
  );
});

/** The colour of squares: the value of `--cloth` in the light style. The value in the dark style is nearly as light. */
const CLOTH = "#fbf3e2";

/**
 * The colour of a seat's mark. `undefined` if it is too light for a square; the mark then has the colour of all marks.
 */
const markPaint = (paint: string | undefined): string | undefined =>
  paint && contrast(paint, CLOTH) >= 3 ? paint : undefined;

/** The border round the squares: a wider rectangle is drawn below each square. */
function Cloth({ geometry }: { geometry: Geometry }): JSX.Element {
  const { squares, middle } = geometry;
  const below = squares.map((square) => outline(square, 1, 1, square.turn));
  const path = [...below, ...(middle ? [outline(middle, middle.w, middle.h, 0)] : [])].join("");
  return (
    <>
      <path class="seam" d={path} />
      <path class="backing" d={path} />
    </>
  );
}

/** The outline of a rectangle that is 0.22 wider on each side, turned about its middle. */
function outline({ x, y }: Point, w: number, h: number, degrees: number): string {
  const sin = Math.sin((degrees * Math.PI) / 180);
  const cos = Math.cos((degrees * Math.PI) / 180);
  const [right, down] = [w / 2 + 0.22, h / 2 + 0.22];
  const corners = [[-right, -down], [right, -down], [right, down], [-right, down]] as const;
  const points = corners.map(([dx, dy]) => `${x + w / 2 + dx * cos - dy * sin} ${y + h / 2 + dx * sin + dy * cos}`);
  return `M${points.join("L")}Z`;
}

/** The jumps of the board: a jump forward is drawn as a ladder, a jump back as a snake. */
function Jumps({ layout, geometry }: Props): JSX.Element | null {
  const seat = layout.seats.find((one) => one.plays) ?? layout.seats[0];
  if (!seat || layout.jumps.length === 0) return null;
  const order = new Map(seat.places.map((place, index) => [place.place, index]));
  return (
    <g class="jumps">
      {layout.jumps.map((jump) => {
        const from = geometry.point(seat.seat, jump.from);
        const to = geometry.point(seat.seat, jump.to);
        if (!from || !to) return null;
        const key = `${jump.from}-${jump.to}`;
        const back = (order.get(jump.to) ?? 0) < (order.get(jump.from) ?? 0);
        return back ? <Snake key={key} from={from} to={to} /> : <Ladder key={key} from={from} to={to} />;
      })}
    </g>
  );
}

function Ladder({ from, to }: { from: Point; to: Point }): JSX.Element {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const nx = (-(to.y - from.y) / length) * 0.17;
  const ny = ((to.x - from.x) / length) * 0.17;
  const rungs = Math.max(2, Math.round(length * 2));
  let path = [1, -1]
    .map((side) => `M${from.x + side * nx} ${from.y + side * ny}L${to.x + side * nx} ${to.y + side * ny}`)
    .join("");
  for (let k = 1; k < rungs; k += 1) {
    const x = from.x + ((to.x - from.x) * k) / rungs;
    const y = from.y + ((to.y - from.y) * k) / rungs;
    path += `M${x + nx} ${y + ny}L${x - nx} ${y - ny}`;
  }
  return <path class="ladder" d={path} />;
}

function Snake({ from, to }: { from: Point; to: Point }): JSX.Element {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const nx = -(to.y - from.y) / length;
  const ny = (to.x - from.x) / length;
  const bends = Math.max(2, Math.round(length / 1.3));
  let path = `M${from.x} ${from.y}`;
  for (let k = 0; k < bends; k += 1) {
    const side = (k % 2 ? -1 : 1) * 0.42;
    const at = (share: number): Point => ({
      x: from.x + ((to.x - from.x) * (k + share)) / bends,
      y: from.y + ((to.y - from.y) * (k + share)) / bends,
    });
    const bend = at(0.5);
    const end = at(1);
    path += `Q${bend.x + nx * side} ${bend.y + ny * side} ${end.x} ${end.y}`;
  }
  return (
    <g class="snake">
      <path d={path} />
      <circle cx={from.x} cy={from.y} r="0.17" />
    </g>
  );
}
