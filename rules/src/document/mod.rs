//! The typed form of a rule file. Every value has its span. Names of options, squares and lines are not resolved.
//!
//! The structs and enums of this module also declare the rule language: each field is a key, and each value of an enum
//! is a word. The check, the JSON Schema and the messages follow from these declarations (see `crate::language`).

mod board;
mod head;
mod pattern;
mod tables;
mod terms;
mod turn;
mod walk;
mod words;

pub use board::{BoardSection, GateSection, Ground, PairsLine, TagLine, ZoneLine};
pub use head::{CounterLine, Counters, OptionKind, OptionLine, PlayersLine, PlayersSeats, Teams};
pub use pattern::Pattern;
pub(crate) use pattern::{Many, Who};
pub use tables::{ChoiceLine, EventLine, LandingLine, MustLine, NumbersLine, PassingLine, SpendLine};
pub use terms::TermLine;
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
    /// The title of the game.
    required title: Text = Prose;
    /// The title in other languages, by language tag.
    default titles: Vec<(Text, Text)> = Names<(Text, Text), 64>;
    /// The region in which the game is played.
    optional region: Option<Text> = Prose;
    /// The time in which the game was or is played.
    optional period: Option<Text> = Prose;
    /// The sources of the rules.
    required sources: Vec<Text> = List<Prose>;
    /// The game in a few sentences.
    optional about: Option<Text> = Prose;
    /// The rule set (id or path) that this file is a variant of. A variant contains only the differences.
    optional extends: Option<Text> = FileName;
    /// The table options, with their defaults.
    default options: Vec<OptionLine> = Names<OptionLine, 64>;
    /// The seats that can play together, a line for each combination. The last line is the full table.
    default players: Vec<PlayersLine> = Lines<PlayersLine>;
    /// Which seats are partners.
    optional teams: Option<Teams> = Teams;
    /// The grid, the seats, and the path of the pawns.
    required board: BoardSection;
    /// How many pawns a seat has, and where they start.
    required pawns: PawnsSection;
    /// The dice or lots.
    required dice: DiceSection;
    /// Declared counters and marks.
    optional counters: Option<Counters> = Counters;
    /// Conditions and numbers with a name, by which the expressions of the file use them.
    default terms: Vec<TermLine> = Names<TermLine, MAX_TERMS>;
    /// The course of a turn.
    required turn: TurnSection;
    /// The numbers that a throw puts into the hand. The first line whose condition holds decides. Without lines the
    /// numbers are the faces.
    default numbers: Vec<NumbersLine> = Lines<NumbersLine>;
    /// The ways to spend the numbers of the hand.
    required spend: Vec<SpendLine> = Lines<SpendLine>;
    /// Compulsions. If an action of a line is possible, only actions of the first such line are legal.
    default must: Vec<MustLine> = Lines<MustLine>;
    /// The effect of a landing on a square with pawns. The first line that fits decides.
    default landing: Vec<LandingLine> = Lines<LandingLine>;
    /// The pawns that can be passed. The first line that fits decides.
    default passing: Vec<PassingLine> = Lines<PassingLine>;
    /// Effects of events.
    default on: Vec<EventLine> = Lines<EventLine>;
    /// Choices that are not moves.
    default choices: Vec<ChoiceLine> = Lines<ChoiceLine>;
    /// The end of the game.
    required finish: FinishSection;
}

/// Most terms of a file.
const MAX_TERMS: usize = 64;

/// The key by which a variant removes lines and settings of the file that it extends.
const REMOVE: &[Key] = &[Key {
    name: "remove",
    required: false,
    form: <List<PathForm> as Value>::FORM,
    doc: "Lines and settings of the extended rule set that do not hold: `section.id`.",
}];

/// The keys by which a line of a variant names its neighbour in the table.
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
