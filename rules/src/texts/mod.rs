//! Texts for people: every name of a rule set with its text, and translations of these texts.
//!
//! A rule file gives its names texts in one language, English by default. A *translation* is another file with these
//! texts in another language; its keys are the texts of the rule file. So a variant shares the translations of the file
//! that it extends, and a text that was changed is no longer translated by the old translation.

mod check;
mod names;
mod placeholders;
mod sections;
mod sentence;
mod translation;

pub(crate) use check::check;
pub use names::{NameKind, NamedText, names};
pub use placeholders::{fill, placeholders};
pub(crate) use sentence::sentence;
pub use sentence::{Given, Sentence};
pub use translation::Translation;

use crate::document::Document;
pub use crate::language::is_control;

/// The language of the texts of a rule file, unless the file names another one.
pub const ENGLISH: &str = "en";

/// The language of the texts of a rule file.
pub fn language(document: &Document) -> &str {
    document.language.as_ref().map_or(ENGLISH, |language| &language.value)
}
