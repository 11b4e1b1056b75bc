//! Tests of building. Most of them compare tables with slower computations of the same results.

mod asked;
mod colours;
mod conditions;
mod each;
mod goals;
mod messages;
mod no_effect;
mod problems;
mod stuck;
mod tables;
mod terms;
mod verdicts;

use crate::document::Document;
use crate::ruleset::{OptionValue, Options, RuleFiles, RuleSet};
use crate::source::Source;
use crate::tables::Rules;

/// A library without rule sets.
pub(crate) struct Nothing;

impl RuleFiles for Nothing {
    fn find(&self, _: &str) -> Option<Source> {
        None
    }
}

/// A small game on a ring of eight squares, all of it in one file.
pub(crate) const SMALL: &str = include_str!("small.yaml");

/// Checks a text without errors and returns its rule set.
pub(crate) fn ruleset(text: &str) -> RuleSet {
    let checked = RuleSet::check(&Source { name: "test.yaml".into(), text: text.into() }, &Nothing);
    let problems: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
    checked.ruleset.unwrap_or_else(|| panic!("{}", problems.join("\n")))
}

pub(crate) fn table(ruleset: &RuleSet, options: &[(&str, OptionValue)], players: Option<&[&str]>) -> Rules {
    let options: Options = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let players: Option<Vec<String>> = players.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    ruleset.rules(&options, players.as_deref()).unwrap()
}

pub(crate) fn word(word: &str) -> OptionValue {
    OptionValue::Word(word.to_owned())
}

/// Checks a text without errors and returns its document.
pub(crate) fn document(text: &str) -> Document {
    ruleset(text).document().clone()
}
