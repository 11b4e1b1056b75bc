//! Positions as numbers: the places of each seat's pawns, and everything else of a state, are numbered as they appear.

use std::collections::HashMap;

use pagade_rules::play::{Engine, PathPlace, State};
use pagade_rules::tables::{Effect, Fact, Op, Which};
use pagade_rules::units::{MAX_PAWNS, MAX_SEATS, PawnOfSeat, PawnSet, Seat};

/// The number of an arrangement takes this count of bits, the number of a context the rest of a key.
const ARRANGEMENT_BITS: u32 = 24;
/// Greatest number of arrangements of one seat.
const MOST_ARRANGEMENTS: usize = 1 << ARRANGEMENT_BITS;
/// Greatest number of contexts.
const MOST_CONTEXTS: usize = 1 << (64 - 2 * ARRANGEMENT_BITS);

/// The pawns of one seat: their places, their marks, and which of them arrived last on their square.
type Arrangement = ([PathPlace; MAX_PAWNS], [u8; MAX_PAWNS], PawnSet);

/// The number of a position: the arrangements of the two seats, and the context.
pub(super) type Key = u64;

/// Numbers positions. Equal positions have equal keys; which of several alike pawns stands where makes no difference.
#[derive(Debug)]
pub(super) struct Keys {
    seats: [Seat; 2],
    /// Whether pawns are alike, so that they can be sorted by place: they have no marks, and no order of arrival.
    are_alike: bool,
    /// Whether any rule asks how many throws a turn has had, or undoes the turn.
    asks_throws: bool,
    /// Whether any rule asks which pawn moved last.
    asks_mover: bool,
    numbers: [HashMap<Arrangement, u32>; 2],
    arrangements: [Vec<Arrangement>; 2],
    context_numbers: HashMap<State, u32>,
    contexts: Vec<State>,
}

impl Keys {
    /// Prepares for a table of two seats.
    pub(super) fn new(engine: &Engine, seats: [Seat; 2]) -> Keys {
        let asks =
            |wanted: &[Fact]| engine.code.ops.iter().any(|op| matches!(op, Op::Fact(fact) if wanted.contains(fact)));
        let of_lines = engine.events.on.iter().flatten().flat_map(|rule| &rule.effects);
        let of_choices = engine.events.choices.iter().flat_map(|choice| &choice.effects);
        let effects: Vec<&Effect> = of_lines.chain(of_choices).collect();
        let undoes = effects.iter().any(|effect| matches!(effect, Effect::UndoTurn));
        let sends_mover = effects.iter().any(|effect| matches!(effect, Effect::Send(Which::LastMoved, _)));
        Keys {
            seats,
            are_alike: engine.counters.marks.is_empty() && !engine.tracks_newest(),
            asks_throws: undoes || asks(&[Fact::Throws]),
            asks_mover: sends_mover || undoes || asks(&[Fact::AnyMoved, Fact::LastMovedAt]),
            numbers: Default::default(),
            arrangements: Default::default(),
            context_numbers: HashMap::new(),
            contexts: Vec::new(),
        }
    }

    /// The key of a position, which is numbered if it is new. `None` if there are too many positions to number.
    pub(super) fn add(&mut self, engine: &Engine, state: &State) -> Option<Key> {
        let (arrangements, context) = self.split(engine, state);
        let mut key = 0;
        for (index, arrangement) in arrangements.into_iter().enumerate() {
            let next = self.arrangements[index].len();
            let number = *self.numbers[index].entry(arrangement).or_insert(next as u32);
            if number as usize == next {
                self.arrangements[index].push(arrangement);
            }
            key = key << ARRANGEMENT_BITS | u64::from(number);
        }
        let next = self.contexts.len();
        let number = *self.context_numbers.entry(context).or_insert(next as u32);
        if number as usize == next {
            self.contexts.push(context);
        }
        let fits = self.arrangements.iter().all(|known| known.len() <= MOST_ARRANGEMENTS);
        (fits && self.contexts.len() <= MOST_CONTEXTS).then_some(u64::from(number) << (2 * ARRANGEMENT_BITS) | key)
    }

    /// The key of a position. `None` if no position with these parts was numbered.
    pub(super) fn find(&self, engine: &Engine, state: &State) -> Option<Key> {
        let (arrangements, context) = self.split(engine, state);
        let first = self.numbers[0].get(&arrangements[0])?;
        let second = self.numbers[1].get(&arrangements[1])?;
        let context = self.context_numbers.get(&context)?;
        let pawns = u64::from(*first) << ARRANGEMENT_BITS | u64::from(*second);
        Some(u64::from(*context) << (2 * ARRANGEMENT_BITS) | pawns)
    }

    /// The position with this key.
    pub(super) fn state(&self, engine: &Engine, key: Key) -> State {
        let mut state = self.contexts[(key >> (2 * ARRANGEMENT_BITS)) as usize];
        let numbers = [key >> ARRANGEMENT_BITS, key].map(|number| number as usize & (MOST_ARRANGEMENTS - 1));
        for (index, number) in numbers.into_iter().enumerate() {
            let seat = self.seats[index].index();
            (state.at[seat], state.marks[seat], state.newest[seat]) = self.arrangements[index][number];
        }
        engine.settle_position(&mut state);
        state
    }

    /// Splits a position into the arrangements of the two seats, and the rest. Leaves out what no rule asks for.
    fn split(&self, engine: &Engine, state: &State) -> ([Arrangement; 2], State) {
        let mut context = *state;
        context.last = Default::default();
        if !self.asks_throws {
            context.thrown = 0;
        }
        if !self.asks_mover {
            context.last_moved = None;
        }
        let may_sort = self.are_alike
            && context.last_moved.is_none_or(|last: PawnOfSeat| self.seats.iter().all(|seat| *seat != last.seat()))
            && context.apart == [0; MAX_PAWNS]
            && hand_is_empty(&context);
        let arrangements = self.seats.map(|seat| {
            let seat = seat.index();
            let mut places = state.at[seat];
            if may_sort {
                places[..usize::from(engine.pawns.count)].sort_unstable();
            }
            let newest = if self.are_alike { 0 } else { state.newest[seat] };
            (places, state.marks[seat], newest)
        });
        (context.at, context.marks, context.newest) = Default::default();
        let (ranking, placed) = (context.ranking, context.placed);
        engine.settle_position(&mut context);
        (context.ranking, context.placed) = (ranking, placed);
        debug_assert_eq!(context.at, [[PathPlace::OUT; MAX_PAWNS]; MAX_SEATS]);
        (arrangements, context)
    }
}

/// Whether no number or bonus is left to spend, so that no pawn is marked in the hand.
fn hand_is_empty(state: &State) -> bool {
    state.hand.throws == 0 && state.hand.granted == 0
}
