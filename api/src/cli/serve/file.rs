//! The settings file: YAML whose keys are the flags without their dashes.
//!
//! Each setting in the file becomes an argument of the command line, unless a flag or a variable sets it already. So
//! one parser checks both flags and file.

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
use super::settings::{self, SettingType};
use crate::cli::ending::CommandError;

/// Largest size of a settings file, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// Part of an error message: the values that are expected for a setting with several values, such as `cors-origin`.
const WORDS_EXPECTED: &str = "a text, or a list of texts";

/// The settings of a settings file: the clap argument of each, and its values as texts.
#[derive(Debug, Default)]
pub(crate) struct SettingsFile {
    entries: Vec<(Arg, Vec<String>)>,
}

impl SettingsFile {
    /// Reads and checks a settings file.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or has mistakes. The message lists all mistakes with their positions.
    pub(crate) fn read(path: &Path) -> Result<Self, CommandError> {
        let size = std::fs::metadata(path).map_err(|error| CommandError::file(path, error))?.len();
        if size > MAX_BYTES {
            return Err(CommandError::file(path, format!("a settings file has at most {MAX_BYTES} bytes")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| CommandError::file(path, error))?;
        Self::parse(&path.display().to_string(), text)
    }

    fn parse(name: &str, text: String) -> Result<Self, CommandError> {
        let mut report = Report::default();
        let entries: Result<Entries, _> = serde_yaml::from_str(&text);
        report.add_source(Source { name: name.to_owned(), text });
        let mut file = Self::default();
        match entries {
            Ok(Entries(entries)) => {
                let settings = settings::all();
                for (key, value) in entries {
                    file.add(&settings, key, value, &mut report);
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
        let lines: Vec<_> = problems.iter().map(|problem| hide_secret(problem).to_string()).collect();
        Err(CommandError(format!("the settings file has mistakes\n\n{}", lines.join("\n\n"))))
    }

    fn add(&mut self, all: &[Arg], key: Spanned<String>, value: Spanned<YamlValue>, report: &mut Report) {
        let at = span(key.referenced, key.value.chars().count());
        let Some(setting) = all.iter().find(|setting| settings::name(setting) == key.value) else {
            let message = format!("there is no setting `{}`", key.value);
            match nearest(&key.value, all.iter().map(settings::name)) {
                Some(near) => report.error_with_help("unknown-key", at, message, format!("did you mean `{near}`?")),
                None => report.error_with_help("unknown-key", at, message, "`pagade help serve` lists all settings"),
            }
            return;
        };
        let at = span(value.referenced, 1);
        let values = match value.value.into_words(settings::value_type(setting)) {
            Ok(values) => values,
            Err(expected) => {
                let message = format!("`{}` takes {expected}", key.value);
                return report.error("wrong-type", at, message);
            }
        };
        match refusal(setting, &values) {
            Some(reason) => report.error("bad-value", at, format!("`{}`: {reason}", key.value)),
            None => self.entries.push((setting.clone(), values)),
        }
    }

    /// Tells whether this file decides the value of a setting: the file has the setting, and no flag or variable sets
    /// it.
    pub(crate) fn decides(&self, matches: &ArgMatches, name: &str) -> bool {
        let entry = self.entries.iter().find(|(setting, _)| settings::name(setting) == name);
        entry.is_some_and(|(setting, _)| is_unset(matches, setting))
    }

    /// Returns the settings of the file as arguments for a command, such as `--workers=4`. A setting is left out if the
    /// command has no such flag, or if a flag or a variable sets it already.
    pub(crate) fn arguments(&self, matches: &ArgMatches, command: &Command) -> Vec<String> {
        let is_taken = |setting: &Arg| command.get_arguments().any(|taken| taken.get_id() == setting.get_id());
        let decided = self.entries.iter().filter(|(setting, _)| is_taken(setting) && is_unset(matches, setting));
        decided.flat_map(|(setting, values)| arguments(setting, values)).collect()
    }
}

/// Tells whether neither a flag nor a variable sets a setting.
fn is_unset(matches: &ArgMatches, setting: &Arg) -> bool {
    matches!(matches.value_source(setting.get_id().as_str()), None | Some(ValueSource::DefaultValue))
}

fn arguments(setting: &Arg, values: &[String]) -> Vec<String> {
    let name = settings::name(setting);
    match settings::value_type(setting) {
        SettingType::Truth if values == ["true"] => vec![format!("--{name}")],
        SettingType::Truth => Vec::new(),
        _ => values.iter().map(|value| format!("--{name}={value}")).collect(),
    }
}

/// Returns the error message of the command line parser for these values; `None` if the values are valid.
fn refusal(setting: &Arg, values: &[String]) -> Option<String> {
    let command = Args::augment_args(Command::new("serve")).no_binary_name(true);
    let error = command.try_get_matches_from(arguments(setting, values)).err()?;
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    Some(line.trim_start_matches("error: ").to_owned())
}

/// Removes the excerpt of a problem if it could show a secret.
fn hide_secret(problem: &pagade_rules::source::Problem) -> pagade_rules::source::Problem {
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

/// The keys and values of a settings file, in the order of the file.
struct Entries(Vec<(Spanned<String>, Spanned<YamlValue>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("settings, one a line, as in `workers: 4`")
            }

            fn visit_unit<E>(self) -> Result<Entries, E> {
                Ok(Entries(Vec::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_any(EntriesVisitor)
    }
}

/// A value in the settings file, with the type that YAML gives it.
#[derive(Debug)]
enum YamlValue {
    Truth(bool),
    Number(u64),
    Word(String),
    List(Vec<YamlValue>),
    Other,
}

impl YamlValue {
    /// Converts the value to texts for the command line. The error names the type that was expected, as in `a whole
    /// number`.
    fn into_words(self, expected: SettingType) -> Result<Vec<String>, &'static str> {
        match (expected, self) {
            (SettingType::Truth, Self::Truth(truth)) => Ok(vec![truth.to_string()]),
            (SettingType::Number, Self::Number(number)) => Ok(vec![number.to_string()]),
            (SettingType::Word | SettingType::Words, Self::Word(word)) => Ok(vec![word]),
            (SettingType::Words, Self::List(items)) => items.into_iter().map(Self::into_word).collect(),
            (SettingType::Truth, _) => Err("`true` or `false`"),
            (SettingType::Number, _) => Err("a whole number"),
            (SettingType::Word, _) => Err("a text"),
            (SettingType::Words, _) => Err(WORDS_EXPECTED),
        }
    }

    fn into_word(self) -> Result<String, &'static str> {
        match self {
            Self::Word(word) => Ok(word),
            _ => Err(WORDS_EXPECTED),
        }
    }
}

impl<'de> Deserialize<'de> for YamlValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = YamlValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a whole number, `true` or `false`, or a list of texts")
            }

            fn visit_unit<E>(self) -> Result<YamlValue, E> {
                Ok(YamlValue::Other)
            }

            fn visit_f64<E>(self, _: f64) -> Result<YamlValue, E> {
                Ok(YamlValue::Other)
            }

            fn visit_bool<E>(self, truth: bool) -> Result<YamlValue, E> {
                Ok(YamlValue::Truth(truth))
            }

            fn visit_u64<E>(self, number: u64) -> Result<YamlValue, E> {
                Ok(YamlValue::Number(number))
            }

            fn visit_i64<E>(self, number: i64) -> Result<YamlValue, E> {
                Ok(u64::try_from(number).map_or(YamlValue::Other, YamlValue::Number))
            }

            fn visit_str<E>(self, word: &str) -> Result<YamlValue, E> {
                Ok(YamlValue::Word(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<YamlValue, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(YamlValue::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<YamlValue, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(YamlValue::Other)
            }
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        SettingsFile::parse("p.yaml", text.to_owned()).unwrap_err().0
    }

    #[test]
    fn every_mistake_is_reported_with_its_position() {
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
    fn an_empty_file_has_no_settings() {
        assert!(SettingsFile::parse("p.yaml", "# nothing yet\n".to_owned()).unwrap().entries.is_empty());
    }
}
