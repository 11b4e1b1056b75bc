//! Rules ready to play: with all that is derived from them for speed.

use std::ops::Deref;

use super::ahead::Assumptions;
use super::evaluator::Evaluator;
use super::quick::Quick;
use super::spend_lines::SpendLines;
use crate::tables::Rules;

/// Plays by one table's rules: throws, legal actions, what an action does.
///
/// It holds no game: a [state](super::State) goes in and comes out. What [`Rules`] say is read through it
/// (`engine.board`); what is derived from them is made once, by [`Engine::new`].
#[derive(Debug)]
pub struct Engine {
    evaluator: Evaluator,
    /// Which spending lines begin where.
    pub(super) spend_lines: SpendLines,
    /// What looking ahead takes for granted.
    pub(super) assumptions: Assumptions,
    /// Tables of the short way, where the rule set is plain.
    pub(super) quick: Option<Quick>,
    /// The order of arrival on a square matters.
    pub(super) tracks_newest: bool,
    /// Some rule takes turns back: how a turn began is kept.
    pub(crate) undoes_turns: bool,
}

impl Engine {
    /// Derives what playing needs.
    #[must_use]
    pub fn new(rules: Rules) -> Engine {
        let evaluator = Evaluator::new(rules);
        Engine {
            spend_lines: SpendLines::of(&evaluator),
            assumptions: Assumptions::of(&evaluator),
            quick: Quick::of(&evaluator),
            tracks_newest: evaluator.tracks_newest(),
            undoes_turns: evaluator.undoes_turns(),
            evaluator,
        }
    }
}

impl Deref for Engine {
    type Target = Evaluator;

    #[inline(always)]
    fn deref(&self) -> &Evaluator {
        &self.evaluator
    }
}
