//! The typed form of a scenario file.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_yaml::Spanned;

use super::mended::all_errors;
use super::wording::reworded;
use crate::position::{ByName, CounterValue, Marked, SetupPart};
use crate::ruleset::{OptionValue, Options};
use crate::source::{Report, Source};
use crate::written::Written;

/// Largest scenario file, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// A scenario file.
#[derive(Debug, Clone)]
pub struct ScenarioFile {
    /// The id of a rule set, or the path of a rule file.
    pub ruleset: String,
    /// The table options for all scenarios of the file.
    pub options: Options,
    /// The line on which these options stand, counted from 1. `None`: the file has none.
    pub options_line: Option<u64>,
    /// The scenarios, in the order of the file.
    pub scenarios: Vec<Scenario>,
}

/// One scenario: a position and a script of actions and expectations.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The name of the scenario: a sentence about the rule that it shows.
    pub name: String,
    /// The line on which the scenario begins in the file, counted from 1.
    pub line: u64,
    /// The ids of the clauses that the scenario tests.
    pub clauses: Vec<String>,
    /// The table options of the scenario. They replace values of the file's options.
    pub options: Options,
    /// The seats that play. `None`: all seats of the full table.
    pub players: Option<Vec<String>>,
    /// The seat whose turn it is. `None`: the seat that begins the game.
    pub turn: Option<String>,
    /// The places of the pawns, by seat. Pawns of seats that are not listed stand where they start.
    pub pieces: Vec<(String, Pieces)>,
    /// The values of counters, by seat.
    pub state: ByName<ByName<CounterValue>>,
    /// The marks of pawns, by seat.
    pub marks: ByName<Marked>,
    /// Where the parts of the position stand in the file.
    pub(super) lines: PartLines,
    /// The lines of the script, in order.
    pub script: Vec<ScriptLine>,
}

/// The lines of a file on which the parts of a scenario stand, counted from 1. `None`: the scenario does not have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartLines {
    pub(super) options: Option<u64>,
    pub(super) players: Option<u64>,
    pieces: Option<u64>,
    state: Option<u64>,
    marks: Option<u64>,
    turn: Option<u64>,
}

impl PartLines {
    /// The line of a part.
    pub(super) fn of(self, part: SetupPart) -> Option<u64> {
        match part {
            SetupPart::Pieces => self.pieces,
            SetupPart::Counters => self.state,
            SetupPart::Marks => self.marks,
            SetupPart::Turn => self.turn,
        }
    }
}

/// A line of a script.
#[derive(Debug, Clone)]
pub struct ScriptLine {
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The action or expectation of the line.
    pub step: ScriptStep,
}

/// An action or an expectation of a script.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptStep {
    /// Throws the dice with these outcomes. Several throws of one turn are separated by spaces.
    Throw(String),
    /// Expects exactly these legal actions.
    Legal(Vec<String>),
    /// Expects each of these actions to be legal.
    Allows(Vec<String>),
    /// Expects none of these actions to be legal.
    Forbids(Vec<String>),
    /// Plays these actions, one after another.
    Play(Vec<String>),
    /// Expects the pawns of these colours on these squares, in any order.
    Pieces(ByName<Vec<String>>),
    /// Expects that these events have happened since the last check, in this order. Other events may come between them.
    Events(Vec<String>),
    /// Expects these values of counters.
    State(ByName<ByName<CounterValue>>),
    /// Expects that exactly these pawns of the named seats have the named marks.
    Marks(ByName<Marked>),
    /// Expects that it is this seat's turn.
    Turn(String),
    /// Expects that this seat has to decide: the seat whose turn it is, or another one that a choice asks.
    Asked(String),
    /// Expects exactly these seats in the ranking, in this order. Seats that have not finished are in it only after the
    /// end of the game, and then the seats of a team that has won go first.
    Ranking(Vec<String>),
}

/// The pawns of a colour in a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pieces {
    /// The pawns stand on these squares.
    At(Vec<String>),
    /// The colour does not play.
    None,
}

/// The reason why a scenario file cannot be read or run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct ReadError {
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The error message.
    pub message: String,
    /// Further errors of the file, in the order of their lines.
    pub others: Vec<ReadError>,
}

impl ReadError {
    /// The only error of a file.
    pub(super) fn new(line: u64, message: impl Into<String>) -> ReadError {
        ReadError { line, message: message.into(), others: Vec::new() }
    }

    /// This error, and the further errors of the file.
    pub fn all(&self) -> impl Iterator<Item = &ReadError> {
        std::iter::once(self).chain(&self.others)
    }
}

impl ScenarioFile {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// The text has more than 4 MiB or is not YAML; a key is missing or unknown; or a value has the wrong form. Names
    /// of rule sets, seats and squares are not checked here.
    pub fn read(text: &str) -> Result<ScenarioFile, ReadError> {
        if text.len() > MAX_BYTES {
            let message = format!("a scenario file has at most {MAX_BYTES} bytes");
            return Err(ReadError::new(1, message));
        }
        let written = parse(text).map_err(|first| {
            if let Some(error) = not_yaml(text) {
                return error;
            }
            let mut errors = all_errors(text, first, |text| parse(text).err()).into_iter();
            let first = errors.next().unwrap_or_else(|| ReadError::new(1, "not a scenario file"));
            ReadError { others: errors.collect(), ..first }
        })?;
        Ok(ScenarioFile {
            ruleset: written.ruleset,
            options_line: line_of(&written.options),
            options: written.options.map_or_else(Options::default, |part| options(part.value)),
            scenarios: written.scenarios.into_iter().map(scenario).collect(),
        })
    }
}

