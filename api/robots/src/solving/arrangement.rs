//! Arrangements of the pawns of one seat, and the numbers of arrangements.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use pagade_rules::play::{Engine, PathPlace, State};
use pagade_rules::units::{MAX_PAWNS, PawnSet, Seat};

/// Bytes of an arrangement in a file.
pub(super) const BYTES: usize = 34;

/// The pawns of one seat: their places, their marks, and which of them arrived last on their square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Arrangement {
    /// One byte for each pawn, the first pawn in the lowest.
    places: u128,
    marks: u128,
    newest: PawnSet,
}

impl Arrangement {
    /// The arrangement of a seat's pawns. `alike` leaves out marks and the order of arrival; `sorted` orders the pawns
    /// by place.
    #[inline]
    pub(super) fn of(engine: &Engine, state: &State, seat: Seat, alike: bool, sorted: bool) -> Arrangement {
        let seat = seat.index();
        let mut places = state.at[seat].map(|place| place.0);
        if sorted {
            sort(&mut places[..usize::from(engine.pawns.count)]);
        }
        let newest = if alike { 0 } else { state.newest[seat] };
        let marks = if alike { 0 } else { u128::from_le_bytes(state.marks[seat]) };
        Arrangement { places: u128::from_le_bytes(places), marks, newest }
    }

    /// Puts the pawns into a state.
    #[inline]
    pub(super) fn put(&self, state: &mut State, seat: Seat) {
        let seat = seat.index();
        state.at[seat] = self.places.to_le_bytes().map(PathPlace);
        state.marks[seat] = self.marks.to_le_bytes();
        state.newest[seat] = self.newest;
    }

    /// Number of pawns at home.
    pub(super) fn home(&self, engine: &Engine) -> u8 {
        let pawns = &self.places.to_le_bytes()[..usize::from(engine.pawns.count)];
        pawns.iter().filter(|place| **place == engine.board.home().0).count() as u8
    }

    /// The sum of the places that the pawns have reached on their path.
    pub(super) fn advance(&self) -> u32 {
        self.places.to_le_bytes().into_iter().map(u32::from).sum()
    }

    pub(super) fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..MAX_PAWNS].copy_from_slice(&self.places.to_le_bytes());
        bytes[MAX_PAWNS..2 * MAX_PAWNS].copy_from_slice(&self.marks.to_le_bytes());
        bytes[2 * MAX_PAWNS..].copy_from_slice(&self.newest.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: [u8; BYTES]) -> Arrangement {
        let word = |at: usize| u128::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        let newest = PawnSet::from_le_bytes([bytes[2 * MAX_PAWNS], bytes[2 * MAX_PAWNS + 1]]);
        Arrangement { places: word(0), marks: word(MAX_PAWNS), newest }
    }

    /// Whether the places of all pawns exist at this table.
    pub(super) fn is_possible(&self, engine: &Engine) -> bool {
        self.places.to_le_bytes().into_iter().all(|place| place <= engine.board.home().0)
    }
}

/// Sorts a few numbers by insertion: most are in order already.
#[inline]
fn sort(numbers: &mut [u8]) {
    for next in 1..numbers.len() {
        let number = numbers[next];
        let mut index = next;
        while index > 0 && numbers[index - 1] > number {
            numbers[index] = numbers[index - 1];
            index -= 1;
        }
        numbers[index] = number;
    }
}

/// Arrangements with their numbers, from 0 on.
#[derive(Debug, Default)]
pub(super) struct Arrangements {
    numbers: HashMap<Arrangement, u32, FixedState>,
    pub(super) list: Vec<Arrangement>,
    /// Number of pawns at home in each arrangement.
    pub(super) homes: Vec<u8>,
}

impl Arrangements {
    pub(super) fn from_list(engine: &Engine, list: impl IntoIterator<Item = Arrangement>) -> Arrangements {
        let mut arrangements = Arrangements::default();
        list.into_iter().for_each(|arrangement| arrangements.push(engine, arrangement));
        arrangements
    }

    #[inline]
    pub(super) fn find(&self, arrangement: &Arrangement) -> Option<u32> {
        self.numbers.get(arrangement).copied()
    }

    /// Adds an arrangement that is not in the list.
    pub(super) fn push(&mut self, engine: &Engine, arrangement: Arrangement) {
        self.numbers.insert(arrangement, self.list.len() as u32);
        self.list.push(arrangement);
        self.homes.push(arrangement.home(engine));
    }
}
