//! Perft: the number of action sequences from a state.
//!
//! Perft is the usual test of a rules engine. All ordered outcomes of a throw are counted, but the throw itself is no
//! action. Every distinct legal action counts as one. A throw without a legal action counts as one action, the pass.
//! Sequences that end early, because the game is over, do not count.

use crate::play::Engine;
use crate::play::watch::{Happening, HappeningKind, Watch};
use crate::play::{Actions, Phase, State, Throw};

/// Counts the sequences of exactly `depth` actions from a state.
#[must_use]
pub fn perft(engine: &Engine, state: &State, depth: u32) -> u64 {
    perft_within(engine, state, depth, u8::MAX)
}

/// Counts action sequences as [`perft`] does, but leaves out those with more than `throws` throws in one turn.
///
/// In some games a throw grants the next one at once, and all sequences are too many to count.
#[must_use]
pub fn perft_within(engine: &Engine, state: &State, depth: u32, throws: u8) -> u64 {
    Count { engine, outcomes: engine.outcomes(), throws }.from(state, depth)
}

struct Count<'r> {
    engine: &'r Engine,
    outcomes: Vec<(Throw, u64)>,
    throws: u8,
}

impl Count<'_> {
    fn from(&self, state: &State, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        match state.phase {
            Phase::Over => 0,
            Phase::Throw if state.thrown >= self.throws => 0,
            Phase::Throw => {
                let each = self.outcomes.iter().map(|(throw, weight)| weight * self.after_throw(state, throw, depth));
                each.sum()
            }
            Phase::Choose | Phase::Move | Phase::Declare => self.decisions(state, &self.engine.legal(state), depth),
        }
    }

    fn after_throw(&self, state: &State, throw: &Throw, depth: u32) -> u64 {
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

    fn decisions(&self, state: &State, actions: &[crate::play::Action], depth: u32) -> u64 {
        let distinct = self.engine.one_of_each(state, actions);
        if depth == 1 {
            return distinct.len() as u64;
        }
        let mut open = Actions::default();
        let each = distinct.iter().map(|action| {
            let mut next = *state;
            self.engine.play_unchecked(&mut next, action, &mut open, &mut Passing(false));
            self.from(&next, depth - 1)
        });
        each.sum()
    }
}

/// Set when a throw leads to no action.
struct Passing(bool);

impl Watch for Passing {
    fn event(&mut self, happening: Happening) {
        use HappeningKind::{GameOver, Passed, Turn};
        self.0 |= matches!(happening.kind, Passed | Turn | GameOver);
    }
}
