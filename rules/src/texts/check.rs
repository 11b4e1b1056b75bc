//! The check of `texts`: every name in it is a name of the rule set.

use super::sections::sections;
use crate::document::{Document, Text};
use crate::nearest::nearest;
use crate::source::{Report, Severity};

/// Reports texts of names that the rule set does not have. Texts of the files that a variant extends are not reported:
/// the variant may have removed the names.
pub(crate) fn check(document: &Document, report: &mut Report) {
    let Some(texts) = &document.texts else { return };
    let options = || document.options.iter().map(|option| option.name.value.as_str());
    for (option, _) in &texts.options {
        if options().all(|other| other != option.value) {
            unknown("option", option, options(), report);
        }
    }
    for section in sections(document) {
        let Some(others) = &section.others else { continue };
        let names = || section.needed.iter().chain(others).copied();
        for (name, _) in section.called {
            if names().all(|other| other != name.value) {
                unknown(&section.what, name, names(), report);
            }
        }
    }
}

fn unknown<'a>(what: &str, name: &Text, known: impl Iterator<Item = &'a str>, report: &mut Report) {
    if name.span.file > 0 {
        return;
    }
    let message = format!("there is no {what} `{}`", name.value);
    let help = nearest(&name.value, known).map(|meant| format!("did you mean `{meant}`?"));
    report.add_unless_refused(Severity::Error, "unknown-text", name.span, message, help);
}
