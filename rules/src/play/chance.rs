//! Choosing actions at random.

use super::game::Game;
use super::state::{Action, ActionKind};
use crate::play::engine::Engine;
use crate::tables::Duty;

impl Engine {
    /// Chooses one of the legal actions at random, all equally likely, and returns its index.
    ///
    /// A voluntary action is chosen only if no ordinary action is legal. Voluntary actions lead pawns back, and games
    /// in which pawns often go back hardly end.
    ///
    /// `below(n)` is a random number from 0 to n - 1. `open`, the list of the legal actions, must not be empty.
    pub fn pick(&self, open: &[Action], below: &mut dyn FnMut(u32) -> u32) -> usize {
        if !self.has_duty(Duty::Voluntary) {
            return below(open.len() as u32) as usize;
        }
        let ordinary = |action: &&Action| action.kind != ActionKind::Pass && !self.is_voluntary(action);
        if !open.iter().any(|action| ordinary(&action)) {
            return below(open.len() as u32) as usize;
        }
        let kept = |index: &usize| !self.is_voluntary(&open[*index]);
        let count = (0..open.len()).filter(kept).count();
        let nth = below(count as u32) as usize;
        (0..open.len()).filter(kept).nth(nth).expect("as many as were counted")
    }

    fn is_voluntary(&self, action: &Action) -> bool {
        action.kind == ActionKind::Move && self.moves.spend[usize::from(action.line)].duty == Duty::Voluntary
    }
}

impl Game<'_> {
    /// Chooses one of the legal actions at random, as [`Engine::pick`] does, and returns its index.
    #[inline(always)]
    pub fn pick(&self, below: &mut dyn FnMut(u32) -> u32) -> usize {
        match self.listed() {
            Some(open) => self.rules().pick(open, below),
            None => below(self.open() as u32) as usize,
        }
    }
}
