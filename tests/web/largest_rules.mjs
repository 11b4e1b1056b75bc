// A rule set of the size of the largest ones: the numbers are in one place, for all tests that use it.

/** Seats, pawns of each seat, and squares of the path. */
export const LARGEST = { seats: 4, pawns: 8, squares: 118 };

const NAMES = ["red", "yellow", "green", "blue"];
const PAINTS = ["#c0392b", "#f1c40f", "#27ae60", "#2980b9"];
/** Squares in a row of the board. */
const COLUMNS = 12;

/** The path from the lower left corner, row by row, there and back. */
function walk(squares) {
  const rows = Math.ceil(squares / COLUMNS);
  const steps = [];
  for (let row = 0, left = squares; row < rows; row += 1) {
    const here = Math.min(left, COLUMNS);
    steps.push(`${row % 2 ? "W" : "E"}${here - 1}`);
    left -= here;
    if (left > 0) steps.push("N1");
  }
  return `from 0,${rows - 1} ${steps.join(" ")}`;
}

/** The text of the rule set with this id and title. */
export function largestRules(id, title) {
  const seats = NAMES.slice(0, LARGEST.seats);
  const paints = PAINTS.slice(0, LARGEST.seats).map((paint) => JSON.stringify(paint));
  const texts = seats.map((seat) => `${seat}: ${seat[0].toUpperCase()}${seat.slice(1)}`);
  return `rules: ${id}
version: 1.0.0
title: ${title}
sources: [made for this test]
players: [{seats: [${seats}]}]
board:
  grid: ${COLUMNS} x ${Math.ceil(LARGEST.squares / COLUMNS)}
  seats: [${seats}]
  paints: [${paints}]
  turned: same
  path:
    - {zone: out, squares: out, off_board: yes}
    - {zone: squares, squares: 1..${LARGEST.squares}, walk: "${walk(LARGEST.squares)}"}
    - {zone: home, squares: home}
pawns: {each: ${LARGEST.pawns}, start: [${Array(LARGEST.pawns).fill("out")}]}
dice: {count: 2, faces: [1, 2, 3, 4, 5, 6]}
turn: {first: highest, use_dice: most}
spend: [{id: pawn, move: pawn, from: [out, squares], with: die}]
landing: [{id: any, on: pawn, then: join}]
finish: {when: pawns(home) = ${LARGEST.pawns}, play_on: no}
texts: {seats: {${texts.join(", ")}}}
`;
}
