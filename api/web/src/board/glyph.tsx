// Signs on pawns, which distinguish the seats without colours, and signs on marked squares.
import type { JSX } from "preact";

const STAR = "M0-1 .24-.33.95-.31.38.12.59.81 0 .4-.59.81-.38.12-.95-.31-.24-.33Z";

/** The sign of the seat with this index, in a box from -1 to 1. There are eight signs, which differ in outline. */
export function SeatSign({ index }: { index: number }): JSX.Element {
  switch (index % 8) {
    case 0:
      return <circle r="0.62" />;
    case 1:
      return <rect x="-0.6" y="-0.6" width="1.2" height="1.2" />;
    case 2:
      return <path d="M0-.82.8.6H-.8Z" />;
    case 3:
      return <path d="M0-.9.72 0 0 .9-.72 0Z" />;
    case 4:
      return <path d={STAR} />;
    case 5:
      return <path d="M-.25-.8h.5v.55h.55v.5h-.55v.55h-.5v-.55h-.55v-.5h.55Z" />;
    case 6:
      return <path d="M-.8-.75h.5v1.5h-.5ZM.3-.75h.5v1.5h-.5Z" />;
    default:
      return <path d="M-.9-.6h.5L0 .05l.4-.65h.5L0 .85Z" />;
  }
}

/** The sign of the kind of mark with this index, in a box from -1 to 1. There are four signs. */
export function MarkSign({ index }: { index: number }): JSX.Element {
  switch (index % 4) {
    case 0:
      return (
        <g class="mark">
          <path d="M-1-1 1 1M1-1-1 1" />
          <path class="petals" d="M0-.62C.2-.3.3-.2.62 0 .3.2.2.3 0 .62-.2.3-.3.2-.62 0-.3-.2-.2-.3 0-.62Z" />
        </g>
      );
    case 1:
      return (
        <g class="mark">
          <circle r="0.7" />
          <circle r="0.42" />
        </g>
      );
    case 2:
      return (
        <g class="mark">
          <path d="M0-.85.85 0 0 .85-.85 0Z" />
        </g>
      );
    default:
      return (
        <g class="mark">
          <path d="M-.7-.5c.35-.4.35.4.7 0s.35.4.7 0M-.7 0c.35-.4.35.4.7 0s.35.4.7 0M-.7.5c.35-.4.35.4.7 0s.35.4.7 0" />
        </g>
      );
  }
}

const INK = { light: "#ffffff", dark: "#111111" };

/** The relative luminance of a colour, which is written like `#c0392b`, from 0 to 1 (WCAG 2). */
function luminance(paint: string): number {
  const hex = /^#([0-9a-f]{6})$/i.exec(paint)?.[1] ?? "888888";
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return red! * 0.2126 + green! * 0.7152 + blue! * 0.0722;
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Whether a light sign is easier to see on this colour than a dark one. */
const isDark = (paint: string): boolean => contrast(paint, INK.light) >= contrast(paint, INK.dark);

/** The colour of a sign that is drawn on `paint`. The contrast is at least 4.3. */
export const inkOn = (paint: string): string => (isDark(paint) ? INK.light : INK.dark);
