//! The positions of the parts of the picture.

use crate::play::Engine;
use crate::units::{PathPlace, Seat, SquareId};

/// Side of a square.
pub(super) const CELL: f32 = 40.0;
/// Free space round everything.
pub(super) const MARGIN: f32 = 20.0;
/// Height of the heading: two lines.
pub(super) const HEADING: f32 = 64.0;
/// Height of a line of the legend.
pub(super) const ROW: f32 = 34.0;
/// Least width of the picture, for the legend.
const MIN_WIDTH: f32 = 440.0;

/// The parts of the picture and what stands on its squares.
pub(super) struct Layout {
    columns: f32,
    rows: f32,
    /// Lines of the legend.
    lines: usize,
    /// The free area in the middle of the board, in squares: column, row, width and height.
    pub(super) middle: Option<(f32, f32, f32, f32)>,
}

impl Layout {
    pub(super) fn of(engine: &Engine, with_pawns: bool) -> Layout {
        let (columns, rows) = engine.board.grid;
        let marks = super::squares::marks(engine).len();
        let lines = if with_pawns { engine.seating.players.len() } else { 1 } + usize::from(marks > 0);
        Layout { columns: f32::from(columns), rows: f32::from(rows), lines, middle: middle(engine) }
    }

    pub(super) fn size(&self) -> (f32, f32) {
        let width = (self.columns * CELL + 2.0 * MARGIN).max(MIN_WIDTH);
        (width, self.below() + self.lines as f32 * ROW + MARGIN)
    }

    /// Where the legend begins.
    pub(super) fn below(&self) -> f32 {
        HEADING + self.rows * CELL + MARGIN
    }

    /// The top left corner of a cell of the grid.
    pub(super) fn corner(&self, column: f32, row: f32) -> (f32, f32) {
        let side = (self.size().0 - self.columns * CELL) / 2.0;
        (side + column * CELL, HEADING + row * CELL)
    }

    /// The middle of a square.
    pub(super) fn centre(&self, engine: &Engine, square: SquareId) -> (f32, f32) {
        let (column, row) = engine.board.cells[square.index()];
        let (x, y) = self.corner(f32::from(column), f32::from(row));
        (x + CELL / 2.0, y + CELL / 2.0)
    }
}

impl Layout {
    /// The middle of the area that stands for home. `None` if the place is not home, or if the board has no such area.
    pub(super) fn home(&self, engine: &Engine, place: PathPlace) -> Option<(f32, f32)> {
        let (column, row, columns, rows) = self.middle.filter(|_| place == engine.board.home())?;
        let (x, y) = self.corner(column, row);
        Some((x + columns * CELL / 2.0, y + rows * CELL / 2.0))
    }
}

/// The squares of a colour's path, in order, with their places.
pub(super) fn walk(engine: &Engine, seat: Seat) -> Vec<(PathPlace, SquareId)> {
    engine.board.places().filter_map(|place| Some((place, engine.square(seat, place)?))).collect()
}

/// All squares of the board.
pub(super) fn squares(engine: &Engine) -> impl Iterator<Item = SquareId> + use<> {
    (0..engine.board.squares).map(SquareId::new)
}

/// The largest free rectangle around the middle of the grid, with the proportions of the grid.
fn middle(engine: &Engine) -> Option<(f32, f32, f32, f32)> {
    let (columns, rows) = (i32::from(engine.board.grid.0), i32::from(engine.board.grid.1));
    let taken = |left: i32, top: i32, right: i32, bottom: i32| {
        engine.board.cells.iter().any(|&(column, row)| {
            (left..=right).contains(&i32::from(column)) && (top..=bottom).contains(&i32::from(row))
        })
    };
    // With an even number of columns (or rows) two of them are in the middle.
    let (mut left, mut right) = ((columns - 1) / 2, columns / 2);
    let (mut top, mut bottom) = ((rows - 1) / 2, rows / 2);
    if taken(left, top, right, bottom) {
        return None;
    }
    while left > 0 && top > 0 && !taken(left - 1, top - 1, right + 1, bottom + 1) {
        (left, top, right, bottom) = (left - 1, top - 1, right + 1, bottom + 1);
    }
    Some((left as f32, top as f32, (right - left + 1) as f32, (bottom - top + 1) as f32))
}
