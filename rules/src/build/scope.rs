//! The names that expressions may use, and the scopes in which each name has a meaning.

use crate::tables::{Argument, Asked, Event, Fact};

/// The subjects that an expression may read, such as the last throw, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scope(u16);

impl Scope {
    /// No subject: expressions may use only table options and the number of players, which are fixed before the game.
    pub(super) const OPTIONS: Scope = Scope(0);
    /// The seat for which the expression is evaluated, the game, and the turn as a whole.
    pub(super) const SEAT: Scope = Scope(1);
    /// The last throw.
    const THROW: Scope = Scope(2);
    /// The number that is spent.
    const NUMBER: Scope = Scope(4);
    /// A pawn and the place where it stands.
    const PAWN: Scope = Scope(8);
    /// The place to which the pawn goes.
    const TARGET: Scope = Scope(16);
    /// Another seat, such as the owner of a captured pawn.
    const OTHER: Scope = Scope(32);
    /// The captured pawns.
    const VICTIMS: Scope = Scope(64);
    /// The argument of a choice.
    const ARGUMENT: Scope = Scope(128);
    /// The pawns on the square to which a pawn goes.
    const FACED: Scope = Scope(256);
    /// The numbers of the hand for which there was no legal action.
    const UNPLAYED: Scope = Scope(512);
    /// A throw whose numbers are not in the hand yet.
    pub(super) const FALLING: Scope = Scope(1024);

    /// All subjects.
    pub(super) const ALL: Scope = Scope(u16::MAX);

    /// The subjects of `numbers` lines, which say which numbers a throw gives.
    pub(super) const NUMBERS: Scope = Self::SEAT.with(Self::THROW);
    /// The subjects of the `steps` of a spend line.
    pub(super) const STEPS: Scope = Self::NUMBERS.with(Self::NUMBER).with(Self::PAWN);
    /// The subjects of conditions of spend lines and compulsions.
    pub(super) const SPEND: Scope = Self::STEPS.with(Self::TARGET);
    /// The subjects of conditions of landing and passing lines.
    pub(super) const VERDICT: Scope = Self::SPEND.with(Self::OTHER).with(Self::FACED);

    /// Whether an expression may read the argument of a choice.
    pub(super) fn has_argument(self) -> bool {
        self.covers(Self::ARGUMENT)
    }

    /// The union of two scopes.
    pub(super) const fn with(self, other: Scope) -> Scope {
        Scope(self.0 | other.0)
    }

    /// Whether this scope has all subjects of the other scope.
    pub(super) fn covers(self, other: Scope) -> bool {
        self.0 & other.0 == other.0
    }

    /// The subjects that lines for this event may read.
    pub(super) fn event(event: Event) -> Scope {
        match event {
            Event::TurnStart => Self::SEAT,
            Event::Throw => Self::NUMBERS.with(Self::FALLING),
            Event::TurnEnd => Self::NUMBERS,
            Event::Spent => Self::NUMBERS.with(Self::UNPLAYED),
            Event::AnyTurnEnd => Self::NUMBERS.with(Self::OTHER),
            Event::Spared => Self::NUMBERS.each_pawn(),
            Event::Cut | Event::Lost => Self::SPEND.with(Self::OTHER).with(Self::VICTIMS),
            _ => Self::SPEND,
        }
    }

    /// The events and sections of a rule file where an expression may read these subjects.
    pub(super) fn known_in(self) -> Vec<&'static str> {
        let events = Event::all().filter(|event| Self::event(*event).covers(self)).map(Event::word);
        let sections = [("numbers", Self::NUMBERS), ("spend", Self::SPEND), ("must", Self::SPEND)];
        let verdicts = [("landing", Self::VERDICT), ("passing", Self::VERDICT)];
        let sections = sections.into_iter().chain(verdicts).filter(|(_, scope)| scope.covers(self));
        sections.map(|(name, _)| name).chain(events).collect()
    }

    /// The subjects that a choice may read. They depend on the seats that the choice asks (`who`) and on its argument
    /// (`of`).
    pub(super) fn asked(who: Asked, of: Argument) -> Scope {
        if who == Asked::Mover { Self::choice(of) } else { Self::choice(of).with(Self::OTHER) }
    }

    /// The subjects that a choice of the seat whose turn it is may read. They depend on its argument (`of`).
    pub(super) fn choice(of: Argument) -> Scope {
        let plain = Self::NUMBERS;
        let placed = plain.with(Self::ARGUMENT).with(Self::OTHER).with(Self::TARGET).with(Self::FACED);
        match of {
            Argument::None => plain,
            Argument::OwnPair => placed.with(Self::PAWN),
            Argument::RightPawn | Argument::PreviousPawn | Argument::TurnPair | Argument::TurnPawn => placed,
        }
    }

    /// Adds a pawn and its place to the subjects of this scope, for effects that are applied to each pawn.
    pub(super) fn each_pawn(self) -> Scope {
        self.with(Self::PAWN).with(Self::TARGET)
    }

    /// Adds a pawn of an opponent to the subjects of this scope. The expression is evaluated for the opponent's seat;
    /// in it, `other` is the seat for which the line applies.
    pub(super) fn each_enemy(self) -> Scope {
        self.each_pawn().with(Self::OTHER)
    }

    /// The subjects that a name with this qualifier needs.
    pub(super) fn qualifier(qualifier: Option<&str>) -> Scope {
        match qualifier {
            Some("other") => Self::SEAT.with(Self::OTHER),
            Some("pawn") => Self::PAWN,
            Some("there") => Self::FACED,
            Some("own_there") => Self::TARGET,
            _ => Self::SEAT,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueType {
    /// An integer.
    Number,
    /// Yes or no.
    Truth,
    /// A place of the seat's own path.
    Place,
}

impl ValueType {
    /// The name of the type in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            ValueType::Number => "a number",
            ValueType::Truth => "yes or no",
            ValueType::Place => "a place",
        }
    }
}

