//! Checks the translations that come with a rule text, and makes them files of the rule set.

use std::collections::BTreeSet;

use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::Source;
use pagade_rules::texts::{Translation, names};

use super::problems::refuse;
use super::view::problem;
use crate::error::{Code, Problem, ProblemPart, detail};
use crate::model::rule_set::TranslationCheck;
use crate::rule_sets::library::StoredRuleFile;

/// Checks each translation by itself and against the rule set. `set` is `None` if the rule text has errors.
pub(super) fn check(texts: &[String], set: Option<&RuleSet>) -> Vec<TranslationCheck> {
    let names = set.map(|set| names(set.document())).unwrap_or_default();
    let documents = set.map(RuleSet::document).into_iter().collect::<Vec<_>>();
    let check = |text: &String| {
        let (translation, mut problems) = read(text);
        let found = translation.as_ref();
        if set.is_some() {
            problems.extend(found.map(|translation| translation.unused(&documents)).unwrap_or_default());
        }
        let missing = found.map(|translation| translation.missing(&names)).unwrap_or_default();
        TranslationCheck {
            language: found.map(|translation| translation.language().to_owned()),
            checked: found.map(|translation| translation.checked().to_owned()),
            problems: problems.iter().map(problem).collect(),
            missing: missing.into_iter().map(|name| name.path.clone()).collect(),
        }
    };
    texts.iter().map(check).collect()
}

/// Makes a file of each translation.
///
/// # Errors
/// A translation has errors, or two translations have the same language.
pub(super) fn files(texts: &[String]) -> Result<Vec<StoredRuleFile>, Problem> {
    let (mut files, mut languages) = (Vec::new(), BTreeSet::new());
    for (index, text) in texts.iter().enumerate() {
        let pointer = format!("/translations/{index}");
        let (translation, problems) = read(text);
        let Some(translation) = translation else { return Err(refuse(&problems, &pointer)) };
        let language = translation.language();
        if !languages.insert(language.to_ascii_lowercase()) {
            let part =
                ProblemPart::at(pointer, detail!("a second translation has the language `{language}`", language));
            return Err(Problem::one(Code::RuleTextInvalid, part));
        }
        files.push(StoredRuleFile::of_translation(language, text));
    }
    Ok(files)
}

fn read(text: &str) -> (Option<Translation>, Vec<pagade_rules::source::Problem>) {
    Translation::of_rule_sets(&Source { name: "translation".to_owned(), text: text.to_owned() })
}
