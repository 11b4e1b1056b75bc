//! Texts for people in `pagade check`: names without a text, and translations beside a rule file.

use std::fs;
use std::path::Path;

use pagade_rules::bundled::{Bundled, SETS, TRANSLATIONS};
use pagade_rules::document::Document;
use pagade_rules::ruleset::{RuleFiles, RuleSet};
use pagade_rules::source::{Problem, Source};
use pagade_rules::texts::{Translation, names};

/// Maximum number of names in a line of output.
const SHOWN: usize = 8;

/// A translation and the result of its check.
pub(super) struct CheckedTranslation {
    /// The name of the file.
    pub name: String,
    /// The language of the translation, and the name of its checker; `None` if the translation has errors.
    pub says: Option<(String, String)>,
    /// Errors and warnings.
    pub problems: Vec<Problem>,
    /// Paths of the names whose texts the translation leaves out.
    pub missing: Vec<String>,
}

/// Tells whether a text is a translation, not a rule file.
pub(super) fn is_translation(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("translation:"))
}

/// Checks a translation, and compares it with a rule set if there is one.
pub(super) fn check(source: &Source, set: Option<&RuleSet>, others: &[&Document]) -> CheckedTranslation {
    let (translation, mut problems) = Translation::of_rule_sets(source);
    let mut missing = Vec::new();
    if let (Some(set), Some(translation)) = (set, &translation) {
        let documents = [&[set.document()], others].concat();
        problems.extend(translation.unused(&documents));
        let names = names(set.document());
        missing.extend(translation.missing(&names).into_iter().map(|name| name.path.clone()));
    }
    let says = translation.map(|translation| (translation.language().to_owned(), translation.checked().to_owned()));
    CheckedTranslation { name: source.name.clone(), says, problems, missing }
}

/// Checks the translations of a rule set: those beside its file (`NAME.kn.yaml` beside `NAME.yaml`), or the bundled
/// ones.
pub(super) fn beside(name: &str, set: &RuleSet) -> Vec<CheckedTranslation> {
    if Bundled.find(name).is_some() {
        // A bundled translation is one file for all bundled rule sets.
        let sets = SETS.iter().filter_map(|(id, _)| pagade_rules::bundled::ruleset(id)).collect::<Vec<_>>();
        let documents = sets.iter().map(RuleSet::document).collect::<Vec<_>>();
        let source =
            |(tag, text): &(&str, &str)| Source { name: format!("texts/{tag}.yaml"), text: (*text).to_owned() };
        return TRANSLATIONS.iter().map(|file| check(&source(file), Some(set), &documents)).collect();
    }
    let path = Path::new(name);
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem().and_then(|stem| stem.to_str())) else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files = entries.filter(|file| is_beside(file, stem)).collect::<Vec<_>>();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let source = Source { name: file.display().to_string(), text: fs::read_to_string(file).ok()? };
        is_translation(&source.text).then(|| check(&source, Some(set), &[]))
    };
    files.iter().filter_map(read).collect()
}

/// Tells whether a file is called `STEM.LANGUAGE.yaml`.
fn is_beside(file: &Path, stem: &str) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let tag =
        name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.')).and_then(|rest| rest.strip_suffix(".yaml"));
    tag.is_some_and(|tag| !tag.is_empty() && !tag.contains('.'))
}

/// Returns the paths of the names of a rule set that have no text.
pub(super) fn without_text(set: &RuleSet) -> Vec<String> {
    names(set.document()).into_iter().filter(|name| name.text.is_none()).map(|name| name.path).collect()
}

/// Writes the first paths of a list, and the number of the others.
pub(super) fn shown(paths: &[String]) -> String {
    let first = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    if paths.len() > SHOWN { format!("{first} and {} more", paths.len() - SHOWN) } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_beside_a_file_are_found_and_compared_with_it() {
        let folder = std::env::temp_dir().join(format!("pagade-texts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let rules = "rules: x\nversion: 1.0.0\ntitle: X\nextends: pagade\ncounters: {seat: {laps: {from: 0, to: 9}}}\n";
        let kannada = "translation: kn\nchecked: nobody yet\ntexts:\n  seats: {Red: ಕೆಂಪು, Rde: ?}\n".replace('?', "ಅ");
        for (name, text) in
            [("x.yaml", rules), ("x.kn.yaml", &kannada), ("x-y.hi.yaml", &kannada), ("x.old.kn.yaml", "")]
        {
            fs::write(folder.join(name), text).unwrap();
        }
        let name = folder.join("x.yaml").display().to_string();
        let set = RuleSet::check(&Source { name: name.clone(), text: rules.to_owned() }, &Bundled).ruleset.unwrap();
        assert_eq!(without_text(&set), ["counters.seat.laps"]);
        let found = beside(&name, &set);
        let [only] = &found[..] else { panic!("{}", found.len()) };
        assert_eq!(only.says, Some(("kn".to_owned(), "nobody yet".to_owned())));
        assert_eq!(only.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["text-unused"]);
        assert!(only.missing.contains(&"seats.black".to_owned()) && !only.missing.contains(&"seats.red".to_owned()));
        assert!(shown(&only.missing).ends_with(" more"));
        fs::remove_dir_all(&folder).unwrap();
        let bundled = beside("pagade", &pagade_rules::bundled::ruleset("pagade").unwrap());
        assert_eq!(bundled.len(), TRANSLATIONS.len());
        assert!(bundled.iter().all(|checked| checked.problems.is_empty()));
        assert!(bundled.iter().all(|checked| !checked.missing.iter().any(|path| path.starts_with("options."))));
    }
}
