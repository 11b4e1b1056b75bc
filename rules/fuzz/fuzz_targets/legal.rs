//! Plays games that the fuzzer's bytes decide. The engine must play every action that it lists, and refuse every other.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pagade_rules::bundled;
use pagade_rules::play::{Engine, Phase, Quiet};
use pagade_rules::ruleset::Options;
use pagade_rules::units::PathPlace;

/// A table of every bundled rule set, with its default options.
static TABLES: LazyLock<Vec<Engine>> = LazyLock::new(|| {
    let table = |(id, _): &(&str, &str)| {
        let ruleset = bundled::ruleset(id).expect("bundled sets pass their check");
        ruleset.table(&Options::new(), None).expect("the defaults fit")
    };
    bundled::SETS.iter().map(table).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let (set, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let engine = &TABLES[*set as usize % TABLES.len()];
    let mut state = engine.opening(engine.seating.players[0]);
    let mut led = bytes.iter().copied();
    while state.phase != Phase::Over {
        let Some(byte) = led.next() else { return };
        if state.phase == Phase::Throw {
            let throw = engine.draw(&mut |n| u32::from(led.next().unwrap_or(byte)) % n);
            engine.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
            continue;
        }
        let legal = engine.legal(&state);
        let mut odd = legal[byte as usize % legal.len()];
        odd.to = PathPlace(odd.to.0.wrapping_add(byte | 1));
        let refused = engine.play(&mut state.clone(), &odd, &mut Quiet).is_err();
        assert_eq!(refused, !legal.contains(&odd), "only what is listed is taken");
        let action = legal[byte as usize % legal.len()];
        let text = engine.action_text(&state, &action);
        assert_eq!(engine.parse_action(&state, &text), Ok(action), "{text}");
        engine.play(&mut state, &action, &mut Quiet).expect("what is listed is taken");
        assert_eq!(engine.decode(&engine.encode(&state)), Ok(state));
    }
});
