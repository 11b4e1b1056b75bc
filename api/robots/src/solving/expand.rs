//! Plays all throws in a position, and every way to spend their numbers.

use pagade_rules::play::{Action, Actions, Engine, Phase, Quiet, State, Throw};
use pagade_rules::units::Seat;

use super::key::{DRAWN, LOST, Numbering, PositionKey, PositionKeys, TURNED, WON};
use crate::winner;

#[derive(Debug, Clone)]
pub(super) struct TableDice {
    pub(super) throws: Vec<Throw>,
    /// The probability of each throw.
    pub(super) chances: Vec<f64>,
}

impl TableDice {
    pub(super) fn of(engine: &Engine) -> TableDice {
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        TableDice {
            throws: outcomes.iter().map(|(throw, _)| *throw).collect(),
            chances: outcomes.iter().map(|(_, ways)| *ways as f64 / total.max(1) as f64).collect(),
        }
    }
}

/// The positions, and ends of games, to which the throws in a position lead.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Ends {
    /// The keys of the first throw in order, each once, then those of the second throw, and so on.
    pub(super) keys: Vec<PositionKey>,
    /// For each throw, the index in `keys` after its last key.
    pub(super) bounds: Vec<usize>,
}

impl Ends {
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.bounds.clear();
    }

    /// Sorts the keys of one throw and removes repeated ones.
    fn close(&mut self) {
        let begin = self.bounds.last().copied().unwrap_or(0);
        self.keys[begin..].sort_unstable();
        let mut kept = begin;
        for index in begin..self.keys.len() {
            if index == begin || self.keys[index] != self.keys[kept - 1] {
                self.keys[kept] = self.keys[index];
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        self.bounds.push(kept);
    }
}

/// Plays throws, and finds the keys of the positions that they lead to.
#[derive(Debug)]
pub(super) struct Expander<'e, N> {
    engine: &'e Engine,
    dice: &'e TableDice,
    pub(super) keys: PositionKeys<'e, N>,
}

impl<'e, N: Numbering> Expander<'e, N> {
    pub(super) fn new(engine: &'e Engine, dice: &'e TableDice, keys: PositionKeys<'e, N>) -> Self {
        Expander { engine, dice, keys }
    }

    /// Finds the keys to which all throws in a position lead. A choice before the throw counts as one throw. `None` if
    /// a position has no number.
    pub(super) fn expand(&mut self, state: &State, ends: &mut Ends) -> Option<()> {
        ends.clear();
        let mut open = Actions::default();
        if state.phase == Phase::Choose {
            self.follow(state, state.turn, &self.engine.legal(state), ends)?;
            ends.close();
            return Some(());
        }
        for throw in &self.dice.throws {
            let mut thrown = *state;
            let is_thrown = self.engine.throw_into(&mut thrown, throw, &mut open, &mut Quiet);
            debug_assert!(is_thrown.is_ok(), "every outcome of the dice can be thrown");
            self.arrive(state, &thrown, state.turn, &open, ends)?;
            ends.close();
        }
        Some(())
    }

    /// Follows each action to the next position.
    fn follow(&mut self, state: &State, mover: Seat, open: &[Action], ends: &mut Ends) -> Option<()> {
        let mut next = Actions::default();
        for action in open {
            let mut after = *state;
            self.engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            self.arrive(state, &after, mover, &next, ends)?;
        }
        Some(())
    }

    /// Adds the position if the game is over, or if the next decision is a throw or the choice before a throw.
    /// Otherwise plays each legal action in `open`, and adds the positions that follow.
    fn arrive(&mut self, before: &State, state: &State, mover: Seat, open: &[Action], ends: &mut Ends) -> Option<()> {
        let end = end_of(self.engine, before, state, mover);
        if let Some(end) = end {
            ends.keys.push(end);
        } else if matches!(state.phase, Phase::Throw | Phase::Choose) {
            let turned = if state.turn == mover { 0 } else { TURNED };
            ends.keys.push(self.keys.key(self.engine, state)? | turned);
        } else {
            self.follow(state, mover, open, ends)?;
        }
        Some(())
    }
}

/// The end of the game, as the seat `mover` sees it. `None` if the game goes on.
pub(super) fn end_of(engine: &Engine, before: &State, state: &State, mover: Seat) -> Option<PositionKey> {
    match winner(engine, before, state) {
        Some(winner) if winner == mover => Some(WON),
        Some(_) => Some(LOST),
        None => (state.phase == Phase::Over).then_some(DRAWN),
    }
}
