//! The positions of the parts of the picture.

use crate::play::Engine;
use crate::tables::Grid;
use crate::units::{PathPlace, SquareId};

/// Side of a square, in pixels.
pub(super) const CELL: f32 = 40.0;
/// Free space between the edge of the picture and everything in it, in pixels.
pub(super) const MARGIN: f32 = 20.0;
/// Height of the two lines of the heading, in pixels.
pub(super) const HEADING: f32 = 64.0;
/// Height of a line of the legend, in pixels.
pub(super) const ROW: f32 = 34.0;
/// Least width of the picture in pixels. The legend needs it even if the board is narrow.
const MIN_WIDTH: f32 = 440.0;

/// The sizes from which the position of every part of the picture follows.
pub(super) struct Layout {
    /// The size of the board, in squares.
    columns: f32,
    rows: f32,
    /// The number of lines of the legend.
    lines: usize,
    /// The free area in the middle of the board, in squares: column, row, width and height.
    pub(super) middle: Option<(f32, f32, f32, f32)>,
}

impl Layout {
    pub(super) fn of(engine: &Engine, with_pawns: bool) -> Layout {
        let (columns, rows) = engine.board.grid.size();
        let marks = engine.tagged_squares().len();
        let lines = if with_pawns { engine.seating.colours.len() } else { 1 } + usize::from(marks > 0);
        Layout { columns, rows, lines, middle: middle(engine) }
    }

    pub(super) fn size(&self) -> (f32, f32) {
        let width = (self.columns * CELL + 2.0 * MARGIN).max(MIN_WIDTH);
        (width, self.below() + self.lines as f32 * ROW + MARGIN)
    }

    /// The height at which the legend begins.
    pub(super) fn below(&self) -> f32 {
        HEADING + self.rows * CELL + MARGIN
    }

    /// The point of the picture for a point of the board, in squares from its top left corner.
    pub(super) fn corner(&self, column: f32, row: f32) -> (f32, f32) {
        let side = (self.size().0 - self.columns * CELL) / 2.0;
        (side + column * CELL, HEADING + row * CELL)
    }

    pub(super) fn centre(&self, engine: &Engine, square: SquareId) -> (f32, f32) {
        let at = engine.drawn(square);
        self.corner(at.x, at.y)
    }
}

impl Layout {
    /// Whether the middle of the board has room for the pawns at home.
    pub(super) fn shows_pawns_home(&self) -> bool {
        self.middle.is_some_and(|(.., rows)| rows >= 2.0)
    }

    /// The middle of a board with arms. `None` without arms.
    pub(super) fn hub(&self, grid: Grid) -> Option<(f32, f32)> {
        grid.hub().map(|(x, y)| self.corner(x, y))
    }

    /// The centre of the area that stands for home. `None` if the place is not home, or if the board has no such area.
    pub(super) fn home(&self, engine: &Engine, place: PathPlace) -> Option<(f32, f32)> {
        let (column, row, columns, rows) = self.middle.filter(|_| place == engine.board.home())?;
        let (x, y) = self.corner(column, row);
        Some((x + columns * CELL / 2.0, y + rows * CELL / 2.0))
    }
}

fn middle(engine: &Engine) -> Option<(f32, f32, f32, f32)> {
    let area = engine.middle()?;
    Some((area.x, area.y, area.columns, area.rows))
}
