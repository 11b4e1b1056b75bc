//! The rule sets that come with the program: every file in `sets/` and `sets/variants/`.

use crate::ruleset::{Library, RuleSet};
use crate::source::Source;

/// Id and text of every bundled rule set, by id.
pub const SETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// Finds the bundled rule sets by id, for files that extend them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bundled;

impl Library for Bundled {
    fn find(&self, name: &str) -> Option<Source> {
        SETS.iter().find(|(id, _)| *id == name).map(|(id, text)| source(id, text))
    }
}

/// A bundled rule set, checked.
///
/// `None`: no bundled set has this id. All of them pass their check, which a test proves.
pub fn ruleset(id: &str) -> Option<RuleSet> {
    RuleSet::check(&Bundled.find(id)?, &Bundled).ruleset
}

fn source(id: &str, text: &str) -> Source {
    Source { name: format!("{id}.yaml"), text: text.to_owned() }
}
