//! How random play chooses.

use super::game::Game;
use super::state::{Action, ActionKind};
use crate::play::engine::Engine;
use crate::tables::Duty;

impl Engine {
    /// One of the open actions by chance, all equally likely; but ways that are voluntary only where the alternative is
    /// to pass. They lead pawns back, and who takes every second chance to go back never comes to an end.
    ///
    /// `below(n)` is a number from 0 to n - 1. Answers an index into `open`, which must not be empty.
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
    /// One of the open actions by chance, as [`Engine::pick`] says.
    #[inline(always)]
    pub fn pick(&self, below: &mut dyn FnMut(u32) -> u32) -> usize {
        match self.listed() {
            Some(open) => self.rules().pick(open, below),
            None => below(self.open() as u32) as usize,
        }
    }
}
