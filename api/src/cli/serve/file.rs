//! The configuration file: YAML, its keys the flags without their dashes.
//!
//! What it says becomes arguments of the command line, where neither a flag nor a variable has spoken; so every value is
//! checked by what checks the flags.

use std::fmt;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command};
use pagade_rules::nearest::nearest;
use pagade_rules::source::{Report, Source, Span};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Location, Spanned};

use super::args::Args;
use super::settings::{self, Kind};
use crate::cli::ending::Unreadable;

/// Larger ones are none.
const MOST_BYTES: u64 = 64 * 1024;

/// What a setting with several values takes.
const WORDS: &str = "a text, or a list of texts";

/// What a file says.
#[derive(Debug, Default)]
pub struct File {
    entries: Vec<(Arg, Vec<String>)>,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read; or everything that is wrong in it, each with its place.
    pub fn read(path: &Path) -> Result<Self, Unreadable> {
        let size = std::fs::metadata(path).map_err(|error| Unreadable::file(path, error))?.len();
        if size > MOST_BYTES {
            return Err(Unreadable::file(path, format!("a configuration has {MOST_BYTES} bytes at most")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| Unreadable::file(path, error))?;
        Self::parse(&path.display().to_string(), text)
    }

    fn parse(name: &str, text: String) -> Result<Self, Unreadable> {
        let mut report = Report::default();
        let written: Result<Written, _> = serde_yaml::from_str(&text);
        report.add_source(Source { name: name.to_owned(), text });
        let mut file = Self::default();
        match written {
            Ok(Written(entries)) => {
                let known = settings::all();
                for (key, value) in entries {
                    file.take(&known, key, value, &mut report);
                }
            }
            Err(error) => {
                let location = error.location().unwrap_or(Location::UNKNOWN);
                let message = error.without_snippet().to_string();
                let message = message.lines().next().unwrap_or_default().to_owned();
                report.error("not-a-configuration", span(location, 1), message);
            }
        }
        let (_, problems) = report.finish();
        if problems.is_empty() {
            return Ok(file);
        }
        let lines: Vec<_> = problems.iter().map(|problem| hide(problem).to_string()).collect();
        Err(Unreadable(format!("the configuration cannot be used\n\n{}", lines.join("\n\n"))))
    }

    fn take(&mut self, known: &[Arg], key: Spanned<String>, value: Spanned<Value>, report: &mut Report) {
        let at = span(key.referenced, key.value.chars().count());
        let Some(setting) = known.iter().find(|setting| settings::name(setting) == key.value) else {
            let message = format!("there is no setting `{}`", key.value);
            match nearest(&key.value, known.iter().map(settings::name)) {
                Some(near) => report.error_with_help("unknown-key", at, message, format!("did you mean `{near}`?")),
                None => report.error_with_help("unknown-key", at, message, "`pagade help serve` lists all settings"),
            }
            return;
        };
        let at = span(value.referenced, 1);
        let values = match value.value.of(settings::kind(setting)) {
            Ok(values) => values,
            Err(wanted) => {
                let message = format!("`{}` takes {wanted}", key.value);
                return report.error("wrong-type", at, message);
            }
        };
        match refusal(setting, &values) {
            Some(reason) => report.error("bad-value", at, format!("`{}`: {reason}", key.value)),
            None => self.entries.push((setting.clone(), values)),
        }
    }

    /// Whether it decides this setting: neither a flag nor a variable does.
    pub fn decides(&self, matches: &ArgMatches, name: &str) -> bool {
        let said = self.entries.iter().find(|(setting, _)| settings::name(setting) == name);
        said.is_some_and(|(setting, _)| is_open(matches, setting))
    }

    /// The arguments that stand for what it decides of what a command takes.
    pub fn arguments(&self, matches: &ArgMatches, command: &Command) -> Vec<String> {
        let is_taken = |setting: &Arg| command.get_arguments().any(|taken| taken.get_id() == setting.get_id());
        let decided = self.entries.iter().filter(|(setting, _)| is_taken(setting) && is_open(matches, setting));
        decided.flat_map(|(setting, values)| arguments(setting, values)).collect()
    }
}

/// Neither a flag nor a variable says anything.
fn is_open(matches: &ArgMatches, setting: &Arg) -> bool {
    matches!(matches.value_source(setting.get_id().as_str()), None | Some(ValueSource::DefaultValue))
}

fn arguments(setting: &Arg, values: &[String]) -> Vec<String> {
    let name = settings::name(setting);
    match settings::kind(setting) {
        Kind::Truth if values == ["true"] => vec![format!("--{name}")],
        Kind::Truth => Vec::new(),
        _ => values.iter().map(|value| format!("--{name}={value}")).collect(),
    }
}

/// Why the flag would not take it.
fn refusal(setting: &Arg, values: &[String]) -> Option<String> {
    let command = Args::augment_args(Command::new("serve")).no_binary_name(true);
    let error = command.try_get_matches_from(arguments(setting, values)).err()?;
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    Some(line.trim_start_matches("error: ").to_owned())
}

/// A line with a secret is not shown.
fn hide(problem: &pagade_rules::source::Problem) -> pagade_rules::source::Problem {
    let mut problem = problem.clone();
    let all = settings::all();
    let mut secrets = all.iter().filter(|setting| settings::is_secret(setting));
    if problem.code == "not-a-configuration" || secrets.any(|secret| problem.excerpt.contains(settings::name(secret))) {
        problem.excerpt = String::new();
    }
    problem
}

fn span(location: Location, width: usize) -> Span {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    Span { file: 0, line: number(location.line()), column: number(location.column()), width: number(width as u64) }
}

/// The entries of a file in their order.
struct Written(Vec<(Spanned<String>, Spanned<Value>)>);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("settings, one a line, as in `workers: 4`")
            }

