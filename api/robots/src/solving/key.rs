//! Positions as numbers: their context, and the arrangements of the pawns of the seat to move and of the other seat.

use pagade_rules::play::{Engine, PathPlace, State};
use pagade_rules::units::MAX_PAWNS;

use super::arrangement::Arrangement;
use super::context::Split;

/// A position, or the end of a game, as one number: from the lowest bit on, the arrangement of the other seat, that of
/// the seat to move, the context, and [`TURNED`].
pub(super) type PositionKey = u64;
/// The context and the arrangement of the seat to move, without the other bits of a key.
pub(super) type RowId = u64;

const ARRANGEMENT_BITS: u32 = 24;
const CONTEXT_BITS: u32 = 14;
/// Greatest number of arrangements.
pub(super) const MOST_ARRANGEMENTS: usize = 1 << ARRANGEMENT_BITS;
/// Greatest number of contexts.
pub(super) const MOST_CONTEXTS: usize = 1 << CONTEXT_BITS;
/// Bit of a key: the seat to move is not the one of the position before.
pub(super) const TURNED: PositionKey = 1 << 63;
/// Key of an ended game: the seat that was to move in the position before has won.
pub(super) const WON: PositionKey = 1 << 62;
/// Key of an ended game: the seat that was to move in the position before has lost.
pub(super) const LOST: PositionKey = WON + 1;
/// Key of an ended game that nobody has won.
pub(super) const DRAWN: PositionKey = WON + 2;

/// Whether a key means the end of a game.
#[inline]
pub(super) fn is_end(key: PositionKey) -> bool {
    key & WON != 0
}

#[inline]
pub(super) fn row_of(key: PositionKey) -> RowId {
    (key & !TURNED) >> ARRANGEMENT_BITS
}

/// The arrangement of the seat that is not to move.
#[inline]
pub(super) fn column_of(key: PositionKey) -> u32 {
    (key as usize & (MOST_ARRANGEMENTS - 1)) as u32
}

pub(super) fn row_id(context: u32, arrangement: u32) -> RowId {
    RowId::from(context) << ARRANGEMENT_BITS | RowId::from(arrangement)
}

pub(super) fn context_of(row: RowId) -> u32 {
    (row >> ARRANGEMENT_BITS) as u32
}

/// The arrangement of the seat to move.
pub(super) fn arrangement_of(row: RowId) -> u32 {
    (row as usize & (MOST_ARRANGEMENTS - 1)) as u32
}

/// Gives arrangements and contexts their numbers: those of a finished search, or of a search that runs.
pub(super) trait Numbering {
    /// The number of an arrangement. `None` if it has none.
    fn arrangement(&mut self, engine: &Engine, arrangement: &Arrangement) -> Option<u32>;

    /// The number of the context of a position. `None` if it has none.
    fn context(&mut self, engine: &Engine, context: &State, position: &State) -> Option<u32>;

    fn arrangement_at(&self, number: u32) -> &Arrangement;

    fn context_at(&self, number: u32) -> &State;
}

/// Number of contexts in the cache `recent`.
const RECENT: usize = 8;

/// A context in the cache: a position that has it, and its number.
#[derive(Debug)]
struct RecentContext {
    position: State,
    number: u32,
    may_sort: bool,
}

/// Computes keys. Equal positions have equal keys; which of several alike pawns stands where makes no difference.
#[derive(Debug)]
pub(super) struct PositionKeys<'s, N> {
    pub(super) split: &'s Split,
    pub(super) numbers: N,
    recent: Vec<RecentContext>,
    /// The entry of `recent` that is replaced next.
    oldest: usize,
    /// The places of the pawns of each seat in the last position, if they could be sorted, and the number of their
    /// arrangement. An action seldom moves pawns of both seats.
    last: [Option<([PathPlace; MAX_PAWNS], u32)>; 2],
}

impl<'s, N: Numbering> PositionKeys<'s, N> {
    pub(super) fn new(split: &'s Split, numbers: N) -> Self {
        PositionKeys { split, numbers, recent: Vec::with_capacity(RECENT), oldest: 0, last: [None; 2] }
    }

    /// The key of a position, without [`TURNED`]. `None` if its parts have no numbers.
    #[inline]
    pub(super) fn key(&mut self, engine: &Engine, state: &State) -> Option<PositionKey> {
        let recent = match self.recent.iter().position(|recent| self.split.is_same(&recent.position, state)) {
            Some(index) => &self.recent[index],
            None => self.remember(engine, state)?,
        };
        let (context, sorted) = (recent.number, recent.may_sort);
        let numbers = [self.arrangement(engine, state, 0, sorted)?, self.arrangement(engine, state, 1, sorted)?];
        let is_first = state.turn == self.split.seats[0];
        let (mover, other) = if is_first { (numbers[0], numbers[1]) } else { (numbers[1], numbers[0]) };
        Some(row_id(context, mover) << ARRANGEMENT_BITS | PositionKey::from(other))
    }

    /// The number of the arrangement of a seat, which is the first or the second.
    #[inline]
    fn arrangement(&mut self, engine: &Engine, state: &State, index: usize, sorted: bool) -> Option<u32> {
        let seat = self.split.seats[index];
        let places = &state.at[seat.index()];
        if let Some((_, number)) = self.last[index].filter(|(last, _)| sorted && last == places) {
            return Some(number);
        }
        let arrangement = Arrangement::of(engine, state, seat, self.split.unasked.are_alike, sorted);
        let number = self.numbers.arrangement(engine, &arrangement)?;
        if sorted {
            self.last[index] = Some((*places, number));
        }
        Some(number)
    }

    #[cold]
    fn remember(&mut self, engine: &Engine, state: &State) -> Option<&RecentContext> {
        let turned = self.split.mirrored && state.turn == self.split.seats[1];
        let position = if turned { self.split.exchanged(engine, state) } else { *state };
        let context = self.split.context(engine, &position);
        let number = self.numbers.context(engine, &context, &position)?;
        let recent = RecentContext { position: *state, number, may_sort: self.split.unasked.may_sort(state) };
        if self.recent.len() < RECENT {
            self.recent.push(recent);
            return self.recent.last();
        }
        self.oldest = (self.oldest + 1) % RECENT;
        self.recent[self.oldest] = recent;
        self.recent.get(self.oldest)
    }

    pub(super) fn state(&self, engine: &Engine, row: RowId, column: u32) -> State {
        let mut state = *self.numbers.context_at(context_of(row));
        let [one, two] = self.split.seats;
        let (mover, other) = if state.turn == one { (one, two) } else { (two, one) };
        self.numbers.arrangement_at(arrangement_of(row)).put(&mut state, mover);
        self.numbers.arrangement_at(column).put(&mut state, other);
        engine.settle_position(&mut state);
        state
    }
}
