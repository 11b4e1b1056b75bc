//! The names that conditions may use, and where each of them means something.

use crate::tables::{Argument, Event, Fact};

/// What a condition may ask about: a set of the kinds below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope(u16);

impl Scope {
    /// Table options and the number of players: decided before the game.
    pub const OPTIONS: Scope = Scope(0);
    /// The seat in question, the game and the turn as a whole.
    pub const SEAT: Scope = Scope(1);
    /// The last throw.
    const THROW: Scope = Scope(2);
    /// The number that is spent.
    const NUMBER: Scope = Scope(4);
    /// A pawn and where it stands.
    const PAWN: Scope = Scope(8);
    /// Where the pawn goes.
    const TARGET: Scope = Scope(16);
    /// Another seat.
    const OTHER: Scope = Scope(32);
    /// What was captured.
    const VICTIMS: Scope = Scope(64);
    /// The argument of a choice.
    const ARGUMENT: Scope = Scope(128);
    /// Who stands on the square that a pawn comes to.
    const FACED: Scope = Scope(256);
    /// What of the hand nobody could play.
    const UNPLAYED: Scope = Scope(512);

    /// Lines that say which numbers a throw gives.
    pub const NUMBERS: Scope = Self::SEAT.with(Self::THROW);
    /// The steps of a spending line.
    pub const STEPS: Scope = Self::NUMBERS.with(Self::NUMBER).with(Self::PAWN);
    /// Conditions of spending lines and compulsions.
    pub const SPEND: Scope = Self::STEPS.with(Self::TARGET);
    /// Conditions of landing and passing lines.
    pub const VERDICT: Scope = Self::SPEND.with(Self::OTHER).with(Self::FACED);

    /// Whether a choice names a place.
    pub fn has_argument(self) -> bool {
        self.covers(Self::ARGUMENT)
    }

    /// Both.
    pub const fn with(self, other: Scope) -> Scope {
        Scope(self.0 | other.0)
    }

    /// Whether everything of `other` can be asked here.
    pub fn covers(self, other: Scope) -> bool {
        self.0 & other.0 == other.0
    }

    /// What lines for an event may ask about.
    pub fn event(event: Event) -> Scope {
        match event {
            Event::TurnStart => Self::SEAT,
            Event::Throw | Event::TurnEnd => Self::NUMBERS,
            Event::Spent => Self::NUMBERS.with(Self::UNPLAYED),
            Event::AnyTurnEnd => Self::NUMBERS.with(Self::OTHER),
            Event::Spared => Self::NUMBERS.each_pawn(),
            Event::Cut | Event::Lost => Self::SPEND.with(Self::OTHER).with(Self::VICTIMS),
            _ => Self::SPEND,
        }
    }

    /// What a choice may ask about.
    pub fn choice(of: Argument) -> Scope {
        let plain = Self::NUMBERS;
        let placed = plain.with(Self::ARGUMENT).with(Self::OTHER).with(Self::TARGET).with(Self::FACED);
        match of {
            Argument::None => plain,
            Argument::OwnPair => placed.with(Self::PAWN),
            Argument::RightPawn | Argument::PreviousPawn => placed,
        }
    }

    /// What is known of each own pawn, besides what is known anyway.
    pub fn each_pawn(self) -> Scope {
        self.with(Self::PAWN).with(Self::TARGET)
    }

    /// What a name with this qualifier needs.
    pub fn qualifier(qualifier: Option<&str>) -> Scope {
        match qualifier {
            Some("other") => Self::SEAT.with(Self::OTHER),
            Some("pawn") => Self::PAWN,
            Some("there") => Self::FACED,
            _ => Self::SEAT,
        }
    }
}

/// Types of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An integer.
    Number,
    /// Yes or no.
    Truth,
    /// A place of the own path.
    Place,
}

impl Kind {
    /// As it is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Truth => "yes or no",
            Kind::Place => "a place",
        }
    }
}

/// A fact by name: what it is, its type, and what must be known to ask it.
pub(crate) fn fact(name: &str) -> Option<(Fact, Kind, Scope)> {
    FACTS.iter().find(|(known, ..)| *known == name).map(|&(_, fact, kind, scope)| (fact, kind, scope))
}

/// Every fact that can be asked about.
pub(crate) const FACTS: &[(&str, Fact, Kind, Scope)] = &[
    ("doublet", Fact::Doublet, Kind::Truth, Scope::THROW),
    ("total", Fact::Total, Kind::Number, Scope::THROW),
    ("number", Fact::Number, Kind::Number, Scope::NUMBER),
    ("throw_number", Fact::ThrowNumber, Kind::Number, Scope::NUMBER),
    ("throws", Fact::Throws, Kind::Number, Scope::SEAT),
    ("owed", Fact::Owed, Kind::Number, Scope::SEAT),
    ("from", Fact::From, Kind::Place, Scope::PAWN),
    ("to", Fact::To, Kind::Place, Scope::TARGET),
    ("victims", Fact::Victims, Kind::Number, Scope::VICTIMS),
    ("joint", Fact::Joint, Kind::Truth, Scope::PAWN),
    ("own_there", Fact::OwnThere, Kind::Number, Scope::TARGET),
    ("enemies_there", Fact::EnemiesThere, Kind::Number, Scope::TARGET),
    ("pawns_there", Fact::PawnsThere, Kind::Number, Scope::TARGET),
    ("group", Fact::Group, Kind::Number, Scope::PAWN),
    ("group_there", Fact::GroupThere, Kind::Number, Scope::TARGET),
    ("players", Fact::Players, Kind::Number, Scope::OPTIONS),
    ("finished", Fact::Finished, Kind::Truth, Scope::SEAT),
    ("other_finished", Fact::OtherFinished, Kind::Truth, Scope::OTHER),
    ("in_pair", Fact::InPair, Kind::Truth, Scope::PAWN),
    ("helping", Fact::Helping, Kind::Truth, Scope::SEAT),
    ("other_is_right", Fact::OtherIsRight, Kind::Truth, Scope::OTHER),
    ("is_turn", Fact::IsTurn, Kind::Truth, Scope::SEAT),
    ("any_moved", Fact::AnyMoved, Kind::Truth, Scope::SEAT),
    ("last_moved_at", Fact::LastMovedAt, Kind::Place, Scope::SEAT),
    ("to_as_other", Fact::ToAsOther, Kind::Place, Scope::TARGET.with(Scope::OTHER)),
    ("argument", Fact::Argument, Kind::Place, Scope::ARGUMENT),
    ("bonuses_now", Fact::BonusesNow, Kind::Number, Scope::SEAT),
    ("unplayed", Fact::Unplayed, Kind::Number, Scope::UNPLAYED),
    ("numbers_left", Fact::NumbersLeft, Kind::Number, Scope::SEAT),
];

/// Functions, with what they need.
pub(crate) const FUNCTIONS: &[(&str, Scope)] = &[
    ("face", Scope::THROW),
    ("pawns", Scope::SEAT),
    ("other_pawns", Scope::OTHER),
    ("pairs", Scope::SEAT),
    ("other_pairs", Scope::OTHER),
    ("at", Scope::OPTIONS),
];
