//! Problems, and the options of tables, in other languages: the files in `api/texts`.

use std::sync::OnceLock;

use pagade_rules::source::Source;
use pagade_rules::texts::{ENGLISH, Translation, fill};
use serde_json::Value;

use super::ProblemBody;
use super::detail::{Detail, DetailArgs};
use crate::error::Code;
use crate::ground::language::Languages;

/// Language tag and text of each translation.
pub(crate) const FILES: [(&str, &str); 7] = [
    ("es", include_str!("../../texts/es.yaml")),
    ("gu", include_str!("../../texts/gu.yaml")),
    ("hi", include_str!("../../texts/hi.yaml")),
    ("kn", include_str!("../../texts/kn.yaml")),
    ("mr", include_str!("../../texts/mr.yaml")),
    ("pt", include_str!("../../texts/pt.yaml")),
    ("ta", include_str!("../../texts/ta.yaml")),
];

/// The sections of a translation: titles and help texts of the codes, sentences, values in sentences, and the options
/// of tables.
pub(crate) const SECTIONS: [&str; 5] = [TITLES, HELP, DETAILS, VALUES, OPTIONS];
const TITLES: &str = "titles";
const HELP: &str = "help";
const DETAILS: &str = "details";
const VALUES: &str = "values";
const OPTIONS: &str = "options";

/// The words of problems and of options of tables in one language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemWords(Option<&'static Translation>);

impl ProblemWords {
    /// Returns the words in the language that suits the client best, or in English.
    pub(crate) fn in_one_of(languages: &Languages) -> Self {
        if languages.0.is_empty() {
            return Self(None);
        }
        let mut offered = vec![ENGLISH];
        offered.extend(translations().iter().map(Translation::language));
        let chosen = languages.choose(&offered);
        Self(translations().iter().find(|translation| Some(translation.language()) == chosen))
    }

    /// Returns the tag of the language of these words, such as `es`.
    pub(crate) fn language(self) -> &'static str {
        self.0.map_or(ENGLISH, Translation::language)
    }

    /// Returns the title of a code in this language, or in English if it has no translation. All problems with the same
    /// code have the same title.
    pub(crate) fn title(self, code: Code) -> &'static str {
        self.0.and_then(|words| words.get(TITLES, code.title())).unwrap_or(code.title())
    }

    /// Returns what the caller can do about a problem. Every translation has the advice of all codes.
    pub(crate) fn help(self, code: Code) -> &'static str {
        self.0.and_then(|words| words.get(HELP, code.help())).unwrap_or(code.help())
    }

    /// Translates the description of an option of tables. Every translation has all of them.
    pub(crate) fn option(self, text: &'static str) -> &'static str {
        self.0.and_then(|words| words.get(OPTIONS, text)).unwrap_or(text)
    }

    /// Translates a sentence that says what is wrong. A sentence without a translation stays English.
    pub(crate) fn said(self, said: &Detail) -> String {
        let translated = self.0.and_then(|words| detail(words, said.template, &said.args));
        translated.unwrap_or_else(|| said.text.clone())
    }

    /// Translates the texts of a problem. Texts without a translation stay English.
    pub(crate) fn say(self, body: &mut ProblemBody, code: Code, template: &str) {
        let Some(words) = self.0 else { return };
        body.title = self.title(code).to_owned();
        for part in &mut body.problems {
            if let Some(detail) = detail(words, part.template, &part.args) {
                part.detail = detail;
            }
            if let Some(help) = &mut part.help
                && let Some(translated) = detail(words, help.template, &help.args)
            {
                help.text = translated;
            }
        }
        let mut args = body.args.clone();
        if let (Some(first), Some(part)) = (args.get_mut("first"), body.problems.first()) {
            *first = Value::from(part.detail.as_str());
        }
        if let Some(detail) = detail(words, template, &args) {
            body.detail = detail;
        }
    }
}

/// Translates a sentence and fills in its values; `None` if the sentence has no translation.
fn detail(words: &Translation, template: &str, args: &DetailArgs) -> Option<String> {
    let translated = words.get(DETAILS, template)?;
    Some(fill(translated, |name| args.get(name).map(|value| super::detail::shown(&in_words(words, value)))))
}

/// Translates a value that is a phrase with a translation, such as `a list`. Other values stay as they are.
fn in_words(words: &Translation, value: &Value) -> Value {
    let phrase = value.as_str().and_then(|text| words.section(VALUES).find(|(known, _)| *known == text));
    phrase.map_or_else(|| value.clone(), |(_, translated)| translated.into())
}