            fn visit_unit<E>(self) -> Result<Written, E> {
                Ok(Written(Vec::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Written(entries))
            }
        }
        deserializer.deserialize_any(Entries)
    }
}

/// A value of a file.
#[derive(Debug)]
enum Value {
    Truth(bool),
    Number(u64),
    Word(String),
    List(Vec<Value>),
    Other,
}

impl Value {
    /// As the words of the command line; or what is wanted instead.
    fn of(self, kind: Kind) -> Result<Vec<String>, &'static str> {
        match (kind, self) {
            (Kind::Truth, Self::Truth(truth)) => Ok(vec![truth.to_string()]),
            (Kind::Number, Self::Number(number)) => Ok(vec![number.to_string()]),
            (Kind::Word | Kind::Words, Self::Word(word)) => Ok(vec![word]),
            (Kind::Words, Self::List(items)) => items.into_iter().map(Self::word).collect(),
            (Kind::Truth, _) => Err("`true` or `false`"),
            (Kind::Number, _) => Err("a whole number"),
            (Kind::Word, _) => Err("a text"),
            (Kind::Words, _) => Err(WORDS),
        }
    }

    fn word(self) -> Result<String, &'static str> {
        match self {
            Self::Word(word) => Ok(word),
            _ => Err(WORDS),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a whole number, `true` or `false`, or a list of texts")
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
                Ok(Value::Other)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
                Ok(Value::Truth(truth))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
                Ok(Value::Number(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
                Ok(u64::try_from(number).map_or(Value::Other, Value::Number))
            }

            fn visit_str<E>(self, word: &str) -> Result<Value, E> {
                Ok(Value::Word(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Value::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Value::Other)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        File::parse("p.yaml", text.to_owned()).unwrap_err().0
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let text = refused("workers: 2\nrate-clent: 5\n");
        assert!(text.contains("there is no setting `rate-clent`"), "{text}");
        assert!(text.contains("p.yaml:2:1") && text.contains("did you mean `rate-client`?"), "{text}");
        let text = refused(
            "workers: '4'\nlisten: 8080\nunlimited: 1\nlog: [warn]\nrate-client: -1.5\ncors-origin: {a: b}\ndata:\n",
        );
        for place in ["1:10", "2:9", "3:12", "4:6", "5:14", "6:14", "7:"] {
            assert!(text.contains(&format!("p.yaml:{place}")), "{place} in {text}");
        }
        assert!(refused("patience: 0\n").contains("0 is not in 1.."));
        assert!(refused("workers: 1\nworkers: 2\n").contains("p.yaml:2"));
        assert!(refused("- a\n").contains("p.yaml:1:1"));
    }

    #[test]
    fn a_refused_secret_is_not_shown() {
        let text = refused("store: [redis://:s3cret@h]\n") + &refused("store: redis://:s3cret@h\n- a\n");
        assert!(!text.contains("s3cret"), "{text}");
        assert!(text.contains("p.yaml:1:"), "{text}");
    }

    #[test]
    fn an_empty_file_says_nothing() {
        assert!(File::parse("p.yaml", "# nothing yet\n".to_owned()).unwrap().entries.is_empty());
    }
}
