//! The engine: the rules of a table with the look-up tables derived from them.

use std::ops::Deref;

use super::ahead::Assumptions;
use super::evaluator::Evaluator;
use super::quick::Quick;
use super::spend_lines::SpendLines;
use crate::tables::Rules;

/// Plays by the rules of one table: lists legal actions and applies throws and actions to a state.
///
/// An engine holds no game; callers pass in the [state](super::State). It dereferences to [`Rules`], so that
/// `engine.board` is the board of the table.
#[derive(Debug)]
pub struct Engine {
    evaluator: Evaluator,
    /// The spending lines that may begin on each place.
    pub(super) spend_lines: SpendLines,
    /// Properties of the rules that shorten looking ahead.
    pub(super) assumptions: Assumptions,
    /// The tables of the fast engine for plain rule sets. `None` if the rule set is not plain.
    pub(super) quick: Option<Quick>,
    /// Whether the order of arrival on a square matters.
    pub(super) tracks_newest: bool,
    /// Whether a pawn can come home in another way than by its own move.
    pub(super) brings_home: bool,
    /// Whether any rule can undo a turn, so that the state before the turn must be kept.
    pub(crate) undoes_turns: bool,
}

impl Engine {
    /// Makes an engine for these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Engine {
        let evaluator = Evaluator::new(rules);
        Engine {
            spend_lines: SpendLines::of(&evaluator),
            assumptions: Assumptions::of(&evaluator),
            quick: Quick::of(&evaluator),
            tracks_newest: evaluator.tracks_newest(),
            brings_home: evaluator.brings_home(),
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
