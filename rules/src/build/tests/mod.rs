//! Tests of building: whole tables against facts known of the games, and against slower ways to the same answer.

mod boards;
mod conditions;
mod problems;
mod tables;
mod verdicts;

use crate::document::Document;
use crate::ruleset::{Library, OptionValue, Options, RuleSet};
use crate::source::Source;
use crate::tables::Rules;

/// Knows the rule sets of the crate by id.
pub(crate) struct Sets;

impl Library for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let path = format!("{}/sets/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).ok()?;
        Some(Source { name: format!("sets/{name}.yaml"), text })
    }
}

/// A small game on a ring of eight squares, all of it in one file.
pub(crate) const SMALL: &str = include_str!("small.yaml");

/// The rule set of a text, which must be sound.
pub(crate) fn ruleset(text: &str) -> RuleSet {
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text: text.into() }, &Sets);
    let problems: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
    checked.ruleset.unwrap_or_else(|| panic!("{}", problems.join("\n")))
}

/// The first bundled rule set.
pub(crate) fn bundled() -> RuleSet {
    ruleset(&Sets.find("pagade").unwrap().text)
}

pub(crate) fn table(ruleset: &RuleSet, options: &[(&str, OptionValue)], players: Option<&[&str]>) -> Rules {
    let options: Options = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let players: Option<Vec<String>> = players.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    ruleset.table(&options, players.as_deref()).unwrap()
}

pub(crate) fn word(word: &str) -> OptionValue {
    OptionValue::Word(word.to_owned())
}

/// The document of a text.
pub(crate) fn document(text: &str) -> Document {
    ruleset(text).document().clone()
}
