//! The rule sets that come with the program: every file in `sets/` and `sets/variants/`; and their translations: every
//! file in `sets/texts/`.

use std::sync::OnceLock;

use crate::ruleset::{Library, RuleSet};
use crate::source::Source;
use crate::texts::Translation;

/// The id and the text of every bundled rule set, sorted by id.
pub const SETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// Language tag and text of every bundled translation, by tag.
pub const TRANSLATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/translations.rs"));

/// The bundled translations, in the order of [`TRANSLATIONS`]. All of them pass their check, which a test proves.
pub fn translations() -> &'static [Translation] {
    static READ: OnceLock<Vec<Translation>> = OnceLock::new();
    READ.get_or_init(|| {
        let read = |(tag, text): &(&str, &str)| Translation::of_rule_sets(&source(tag, text)).0;
        TRANSLATIONS.iter().filter_map(read).collect()
    })
}

/// Finds the bundled rule sets by id, for files that extend them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bundled;

impl Library for Bundled {
    fn find(&self, name: &str) -> Option<Source> {
        SETS.iter().find(|(id, _)| *id == name).map(|(id, text)| source(id, text))
    }
}

/// Checks the bundled rule set with this id.
///
/// Returns `None` if no bundled rule set has this id. A test proves that all bundled rule sets pass their check.
pub fn ruleset(id: &str) -> Option<RuleSet> {
    RuleSet::check(&Bundled.find(id)?, &Bundled).ruleset
}

fn source(id: &str, text: &str) -> Source {
    Source { name: format!("{id}.yaml"), text: text.to_owned() }
}
