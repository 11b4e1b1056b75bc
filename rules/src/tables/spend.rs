//! Throws, the course of a turn, and the ways to spend the hand.

use super::lines::LineId;
use super::program::Program;
use super::verdict::VerdictTable;
use crate::units::{PathPlace, Pips, Places};

/// The dice or lots, and the numbers that a throw gives.
#[derive(Debug)]
pub struct Throws {
    /// The dice or lots that are thrown.
    pub dice: Dice,
    /// Lines that say which numbers a throw gives. The first line whose condition is true decides.
    pub numbers: Vec<Numbers>,
}

/// The ways to spend the hand, and the verdicts on landing and passing.
#[derive(Debug)]
pub struct Moves {
    /// The ways to spend numbers and bonuses.
    pub spend: Vec<Spend>,
    /// The compulsions. Of those on the next action, the first one that matches any possible action restricts the
    /// player to the actions it matches.
    pub must: Vec<Must>,
    /// The verdicts on landing on an occupied square.
    pub landing: VerdictTable,
    /// The verdicts on passing an occupied square.
    pub passing: VerdictTable,
}

/// Dice or lots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// Dice with these faces, all equally likely.
    Faces {
        /// Number of dice.
        count: u8,
        /// The faces of each die.
        faces: Vec<u8>,
    },
    /// Two-sided lots. Their value depends on how many lie mouth up.
    Lots {
        /// Number of lots.
        count: u8,
        /// The values with 0, 1, .. `count` mouths up.
        values: Vec<u8>,
    },
}

/// A line that says which numbers a throw gives.
#[derive(Debug)]
pub struct Numbers {
    /// The rule line.
    pub line: LineId,
    /// The condition under which the line applies. `None` means always.
    pub when: Option<Program>,
    /// The numbers. If the list is empty, the throw gives nothing to spend.
    pub numbers: Vec<Program>,
    /// Whether either all or none of the numbers must be spent.
    pub all_or_none: bool,
}

/// The course of a turn.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Whether the player must spend as many numbers as possible. An action is then legal only if it begins a plan that
    /// spends the most numbers.
    pub most: bool,
    /// Whether a pawn may move by only one number of a throw. A sum counts as one number.
    pub once_per_throw: bool,
    /// The period in which the pawns of a split pair may not meet again, except by a joint move.
    pub reunite: Reunite,
    /// Whether `pass` is legal beside other actions. A turn without any legal action always passes by itself.
    pub may_pass: bool,
    /// Number of turns after which a game counts as stuck.
    pub cap: u32,
}

impl Turn {
    /// Whether any rule asks which pawns a throw has moved.
    #[inline(always)]
    pub(crate) fn asks_moved(&self) -> bool {
        self.once_per_throw || self.reunite == Reunite::Throw
    }

    /// Whether any rule asks which pawns have parted in the turn, whatever throw parted them.
    #[inline(always)]
    pub(crate) fn asks_apart(&self) -> bool {
        matches!(self.reunite, Reunite::Roll | Reunite::Turn)
    }
}

/// The period in which the pawns of a split pair may not meet again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reunite {
    /// No period: the pawns may meet at any time.
    Free,
    /// The pawns may not meet by equal numbers of one throw, while the pawn that stayed has not moved.
    Throw,
    /// The pawns may not meet before the next throw that follows the spending of the hand, not even by a bonus.
    Roll,
    /// The pawns may not meet in the same turn.
    Turn,
}

/// The pawns that a line moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// One pawn.
    Pawn,
    /// Two pawns of one colour on one square where pairs count.
    Pair,
    /// All pawns of one colour on one place where pairs count, two or more.
    Group,
}

impl Mover {
    /// Whether several pawns move together. Landing and passing tables distinguish movers by this fact only.
    #[inline(always)]
    pub fn is_joint(self) -> bool {
        self != Mover::Pawn
    }
}

/// The part of the hand that an action spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// One number of a throw.
    Die,
    /// All of a throw's numbers, two or more, none spent before. The steps are their sum.
    Sum,
    /// Two equal numbers of a throw, both not spent yet. The number of steps is one of them, not their sum.
    Doublet,
    /// Three equal numbers of a throw, none spent yet. The number of steps is one of them, not their sum.
    Triplet,
    /// A bonus.
    Bonus,
}

