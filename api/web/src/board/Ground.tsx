// The board without pawns: squares, marks, middle, jumps and trays. It is drawn once for each layout.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import type { Layout } from "../api/types";
import type { Geometry, Point } from "./geometry";
import { isDark, MarkSign } from "./glyph";

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
            <circle key={index} class="slot" cx={slot.x} cy={slot.y} r={0.37 * tray.size} />
          ))}
        </g>
      ))}
      {geometry.squares.map((square) => (
        <g key={square.id} class="square" data-square={square.id} transform={`translate(${square.x} ${square.y})`}>
          <rect class="cloth" x="0.03" y="0.03" width="0.94" height="0.94" rx="0.08" />
          {square.seat && (
            <rect class="own" x="0.03" y="0.03" width="0.94" height="0.94" rx="0.08" fill={paints.get(square.seat)} />
          )}
          {square.tags.map((tag) => (
            <g
              key={tag.tag}
              transform="translate(0.5 0.5) scale(0.36)"
              stroke={tag.seat && isDark(paints.get(tag.seat) ?? "") ? paints.get(tag.seat) : undefined}
            >
              <MarkSign index={kinds.indexOf(tag.tag)} />
            </g>
          ))}
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

const box = (area: { x: number; y: number; w: number; h: number }) => ({
  x: area.x,
  y: area.y,
  width: area.w,
  height: area.h,
});

/** The border round the squares: a wider rectangle is drawn below each square. */
function Cloth({ geometry }: { geometry: Geometry }): JSX.Element {
  const path = [...geometry.squares, ...(geometry.middle ? [geometry.middle] : [])]
    .map((area) => {
      const { w, h } = "w" in area ? area : { w: 1, h: 1 };
      return `M${area.x - 0.22} ${area.y - 0.22}h${w + 0.44}v${h + 0.44}h${-(w + 0.44)}Z`;
    })
    .join("");
  return (
    <>
      <path class="seam" d={path} />
      <path class="backing" d={path} />
    </>
  );
}

/** The middle of the board. It has a triangle for each seat, on the side from which the seat's pawns come home. */
function Middle({ layout, geometry, paints }: Props & { paints: Map<string, string> }): JSX.Element {
  const area = geometry.middle!;
  const centre = { x: area.x + area.w / 2, y: area.y + area.h / 2 };
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ].map(([x, y]) => ({ x: area.x + x! * area.w, y: area.y + y! * area.h }));
  const diagonal = (at: number): string => {
    const [from, to] = [corners[at]!, corners[at + 2]!];
    return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  };
  const sides = [
    { dx: 0, dy: -1, from: 0, to: 1 },
    { dx: 1, dy: 0, from: 1, to: 2 },
    { dx: 0, dy: 1, from: 2, to: 3 },
    { dx: -1, dy: 0, from: 3, to: 0 },
  ];
  const fields = layout.seats.flatMap((seat) => {
    const last = [...seat.places]
      .reverse()
      .map((place) => geometry.point(seat.seat, place.place))
      .find(Boolean);
    if (!last) return [];
    const side = [...sides].sort(
      (a, b) =>
        b.dx * (last.x - centre.x) +
        b.dy * (last.y - centre.y) -
        (a.dx * (last.x - centre.x) + a.dy * (last.y - centre.y)),
    )[0]!;
    return [{ seat: seat.seat, from: corners[side.from]!, to: corners[side.to]! }];
  });
  const r = Math.min(area.w, area.h) * 0.14;
  return (
    <g class="middle">
      <rect class="cloth" {...box(area)} />
      {fields.map(({ seat, from, to }) => (
        <path
          key={seat}
          class="field"
          d={`M${centre.x} ${centre.y}L${from.x} ${from.y}L${to.x} ${to.y}Z`}
          fill={paints.get(seat)}
        />
      ))}
      <path class="threads" d={diagonal(0) + diagonal(1)} />
      <circle class="boss" cx={centre.x} cy={centre.y} r={r} />
    </g>
  );
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
