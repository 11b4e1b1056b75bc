// A rule set as large as the rule language allows: the numbers are in one place, for all tests that use it.

/** Seats, pawns of each seat, squares of the board, and squares of the path of a seat. */
export const LARGEST = { seats: 8, pawns: 16, squares: 240, path: 118 };

const NAMES = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "grey"];
const PAINTS = ["#b03a2e", "#d35400", "#d4ac0d", "#1e8449", "#17a2a2", "#1f618d", "#7d3c98", "#5d6d7e"];
const COLUMNS = 16;
const ROWS = LARGEST.squares / COLUMNS;

/**
 * The path of a seat, there and back along the rows. Half of the seats begin at the lower left corner, and half at the
 * upper right one. Later seats begin some squares later, so that all paths together use every square.
 */
function walkOf(index) {
  const isLower = index % 2 === 0;
  const skipped = index < NAMES.length / 2 ? 0 : 2;
  const [ahead, back, up] = isLower ? ["E", "W", "N"] : ["W", "E", "S"];
  const steps = [];
  for (let row = 0, left = LARGEST.path; left > 0; row += 1) {
    const here = Math.min(left, COLUMNS - (row === 0 ? skipped : 0));
    steps.push(`${row > 0 ? `${up}1 ` : ""}${row % 2 === 0 ? ahead : back}${here - 1}`);
    left -= here;
  }
  const from = isLower ? `${skipped},${ROWS - 1}` : `${COLUMNS - 1 - skipped},0`;
  return `from ${from} ${steps.join(" ")}`;
}

/** The text of the rule set with this id and title. */
export function largestRules(id, title) {
  const texts = NAMES.map((seat) => `${seat}: ${seat[0].toUpperCase()}${seat.slice(1)}`);
  return `rules: ${id}
version: 1.0.0
title: ${title}
sources: [made for this test]
players: [{seats: [${NAMES}]}]
board:
  grid: ${COLUMNS} x ${ROWS}
  seats: [${NAMES}]
  paints: [${PAINTS.map((paint) => JSON.stringify(paint))}]
  turned: same
  path:
    - {zone: out, squares: out, off_board: yes}
    - {zone: squares, squares: 1..${LARGEST.path}, walk: ${JSON.stringify(NAMES.map((_, index) => walkOf(index)))}}
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
