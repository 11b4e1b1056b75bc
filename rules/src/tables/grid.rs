//! The grid of a board, and where its squares are drawn.

/// A square of the grid: its column and its row, from 0.
pub type Cell = (u8, u8);

/// The grid of a board. Without arms it is drawn as it is.
///
/// A board with arms has equal arms round its middle. Its grid is a strip: the columns of the first arm, then those of
/// the next arm, and so on; after the last column comes the first one again. Row 0 is next to the middle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Grid {
    /// Number of columns, those of all arms together.
    pub columns: u8,
    /// Number of rows.
    pub rows: u8,
    /// Number of arms. `None`: the board has no arms.
    pub arms: Option<u8>,
    /// The edges of a board with arms, seen from its middle. `None` without arms.
    edges: Option<Edges>,
}

/// The edges of a board with arms, in squares from its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Edges {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

/// How the path of a seat becomes the path of the next seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    /// The path is turned anticlockwise: by a quarter, or on a board with arms by one arm.
    Anticlockwise,
    /// The path is turned clockwise: by a quarter, or on a board with arms by one arm.
    Clockwise,
    /// The path is turned by a half.
    Half,
    /// The path is mirrored: top and bottom are swapped.
    Mirrored,
    /// The path is the same: all seats go the same way from the same square.
    Same,
}

impl Turned {
    /// Every value, in the order of the words.
    #[cfg(test)]
    pub(crate) const ALL: [Turned; 5] =
        [Turned::Anticlockwise, Turned::Clockwise, Turned::Half, Turned::Mirrored, Turned::Same];
}

/// The place of a square in the picture of a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// The middle of the square: squares to the right of the left edge of the board.
    pub x: f32,
    /// The middle of the square: squares below the top edge of the board.
    pub y: f32,
    /// By how many degrees the square is turned clockwise, from -45 to 45.
    pub turn: f32,
}

impl Grid {
    /// The grid of a board with columns and rows for one arm each, or for the whole board. `None` if the grid has more
    /// than 255 columns.
    pub(crate) fn new((columns, rows): (u8, u8), arms: Option<u8>) -> Option<Grid> {
        let mut grid = Grid { columns: columns.checked_mul(arms.unwrap_or(1))?, rows, arms, edges: None };
        grid.edges = grid.outermost();
        Some(grid)
    }

    /// The cell at these coordinates. `None` if it lies outside of the grid.
    pub(crate) fn cell(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let x = if self.arms.is_some() { x.rem_euclid(i32::from(self.columns)) } else { x };
        let within = |at: i32, most: u8| u8::try_from(at).ok().filter(|at| *at < most);
        Some((within(x, self.columns)?, within(y, self.rows)?))
    }

    /// Number of turns that lead back to the first path.
    pub(crate) fn order(&self, turned: Turned) -> usize {
        match (turned, self.arms) {
            (Turned::Anticlockwise | Turned::Clockwise, arms) => arms.map_or(4, usize::from),
            (Turned::Half | Turned::Mirrored, _) => 2,
            (Turned::Same, _) => 1,
        }
    }

    /// Whether the turn maps the grid onto itself.
    pub(crate) fn can_be_turned(&self, turned: Turned) -> bool {
        match (turned, self.arms) {
            (Turned::Same, _) | (Turned::Half | Turned::Mirrored, None) => true,
            (Turned::Anticlockwise | Turned::Clockwise, None) => self.columns == self.rows,
            (Turned::Anticlockwise | Turned::Clockwise, Some(_)) => true,
            (Turned::Half, Some(arms)) => arms.is_multiple_of(2),
            (Turned::Mirrored, Some(_)) => false,
        }
    }

