//! Contexts: all parts of a position except the places and marks of pawns, with their numbers.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use pagade_rules::play::{Engine, State};
use pagade_rules::units::{PawnOfSeat, Seat};

use crate::unasked::Unasked;

/// How the positions of a table are split into contexts and arrangements.
#[derive(Debug, Clone)]
pub(super) struct Split {
    /// The seats that play.
    pub(super) seats: [Seat; 2],
    /// Whether positions in which the second seat is to move are turned into those of the first, whose value is the
    /// same.
    pub(super) mirrored: bool,
    pub(super) unasked: Unasked,
}

impl Split {
    pub(super) fn new(engine: &Engine, seats: [Seat; 2], mirrored: bool) -> Split {
        Split { seats, mirrored, unasked: Unasked::new(engine) }
    }

    /// The position with the seats exchanged.
    pub(super) fn exchanged(&self, engine: &Engine, state: &State) -> State {
        let mut state = *state;
        let [one, two] = self.seats;
        let other = |seat: Seat| {
            if seat == one {
                two
            } else if seat == two {
                one
            } else {
                seat
            }
        };
        let (first, second) = (one.index(), two.index());
        state.at.swap(first, second);
        state.marks.swap(first, second);
        state.newest.swap(first, second);
        state.counters.swap(first, second);
        state.turn = other(state.turn);
        state.last_moved = state.last_moved.map(|last| PawnOfSeat::new(other(last.seat()), last.pawn()));
        let placed = usize::from(state.placed);
        state.ranking[..placed].iter_mut().for_each(|seat| *seat = other(*seat));
        if state.before.kept {
            let before = &mut state.before;
            before.at.swap(first, second);
            before.marks.swap(first, second);
            before.newest.swap(first, second);
            before.counters.swap(first, second);
            let placed = usize::from(before.placed);
            before.ranking[..placed].iter_mut().for_each(|seat| *seat = other(*seat));
        }
        settle(engine, &mut state);
        state
    }

    /// The context of a position: the position without pawns and without values that no rule reads.
    pub(super) fn context(&self, engine: &Engine, state: &State) -> State {
        let mut context = *state;
        self.unasked.clear(&mut context);
        (context.at, context.marks, context.newest) = Default::default();
        settle(engine, &mut context);
        context
    }

    /// Whether two positions have the same context.
    #[inline]
    pub(super) fn is_same(&self, one: &State, other: &State) -> bool {
        let has_hand = one.hand.throws != 0 || one.hand.granted != 0;
        (one.turn, one.phase, one.placed, one.ending) == (other.turn, other.phase, other.placed, other.ending)
            && one.owed == other.owed
            && (one.thrown == other.thrown || !self.unasked.asks_throws)
            && (one.last_moved == other.last_moved || !self.unasked.asks_mover)
            && (one.hand.throws, one.hand.granted) == (other.hand.throws, other.hand.granted)
            && (!has_hand || one.hand == other.hand)
            && one.counters == other.counters
            && one.game == other.game
            && one.apart == other.apart
            && one.ranking == other.ranking
            && one.before.kept == other.before.kept
            && (!one.before.kept || one.before == other.before)
    }
}

/// Derives the counts of pawns on squares. The ranking stays as it is.
fn settle(engine: &Engine, state: &mut State) {
    let (ranking, placed) = (state.ranking, state.placed);
    engine.settle_position(state);
    (state.ranking, state.placed) = (ranking, placed);
}

/// Contexts with their numbers, from 0 on.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    numbers: HashMap<Vec<u8>, u32, FixedState>,
    pub(super) list: Vec<State>,
    /// A position of each context, encoded.
    pub(super) examples: Vec<Vec<u8>>,
}

impl Contexts {
    pub(super) fn find(&self, engine: &Engine, context: &State) -> Option<u32> {
        self.numbers.get(&engine.encode(context)).copied()
    }

    /// Adds a context that is not in the list, with the code of a position.
    pub(super) fn push(&mut self, engine: &Engine, context: State, example: Vec<u8>) {
        self.numbers.insert(engine.encode(&context), self.list.len() as u32);
        self.list.push(context);
        self.examples.push(example);
    }
}
