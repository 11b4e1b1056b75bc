//! The words of settings. Parser, messages, JSON Schema and tables all use these enums, so each word is declared once.

use crate::tables::{Argument, Asked, Asking, Duty, Event, First, Mover, Reunite, Route, Verdict, Wall, With};
use crate::word::words;

/// The behaviour of a pawn at a closed gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The pawn goes another lap, which begins at `lap_to`.
    Lap,
    /// The pawn has to wait before the gate.
    Wait,
}

/// The order of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Turns go in the order in which `seats` lists the seats.
    Onward,
    /// Turns go in the opposite order.
    Backward,
}

/// The part of the hand that must be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiceUse {
    /// The player has to spend as many numbers as possible.
    Most,
    /// The player may leave numbers unspent.
    Any,
}

/// The seats for which a square has a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagScope {
    /// All seats see the squares that have these labels on the path of any seat.
    Everyone,
    /// Each seat sees only the squares that have these labels on its own path.
    Owner,
}

/// The time at which an action has to be possible, so that a compulsion requires it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// The action has to be possible now.
    Moment,
    /// The action has to be possible at some point while the hand is spent.
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
    First { "random" => First::Random, "highest" => First::Highest }
    DiceUse { "most" => DiceUse::Most, "any" => DiceUse::Any }
    Reunite { "free" => Reunite::Free, "throw" => Reunite::Throw, "roll" => Reunite::Roll, "turn" => Reunite::Turn }
    TagScope { "everyone" => TagScope::Everyone, "owner" => TagScope::Owner }
    Mover { "pawn" => Mover::Pawn, "pair" => Mover::Pair, "group" => Mover::Group }
    With {
        "die" => With::Die, "sum" => With::Sum, "doublet" => With::Doublet, "triplet" => With::Triplet,
        "bonus" => With::Bonus,
    }
    Route {
        "ahead" => Route::Ahead, "outward" => Route::Outward, "recoil" => Route::Recoil,
        "bounce" => Route::Bounce(Wall::Home), "back" => Route::Back, "lap" => Route::Lap,
        "stay" => Route::Stay,
    }
    Wall { "obstacle" => Wall::Obstacle }
    Duty { "ordinary" => Duty::Ordinary, "voluntary" => Duty::Voluntary, "last" => Duty::Last }
    Within { "moment" => Within::Moment, "hand" => Within::Hand }
    Arrival { "pawn" => Arrival::Pawn, "pair" => Arrival::Pair }
    LandingVerdict {
        "cut" => LandingVerdict(Verdict::Cut), "cut last" => LandingVerdict(Verdict::CutLast),
        "stop before" => LandingVerdict(Verdict::StopBefore), "refuse" => LandingVerdict(Verdict::Refuse),
        "join" => LandingVerdict(Verdict::Allow), "swap" => LandingVerdict(Verdict::Swap),
    }
    PassingVerdict {
        "refuse" => PassingVerdict(Verdict::Refuse), "pass" => PassingVerdict(Verdict::Allow),
        "cut" => PassingVerdict(Verdict::Cut),
    }
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
        "stayed" => Event::Stayed,
    }
    Asking { "before_throw" => Asking::BeforeThrow, "before_turn_end" => Asking::BeforeTurnEnd }
    Argument {
        "own_pair" => Argument::OwnPair, "right_pawn" => Argument::RightPawn,
        "previous_pawn" => Argument::PreviousPawn, "turn_pair" => Argument::TurnPair,
        "turn_pawn" => Argument::TurnPawn,
    }
    Asked {
        "mover" => Asked::Mover, "next" => Asked::Next, "previous" => Asked::Previous, "partner" => Asked::Partner,
        "others" => Asked::Others,
    }
}
