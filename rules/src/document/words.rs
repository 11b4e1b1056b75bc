//! The words of settings. Parser, messages, JSON Schema and tables all use these enums, so a word is declared once.

use crate::tables::{Argument, Asking, Duty, Event, Mover, Reunite, Route, Verdict, With};
use crate::word::words;

/// What a pawn does at a closed gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// It goes another lap, from `lap_to` on.
    Lap,
    /// It cannot pass.
    Wait,
}

/// The order of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The order of `seats`.
    Onward,
    /// The opposite order.
    Backward,
}

/// How much of the hand must be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiceUse {
    /// As many numbers as possible must be spent.
    Most,
    /// Numbers may be left over.
    Any,
}

/// Whose squares a tag marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagScope {
    /// The squares in the numbering of every seat, for all seats.
    Everyone,
    /// The squares in the numbering of the own seat.
    Owner,
}

/// How far a compulsion looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Actions that are possible now.
    Moment,
    /// Actions that are possible in the course of the whole hand.
    Hand,
}

/// The mover that comes to a square or passes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// A single pawn.
    Pawn,
    /// Pawns that move together.
    Pair,
}

/// The verdict of a `landing` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LandingVerdict(pub(crate) Verdict);

/// The verdict of a `passing` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassingVerdict(pub(crate) Verdict);

words! {
    Closing { "lap" => Closing::Lap, "wait" => Closing::Wait }
    Order { "onward" => Order::Onward, "backward" => Order::Backward }
    DiceUse { "most" => DiceUse::Most, "any" => DiceUse::Any }
    Reunite { "free" => Reunite::Free, "throw" => Reunite::Throw, "roll" => Reunite::Roll, "turn" => Reunite::Turn }
    TagScope { "everyone" => TagScope::Everyone, "owner" => TagScope::Owner }
    Mover { "pawn" => Mover::Pawn, "pair" => Mover::Pair, "group" => Mover::Group }
    With {
        "die" => With::Die, "sum" => With::Sum, "doublet" => With::Doublet, "triplet" => With::Triplet,
        "bonus" => With::Bonus,
    }
    Route {
        "ahead" => Route::Ahead, "outward" => Route::Outward, "recoil" => Route::Recoil, "bounce" => Route::Bounce,
        "lap" => Route::Lap,
    }
    Duty { "ordinary" => Duty::Ordinary, "voluntary" => Duty::Voluntary, "last" => Duty::Last }
    Within { "moment" => Within::Moment, "hand" => Within::Hand }
    Arrival { "pawn" => Arrival::Pawn, "pair" => Arrival::Pair }
    LandingVerdict {
        "cut" => LandingVerdict(Verdict::Cut), "cut last" => LandingVerdict(Verdict::CutLast),
        "stop before" => LandingVerdict(Verdict::StopBefore), "refuse" => LandingVerdict(Verdict::Refuse),
        "join" => LandingVerdict(Verdict::Allow),
    }
    PassingVerdict { "refuse" => PassingVerdict(Verdict::Refuse), "pass" => PassingVerdict(Verdict::Allow) }
    Event {
        "turn_start" => Event::TurnStart,
        "throw" => Event::Throw,
        "moved" => Event::Moved,
        "entered" => Event::Entered,
        "cut" => Event::Cut,
        "lost" => Event::Lost,
        "passed_own_pair" => Event::PassedOwnPair,
        "pair_formed" => Event::PairFormed,
        "pair_moved" => Event::PairMoved,
        "home" => Event::Home,
        "left" => Event::Left,
        "spent" => Event::Spent,
        "turn_end" => Event::TurnEnd,
        "any_turn_end" => Event::AnyTurnEnd,
        "spared" => Event::Spared,
    }
    Asking { "before_throw" => Asking::BeforeThrow, "before_turn_end" => Asking::BeforeTurnEnd }
    Argument {
        "own_pair" => Argument::OwnPair, "right_pawn" => Argument::RightPawn,
        "previous_pawn" => Argument::PreviousPawn,
    }
}
