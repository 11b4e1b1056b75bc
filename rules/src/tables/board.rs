//! Squares, every colour's path over them, and the pawns that walk there.

use super::program::Program;
use crate::units::{MAX_PAWNS, MAX_SEATS, PathPlace, Places};

/// Stands for the place of a colour that never meets a square.
pub const NOT_SEEN: PathPlace = PathPlace::MAX;

/// The board: squares, and every colour's path over them.
#[derive(Debug)]
pub struct Board {
    /// Places of a path: 0 off the board, `len - 1` home.
    pub len: u8,
    /// The label of every place.
    pub labels: Vec<String>,
    /// Index into `zones` of every place.
    pub zone: Vec<u8>,
    /// The zones in path order: name and places.
    pub zones: Vec<(String, Places)>,
    /// Squares tagged, as places by colour: name, and the places of each colour's path that carry it.
    pub tags: Vec<(String, [Places; MAX_SEATS])>,
    /// Places where pawns of one colour count as a pair.
    pub pairing: Places,
    /// Number of squares.
    pub squares: u8,
    /// Column and row of every square on the grid.
    pub cells: Vec<(u8, u8)>,
    /// Columns and rows of the grid.
    pub grid: (u8, u8),
    /// Square by gate (0 closed, 1 open), colour and place *before* turning at the gate:
    /// `square[gate][colour][place + steps]`. `NOWHERE` off the board and at home, `WALL` beyond.
    pub square: [[[u8; 256]; MAX_SEATS]; 2],
    /// Place by gate and place before turning at the gate; meaningless where the square is `WALL`.
    pub lands: [[PathPlace; 256]; 2],
    /// The condition that opens the gate for the colour that moves; `None`: there is no gate.
    pub gate: Option<Program>,
    /// The last place before the gate.
    pub gate_at: PathPlace,
    /// The place of a colour's path that a square is first walked at, going out: for turning round.
    pub outward: Vec<PathPlace>,
    /// Class of every place by colour, for the verdict tables.
    pub class: [[u8; 128]; MAX_SEATS],
    /// A place of colour `c` in the numbering of colour `d`: `seen[c][d][place]`, [`NOT_SEEN`] for none.
    pub seen: Vec<Vec<Vec<u8>>>,
}

/// The pawns of a colour.
#[derive(Debug, Clone, Copy)]
pub struct Pawns {
    /// How many each colour has.
    pub count: u8,
    /// Where they stand when the game begins; those past `count` are 0.
    pub start: [PathPlace; MAX_PAWNS],
    /// Where captured ones go.
    pub cut_to: PathPlace,
}
