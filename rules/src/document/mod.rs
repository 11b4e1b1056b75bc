//! The typed form of a rule file. Every value has its span. Names of options, squares and lines are still text;
//! `crate::build` finds what they stand for.
//!
//! The structs and enums of this module also declare the rule language: each field is a key, and each value of an enum
//! is a word. The check, the JSON Schema and the messages follow from these declarations (see `crate::language`).

mod board;
mod head;
mod pattern;
mod tables;
mod terms;
mod texts;
mod turn;
mod walk;
mod words;

pub use board::{BoardSection, GateSection, Ground, PairsLine, TagLine, ZoneLine};
pub use head::{CounterLine, Counters, OptionKind, OptionLine, PlayersLine, PlayersSeats, Teams};
pub use pattern::Pattern;
pub(crate) use pattern::{Many, Who};
pub use tables::{ChoiceLine, EventLine, LandingLine, MustLine, NumbersLine, PassingLine, SpendLine};
pub use terms::TermLine;
pub use texts::{CounterTexts, Texts};
pub(crate) use turn::TURN_CAP;
pub use turn::{DiceSection, FinishSection, PawnsSection, StartLine, TurnSection};
pub use walk::Walk;
pub use words::{Arrival, Closing, DiceUse, LandingVerdict, Order, PassingVerdict, TagScope, Within};

pub use crate::expr::{Binary, EffectKind, EffectText, Expr, GoalText, JumperText, Node, Unary};
pub use crate::language::{Setting, WordOr};
pub use crate::source::{At, Text};

use crate::language::{
    AllLines, FileName, Id, LanguageTag, Lines, List, Named, Names, PathForm, Prose, Value, Version, shape,
};
use crate::language::{Form, MapKey};
use crate::source::Report;
use crate::yaml::tree::Entry;

shape! {
    /// A rule set, or a variant that extends one.
    pub struct Document with other_clauses: "a rule file", variants REMOVE;

    /// The id of the rule set.
    needed rules: Text = Id;
    /// The version of the rule set: three numbers, such as `1.2.0`. A change that alters play raises the first number.
    needed version: Text = Version;
    /// The title of the game.
    needed title: Text = Prose;
    /// The title in other languages, by language tag.
    table titles: Vec<(Text, Text)> = Names<(Text, Text), 64>;
    /// The language of the texts of the file, by its tag. Without this key it is English.
    spare language: Option<Text> = LanguageTag;
    /// The region in which the game is played.
    spare region: Option<Text> = Prose;
    /// The time in which the game was or is played.
    spare period: Option<Text> = Prose;
    /// The sources of the rules.
    needed sources: Vec<Text> = List<Prose>;
    /// The game in a few sentences.
    spare about: Option<Text> = Prose;
    /// The rule set that this file is a variant of, by id or path. A variant contains only the differences.
    optional extends: Option<Text> = FileName;
    /// The table options, with their defaults.
    table options: Vec<OptionLine> = Names<OptionLine, 64>;
    /// The seats that can play together, a line for each combination. The last line is the full table.
    table players: Vec<PlayersLine> = AllLines<PlayersLine>;
    /// Which seats are partners.
    spare teams: Option<Teams> = Teams;
    /// The grid, the seats, and the path of the pawns.
    required board: BoardSection;
    /// How many pawns a seat has, and where they start.
    needed pawns: PawnsSection;
    /// The dice or lots.
    needed dice: DiceSection;
    /// The declared counters and marks.
    spare counters: Option<Counters> = Counters;
    /// Conditions and numbers with a name. The expressions of the file can use the name.
    table terms: Vec<TermLine> = Names<TermLine, MAX_TERMS>;
    /// The course of a turn.
    needed turn: TurnSection;
    /// The numbers that a throw puts into the hand. The first line whose condition holds decides. Without lines the
    /// numbers are the faces of the dice.
    table numbers: Vec<NumbersLine> = Lines<NumbersLine>;
    /// The ways to spend the numbers of the hand.
    needed spend: Vec<SpendLine> = Lines<SpendLine>;
    /// Compulsions: actions that a player has to prefer. Only the actions of the first line with a possible action are
    /// legal.
    table must: Vec<MustLine> = Lines<MustLine>;
    /// The effect of a landing on a square with pawns. The first line that fits decides.
    table landing: Vec<LandingLine> = Lines<LandingLine>;
    /// The pawns that a mover can pass. The first line that fits decides.
    table passing: Vec<PassingLine> = Lines<PassingLine>;
    /// The effects of events.
    table on: Vec<EventLine> = Lines<EventLine>;
    /// Choices of a player that are not moves.
    table choices: Vec<ChoiceLine> = Lines<ChoiceLine>;
    /// The end of the game.
    needed finish: FinishSection;
    /// Texts that people read: titles of the names in the file.
    spare texts: Option<Texts> = Texts;
}

/// Maximum number of terms of a file.
const MAX_TERMS: usize = 64;

/// The key by which a variant removes lines and settings of the file that it extends.
const REMOVE: &[MapKey] = &[MapKey {
    name: "remove",
    required: false,
    form: <List<PathForm> as Value>::FORM,
    doc: "Lines and settings of the extended rule set that the variant removes: `section.id`.",
}];

/// The keys by which a variant puts a line before or after another line of the table.
const BESIDE: &[MapKey] = &[
    MapKey {
        name: "before",
        required: false,
        form: <Id as Value>::FORM,
        doc: "In a variant: the id of the line before which this line is put.",
    },
    MapKey {
        name: "after",
        required: false,
        form: <Id as Value>::FORM,
        doc: "In a variant: the id of the line after which this line is put.",
    },
];

/// The form of a whole rule file.
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
    pub(crate) fn seat_counters(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.seat)
    }

    /// The declared counters of the game.
    pub(crate) fn game_counters(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.game)
    }

    /// The declared marks of a pawn.
    pub(crate) fn pawn_marks(&self) -> &[CounterLine] {
        self.counters.as_ref().map_or(&[], |counters| &counters.pawn)
    }
}
