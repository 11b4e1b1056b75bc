//! Checks any bytes as a rule file. The check must give problems or a rule set and never panic, and a rule set must
//! make a table with its default options.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pagade_rules::bundled::Bundled;
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let source = Source { name: "fuzz.yaml".to_owned(), text: text.to_owned() };
    let checked = RuleSet::check(&source, &Bundled);
    match checked.ruleset {
        Some(ruleset) => drop(ruleset.table(&Options::new(), None).expect("what passes its check can be played")),
        None => assert!(!checked.problems.is_empty(), "what does not pass says why"),
    }
});
