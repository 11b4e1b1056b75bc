//! Reads any text as an action and as a throw. The result must be an error, or a value that is the same after it is
//! printed and read again.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pagade_rules::bundled;
use pagade_rules::notation::WrittenAction;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::Options;

/// A table of the first bundled rule set, with its default options.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let ruleset = bundled::ruleset(bundled::SETS[0].0).expect("bundled sets pass their check");
    ruleset.table(&Options::new(), None).expect("the defaults fit")
});

fuzz_target!(|text: &str| {
    if let Ok(action) = text.parse::<WrittenAction>() {
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    let engine = &*ENGINE;
    if let Ok(throw) = engine.parse_throw(text) {
        assert_eq!(engine.parse_throw(&engine.throw_text(&throw)), Ok(throw));
    }
    let _ = engine.parse_action(&engine.opening(engine.seating.players[0]), text);
});