    /// Turns a square. The turn must map the grid onto itself.
    pub(crate) fn turn(&self, turned: Turned, (x, y): Cell) -> Cell {
        let Grid { columns, rows, arms, .. } = *self;
        if let Some(arms) = arms {
            let ahead = match turned {
                Turned::Anticlockwise => columns / arms,
                Turned::Clockwise => columns - columns / arms,
                Turned::Half => columns / 2,
                Turned::Mirrored | Turned::Same => 0,
            };
            return (((u16::from(x) + u16::from(ahead)) % u16::from(columns)) as u8, y);
        }
        match turned {
            Turned::Anticlockwise => (y, rows - 1 - x),
            Turned::Clockwise => (columns - 1 - y, x),
            Turned::Half => (columns - 1 - x, rows - 1 - y),
            Turned::Mirrored => (x, rows - 1 - y),
            Turned::Same => (x, y),
        }
    }

    /// Half the width of the polygon in the middle of a board with arms: the distance from its middle to row 0. `None`
    /// without arms.
    pub(crate) fn inner_radius(&self) -> Option<f32> {
        let arms = f32::from(self.arms?);
        Some(f32::from(self.columns) / arms / 2.0 / (std::f32::consts::PI / arms).tan())
    }

    /// The corners of the polygon in the middle of a board with arms, a little inside of it, seen from the middle of
    /// the board. `None` without arms.
    pub(crate) fn corners(&self) -> Option<impl Iterator<Item = (f32, f32)> + use<>> {
        let (arms, radius) = (self.arms?, self.inner_radius()? - 0.1);
        let half = std::f32::consts::PI / f32::from(arms);
        Some((0..arms).map(move |arm| {
            let (sin, cos) = (f32::from(2 * arm + 1) * half).sin_cos();
            (sin * radius / half.cos(), cos * radius / half.cos())
        }))
    }

    /// The width and the height of the board, in squares.
    #[must_use]
    pub fn size(&self) -> (f32, f32) {
        match self.edges {
            Some(Edges { left, top, right, bottom }) => (right - left, bottom - top),
            None => (self.columns.into(), self.rows.into()),
        }
    }

    /// Where a square is drawn.
    #[must_use]
    pub fn drawn(&self, (x, y): Cell) -> Drawn {
        let whole = Drawn { x: f32::from(x) + 0.5, y: f32::from(y) + 0.5, turn: 0.0 };
        let Some(Edges { left, top, .. }) = self.edges else { return whole };
        let at = self.relative_to_hub((x, y), (0.0, 0.0)).unwrap_or_default();
        let degrees = -self.angle(x).to_degrees();
        let turn = (degrees + 45.0).rem_euclid(90.0) - 45.0;
        Drawn { x: rounded(at.0 - left), y: rounded(at.1 - top), turn: rounded(turn) }
    }

    /// The middle of a board with arms, in squares from the top left corner. `None` without arms.
    pub(crate) fn hub(&self) -> Option<(f32, f32)> {
        self.edges.map(|Edges { left, top, .. }| (rounded(-left), rounded(-top)))
    }

    /// The angle from the first arm to the arm of a column, anticlockwise. The first arm points down.
    fn angle(&self, column: u8) -> f32 {
        let arms = self.arms.unwrap_or(1);
        f32::from(column / (self.columns / arms).max(1)) * std::f32::consts::TAU / f32::from(arms)
    }

    /// A point of a cell of a board with arms, seen from the middle of the board. `aside` and `out` lead from the
    /// middle of the cell across and along the arm.
    fn relative_to_hub(&self, (x, y): Cell, (aside, out): (f32, f32)) -> Option<(f32, f32)> {
        let wide = (self.columns / self.arms?).max(1);
        let (sin, cos) = self.angle(x).sin_cos();
        let out = self.inner_radius()? + f32::from(y) + 0.5 + out;
        let aside = f32::from(x % wide) - (f32::from(wide) - 1.0) / 2.0 + aside;
        Some((sin * out + cos * aside, cos * out - sin * aside))
    }