/// Whether the player must play the actions of a spend line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// An ordinary action must be played while one is possible, unless `may_pass` allows a pass. Compulsions, and the
    /// duty to spend as many numbers as possible, apply to these actions.
    Ordinary,
    /// These actions may be played but are never forced: if no other action is possible, `pass` is legal too. They are
    /// not legal while a compulsion applies to the next action.
    Voluntary,
    /// These actions are legal only if no ordinary action is possible.
    Last,
}

/// The way along which an action moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Along the path.
    Ahead,
    /// Over these places of the path only, in the order of the path, and behind the last of them along the path.
    Along(Places),
    /// To this place, whatever the number of steps.
    To(PathPlace),
    /// To the place that a program computes.
    Computed(Program),
    /// Back towards the beginning. The pawn turns round and counts from the first place of its path on the same square.
    Outward,
    /// Along the path to a wall; the steps that remain lead back from there.
    Bounce(Wall),
    /// Backwards along the path.
    Back,
    /// Nowhere: the number is spent, and the pawn stays where it stands.
    Stay,
    /// Onto another lap, although the gate is open.
    Lap,
    /// The same way as `Outward`, but if the move ends on a square that the path visits twice, the pawn stands on the
    /// later of the two places.
    Recoil,
}

/// The place where a pawn that bounces turns back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// At home.
    Home,
    /// On this place. A pawn that is past the place turns at home.
    Place(PathPlace),
    /// Before the first square that a passing line refuses to pass. If there is none, at home.
    Obstacle,
}

impl Route {
    /// The program that computes where the move ends. `None` if no program does.
    pub(crate) fn program(self) -> Option<Program> {
        match self {
            Self::Computed(program) => Some(program),
            _ => None,
        }
    }
}

/// A set of numbers and sums, one bit each. Sums above 62 share a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberSet(u64);

impl NumberSet {
    /// Every number and sum.
    pub const ALL: NumberSet = NumberSet(u64::MAX);

    /// The set of these numbers, from 1 to 62. Without numbers it is [`NumberSet::ALL`].
    pub(crate) fn of(numbers: impl Iterator<Item = Pips>) -> NumberSet {
        match numbers.fold(0, |set, number| set | 1 << (number.0 & 63)) {
            0 => NumberSet::ALL,
            set => NumberSet(set),
        }
    }

    #[inline(always)]
    pub(crate) fn has(self, number: Pips) -> bool {
        self.0 >> number.0.min(63) & 1 == 1
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }
}

/// A way to spend numbers or a bonus.
#[derive(Debug)]
pub struct Spend {
    /// The rule line.
    pub line: LineId,
    /// The pawns that move.
    pub mover: Mover,
    /// The places where the move may begin.
    pub from: Places,
    /// The part of the hand that is spent.
    pub with: With,
    /// The numbers and sums that this line may spend.
    pub exactly: NumberSet,
    /// The way along which the pawns move.
    pub route: Route,
    /// The number of steps. `None` means as many as the number, the sum, one number of the doublet, or the bonus.
    pub steps: Option<Program>,
    /// A condition that does not depend on the pawn or the number. The engine checks it once for each decision.
    pub open: Option<Program>,
    /// A condition that the engine checks for each pawn and number.
    pub when: Option<Program>,
    /// Whether the player must play these actions.
    pub duty: Duty,
}

impl Spend {
    /// The places where a move may begin: a pair or group moves only where pairs count, on the places `pairing`.
    pub(crate) fn moves_from(&self, pairing: Places) -> Places {
        if self.mover.is_joint() { self.from & pairing } else { self.from }
    }

    /// Whether every pawn that moves uses up one number, sum or bonus: a pawn with anything but a doublet or triplet,
    /// or a pair with a doublet.
    pub(crate) fn moves_as_spent(&self) -> bool {
        match self.mover {
            Mover::Pawn => !matches!(self.with, With::Doublet | With::Triplet),
            Mover::Pair => self.with == With::Doublet,
            Mover::Group => false,
        }
    }
}

/// A set of ways to spend, with one bit for each, in the order of [`Moves::spend`].
pub type WaySet = u64;

/// A compulsion.
#[derive(Debug)]
pub struct Must {
    /// The rule line.
    pub line: LineId,
    /// The ways to spend to which the compulsion applies.
    pub actions: WaySet,
    /// Whether the compulsion covers the whole hand: the player must play as many matching actions as the hand allows.
    /// Otherwise it covers the next action only.
    pub in_hand: bool,
    /// A condition that the engine checks once for each decision.
    pub open: Option<Program>,
    /// A condition that the engine checks for each action.
    pub when: Option<Program>,
    /// A number for each matching action. Only the actions with the least number remain.
    pub least: Option<Program>,
}
