//! Events, what rules do when they answer them, and choices that are not moves.

use super::lines::LineId;
use super::program::{Program, Whose};
use crate::units::{Due, PathPlace};

/// Events that rules answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// A turn begins, before any throw.
    TurnStart,
    /// Something was thrown; its numbers are not in the hand yet.
    Throw,
    /// A pawn moved (also for each pawn of a joint move).
    Moved,
    /// A pawn came onto the board from place 0.
    Entered,
    /// A pawn or pair captured; `victims` says how many.
    Cut,
    /// A pawn was captured: context is the victim's colour and pawn; `other` is the capturer.
    Lost,
    /// A pawn passed over a pair of its own colour.
    PassedOwnPair,
    /// A pair formed where pairs count.
    PairFormed,
    /// A pair moved together.
    PairMoved,
    /// A pawn reached home.
    Home,
    /// A pawn went out again from home or a homeward place.
    Left,
    /// Everything of a throw (of all banked throws) is spent or dropped.
    Spent,
    /// A turn ends: context is the seat whose turn ends.
    TurnEnd,
    /// A turn ends: asked for every playing seat in turn, `other` is the seat whose turn ended.
    AnyTurnEnd,
    /// A pawn could have captured, and what was played captured nothing; asked after that.
    Spared,
}

impl Event {
    /// Number of events.
    pub const COUNT: usize = 15;
}

/// What happens on events, and what may be chosen.
#[derive(Debug)]
pub struct Events {
    /// The rules that answer each event, in order, by [`Event`] as index.
    pub on: [Vec<Rule>; Event::COUNT],
    /// Choices that are not moves.
    pub choices: Vec<Choice>,
}

impl Events {
    /// What rules and choices may do.
    pub(crate) fn effects(&self) -> impl Iterator<Item = &Effect> {
        let rules = self.on.iter().flatten().flat_map(|rule| &rule.effects);
        rules.chain(self.choices.iter().flat_map(|choice| &choice.effects))
    }
}

/// A rule that answers an event.
#[derive(Debug)]
pub struct Rule {
    /// The rule line.
    pub line: LineId,
    /// When it applies.
    pub when: Option<Program>,
    /// What happens, in order.
    pub effects: Vec<Effect>,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Sets a counter of whom to a value, held within its range.
    Set(Whose, u8, Program),
    /// Adds to a counter, held within its range.
    Add(Whose, u8, Program),
    /// Sets (or clears) a mark of the pawn in question.
    Mark(u8, Program),
    /// Sets (or clears) a mark of every own pawn for which the condition holds.
    MarkEach(u8, Program, Program),
    /// Grants a throw before anything is spent.
    ThrowNow,
    /// Grants a throw after the hand is spent.
    ThrowAfter,
    /// Grants a bonus of steps, to be taken when it is due.
    Bonus(Program, Due),
    /// The numbers of this throw are not added to the hand (or all of the hand is dropped).
    Drop {
        /// The whole hand.
        all: bool,
    },
    /// The turn ends when this is done.
    EndTurn,
    /// Everything is again as before the first throw of the turn.
    UndoTurn,
    /// A pawn goes to a place off the ordinary way (no landing there).
    Send(Which, PathPlace),
    /// One own pawn of the first place moves to the second, with a landing there.
    Jump(PathPlace, PathPlace),
    /// A pawn captures at the argument's square and stands there (two as a pair where one may not).
    Pounce(PathPlace),
    /// The enemies on the square that the move left are captured.
    CutBehind,
}

/// Which pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The pawn in question.
    This,
    /// The own pawn on the board nearest to home.
    Nearest,
    /// The pawn that moved last in this turn.
    LastMoved,
    /// A pawn of the other seat on the place that a choice names.
    Argument,
}

/// A choice that is not a move.
#[derive(Debug)]
pub struct Choice {
    /// The rule line.
    pub line: LineId,
    /// The word that players use.
    pub word: String,
    /// When it is asked.
    pub at: Asking,
    /// When it is open. With an argument it is asked for each place.
    pub when: Option<Program>,
    /// What the argument is.
    pub of: Argument,
    /// What happens.
    pub effects: Vec<Effect>,
}

/// When a choice is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Before the throw; the throw must wait for one of them.
    BeforeThrow,
    /// When the turn would end; the turn ends with it.
    BeforeTurnEnd,
}

/// The argument of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// None.
    None,
    /// A place where an own pair stands.
    OwnPair,
    /// A place where enemies stand, of the seat on the right.
    RightPawn,
    /// A place where pawns stand of the seat that played before.
    PreviousPawn,
}
