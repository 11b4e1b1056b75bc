//! Events, the effects of rules that answer them, and choices other than moves.

use super::lines::LineId;
use super::program::{Program, Whose};
use crate::units::{Due, PathPlace};

/// Events that rules can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// A turn begins, before any throw.
    TurnStart,
    /// A throw was made. Its numbers are not in the hand yet.
    Throw,
    /// A pawn moved. A joint move raises this event once for each pawn.
    Moved,
    /// A pawn came onto the board from place 0.
    Entered,
    /// A move captured pawns. `victims` is the number of captured pawns.
    Cut,
    /// A pawn was captured. Conditions read the captured pawn and its colour as own, the capturer as `other`.
    Lost,
    /// A pawn passed over a pair of its own colour.
    PassedOwnPair,
    /// Two own pawns now form a pair, on a place where pairs count.
    PairFormed,
    /// A pair moved together.
    PairMoved,
    /// A pawn reached home.
    Home,
    /// A pawn left home or the homeward places and is on the track again.
    Left,
    /// All numbers of the hand are spent or dropped.
    Spent,
    /// A turn ends. Conditions read the seat whose turn ends as own.
    TurnEnd,
    /// A turn ends. Raised for every playing seat, with the seat whose turn ended as `other`.
    AnyTurnEnd,
    /// A pawn could have captured, but the action that was played captured nothing. Raised after that action.
    Spared,
}

impl Event {
    /// Number of events.
    pub const COUNT: usize = 15;
}

/// The rules that answer events, and the choices other than moves.
#[derive(Debug)]
pub struct Events {
    /// The rules that answer each event, in order. The index is the [`Event`].
    pub on: [Vec<Rule>; Event::COUNT],
    /// Choices other than moves.
    pub choices: Vec<Choice>,
}

impl Events {
    /// Every effect of the rules and choices.
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
    /// The condition under which the rule applies. `None` means always.
    pub when: Option<Program>,
    /// The effects, in order.
    pub effects: Vec<Effect>,
}

/// An effect of a rule or choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Sets a counter to a value, limited to its range: owner, index of the counter, value.
    Set(Whose, u8, Program),
    /// Adds to a counter, limited to its range: owner, index of the counter, amount.
    Add(Whose, u8, Program),
    /// Sets or clears a mark of the pawn in question: index of the mark, whether it is set.
    Mark(u8, Program),
    /// Sets or clears a mark of some own pawns: index of the mark, whether it is set, condition that selects the pawns.
    MarkEach(u8, Program, Program),
    /// Grants a throw before anything is spent.
    ThrowNow,
    /// Grants a throw after the hand is spent.
    ThrowAfter,
    /// Grants a bonus: number of steps, time at which it may be taken.
    Bonus(Program, Due),
    /// Keeps the numbers of this throw out of the hand.
    Drop {
        /// Whether the other numbers of the hand are dropped too.
        all: bool,
    },
    /// Ends the turn after the running action.
    EndTurn,
    /// Restores the state before the first throw of the turn.
    UndoTurn,
    /// Puts a pawn on a place, without a landing there.
    Send(Which, PathPlace),
    /// Puts all pawns for which a condition holds on a place of their own path, without a landing there.
    SendEach(Each, PathPlace, Program),
    /// Moves one own pawn from the first place to the second, with a landing there.
    Jump(PathPlace, PathPlace),
    /// Moves own pawns for which a condition holds to a place, each with a landing there.
    JumpEach(PathPlace, Program),
    /// Moves a pawn from this place to the square that the choice names, and captures there.
    ///
    /// If a single pawn may not land there, a pair moves.
    Pounce(PathPlace),
    /// Captures the enemies on the square where the move began.
    CutBehind,
}

impl Effect {
    /// The place to which the effect moves pawns. `None` if it moves none, or to a place that depends on the state.
    pub(crate) fn target(self) -> Option<PathPlace> {
        match self {
            Self::Send(_, to) | Self::SendEach(_, to, _) | Self::Jump(_, to) | Self::JumpEach(to, _) => Some(to),
            _ => None,
        }
    }

    /// Whether the effect may move pawns. Captures are not counted.
    ///
    /// Every effect is named here: a new one does not compile until somebody decides about it.
    pub(crate) fn moves_pawns(&self) -> bool {
        match self {
            Self::Send(..)
            | Self::SendEach(..)
            | Self::Jump(..)
            | Self::JumpEach(..)
            | Self::Pounce(_)
            | Self::UndoTurn => true,
            Self::Set(..)
            | Self::Add(..)
            | Self::Mark(..)
            | Self::MarkEach(..)
            | Self::ThrowNow
            | Self::ThrowAfter
            | Self::Bonus(..)
            | Self::Drop { .. }
            | Self::EndTurn
            | Self::CutBehind => false,
        }
    }
}

/// Whose pawns an effect on each of them applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Each {
    /// The own pawns.
    Own,
    /// The pawns of all opponents.
    Enemy,
}

/// The pawn that an effect applies to.
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

/// A choice other than a move.
#[derive(Debug)]
pub struct Choice {
    /// The rule line.
    pub line: LineId,
    /// The word with which players name the choice.
    pub word: String,
    /// The part of the turn in which the choice is offered.
    pub at: Asking,
    /// The condition under which the choice is open. A choice with an argument checks it for each place.
    pub when: Option<Program>,
    /// The kind of argument that the choice takes.
    pub of: Argument,
    /// The effects, in order.
    pub effects: Vec<Effect>,
}

/// The part of the turn in which a choice is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Before the throw. The player must make one of the open choices before throwing.
    BeforeThrow,
    /// At the end of the turn. The choice ends the turn.
    BeforeTurnEnd,
}

/// The kind of argument that a choice takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// No argument.
    None,
    /// A place with an own pair.
    OwnPair,
    /// A place with pawns of the seat on the right.
    RightPawn,
    /// A place with pawns of the seat that played before.
    PreviousPawn,
}