    /// Finds the edges of a board with arms: the outermost corners of its squares. `None` without arms.
    fn outermost(&self) -> Option<Edges> {
        let ends = (0..self.columns).flat_map(|x| {
            let corner = move |aside: f32| self.relative_to_hub((x, self.rows.saturating_sub(1)), (aside, 0.5));
            [corner(-0.5), corner(0.5)]
        });
        let far = ends.flatten().fold(None, |far: Option<Edges>, (x, y)| {
            let Edges { left, top, right, bottom } = far.unwrap_or(Edges { left: x, top: y, right: x, bottom: y });
            Some(Edges { left: left.min(x), top: top.min(y), right: right.max(x), bottom: bottom.max(y) })
        });
        far.map(|Edges { left, top, right, bottom }| Edges {
            left: rounded(left),
            top: rounded(top),
            right: rounded(right),
            bottom: rounded(bottom),
        })
    }
}

/// A number with three decimals, so that it reads well as JSON and SVG.
pub(crate) fn rounded(number: f32) -> f32 {
    let rounded = (f64::from(number) * 1000.0).round() / 1000.0;
    if rounded == 0.0 { 0.0 } else { rounded as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: u8, rows: u8, arms: Option<u8>) -> Grid {
        Grid::new((columns, rows), arms).unwrap()
    }

    #[test]
    fn turning_as_often_as_the_order_says_leads_back() {
        let grids = [grid(19, 19, None), grid(3, 6, Some(6)), grid(3, 7, Some(8)), grid(3, 4, Some(4))];
        for (grid, turned) in grids.iter().flat_map(|grid| Turned::ALL.map(|turned| (grid, turned))) {
            if !grid.can_be_turned(turned) {
                continue;
            }
            let mut cell = (3, 1);
            for _ in 0..grid.order(turned) {
                cell = grid.turn(turned, cell);
            }
            assert_eq!(cell, (3, 1), "{turned:?} {grid:?}");
        }
        let turned = grid(19, 19, None).turn(Turned::Anticlockwise, (9, 18));
        assert_eq!(turned, (18, 9), "south comes to lie in the east");
    }

    #[test]
    fn four_arms_make_a_cross() {
        let cross = grid(3, 6, Some(4));
        assert_eq!((cross.size(), cross.hub()), ((15.0, 15.0), Some((7.5, 7.5))));
        assert_eq!(cross.drawn((0, 5)), Drawn { x: 6.5, y: 14.5, turn: 0.0 }, "the first arm points down");
        assert_eq!(cross.drawn((3, 0)), Drawn { x: 9.5, y: 8.5, turn: 0.0 }, "the second arm lies to the right");
        assert_eq!(cross.cell((-1, 0)), Some((11, 0)), "the first column comes after the last one");
        assert_eq!(cross.cell((12, 6)), None);
    }

    #[test]
    fn neighbours_of_two_arms_touch_at_a_corner() {
        for arms in 3..=8 {
            let board = grid(3, 6, Some(arms));
            let (one, other) = (board.drawn((2, 0)), board.drawn((3, 0)));
            let apart = (one.x - other.x).hypot(one.y - other.y);
            assert!((0.9..=1.42).contains(&apart), "{arms} arms: {apart}");
            let (wide, high) = board.size();
            let squares = (0..board.columns).map(|x| board.drawn((x, 5)));
            assert!(
                squares.into_iter().all(|at| (0.4..wide - 0.4).contains(&at.x) && (0.4..high - 0.4).contains(&at.y))
            );
        }
    }

    #[test]
    fn a_grid_is_turned_only_onto_itself() {
        let can = |grid: Grid| Turned::ALL.map(|turned| grid.can_be_turned(turned));
        assert_eq!(can(grid(5, 4, None)), [false, false, true, true, true]);
        assert_eq!(can(grid(3, 6, Some(5))), [true, true, false, false, true]);
        assert_eq!(can(grid(3, 6, Some(6))), [true, true, true, false, true]);
        assert_eq!(Grid::new((60, 6), Some(8)), None);
    }
}