fn translations() -> &'static [Translation] {
    static READ: OnceLock<Vec<Translation>> = OnceLock::new();
    READ.get_or_init(|| {
        let read = |(tag, text): &(&str, &str)| {
            let source = Source { name: format!("{tag}.yaml"), text: (*text).to_owned() };
            Translation::read(&source, &SECTIONS).0
        };
        FILES.iter().filter_map(read).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use regex_lite::Regex;

    use super::*;

    /// Finds the sentences in the source files: those of `detail!`, those of `sentence!` in the crate of the rules, and
    /// those that are passed to `Problem::new` or `RefusedStep::new` as literals.
    fn sentences(folder: &Path, found: &mut BTreeSet<String>) {
        let in_macro = Regex::new(r#"(?:detail|sentence)!\(\s*"((?:[^"\\]|\\.)*)""#).unwrap();
        let without_values =
            Regex::new(r#"(?:Problem|RefusedStep)::new\(\s*Code::(\w+),\s*"((?:[^"\\]|\\.)*)""#).unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // The service never answers with a problem of the test entity `lamp`, or of the examples in `openapi`.
                if path.file_name().is_some_and(|name| name != "lamp" && name != "openapi") {
                    sentences(&path, found);
                }
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let plain = |text: &str| text.replace("\\\"", "\"");
            found.extend(in_macro.captures_iter(code).map(|found| plain(&found[1])));
            let mut said = |found: regex_lite::Captures<'_>| (&found[1] != "Internal").then(|| plain(&found[2]));
            found.extend(without_values.captures_iter(code).filter_map(&mut said));
        }
    }

    /// Finds the reasons that are values of sentences: in each file, the text literals after this call.
    fn reasons() -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeSet::new();
        for (file, call) in [
            ("../rules/src/notation/written.rs", r"not\("),
            ("../rules/src/record/replay.rs", r#"Mismatch::new\("(?:throw|game)", "[^"]*", "#),
            ("../rules/src/record/replay.rs", r#"Mismatch::new\("(?:throw|game)", "#),
            ("pairing/src/format.rs", r"TournamentError::Format\("),
            ("pairing/src/groups.rs", r"TournamentError::Format\("),
        ] {
            let text = fs::read_to_string(folder.join(file)).unwrap();
            let reason = Regex::new(&format!(r#"{call}\s*"([^"]*)""#)).unwrap();
            let before = found.len();
            found.extend(reason.captures_iter(&text).map(|found| found[1].to_owned()));
            assert!(found.len() > before, "{file} has reasons");
        }
        found
    }

    #[test]
    fn every_problem_is_said_in_every_language() {
        let mut in_sources = BTreeSet::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        ["src", "../rules/src"].into_iter().for_each(|sources| sentences(&folder.join(sources), &mut in_sources));
        let reasons = reasons();
        assert!(in_sources.len() > 80, "the sources are searched: {}", in_sources.len());
        let mut wrong = Vec::new();
        for (tag, text) in FILES {
            let source = Source { name: format!("{tag}.yaml"), text: text.to_owned() };
            let (words, problems) = Translation::read(&source, &SECTIONS);
            wrong.extend(problems.iter().map(ToString::to_string));
            let Some(words) = words else { continue };
            assert_eq!((words.language(), words.checked().is_empty()), (tag, false));
            let mut missing = |section, text: &str| {
                if words.get(section, text).is_none() {
                    wrong.push(format!("{tag} {section}: {text}"));
                }
            };
            Code::ALL.iter().for_each(|code| missing(TITLES, code.title()));
            Code::ALL.iter().for_each(|code| missing(HELP, code.help()));
            reasons.iter().for_each(|reason| missing(VALUES, reason));
            in_sources.iter().for_each(|sentence| missing(DETAILS, sentence));
            let is_help = |text: &str| Code::ALL.iter().any(|code| code.help() == text);
            let old = words.section(HELP).filter(|(text, _)| !is_help(text));
            wrong.extend(old.map(|(text, _)| format!("{tag} has the help of no problem: {text}")));
            let unused = words.section(DETAILS).filter(|(sentence, _)| !in_sources.contains(*sentence));
            wrong.extend(unused.map(|(sentence, _)| format!("{tag} has a sentence that nobody says: {sentence}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
