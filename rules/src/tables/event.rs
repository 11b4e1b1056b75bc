//! Events, the effects of rules that answer them, and choices other than moves.

use super::lines::LineId;
use super::program::{Program, Whose};
use crate::units::{Due, PathPlace};
use crate::word::Word;

/// The word for the action that gives up the rest of the hand. No choice has this word.
pub const PASS_WORD: &str = "pass";

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
    /// A pawn went back to an earlier place of its path. If the board has a gate: from a place past the gate.
    Left,
    /// All numbers of the hand are spent or dropped.
    Spent,
    /// A turn ends. Conditions read the seat whose turn ends as own.
    TurnEnd,
    /// A turn ends. Raised for every playing seat, with the seat whose turn ended as `other`.
    AnyTurnEnd,
    /// A pawn could have captured, but the action that was played captured nothing. Raised after that action.
    Spared,
    /// A number was spent on a pawn, which stays where it stands. For a joint action, raised once for each pawn.
    Stayed,
}

impl Event {
    /// Number of events.
    pub const COUNT: usize = 16;

    /// Every event.
    pub(crate) fn all() -> impl Iterator<Item = Event> {
        Event::VALUES.iter().copied()
    }

    /// The set of this event alone.
    #[inline(always)]
    #[must_use]
    pub const fn alone(self) -> EventSet {
        1 << self as u8
    }

    /// Whether the event happens to a pawn, or is brought about by one.
    pub(crate) fn is_about_a_pawn(self) -> bool {
        match self {
            Self::Moved
            | Self::Entered
            | Self::Cut
            | Self::Lost
            | Self::PassedOwnPair
            | Self::PairFormed
            | Self::PairMoved
            | Self::Home
            | Self::Left
            | Self::Spared
            | Self::Stayed => true,
            Self::TurnStart | Self::Throw | Self::Spent | Self::TurnEnd | Self::AnyTurnEnd => false,
        }
    }

    /// The word for the event in rule files.
    #[must_use]
    pub fn word(self) -> &'static str {
        Word::word(self)
    }
}

/// A set of events, with one bit for each.
pub type EventSet = u16;

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
        effects(&self.on, &self.choices)
    }
}

/// Every effect of these rules and choices.
pub(crate) fn effects<'r>(on: &'r [Vec<Rule>], choices: &'r [Choice]) -> impl Iterator<Item = &'r Effect> {
    let rules = on.iter().flatten().flat_map(|rule| &rule.effects);
    rules.chain(choices.iter().flat_map(|choice| &choice.effects))
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
    /// Restores pawns, marks, counters and ranks as they were before the first throw of the turn.
    UndoTurn,
    /// Puts a pawn on a place, without a landing there.
    Send(Which, Goal),
    /// Puts all pawns for which a condition holds on a place of their own path, without a landing there.
    SendEach(Each, Goal, Program),
    /// Moves one own pawn to a place, with a landing there.
    Jump(Jumper, Goal),
    /// Moves own pawns for which a condition holds to a place, each with a landing there.
    JumpEach(Goal, Program),
    /// Moves a pawn from this place to the square that the choice names, and captures there.
    ///
    /// If a single pawn may not capture there, a pair moves.
    Pounce(PathPlace),
    /// Captures the enemies on the square where the move began.
    CutBehind,
}

impl Effect {
    /// The place to which the effect moves pawns. `None` if it moves none, or to a place that depends on the choice.
    pub(crate) fn goal(self) -> Option<Goal> {
        match self {
            Self::Send(_, to) | Self::SendEach(_, to, _) | Self::Jump(_, to) | Self::JumpEach(to, _) => Some(to),
            _ => None,
        }
    }

    /// The conditions and numbers of the effect.
    pub(crate) fn programs(self) -> impl Iterator<Item = Program> {
        let own = match self {
            Self::Set(_, _, value) | Self::Add(_, _, value) | Self::Mark(_, value) | Self::Bonus(value, _) => {
                [Some(value), None]
            }
            Self::MarkEach(_, value, condition) => [Some(value), Some(condition)],
            Self::SendEach(_, _, condition) | Self::JumpEach(_, condition) => [Some(condition), None],
            _ => [None; 2],
        };
        own.into_iter().chain([self.goal().and_then(Goal::program)]).flatten()
    }

    /// Whether the effect may move pawns. Captures are not counted.
    ///
    /// The function names every effect, so that a new effect does not compile until it is added here.
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

/// The owners of the pawns that [`Effect::SendEach`] may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Each {
    /// The own pawns.
    Own,
    /// The pawns of all opponents.
    Enemy,
}

/// The place to which an effect moves a pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// A fixed place.
    Place(PathPlace),
    /// The place that a program computes.
    Computed(Program),
    /// The place this many steps ahead of the pawn, or behind the pawn if the number is negative.
    By(Program),
}

impl Goal {
    /// The program that computes the place. `None` for a fixed place.
    pub(crate) fn program(self) -> Option<Program> {
        match self {
            Self::Place(_) => None,
            Self::Computed(program) | Self::By(program) => Some(program),
        }
    }
}

/// The own pawn that jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jumper {
    /// The first pawn on a place.
    On(PathPlace),
    /// The pawn that a word such as `nearest` stands for.
    Which(Which),
}

/// The pawn that an effect applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The pawn that the event is about: the pawn that moved, or at `lost` the pawn that was captured.
    This,
    /// The own pawn on the board nearest to home.
    Nearest,
    /// The pawn that moved last in this turn.
    LastMoved,
    /// A pawn on the place that a player names in a choice, of the seat that the choice calls `other`.
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
    /// The seats that are asked.
    pub who: Asked,
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

/// The seats that a choice is offered to. The seat whose turn it is decides first, then the others in the order of
/// turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The seat whose turn it is.
    Mover,
    /// The seat that plays next.
    Next,
    /// The seat that played before.
    Previous,
    /// The partner of the seat whose turn it is.
    Partner,
    /// Every seat but the one whose turn it is.
    Others,
}

/// The argument of a choice: nothing, or a place that the player names, on which certain pawns stand.
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
    /// A place with a pair of the colour that moves in this turn.
    TurnPair,
    /// A place with pawns of the colour that moves in this turn.
    TurnPawn,
}
