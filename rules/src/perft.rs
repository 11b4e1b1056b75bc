//! Perft: the number of action sequences from a state.
//!
//! Perft is the usual test of a rules engine. All ordered outcomes of a throw are counted, but the throw itself is no
//! action. Equal legal actions count as one. A throw without a legal action counts as one action, the pass. Sequences
//! that end early, because the game is over, do not count. A count that does not fit into 64 bits is given as
//! [`u64::MAX`].

use crate::play::Engine;
use crate::play::watch::{Happening, HappeningKind, Watch};
use crate::play::{Actions, Phase, State, Throw};

/// Counts the sequences of exactly `depth` actions from a state.
///
/// In some games a throw grants the next one at once. There are then too many sequences to count: call
/// [`perft_within`] or [`perft_while`].
#[must_use]
pub fn perft(engine: &Engine, state: &State, depth: u32) -> u64 {
    perft_within(engine, state, depth, u8::MAX)
}

/// Counts action sequences as [`perft`] does, but leaves out those with more than `throws` throws in one turn.
#[must_use]
pub fn perft_within(engine: &Engine, state: &State, depth: u32, throws: u8) -> u64 {
    perft_while(engine, state, depth, throws, &mut |_| true).expect("nobody stops the count")
}

/// Counts action sequences as [`perft_within`] does, until `goes_on` stops the count.
///
/// `goes_on` is called before each throw and each decision, with the number of throws and decisions that were counted
/// so far. If it returns false, the count stops and the result is `None`.
pub fn perft_while(
    engine: &Engine,
    state: &State,
    depth: u32,
    throws: u8,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Option<u64> {
    SequenceCount { engine, outcomes: &engine.outcomes(), throws, followed: 0, goes_on }.from(state, depth)
}

struct SequenceCount<'r> {
    engine: &'r Engine,
    outcomes: &'r [(Throw, u64)],
    throws: u8,
    /// The number of throws and decisions that were counted so far.
    followed: u64,
    goes_on: &'r mut dyn FnMut(u64) -> bool,
}

impl SequenceCount<'_> {
    fn from(&mut self, state: &State, depth: u32) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        match state.phase {
            Phase::Over => Some(0),
            Phase::Throw if state.thrown >= self.throws => Some(0),
            Phase::Throw => {
                let outcomes = self.outcomes;
                let each = outcomes.iter().map(|(throw, weight)| {
                    self.after_throw(state, throw, depth).map(|sequences| sequences.saturating_mul(*weight))
                });
                total(each)
            }
            Phase::Choose | Phase::Move | Phase::Declare => self.decisions(state, &self.engine.legal(state), depth),
        }
    }

    fn after_throw(&mut self, state: &State, throw: &Throw, depth: u32) -> Option<u64> {
        self.follow()?;
        let mut next = *state;
        let mut actions = Actions::default();
        let mut passing = Passing(false);
        let thrown = self.engine.throw_into(&mut next, throw, &mut actions, &mut passing);
        debug_assert!(thrown.is_ok(), "every outcome of the dice can be thrown");
        match next.phase {
            Phase::Move | Phase::Declare => self.decisions(&next, &actions, depth),
            _ if passing.0 => self.from(&next, depth - 1),
            _ => self.from(&next, depth),
        }
    }

    fn decisions(&mut self, state: &State, actions: &[crate::play::Action], depth: u32) -> Option<u64> {
        let distinct = self.engine.one_of_each(state, actions);
        if depth == 1 {
            return Some(distinct.len() as u64);
        }
        let mut open = Actions::default();
        let each = distinct.iter().map(|action| {
            self.follow()?;
            let mut next = *state;
            self.engine.play_unchecked(&mut next, action, &mut open, &mut Passing(false));
            self.from(&next, depth - 1)
        });
        total(each)
    }

    /// Counts one more throw or decision. Returns `None` if `goes_on` stops the count.
    fn follow(&mut self) -> Option<()> {
        let goes_on = (self.goes_on)(self.followed);
        self.followed += 1;
        goes_on.then_some(())
    }
}

fn total(mut counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    counts.try_fold(0_u64, |sum, count| Some(sum.saturating_add(count?)))
}

/// Becomes true when a throw leaves the player without an action: the turn passes on, or the game ends.
struct Passing(bool);

impl Watch for Passing {
    fn event(&mut self, happening: Happening) {
        use HappeningKind::{GameOver, Passed, Turn};
        self.0 |= matches!(happening.kind, Passed | Turn | GameOver);
    }
}