/// Says why a text is not YAML, as for a rule file. `None` if it is YAML, or a larger file than a rule file may be.
fn not_yaml(text: &str) -> Option<ReadError> {
    let mut report = Report::default();
    Written::read(Source { name: String::new(), text: text.to_owned() }, "a scenario file", &mut report);
    let problem = report.problems().iter().find(|problem| matches!(problem.code, "not-yaml" | "tab"))?;
    let help = problem.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
    Some(ReadError::new(problem.span.line.into(), format!("{}{help}", problem.message)))
}

/// Parses a file up to its first error.
fn parse(text: &str) -> Result<WrittenFile, ReadError> {
    serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map_or(1, |place| place.line());
        // Columns are counted from 1. The end of the text has a column, too.
        let column = error.location().map_or(0, |place| place.column().saturating_sub(1)) as usize;
        let found = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
        let stopped = found.char_indices().nth(column).map_or(found.len(), |(index, _)| index);
        let (before, rest) = found.split_at(stopped);
        let message = error.without_snippet().to_string();
        ReadError::new(line, reworded(message.lines().next().unwrap_or("not a scenario file"), before, rest))
    })
}

fn scenario(written: Spanned<WrittenScenario>) -> Scenario {
    let line = written.referenced.line();
    let written = written.value;
    let lines = PartLines {
        options: line_of(&written.options),
        players: line_of(&written.players),
        pieces: line_of(&written.pieces),
        state: line_of(&written.state),
        marks: line_of(&written.marks),
        turn: line_of(&written.turn),
    };
    Scenario {
        name: written.name,
        line,
        clauses: written.clauses,
        options: written.options.map_or_else(Options::default, |part| options(part.value)),
        players: written.players.map(|part| part.value),
        turn: written.turn.map(|part| part.value),
        pieces: written.pieces.map_or_else(Vec::new, |part| part.value.0),
        state: written.state.map_or_else(ByName::default, |part| part.value),
        marks: written.marks.map_or_else(ByName::default, |part| part.value),
        lines,
        script: (written.script.into_iter())
            .map(|step| ScriptLine { line: step.referenced.line(), step: step.value })
            .collect(),
    }
}

/// Reads a value that may be left out, but not empty.
fn written<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

fn line_of<T>(part: &Option<Spanned<T>>) -> Option<u64> {
    part.as_ref().map(|part| part.referenced.line())
}

fn options(written: ByName<WrittenOption>) -> Options {
    written.0.into_iter().map(|(name, WrittenOption(value))| (name, value)).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    ruleset: String,
    #[serde(default, deserialize_with = "written")]
    options: Option<Spanned<ByName<WrittenOption>>>,
    scenarios: Vec<Spanned<WrittenScenario>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenScenario {
    name: String,
    #[serde(default)]
    clauses: Vec<String>,
    #[serde(default, deserialize_with = "written")]
    options: Option<Spanned<ByName<WrittenOption>>>,
    #[serde(default)]
    players: Option<Spanned<Vec<String>>>,
    #[serde(default)]
    turn: Option<Spanned<String>>,
    #[serde(default, deserialize_with = "written")]
    pieces: Option<Spanned<ByName<Pieces>>>,
    #[serde(default, deserialize_with = "written")]
    state: Option<Spanned<ByName<ByName<CounterValue>>>>,
    #[serde(default, deserialize_with = "written")]
    marks: Option<Spanned<ByName<Marked>>>,
    script: Vec<Spanned<ScriptStep>>,
}

/// The value of a table option as written in YAML or JSON. The rule set decides later whether a word such as `yes`
/// stands for a truth value.
#[derive(Debug)]
pub(crate) struct WrittenOption(pub(crate) OptionValue);

impl<'de> Deserialize<'de> for WrittenOption {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl Visitor<'_> for Value {
            type Value = WrittenOption;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word, a whole number or a truth value")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<WrittenOption, E> {
                Ok(WrittenOption(OptionValue::Truth(truth)))
            }

            fn visit_i64<E>(self, number: i64) -> Result<WrittenOption, E> {
                Ok(WrittenOption(OptionValue::Number(number)))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<WrittenOption, E> {
                i64::try_from(number).map(|number| WrittenOption(OptionValue::Number(number))).map_err(E::custom)
            }

            fn visit_str<E>(self, word: &str) -> Result<WrittenOption, E> {
                Ok(WrittenOption(OptionValue::Word(word.to_owned())))
            }
        }
        deserializer.deserialize_any(Value)
    }
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Squares;
        impl<'de> Visitor<'de> for Squares {
            type Value = Pieces;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares, or `none`")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Pieces, E> {
                match word {
                    "none" => Ok(Pieces::None),
                    _ => Err(E::custom(format!("`{word}` is neither a list of squares nor `none`"))),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Pieces, A::Error> {
                let mut squares = Vec::new();
                while let Some(square) = list.next_element()? {
                    squares.push(square);
                }
                Ok(Pieces::At(squares))
            }
        }
        deserializer.deserialize_any(Squares)
    }
}
