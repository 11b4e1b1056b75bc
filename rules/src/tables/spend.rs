//! What a throw gives, how a turn runs, and what can be done with the hand.

use super::lines::LineId;
use super::program::Program;
use super::verdict::VerdictTable;
use crate::units::{PathPlace, Places};

/// What is thrown, and which numbers that gives.
#[derive(Debug)]
pub struct Throws {
    /// Dice or lots.
    pub dice: Dice,
    /// Lines that say which numbers a throw gives; the first whose condition holds decides.
    pub numbers: Vec<Numbers>,
}

/// What can be done with the hand, and what that does.
#[derive(Debug)]
pub struct Moves {
    /// Ways to spend numbers.
    pub spend: Vec<Spend>,
    /// Compulsion: of the actions possible, the first line with one restricts the choice to its own.
    pub must: Vec<Must>,
    /// What a landing does.
    pub landing: VerdictTable,
    /// What stands in the way of passing.
    pub passing: VerdictTable,
}

/// Dice or lots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// Every die's faces, all equally likely.
    Faces {
        /// How many dice.
        count: u8,
        /// The faces of each.
        faces: Vec<u8>,
    },
    /// Two-sided lots: the value by how many lie mouth up.
    Lots {
        /// How many lots.
        count: u8,
        /// Value with 0, 1, .. `count` mouths up.
        values: Vec<u8>,
    },
}

/// Numbers that a throw gives.
#[derive(Debug)]
pub struct Numbers {
    /// The rule line.
    pub line: LineId,
    /// When it applies.
    pub when: Option<Program>,
    /// The numbers; empty: nothing to spend.
    pub numbers: Vec<Program>,
    /// All or none of them must be spent.
    pub all_or_none: bool,
}

/// How a turn runs.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Legal is only what begins a way to spend as many numbers as can be spent.
    pub most: bool,
    /// A pawn is moved by one number of a throw at most (a sum counts as one).
    pub once_per_throw: bool,
    /// Two pawns of a pair may not meet again on a square, by anything but a joint move, within this scope.
    pub reunite: Reunite,
    /// A turn passes by itself where nothing can be played, else `pass` may be chosen too.
    pub may_pass: bool,
    /// Turns after which a game counts as stuck.
    pub cap: u32,
}

/// Scope of the ban on two pawns of a pair meeting again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reunite {
    /// They may.
    Free,
    /// Not with the numbers of one throw.
    Throw,
    /// Not before the next throw: bonuses included.
    Roll,
    /// Not in the same turn.
    Turn,
}

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// One pawn.
    Pawn,
    /// Two pawns of one colour on one place.
    Pair,
    /// All pawns of one colour on one place, two or more.
    Group,
}

impl Mover {
    /// Whether several pawns go together: what lands on others or passes them asks no more.
    #[inline(always)]
    pub fn is_joint(self) -> bool {
        self != Mover::Pawn
    }
}

/// What an action spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// One number of a throw.
    Die,
    /// All numbers of a throw (two or more), none spent before; steps are their sum.
    Sum,
    /// Two equal numbers of a throw, none spent before; steps are one of them.
    Doublet,
    /// Three equal numbers of a throw, none spent before; steps are one of them.
    Triplet,
    /// A bonus.
    Bonus,
}

/// How willingly an action is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Part of the plan that the dice must be used for.
    Ordinary,
    /// Open beside the ordinary ones, never forced, never counted; where only such are open, `pass` is too.
    Voluntary,
    /// Only when no ordinary action is left.
    Last,
}

/// Which way an action goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Along the path.
    Ahead,
    /// To this place, whatever the steps.
    To(PathPlace),
    /// Turns round where it stands and walks outward from the place where the path first met the square.
    Outward,
    /// Along the path; what is left at home is walked back from there.
    Bounce,
    /// Past an open gate on another lap, as if it were closed.
    Lap,
    /// Outward, but stays homeward while it does not leave the squares that are walked twice.
    Recoil,
}

/// A way to spend something of the hand.
#[derive(Debug)]
pub struct Spend {
    /// The rule line.
    pub line: LineId,
    /// What moves.
    pub mover: Mover,
    /// Places it may stand on.
    pub from: Places,
    /// What it spends.
    pub with: With,
    /// The only number (or sum) it may be, 0 for any.
    pub exactly: u8,
    /// Which way it goes.
    pub route: Route,
    /// How many steps; `None`: the number, the sum, one of the doublet, the bonus.
    pub steps: Option<Program>,
    /// Condition that does not depend on the pawn or the number: asked once a decision.
    pub open: Option<Program>,
    /// Condition asked for each pawn and number (`from`, `to`, `pawn`, `number`, `throw_number`).
    pub when: Option<Program>,
    /// How willingly.
    pub duty: Duty,
}

impl Spend {
    /// Whether every pawn moved takes a number of its own: one pawn any, two a doublet.
    pub(crate) fn moves_as_spent(&self) -> bool {
        match self.mover {
            Mover::Pawn => !matches!(self.with, With::Doublet | With::Triplet),
            Mover::Pair => self.with == With::Doublet,
            Mover::Group => false,
        }
    }
}

/// A compulsion.
#[derive(Debug)]
pub struct Must {
    /// The rule line.
    pub line: LineId,
    /// Spending lines that count, a bit each.
    pub actions: u32,
    /// As many of them as the whole hand allows; otherwise whatever is possible at the moment.
    pub in_hand: bool,
    /// Condition asked once a decision.
    pub open: Option<Program>,
    /// Condition asked for each action.
    pub when: Option<Program>,
}
