// Players with several colours: whose pawns a player moves.
import type { Layout, SeatPath } from "../api/types";

/** The seat of a pawn: its colour. */
export const seatOfPawn = (pawn: string): string => pawn.replace(/-\d+$/, "");

/** The seat of the player that moves the pawns of a seat. */
export const playerOf = (colour: string, layout: Layout): string =>
  layout.seats.find((seat) => seat.seat === colour)?.player ?? colour;

/** The seats whose pawns a player moves, its own seat first. */
export const coloursOf = (player: string, layout: Layout): SeatPath[] => {
  const isOwn = (seat: SeatPath): boolean => seat.seat === player;
  const others = layout.seats.filter((seat) => seat.plays && !isOwn(seat) && playerOf(seat.seat, layout) === player);
  return [...layout.seats.filter(isOwn), ...others];
};
