// A pawn on the board. It is drawn again only if it has changed.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { buttonProps } from "./button";
import { inkOn, SeatSign } from "./glyph";

interface Props {
  id: string;
  seat: string;
  place: string;
  x: number;
  y: number;
  /** The size, relative to a pawn that is alone on its square. */
  size: number;
  paint: string;
  /** The index of the seat's sign. */
  sign: number;
  canMove: boolean;
  isSelected: boolean;
  isMoving: boolean;
  /** The text for screen readers; `undefined` if the pawn is not a button. */
  label: string | undefined;
  onPress: (pawn: string) => void;
}

export const Pawn = memo(function Pawn(props: Props): JSX.Element {
  const { id, paint, label, canMove, onPress } = props;
  const marks = [canMove && "movable", props.isSelected && "selected", props.isMoving && "moving"];
  const isButton = label !== undefined;
  return (
    <g
      class={["pawn", ...marks].filter(Boolean).join(" ")}
      data-pawn={id}
      data-seat={props.seat}
      data-place={props.place}
      style={{ transform: `translate(${props.x}px, ${props.y}px) scale(${props.size})` }}
      {...(isButton && buttonProps(() => onPress(id), label, canMove ? 0 : -1))}
    >
      {isButton && <circle class="reach" r="0.62" />}
      <ellipse class="shadow" cx="0.04" cy="0.09" rx="0.36" ry="0.34" />
      <circle class="body" r="0.35" fill={paint} />
      <circle class="rim" r="0.27" stroke={inkOn(paint)} />
      <g transform="scale(0.15)" fill={inkOn(paint)}>
        <SeatSign index={props.sign} />
      </g>
      <circle class="halo" r="0.44" />
    </g>
  );
});
