//! Translations: files with the texts of rule sets in another language.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as MapEntry;

use super::names::{NameKind, NamedText};
use super::placeholders::placeholders;
use crate::document::{Document, Text};
use crate::language::{Id, LanguageTag, Named, Names, Prose, SourceText, Value, Words, shape};
use crate::nearest::nearest;
use crate::source::{Problem, Report, Source, Span};
use crate::yaml::parse;
use crate::yaml::tree::Entry;

shape! {
    /// A translation: texts in another language.
    pub(crate) struct TranslationFile: "a translation";

    /// The language, by its tag.
    required translation: Text = LanguageTag;
    /// The name of the person who has checked the translation, or a note that it is unchecked.
    required checked: Text = Prose;
    /// Texts with their translations, by section.
    required texts: Vec<TranslatedSection> = Names<TranslatedSection, 16>;
}

/// Texts with their translations, under the name of the section.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TranslatedSection {
    name: Text,
    texts: Vec<(Text, Text)>,
}

impl Named for TranslatedSection {
    type Key = Id;
    type Written = Names<Translated, 512>;
    type Output = Self;

    fn from_entry(name: Text, _: &Entry, texts: Vec<(Text, Text)>, _: &mut Report) -> Option<Self> {
        Some(Self { name, texts })
    }
}

/// A text with its translation.
pub(crate) struct Translated;

impl Named for Translated {
    type Key = SourceText;
    type Written = Words;
    type Output = (Text, Text);

    fn from_entry(text: Text, _: &Entry, translated: Text, report: &mut Report) -> Option<(Text, Text)> {
        let (wanted, found) = (placeholders(&text.value), placeholders(&translated.value));
        if wanted == found {
            return Some((text, translated));
        }
        let name = wanted.symmetric_difference(&found).next().copied().unwrap_or_default();
        let message = match wanted.contains(name) {
            true => format!("the translation lacks `{{{name}}}`"),
            false => format!("the translated text has no `{{{name}}}`"),
        };
        report.error_with_help("bad-placeholder", translated.span, message, "write the names in braces as they are");
        None
    }
}

/// A translation file after its check. Whether rule sets have its texts is a separate check, [`Translation::unused`].
#[derive(Debug, Clone)]
pub struct Translation {
    language: String,
    checked: String,
    /// The translations, by section and text.
    texts: BTreeMap<String, BTreeMap<String, TranslatedText>>,
    source: Source,
}

/// A translated text, and the span of the text that it translates.
#[derive(Debug, Clone)]
struct TranslatedText {
    text: String,
    span: Span,
}

impl Translation {
    /// Reads a translation whose sections may be only these. `None` after an error.
    pub fn read(source: &Source, sections: &[&str]) -> (Option<Self>, Vec<Problem>) {
        let mut report = Report::default();
        let file = report.add_source(source.clone());
        let read = parse(file, &mut report)
            .and_then(|(tree, _)| TranslationFile::parse(&tree, "a translation", &mut report))
            .and_then(|file| Self::new(file, source, sections, &mut report));
        let read = read.filter(|_| !report.has_errors());
        (read, report.finish().1)
    }

    /// Reads a translation of the texts of rule sets. `None` after an error.
    pub fn of_rule_sets(source: &Source) -> (Option<Self>, Vec<Problem>) {
        Self::read(source, &NameKind::ALL.map(NameKind::section))
    }

    fn new(file: TranslationFile, source: &Source, sections: &[&str], report: &mut Report) -> Option<Self> {
        let mut texts = BTreeMap::<_, BTreeMap<_, _>>::new();
        for section in file.texts {
            if !sections.contains(&section.name.value.as_str()) {
                let message = format!("a translation has no section `{}`", section.name.value);
                let near = nearest(&section.name.value, sections.iter().copied());
                let help = near.map_or_else(
                    || format!("the sections are `{}`", sections.join("`, `")),
                    |meant| format!("did you mean `{meant}`?"),
                );
                report.error_with_help("unknown-key", section.name.span, message, help);
                continue;
            }
            let translated = section
                .texts
                .into_iter()
                .map(|(text, translated)| (text.value, TranslatedText { text: translated.value, span: text.span }));
            match texts.entry(section.name.value) {
                MapEntry::Vacant(entry) => drop(entry.insert(translated.collect())),
                MapEntry::Occupied(mut entry) => entry.get_mut().extend(translated),
            }
        }
        let (language, checked) = (file.translation.value, file.checked.value);
        Some(Self { language, checked, texts, source: source.clone() })
    }

    /// The language, by its tag.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The name of the person who has checked the translation, or a note that it is unchecked.
    pub fn checked(&self) -> &str {
        &self.checked
    }

    /// The translation of a text in this section. If it is not there, the other sections are searched.
    pub fn get(&self, section: &str, text: &str) -> Option<&str> {
        let own = self.texts.get(section).and_then(|texts| texts.get(text));
        let found = own.or_else(|| self.texts.values().find_map(|texts| texts.get(text)));
        found.map(|translated| translated.text.as_str())
    }

    /// The translated texts of a section.
    pub fn section(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        let texts = self.texts.get(section).into_iter().flatten();
        texts.map(|(text, translated)| (text.as_str(), translated.text.as_str()))
    }

    /// The names whose texts are not translated.
    pub fn missing<'n, 'd>(&self, names: &'n [NamedText<'d>]) -> Vec<&'n NamedText<'d>> {
        let is_missing =
            |name: &&NamedText<'_>| name.text.is_some_and(|text| self.get(name.kind.section(), text).is_none());
        names.iter().filter(is_missing).collect()
    }

    /// A warning for each translated text that none of these rule sets has.
    pub fn unused(&self, documents: &[&Document]) -> Vec<Problem> {
        let mut report = Report::new(vec![self.source.clone()]);
        let names: Vec<_> = documents.iter().flat_map(|document| super::names(document)).collect();
        for (section, texts) in &self.texts {
            let of_section = || names.iter().filter(|name| name.kind.section() == section);
            let originals = || of_section().filter_map(|name| name.text);
            for (text, TranslatedText { span, .. }) in texts {
                if originals().all(|original| original != text) {
                    let help = nearest(text, originals()).map(|meant| format!("did you mean `{meant}`?"));
                    let message = format!("no text of this kind is `{text}`");
                    report.warning("text-unused", *span, message, help);
                }
            }
        }
        report.finish().1
    }
}
