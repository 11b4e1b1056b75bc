//! The keys `options`, `players`, `teams` and `counters` of a rule file.

use super::{At, Expr, Text};
use crate::language::{
    Clause, Flag, Form, List, Name, Named, Names, Prose, Truth, Undecided, Value, Whole, number_within, shape,
};
use crate::option_value::OptionValue;
use crate::source::{Report, Span};
use crate::units::{MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_SEATS};
use crate::yaml::tree::{Entry, Tree};

/// The form of numbers that counters and options can have.
type Number = Whole<i64, -30_000, 30_000>;

/// Maximum number of marks of a pawn.
const MAX_MARKS: usize = 8;
/// Greatest number of seats that the key `any` of a line of `players` accepts. Whether the board has so many seats is
/// checked later, when all parts of the file are parsed.
const MOST_ASKED_SEATS: i64 = 99;
/// Maximum number of words of one option.
const MAX_WORDS: usize = 16;

shape! {
    /// A table option. Its value is chosen before the game.
    pub(crate) struct OptionKeys with clauses: "an option", one_of &[&["one_of"], &["yes_no"], &["from", "to"]];

    /// The words to choose from.
    default one_of: Vec<Text> = List<Name, 0, MAX_WORDS>;
    /// The option is `yes` or `no`. This value holds if the table does not choose one.
    optional yes_no: Option<At<bool>> = Truth;
    /// The least number that can be chosen.
    optional from: Option<At<i64>> = Number;
    /// The greatest number that can be chosen.
    optional to: Option<At<i64>> = Number;
    /// The value that holds if the table does not choose one. For an option with `yes_no`, a variant may change the
    /// value by this key.
    optional default: Option<Text> = Undecided;
    /// A description of the option for players.
    required text: Text = Prose;
    /// Ids of clauses of the source. Clause ids in comments have the same effect.
    default clause: Vec<Text> = List<Clause>;
}

/// A table option.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionLine {
    /// The name of the option in expressions and settings.
    pub name: Text,
    /// The values that can be chosen, and the default.
    pub kind: OptionKind,
    /// A description of the option for players.
    pub text: Text,
    /// The clause ids in the comments of the option and under its key `clause`.
    pub clauses: Vec<String>,
    /// The span from the name of the option to the end of the line.
    pub span: Span,
}

/// The kinds of table options, with their defaults.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum OptionKind {
    OneOf { words: Vec<Text>, default: Text },
    Truth { default: At<bool> },
    Range { from: At<i64>, to: At<i64>, default: At<i64> },
}

impl OptionKind {
    /// Converts a word to a value of this kind: for an option of truth values, `yes` becomes true. Returns `value`
    /// unchanged if it is no word or does not fit.
    pub(crate) fn typed(&self, value: &OptionValue) -> OptionValue {
        let typed = match (self, value) {
            (Self::Truth { .. }, OptionValue::Word(word)) => match word.as_str() {
                "yes" | "true" => Some(OptionValue::Truth(true)),
                "no" | "false" => Some(OptionValue::Truth(false)),
                _ => None,
            },
            (Self::Range { .. }, OptionValue::Word(word)) => word.parse().ok().map(OptionValue::Number),
            _ => None,
        };
        typed.unwrap_or_else(|| value.clone())
    }
}

impl Named for OptionLine {
    type Key = Name;
    type Written = OptionKeys;
    type Output = Self;

