//! The texts of a rule set in the language that suits a client.

use std::collections::{BTreeMap, BTreeSet};

use pagade_rules::bundled;
use pagade_rules::document::Document;
use pagade_rules::texts::{NameKind, NamedText, Translation, language, names};

use crate::ground::language::Languages;
use crate::rule_sets::library::CompiledRuleSet;

/// The texts of a rule set, by path: `title`, `seats.NAME`, `options.NAME`, `options.NAME.VALUE`, `spend.ID`, ..
#[derive(Debug)]
pub(crate) struct SaidTexts {
    /// The language that was chosen.
    pub language: String,
    /// The texts. A text without a translation is in the language of the rule file.
    pub by_path: BTreeMap<String, String>,
    /// The languages in which these texts are: the chosen one, that of the rule file, or both.
    pub languages: BTreeSet<String>,
}

impl SaidTexts {
    /// Returns the text at a path; `None` if there is none.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.by_path.get(path).map(String::as_str)
    }

    /// Returns the languages of the texts as the value of a header field: the chosen language first.
    pub(crate) fn header(&self) -> String {
        header(&self.language, self.languages.iter().map(String::as_str))
    }
}

/// Writes languages as the value of a header field: the chosen language first, if it is among them.
pub(crate) fn header<'a>(chosen: &str, languages: impl Iterator<Item = &'a str>) -> String {
    let mut languages = languages.collect::<Vec<_>>();
    if languages.is_empty() {
        return chosen.to_owned();
    }
    languages.sort_by_key(|language| *language != chosen);
    languages.join(", ")
}

impl CompiledRuleSet {
    /// Returns the texts of the names whose paths are `wanted`, in the language that suits a client best.
    pub(crate) fn texts(&self, languages: &Languages, wanted: impl Fn(&str) -> bool) -> SaidTexts {
        let mut names = names(self.set.document());
        names.retain(|name| wanted(&name.path));
        self.say(languages, &names)
    }

    /// Returns the language that suits a client best; `None` if it is the language of the rule file.
    pub(crate) fn translated_to(&self, languages: &Languages) -> Option<&str> {
        Some(self.language(languages)).filter(|chosen| *chosen != language(self.set.document()))
    }

    /// Returns the title in the language that suits a client best, and that language.
    pub(crate) fn title(&self, languages: &Languages) -> (String, String) {
        let title = NamedText { path: "title".to_owned(), kind: NameKind::Title, text: Some(self.set.title()) };
        let said = self.say(languages, &[title]);
        let title = said.text("title").unwrap_or_else(|| self.set.title());
        (title.to_owned(), said.languages.into_iter().next().unwrap_or(said.language))
    }

    fn say(&self, languages: &Languages, names: &[NamedText<'_>]) -> SaidTexts {
        let document = self.set.document();
        let source = language(document);
        let chosen = self.language(languages);
        let speaker = Speaker { rule_set: self, document, language: chosen };
        let mut said = SaidTexts { language: chosen.to_owned(), by_path: BTreeMap::new(), languages: BTreeSet::new() };
        for name in names {
            let Some(text) = name.text else { continue };
            let translated = if chosen == source { None } else { speaker.translated(name.kind, text) };
            said.languages.insert(if translated.is_some() { chosen } else { source }.to_owned());
            said.by_path.insert(name.path.clone(), translated.unwrap_or(text).to_owned());
        }
        said
    }

    /// Returns the language that suits a client best: that of the rule file, or that of one of its translations.
    fn language(&self, languages: &Languages) -> &str {
        let document = self.set.document();
        let source = language(document);
        let mut offered = vec![source];
        offered.extend(self.translations.iter().chain(bundled::translations()).map(Translation::language));
        offered.extend(document.titles.iter().map(|(tag, _)| tag.value.as_str()));
        languages.choose(&offered).unwrap_or(source)
    }
}

/// The translations of a rule set in one language.
struct Speaker<'a> {
    rule_set: &'a CompiledRuleSet,
    document: &'a Document,
    language: &'a str,
}

impl<'a> Speaker<'a> {
    /// Returns a translation of a text: one that was published with the rule set; else, for the title of a published
    /// rule set, the one in the rule file; else a bundled one.
    fn translated(&self, kind: NameKind, text: &str) -> Option<&'a str> {
        let find = |translations: &'a [Translation]| {
            let mut spoken = translations.iter().filter(|translation| translation.language() == self.language);
            spoken.find_map(|translation| translation.get(kind.section(), text))
        };
        let published = find(&self.rule_set.translations);
        let named = || {
            let title = self.document.titles.iter().find(|(tag, _)| tag.value.eq_ignore_ascii_case(self.language));
            title.filter(|_| kind == NameKind::Title && !self.rule_set.bundled).map(|(_, title)| title.value.as_str())
        };
        published.or_else(named).or_else(|| find(bundled::translations()))
    }
}
