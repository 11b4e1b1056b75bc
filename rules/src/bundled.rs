//! The rule sets that come with the program: every file in `sets/` and `sets/variants/`; their translations: every file
//! in `sets/texts/`; and the sentences of their sources: every file in `clauses/`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::ruleset::{RuleFiles, RuleSet};
use crate::source::Source;
use crate::texts::Translation;
use crate::yaml::clauses::is_clause_id;

/// The id and the text of every bundled rule set, sorted by id.
pub const SETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// Language tag and text of every bundled translation, by tag.
pub const TRANSLATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/translations.rs"));

/// The id and the page of clauses of every bundled rule set that has one, sorted by id.
const CLAUSES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/clauses.rs"));

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

impl RuleFiles for Bundled {
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

/// Returns the sentences of the source texts of a bundled rule set, by the ids of the clauses. Empty if the rule set
/// has no page of clauses.
///
/// On the page, each sentence is an item of a list that begins with the id in bold. Further lines are indented.
pub fn clause_texts(id: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::<String, String>::new();
    let mut current = None;
    let page = CLAUSES.iter().find(|(known, _)| *known == id).map_or("", |(_, page)| page);
    for line in page.lines() {
        let begun = line.strip_prefix("- **").and_then(|line| line.split_once("** "));
        let begun = begun.filter(|(clause, _)| is_clause_id(clause));
        current = match (begun, current, line.strip_prefix("  ")) {
            (Some((clause, text)), ..) => {
                texts.insert(clause.to_owned(), text.to_owned());
                Some(clause)
            }
            (None, Some(clause), Some(more)) => {
                texts.entry(clause.to_owned()).and_modify(|text| *text = format!("{text} {more}"));
                Some(clause)
            }
            _ => None,
        };
    }
    texts
}

fn source(id: &str, text: &str) -> Source {
    Source { name: format!("{id}.yaml"), text: text.to_owned() }
}