    fn from_entry(name: Text, entry: &Entry, keys: OptionKeys, report: &mut Report) -> Option<Self> {
        let OptionKeys { one_of, yes_no, from, to, default, text, clause, mut clauses, span } = keys;
        if let (None, None) = (&yes_no, &default) {
            let help = "the value where the table does not choose";
            report.error_with_help("missing-key", span, "an option lacks `default`", help);
        }
        let kind = if let Some(yes_no) = yes_no {
            let changed = default.map(|default| start_truth(&default, "the default is `yes` or `no`", report));
            OptionKind::Truth { default: changed.unwrap_or(Some(yes_no))? }
        } else if let (Some(from), Some(to)) = (from, to) {
            let range = range(&name, from, to, report)?;
            let default = start_within(&default?, &range, report)?;
            OptionKind::Range { from: range.0, to: range.1, default }
        } else {
            let default = default?;
            if !one_of.iter().any(|word| word.value == default.value) {
                let message = format!("`{}` is not one of the words to choose from", default.value);
                report.error("bad-default", default.span, message);
            }
            OptionKind::OneOf { words: one_of, default }
        };
        clauses.extend(clause.into_iter().map(|clause| clause.value));
        clauses.dedup();
        Some(Self { name, kind, text, clauses, span: entry.span() })
    }
}

shape! {
    /// Seats that can play together.
    pub(crate) struct PlayersKeys with clauses: "a line of players", most 32,
        one_of &[&["seats"], &["any"], &["colours"]];

    /// The names of the seats.
    optional seats: Option<Vec<Text>> = List<Name, 2, MAX_SEATS>;
    /// A number of seats. Any seats of this number can play together.
    optional any: Option<At<u8>> = Whole<u8, 2, MOST_ASKED_SEATS>;
    /// For each player, the seats whose pawns it plays. Its first seat is the seat of the player.
    optional colours: Option<Vec<Vec<Text>>> = List<List<Name, 1, MAX_SEATS>, 2, MAX_SEATS>;
    /// A condition over options. The line holds only if the condition is true.
    optional when: Option<Expr> = Expr;
}

/// Seats that can play together.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayersLine {
    /// The seats that can play together.
    pub seats: PlayersSeats,
    /// A condition over options. The line holds only if the condition is true.
    pub when: Option<Expr>,
    /// The clause ids in the comments of the line.
    pub clauses: Vec<String>,
    /// The span of the whole line in the file.
    pub span: Span,
}

/// Which seats can play together.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayersSeats {
    /// The seats with these names.
    These(Vec<Text>),
    /// Any seats, as many as this number.
    Any(At<u8>),
    /// For each player, the seats whose pawns it plays, by name. The first one is the seat of the player.
    Colours(Vec<Vec<Text>>),
}

impl Value for PlayersLine {
    type Output = Self;
    const FORM: Form = <PlayersKeys as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self> {
        let PlayersKeys { seats, any, colours, when, clauses, span } = PlayersKeys::parse(tree, name, report)?;
        let seats = match (seats, colours) {
            (Some(seats), _) => PlayersSeats::These(seats),
            (None, Some(colours)) => PlayersSeats::Colours(colours),
            (None, None) => PlayersSeats::Any(any?),
        };
        Some(Self { seats, when, clauses, span })
    }
}

shape! {
    /// Which seats are partners.
    pub struct Teams: "teams";

    /// The condition under which opposite seats are a team.
    required opposite: Expr;
}

shape! {
    /// The counters of seats and of the game, and the marks of pawns.
    pub struct Counters: "the section `counters`";

    /// The counters that each seat has.
    default seat: Vec<CounterLine> = Names<CounterLine, MAX_COUNTERS>;
    /// The counters that the game has once.
    default game: Vec<CounterLine> = Names<CounterLine, MAX_GAME_COUNTERS>;
    /// The marks that each pawn has.
    default pawn: Vec<CounterLine> = Names<Mark, MAX_MARKS>;
}

shape! {
    /// A counter: a number within bounds, or a truth value.
    pub(crate) struct CounterKeys with clauses: "a counter", one_of &[&["truth"], &["from", "to"]];

    /// Must be `yes`. The value of the counter is then `yes` or `no`.
    optional truth: Option<At<bool>> = Truth;
    /// The least number of the counter.
    optional from: Option<At<i64>> = Number;
    /// The greatest number of the counter.
    optional to: Option<At<i64>> = Number;
    /// The value of the counter when the game begins. Without this key it is the least number.
    optional start: Option<Text> = Undecided;
    /// Whether states and records leave the counter out.
    default hidden: bool = Flag;
}

