//! Table options, the tables of players, counters and marks.

use super::{At, Expr, Text};
use crate::language::{
    Clause, Flag, Form, List, Name, Named, Names, Prose, Truth, Undecided, Value, Whole, number_within, shape,
};
use crate::option_value::OptionValue;
use crate::source::{Report, Span};
use crate::units::{MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_SEATS};
use crate::yaml::tree::{Entry, Tree};

/// The numbers of counters and options.
type Number = Whole<i64, -30_000, 30_000>;

/// Most marks of a pawn.
const MAX_MARKS: usize = 8;
/// Most seats that a line of players may ask for. A check compares the number with the seats of the board, together
/// with everything else that the file says.
const MOST_ASKED_SEATS: i64 = 99;
/// Most words of one option.
const MAX_WORDS: usize = 16;

shape! {
    /// A table option: chosen before the game.
    pub(crate) struct OptionKeys with clauses: "an option", one_of &[&["one_of"], &["yes_no"], &["from", "to"]];

    /// The words to choose from.
    default one_of: Vec<Text> = List<Name, 0, MAX_WORDS>;
    /// The option is `yes` or `no`: this is its value where the table does not choose.
    optional yes_no: Option<At<bool>> = Truth;
    /// The least number.
    optional from: Option<At<i64>> = Number;
    /// The greatest number.
    optional to: Option<At<i64>> = Number;
    /// The value where the table does not choose. Beside `yes_no` a variant may give another one here.
    optional default: Option<Text> = Undecided;
    /// A description of the option for players.
    required text: Text = Prose;
    /// Ids of clauses of the source. Clause ids in comments have the same effect.
    default clause: Vec<Text> = List<Clause>;
}

/// A table option.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionLine {
    /// Its name in expressions and settings.
    pub name: Text,
    /// Its possible values.
    pub kind: OptionKind,
    /// A description of the option for players.
    pub text: Text,
    /// Clause ids in its comments and under `clause`.
    pub clauses: Vec<String>,
    /// From its name to the end of its line.
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
    /// A value that a text holds as a word, typed as this kind; `value` itself if it is no word or does not fit.
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
    pub(crate) struct PlayersKeys with clauses: "a line of players", most 32, one_of &[&["seats"], &["any"]];

    /// The seats by name.
    optional seats: Option<Vec<Text>> = List<Name, 2, MAX_SEATS>;
    /// A number of seats: any combination of so many can play.
    optional any: Option<At<u8>> = Whole<u8, 2, MOST_ASKED_SEATS>;
    /// Condition over options.
    optional when: Option<Expr> = Expr;
}

/// Seats that can play together.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayersLine {
    /// The seats.
    pub seats: PlayersSeats,
    /// Condition over options.
    pub when: Option<Expr>,
    /// Clause ids in its comments.
    pub clauses: Vec<String>,
    /// The whole line in the file.
    pub span: Span,
}

/// Which seats can play together.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayersSeats {
    /// The seats with these names.
    These(Vec<Text>),
    /// Any seats of this number.
    Any(At<u8>),
}

impl Value for PlayersLine {
    type Output = Self;
    const FORM: Form = <PlayersKeys as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self> {
        let PlayersKeys { seats, any, when, clauses, span } = PlayersKeys::parse(tree, name, report)?;
        let seats = match seats {
            Some(seats) => PlayersSeats::These(seats),
            None => PlayersSeats::Any(any?),
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
    pub struct Counters: "the counters";

    /// Counters of each seat.
    default seat: Vec<CounterLine> = Names<CounterLine, MAX_COUNTERS>;
    /// Counters of the game.
    default game: Vec<CounterLine> = Names<CounterLine, MAX_GAME_COUNTERS>;
    /// Marks of each pawn.
    default pawn: Vec<CounterLine> = Names<Mark, MAX_MARKS>;
}

shape! {
    /// A number within bounds, or a truth value.
    pub(crate) struct CounterKeys with clauses: "a counter", one_of &[&["truth"], &["from", "to"]];

    /// Always `yes`. The counter is then `yes` or `no`.
    optional truth: Option<At<bool>> = Truth;
    /// The least number.
    optional from: Option<At<i64>> = Number;
    /// The greatest number.
    optional to: Option<At<i64>> = Number;
    /// Its value when the game begins. Without this key it is the least number.
    optional start: Option<Text> = Undecided;
    /// Left out of states and records.
    default hidden: bool = Flag;
}

/// A declared counter, or a mark.
#[derive(Debug, Clone, PartialEq)]
pub struct CounterLine {
    /// Its name.
    pub name: Text,
    /// The least and the greatest number. `None`: the counter is a truth value.
    pub range: Option<(At<i64>, At<i64>)>,
    /// Its value when the game begins.
    pub start: Option<At<i64>>,
    /// Left out of states and records.
    pub hidden: bool,
    /// Clause ids in its comments.
    pub clauses: Vec<String>,
    /// From its name to the end of its line.
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
    /// A truth value of each pawn.
    pub(crate) struct MarkKeys with clauses: "a mark", one_of &[&["truth"]];

    /// Always `yes`: a mark is `yes` or `no`.
    optional truth: Option<At<bool>> = Truth;
    /// Left out of states and records.
    default hidden: bool = Flag;
}

/// The declaration of a mark, which becomes a [`CounterLine`] of a truth value.
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

/// Checks the bounds of a counter or an option: the least, the greatest.
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
