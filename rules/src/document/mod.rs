//! A rule file, parsed: every value has its type and its span, no name is resolved yet.
//!
//! The structs and enums here declare the rule language too (see `crate::language`): each field is a key, each enum of
//! words a choice of a setting.

mod board;
mod head;
mod pattern;
mod tables;
mod turn;
mod walk;
mod words;

pub use board::{BoardSection, GateSection, Ground, PairsLine, TagLine, ZoneLine};
pub use head::{CounterLine, Counters, OptionKind, OptionLine, PlayersLine, PlayersSeats, Teams};
pub use pattern::Pattern;
pub(crate) use pattern::{Many, Who};
pub use tables::{ChoiceLine, EventLine, LandingLine, MustLine, NumbersLine, PassingLine, SpendLine};
pub(crate) use turn::TURN_CAP;
pub use turn::{DiceSection, FinishSection, PawnsSection, StartLine, TurnSection};
pub(crate) use walk::Cell;
pub use walk::{Turned, Walk};
pub use words::{Arrival, Closing, DiceUse, LandingVerdict, Order, PassingVerdict, TagScope, Within};

pub use crate::expr::{Binary, EffectKind, EffectText, Expr, Node, Unary};
pub use crate::language::Setting;
pub use crate::source::{At, Text};

use crate::language::{FileName, Id, LanguageTag, Lines, List, Named, Names, PathForm, Prose, Value, Version, shape};
use crate::language::{Form, Key};
use crate::source::Report;
use crate::yaml::tree::Entry;

shape! {
    /// A rule set, or a variant that extends one.
    pub struct Document with other_clauses: "a rule file", variants REMOVE;

    /// The id of the rule set.
    required rules: Text = Id;
    /// Its version: three numbers; a change that alters play raises the first.
    required version: Text = Version;
    /// What the game is called.
    required title: Text = Prose;
    /// What it is called in other languages, by language tag.
    default titles: Vec<(Text, Text)> = Names<(Text, Text), 64>;
    /// Where it is played.
    optional region: Option<Text> = Prose;
    /// When it was or is played.
    optional period: Option<Text> = Prose;
    /// Where the rules come from.
    required sources: Vec<Text> = List<Prose>;
    /// The game in a few sentences.
    optional about: Option<Text> = Prose;
    /// The rule set (id or path) that this file is a variant of; it then says only what differs.
    optional extends: Option<Text> = FileName;
    /// What a table may choose, with defaults.
    default options: Vec<OptionLine> = Names<OptionLine, 64>;
    /// Tables that can be played; the last is the full one.
    default players: Vec<PlayersLine> = Lines<PlayersLine>;
    /// Who plays together.
    optional teams: Option<Teams> = Teams;
    /// The squares and the way over them.
    required board: BoardSection;
    /// How many pawns a seat has, and where they start.
    required pawns: PawnsSection;
    /// What is thrown.
    required dice: DiceSection;
    /// What is counted and marked.
    optional counters: Option<Counters> = Counters;
    /// How a turn runs.
    required turn: TurnSection;
    /// What a throw gives to spend; the first line that holds decides; without one, the faces.
    default numbers: Vec<NumbersLine> = Lines<NumbersLine>;
    /// What can be done with the numbers in hand.
    required spend: Vec<SpendLine> = Lines<SpendLine>;
    /// Compulsion: the first line with a possible action restricts the choice to its own.
    default must: Vec<MustLine> = Lines<MustLine>;
    /// What a landing on others does; the first line that fits decides.
    default landing: Vec<LandingLine> = Lines<LandingLine>;
    /// Who can be gone by; the first line that fits decides.
    default passing: Vec<PassingLine> = Lines<PassingLine>;
    /// What happens at events.
    default on: Vec<EventLine> = Lines<EventLine>;
    /// Choices that are not moves.
    default choices: Vec<ChoiceLine> = Lines<ChoiceLine>;
    /// When it is over, and for whom.
    required finish: FinishSection;
}

/// The key of a variant that removes lines and settings of the file that it extends.
const REMOVE: &[Key] = &[Key {
    name: "remove",
    required: false,
    form: <List<PathForm> as Value>::FORM,
    doc: "Lines and settings of the extended rule set that do not hold: `section.id`.",
}];

/// The keys of a variant's line that say where it comes in its table.
const BESIDE: &[Key] = &[
    Key {
        name: "before",
        required: false,
        form: <Id as Value>::FORM,
        doc: "In a variant: the line comes before this one.",
    },
    Key {
        name: "after",
        required: false,
        form: <Id as Value>::FORM,
        doc: "In a variant: the line comes after this one.",
    },
];

/// A whole rule file.
pub(crate) const FILE: Form = <Document as Value>::FORM;

impl Named for (Text, Text) {
    type Key = LanguageTag;
    type Written = Prose;
    type Output = Self;

    fn from_entry(language: Text, _: &Entry, title: Text, _: &mut Report) -> Option<Self> {
        Some((language, title))
    }
}

impl Document {
    /// The declared counters of a seat.
    pub fn seat_counters(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.seat)
    }

    /// The declared counters of the game.
    pub fn game_counters(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.game)
    }

    /// The declared marks of a pawn.
    pub fn pawn_marks(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.pawn)
    }
}
