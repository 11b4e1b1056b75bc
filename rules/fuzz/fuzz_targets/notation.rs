//! Any text as an action or a throw: an error, or a value that prints and parses to itself.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pagade_rules::bundled;
use pagade_rules::notation::WrittenAction;
use pagade_rules::ruleset::Options;
use pagade_rules::play::Engine;

/// The first bundled set at its default table.
static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let ruleset = bundled::ruleset(bundled::SETS[0].0).expect("bundled sets pass their check");
    ruleset.table(&Options::new(), None).expect("the defaults fit")
});

fuzz_target!(|text: &str| {
    if let Ok(action) = text.parse::<WrittenAction>() {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    let rules = &*RULES;
    if let Ok(throw) = rules.parse_throw(text) {
        assert_eq!(rules.parse_throw(&rules.throw_text(&throw)), Ok(throw));
    }
    let _ = rules.parse_action(&rules.opening(rules.seating.players[0]), text);
});