/// A declared counter, or a mark.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterLine {
    /// The name of the counter or mark.
    pub name: Text,
    /// The least and the greatest number. `None`: the counter is a truth value.
    pub range: Option<(At<i64>, At<i64>)>,
    /// The value when the game begins.
    pub start: Option<At<i64>>,
    /// Whether states and records leave the counter or mark out.
    pub hidden: bool,
    /// The clause ids in the comments of the counter or mark.
    pub clauses: Vec<String>,
    /// The span from the name to the end of the line.
    pub span: Span,
}

impl Named for CounterLine {
    type Key = Name;
    type Written = CounterKeys;
    type Output = Self;

    fn from_entry(name: Text, entry: &Entry, keys: CounterKeys, report: &mut Report) -> Option<Self> {
        let CounterKeys { truth, from, to, start, hidden, clauses, .. } = keys;
        let range = match (from, to) {
            (Some(from), Some(to)) => Some(range(&name, from, to, report)?),
            _ => None,
        };
        let start = match (start, &range) {
            (None, _) => None,
            (Some(start), Some(range)) => Some(start_within(&start, range, report)?),
            (Some(start), None) => {
                let message = format!("`{}` starts as `yes` or `no`", name.value);
                let truth = start_truth(&start, &message, report)?;
                Some(At { value: i64::from(truth.value), span: truth.span })
            }
        };
        if let Some(truth) = truth {
            check_truth(truth, report)?;
        }
        Some(Self { name, range, start, hidden, clauses, span: entry.span() })
    }
}

shape! {
    /// A truth value that each pawn has.
    pub(crate) struct MarkKeys with clauses: "a mark", one_of &[&["truth"]];

    /// Must be `yes`. A mark is then `yes` or `no` for each pawn.
    optional truth: Option<At<bool>> = Truth;
    /// Whether states and records leave the mark out.
    default hidden: bool = Flag;
}

/// The declaration of a mark. It becomes a [`CounterLine`] of a truth value.
struct Mark;

impl Named for Mark {
    type Key = Name;
    type Written = MarkKeys;
    type Output = CounterLine;

    fn from_entry(name: Text, entry: &Entry, keys: MarkKeys, report: &mut Report) -> Option<CounterLine> {
        check_truth(keys.truth?, report)?;
        let (hidden, clauses) = (keys.hidden, keys.clauses);
        Some(CounterLine { name, range: None, start: None, hidden, clauses, span: entry.span() })
    }
}

/// Checks that the least number of a counter or an option is not above its greatest number.
fn range(name: &Text, from: At<i64>, to: At<i64>, report: &mut Report) -> Option<(At<i64>, At<i64>)> {
    if from.value > to.value {
        let message = format!("`{}` ends at {} before it begins at {}", name.value, to.value, from.value);
        report.error("empty-range", to.span, message);
        return None;
    }
    Some((from, to))
}

fn start_within(start: &Text, (from, to): &(At<i64>, At<i64>), report: &mut Report) -> Option<At<i64>> {
    let number = start.value.parse().ok().filter(|number| (from.value..=to.value).contains(number));
    if number.is_none() {
        let message = format!("this is {}", number_within(from.value, to.value));
        report.error("bad-default", start.span, message);
    }
    Some(At { value: number?, span: start.span })
}

fn start_truth(start: &Text, message: &str, report: &mut Report) -> Option<At<bool>> {
    let truth = Truth::from_text(&start.value);
    if truth.is_none() {
        report.error("bad-default", start.span, message);
    }
    Some(At { value: truth?, span: start.span })
}

/// Reports `truth: no`, which declares nothing.
fn check_truth(declared: At<bool>, report: &mut Report) -> Option<()> {
    if !declared.value {
        let message = "`truth: yes` declares a truth value; `no` means nothing here";
        report.error("bad-truth", declared.span, message);
    }
    declared.value.then_some(())
}
