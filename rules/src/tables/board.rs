//! The board of a table: squares, paths and pawns.

use super::grid::{Cell, Grid};
use super::program::Program;
use super::spend::Route;
use crate::units::{MAX_PAWNS, MAX_SEATS, MAX_STEP, PathPlace, Pips, Places, Seat, SquareId};

/// The squares of a board and the path of every colour.
#[derive(Debug)]
pub struct Board {
    /// Number of places of a path. Place 0 is off the board, place `len - 1` is home.
    pub len: u8,
    /// The label of every place.
    pub labels: Vec<String>,
    /// The index into `zones` for every place.
    pub zone: Vec<u8>,
    /// The zones in path order, each with its name and places.
    pub zones: Vec<(String, Places)>,
    /// The tags of squares: for each tag its name, and the places of every colour's path that carry it.
    pub tags: Vec<(String, [Places; MAX_SEATS])>,
    /// Places where pawns of one colour count as a pair.
    pub pairing: Places,
    /// Number of squares.
    pub squares: u8,
    /// Column and row of every square on the grid.
    pub cells: Vec<Cell>,
    /// The grid of the squares.
    pub grid: Grid,
    /// The square that a move reaches: `square[gate][colour][place + steps]`, with `gate` 0 closed and 1 open.
    ///
    /// `None` off the board, at home, and where `lands` has no place.
    pub square: [[[Option<SquareId>; 256]; MAX_SEATS]; 2],
    /// The place that a move reaches: `lands[gate][place + steps]`. `None` beyond the end of the path, and past a
    /// closed gate where pawns wait. Where pawns go another lap instead, it is a place of that lap.
    pub lands: [[Option<PathPlace>; 256]; 2],
    /// The condition that opens the gate for the moving colour. `None` means that the board has no gate.
    pub gate: Option<Program>,
    /// The last place before the gate. If the board has no gate, it is the place off the board, and all places of the
    /// path are past it.
    pub gate_at: PathPlace,
    /// For each place, the first place of the path on the same square. Pawns that turn round continue from there.
    pub outward: Vec<PathPlace>,
    /// The class of every place, by colour. Places to which the same `landing` and `passing` lines apply have the same
    /// class. The verdict tables are indexed by class.
    pub class: [[u8; 128]; MAX_SEATS],
    /// Places of one colour translated to the path of another: `seen[from][to][place]`. `None` if the other path does
    /// not lead there.
    pub seen: Vec<Vec<Vec<Option<PathPlace>>>>,
}

impl Board {
    /// The last place of every path.
    #[inline(always)]
    #[must_use]
    pub const fn home(&self) -> PathPlace {
        PathPlace(self.len - 1)
    }

    /// The places of a path, in order.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = PathPlace> + Clone + use<> {
        (0..self.len).map(PathPlace)
    }

    /// The places of a walk over some places only, and behind the last of them along the path
    /// ([`Route::Along`](super::Route::Along)). With `gate` 0, the walk ends before the first of them behind the gate. It
    /// is empty if none of these places is ahead.
    pub fn along(&self, over: Places, from: PathPlace, gate: usize) -> impl Iterator<Item = PathPlace> {
        let mut ahead = over & !(from.alone() | (from.alone() - 1));
        let last = ahead.checked_ilog2().map(|last| PathPlace(last as u8));
        let mut further = 0;
        let walk = std::iter::from_fn(move || {
            if ahead == 0 {
                further += 1;
                return self.lands[gate][last?.ahead(Pips(further)) & 255];
            }
            let next = PathPlace(ahead.trailing_zeros() as u8);
            ahead &= ahead - 1;
            Some(next).filter(|next| gate == 1 || *next <= self.gate_at)
        });
        walk.fuse().take(MAX_STEP.0.into())
    }

    /// The places that lie between both ends of a move. Of a move onto another lap, those before the gate and those of
    /// the lap.
    pub(crate) fn crossed(&self, route: Route, from: PathPlace, to: PathPlace) -> Places {
        let lap = self.lands[0][self.gate_at.ahead(Pips(1))].filter(|_| from <= self.gate_at && to <= from);
        match (route, lap) {
            (Route::Along(over), _) => {
                let last = over.checked_ilog2().map_or(PathPlace::OUT, |last| PathPlace(last as u8));
                from.between(to) & (over | last.between(self.home()))
            }
            (Route::Back, _) => to.between(from),
            (Route::Ahead | Route::Lap, Some(lap)) => {
                from.between(self.gate_at)
                    | self.gate_at.alone() & !from.alone()
                    | lap.between(to)
                    | lap.alone() & !to.alone()
            }
            _ => from.between(to),
        }
    }

    /// A place of one colour's path as a place of another's. `None` if the other path does not lead there.
    #[inline(always)]
    #[must_use]
    pub fn seen_as(&self, from: Seat, to: Seat, place: PathPlace) -> Option<PathPlace> {
        self.seen[from.index()][to.index()].get(place.index()).copied().flatten()
    }
}

/// The pawns of a colour.
#[derive(Debug, Clone, Copy)]
pub struct Pawns {
    /// Number of pawns of each colour.
    pub count: u8,
    /// The places of every colour's pawns at the opening. Entries past `count` are place 0.
    pub start: [[PathPlace; MAX_PAWNS]; MAX_SEATS],
    /// The place to which captured pawns go.
    pub cut_to: PathPlace,
}
