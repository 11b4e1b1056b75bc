//! Encodes states as bytes and decodes them.

use pagade_rules::bundled::Bundled;
use pagade_rules::encoding::DecodeError;
use pagade_rules::play::Engine;
use pagade_rules::play::Quiet;
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;
use proptest::prelude::*;
use std::sync::LazyLock;

use crate::common::{Chance, play_at_random, table};

#[test]
fn every_state_of_a_game_comes_back() {
    let rules = table("pagade", None);
    let mut longest = 0;
    for seed in 0..10 {
        play_at_random(&rules, 0, seed, 2000, |_, state| {
            let bytes = rules.encode(state);
            assert!(rules.decode(&bytes) == Ok(*state));
            longest = longest.max(bytes.len());
        });
    }
    assert!(longest < 100, "{longest} bytes");
}

#[test]
fn all_counters_of_the_game_come_back() {
    let counters: Vec<String> =
        (0..8).map(|index| format!("c{index}: {{from: -9, to: 400, start: {index}}}")).collect();
    for count in [0, 4, 5, 8] {
        let counters = counters[..count].join(", ");
        let head = "rules: counted\nversion: 1.0.0\ntitle: Counted\nextends: pagade\nsources: [A test]\n";
        let text = format!("{head}counters: {{game: {{{counters}}}}}\n");
        let checked = RuleSet::check(&Source { name: "counted.yaml".to_owned(), text }, &Bundled);
        let rules = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
        let opening = rules.opening(rules.first_seat());
        for index in 0..count {
            for value in [-9, 0, 400] {
                let mut state = opening;
                state.game[index] = value;
                let bytes = rules.encode(&state);
                assert!(rules.decode(&bytes) == Ok(state), "{count} counters, counter {index}: {value}");
                assert!(rules.decode(&bytes[..bytes.len() - 1]).is_err());
            }
        }
    }
}

#[test]
fn bytes_that_end_early_or_go_on_are_refused() {
    let rules = table("pagade", None);
    let bytes = rules.encode(&rules.opening(rules.first_seat()));
    for end in 0..bytes.len() {
        assert!(rules.decode(&bytes[..end]).is_err());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(rules.decode(&longer), Err(DecodeError::Long)));
    let later = [&[9], &bytes[1..]].concat();
    assert!(matches!(rules.decode(&later), Err(DecodeError::Version(9))));
}

/// The table for the property tests. It is built only once, because they run many cases.
static TABLE: LazyLock<Engine> = LazyLock::new(|| table("pagade", None));

proptest! {
    #[test]
    fn garbage_is_refused_or_can_be_played_on(mut bytes in proptest::collection::vec(any::<u8>(), 0..120), first in 0u8..4) {
        let rules = &*TABLE;
        if let Some(version) = bytes.first_mut() {
            *version = 1 + first / 3;
        }
        let _ = rules.decode(&bytes);
    }

    #[test]
    fn damaged_states_are_refused_or_read_as_what_they_say(seed in 0u64..500, at in 0usize..90, value: u8) {
        let rules = &*TABLE;
        let state = play_at_random(rules, 0, seed, 30, |_, _| {});
        let mut bytes = rules.encode(&state);
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok(state) = rules.decode(&bytes) {
            // A decoded state, even a strange one, can be played on without a panic.
            let mut next = state;
            let legal = rules.legal(&next);
            let mut chance = Chance(seed);
            match legal.first() {
                Some(action) => drop(rules.play(&mut next, action, &mut Quiet)),
                None => drop(rules.throw(&mut next, &rules.draw(&mut |n| chance.below(n)), &mut Quiet)),
            }
            prop_assert!(rules.decode(&rules.encode(&state)) == Ok(state));
        }
    }
}
