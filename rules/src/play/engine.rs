//! The engine: the rules of a table with the look-up tables derived from them.

use std::ops::Deref;

use super::ahead::{Assumptions, Relevant};
use super::answers::ShortAnswers;
use super::companies::CompanyTable;
use super::evaluator::Evaluator;
use super::given_numbers::GivenNumbers;
use super::guards::Guards;
use super::homecoming::Homecoming;
use super::idle_lines::IdleLines;
use super::quick::Quick;
use super::reach::ReachTable;
use super::short_verdicts::ShortVerdicts;
use super::spend_lines::SpendLines;
use crate::tables::{Asked, EventSet, Rules, Verdict};

/// Plays by the rules of one table: lists legal actions and applies throws and actions to a state.
///
/// An engine holds no game; callers pass in the [state](super::State). It dereferences to [`Rules`], so that
/// `engine.board` is the board of the table.
#[derive(Debug)]
pub struct Engine {
    evaluator: Evaluator,
    /// The `on` lines that only set counters and marks to constants. Such a line is idle, which means that it changes
    /// nothing, while the counters and marks have these values already.
    pub(super) idle_lines: IdleLines,
    /// The `on` lines that may apply, by the throw and by the place and number of a move.
    pub(super) guards: Guards,
    /// The `on` lines in a short form, for play whose watcher hears no lines.
    pub(super) answers: ShortAnswers,
    /// The spend lines by place, by duty and by other properties.
    pub(super) spend_lines: SpendLines,
    /// Where each number leads from each place.
    pub(super) reach: ReachTable,
    /// Properties of the rules that shorten looking ahead.
    pub(super) assumptions: Assumptions,
    /// The `on` lines that can change the count of numbers that a plan spends. Looking ahead leaves out all others.
    pub(super) relevant: Relevant,
    /// The tables with which a [`Game`](super::Game) plays a plain rule set. `None` if the rule set is not plain.
    pub(super) quick: Option<Quick>,
    /// Whether the order of arrival on a square matters.
    pub(super) tracks_newest: bool,
    /// The events for which some `on` line may apply, one bit each.
    pub(super) answered: EventSet,
    /// The verdicts of the landing lines for single pawns in short.
    pub(super) short_verdicts: ShortVerdicts,
    /// The companies that each colour sees on squares.
    pub(super) companies: CompanyTable,
    /// Whether a passing line may capture.
    pub(super) cuts_in_passing: bool,
    /// When a pawn may come home in another way than by its own move.
    pub(super) homecoming: Homecoming,
    /// Whether any rule can undo a turn, so that the state before the turn must be kept.
    pub(crate) undoes_turns: bool,
    /// Whether any choice asks another seat than the one whose turn it is.
    pub(super) asks_others: bool,
    /// Whether players may have a choice: before a throw, and at the end of a turn.
    pub(super) asks: [bool; 2],
    /// Whether a landing may swap pawns, so that pawns may move that are not captured.
    pub(super) swaps: bool,
    /// The numbers of throws, where the throw alone decides them.
    pub(super) given: GivenNumbers,
}

impl Engine {
    /// Makes an engine for these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Engine {
        let evaluator = Evaluator::new(rules);
        let relevant = Relevant::of(&evaluator);
        let idle_lines = IdleLines::of(&evaluator);
        let spend_lines = SpendLines::of(&evaluator);
        let answers = ShortAnswers::of(&evaluator);
        Engine {
            guards: Guards::of(&evaluator),
            answered: answers.answered(),
            answers,
            reach: ReachTable::of(&evaluator, &spend_lines),
            assumptions: Assumptions::of(&evaluator, &relevant, &idle_lines, spend_lines.work_of_a_list()),
            spend_lines,
            idle_lines,
            quick: Quick::of(&evaluator, &|event, index| relevant.has(event, index)),
            relevant,
            tracks_newest: evaluator.tracks_newest(),
            short_verdicts: ShortVerdicts::of(&evaluator.moves.landing),
            companies: CompanyTable::of(&evaluator.seating),
            cuts_in_passing: evaluator.moves.passing.can_answer(Verdict::Cut),
            homecoming: Homecoming::of(&evaluator),
            undoes_turns: evaluator.undoes_turns(),
            asks: Engine::asks_of(&evaluator),
            swaps: evaluator.moves.landing.can_answer(Verdict::Swap),
            given: GivenNumbers::of(&evaluator),
            asks_others: evaluator.events.choices.iter().any(|choice| choice.who != Asked::Mover),
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