/// Finds a fact by its name. Returns it with its type and the scope that it needs.
pub(crate) fn fact(name: &str) -> Option<(Fact, ValueType, Scope)> {
    FACTS.iter().find(|(known, ..)| *known == name).map(|&(_, fact, kind, scope)| (fact, kind, scope))
}

/// Every fact, with its type and the scope that it needs. Facts are the values that the engine provides for
/// expressions.
pub(crate) const FACTS: &[(&str, Fact, ValueType, Scope)] = &[
    ("doublet", Fact::Doublet, ValueType::Truth, Scope::THROW),
    ("total", Fact::Total, ValueType::Number, Scope::THROW),
    ("number", Fact::Number, ValueType::Number, Scope::NUMBER),
    ("throw_number", Fact::ThrowNumber, ValueType::Number, Scope::NUMBER),
    ("throws", Fact::Throws, ValueType::Number, Scope::SEAT),
    ("owed", Fact::Owed, ValueType::Number, Scope::SEAT),
    ("from", Fact::From, ValueType::Place, Scope::PAWN),
    ("to", Fact::To, ValueType::Place, Scope::TARGET),
    ("victims", Fact::Victims, ValueType::Number, Scope::VICTIMS),
    ("joint", Fact::Joint, ValueType::Truth, Scope::PAWN),
    ("own_there", Fact::OwnThere, ValueType::Number, Scope::TARGET),
    ("enemies_there", Fact::EnemiesThere, ValueType::Number, Scope::TARGET),
    ("pawns_there", Fact::PawnsThere, ValueType::Number, Scope::TARGET),
    ("group", Fact::Group, ValueType::Number, Scope::PAWN),
    ("group_there", Fact::GroupThere, ValueType::Number, Scope::TARGET),
    ("players", Fact::Players, ValueType::Number, Scope::OPTIONS),
    ("seat_number", Fact::SeatNumber, ValueType::Number, Scope::SEAT),
    ("finished", Fact::Finished, ValueType::Truth, Scope::SEAT),
    ("other_finished", Fact::OtherFinished, ValueType::Truth, Scope::OTHER),
    ("in_pair", Fact::InPair, ValueType::Truth, Scope::PAWN),
    ("helping", Fact::Helping, ValueType::Truth, Scope::SEAT),
    ("other_is_right", Fact::OtherIsRight, ValueType::Truth, Scope::OTHER),
    ("is_turn", Fact::IsTurn, ValueType::Truth, Scope::SEAT),
    ("any_moved", Fact::AnyMoved, ValueType::Truth, Scope::SEAT),
    ("last_moved_at", Fact::LastMovedAt, ValueType::Place, Scope::SEAT),
    ("to_as_other", Fact::ToAsOther, ValueType::Place, Scope::TARGET.with(Scope::OTHER)),
    ("argument", Fact::Argument, ValueType::Place, Scope::ARGUMENT),
    ("bonuses_now", Fact::BonusesNow, ValueType::Number, Scope::SEAT),
    ("unplayed", Fact::Unplayed, ValueType::Number, Scope::UNPLAYED),
    ("numbers_left", Fact::NumbersLeft, ValueType::Number, Scope::SEAT),
];

/// The functions, with the scope that each needs.
pub(crate) const FUNCTIONS: &[(&str, Scope)] = &[
    ("face", Scope::THROW),
    ("pawns", Scope::SEAT),
    ("other_pawns", Scope::OTHER),
    ("pairs", Scope::SEAT),
    ("other_pairs", Scope::OTHER),
    ("enemy_pawns", Scope::SEAT),
    ("enemy_pairs", Scope::SEAT),
    ("at", Scope::OPTIONS),
    ("own_at", Scope::SEAT),
    ("enemies_at", Scope::SEAT),
    ("pawns_at", Scope::SEAT),
];
