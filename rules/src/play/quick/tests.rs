//! The short way finds what the long way finds, at every decision of many games.

use std::collections::BTreeSet;

use super::super::{Actions, Phase, Quiet};
use crate::bundled;
use crate::ruleset::{OptionValue, Options, RuleSet};
use crate::tables::Rules;

/// A small generator for tests: splitmix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ z >> 31) >> 32) * u64::from(n) >> 32) as u32
    }
}

/// The first bundled set that is plain.
fn plain_set() -> RuleSet {
    let mut sets = bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let plain = |set: &RuleSet| set.table(&Options::new(), None).is_ok_and(|rules| rules.quick.is_some());
    sets.find(plain).expect("a plain set is bundled")
}

fn compare_games(rules: &Rules, games: u64) -> usize {
    assert!(rules.quick.is_some(), "the rule set is plain");
    let mut decisions = 0;
    for game in 0..games {
        let mut chance = Chance(game);
        let mut state = rules.opening(rules.players[0]);
        for _ in 0..20_000 {
            match state.phase {
                Phase::Over => break,
                Phase::Throw => {
                    let throw = rules.draw(&mut |n| chance.below(n));
                    rules.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
                }
                _ => {
                    let quick = rules.legal(&state);
                    let mut slow = Actions::default();
                    rules.slow_moves_into(&state, &mut slow);
                    let listed = |actions: &Actions| {
                        actions.iter().map(|a| (a.from, a.to, a.numbers, a.line, a.captures)).collect::<BTreeSet<_>>()
                    };
                    assert_eq!(
                        listed(&quick),
                        listed(&slow),
                        "game {game}: {state:?} {:?}",
                        state.hand.banked[0].numbers
                    );
                    assert_eq!(quick.len(), slow.len(), "no action is listed twice");
                    let action = quick[chance.below(quick.len() as u32) as usize];
                    rules.play(&mut state, &action, &mut Quiet).expect("a listed action is legal");
                    decisions += 1;
                }
            }
        }
        assert_eq!(state.phase, Phase::Over, "game {game} ends");
    }
    decisions
}

#[test]
fn the_short_way_finds_the_same_actions_in_every_plain_game() {
    let words = |pairs: &[(&str, &str)]| -> Options {
        pairs.iter().map(|(name, word)| (name.to_string(), OptionValue::Word(word.to_string()))).collect()
    };
    let ruleset = plain_set();
    for options in [words(&[]), words(&[("mode", "partnership")]), words(&[("dice_use", "any")])] {
        let rules = ruleset.table(&options, None).expect("the options fit");
        assert!(compare_games(&rules, 40) > 1000);
    }
    let two = ruleset.document().players[0].seats.clone().expect("named seats");
    let names: Vec<String> = two.into_iter().map(|seat| seat.value).collect();
    assert!(compare_games(&ruleset.table(&Options::new(), Some(&names)).expect("two play"), 60) > 1000);
}

/// Plays the same game by whole turns and step by step, and compares the state after every turn.
fn compare_turns(rules: &Rules, games: u64) {
    for game in 0..games {
        let mut chance = Chance(game);
        let mut state = rules.opening(rules.players[0]);
        let mut stepped = state;
        while state.phase != Phase::Over {
            let throw = rules.draw(&mut |n| chance.below(n));
            let mut again = Chance(chance.0);
            rules.play_turn(&mut state, &throw, &mut |n| chance.below(n), &mut Quiet).expect("plain rules");
            let turn = stepped.turn;
            rules.throw(&mut stepped, &throw, &mut Quiet).expect("a throw is due");
            while stepped.phase == Phase::Move && stepped.turn == turn {
                let open = rules.legal(&stepped);
                let action = open[again.below(open.len() as u32) as usize];
                rules.play(&mut stepped, &action, &mut Quiet).expect("a listed action is legal");
            }
            assert_eq!(chance.0, again.0, "as many decisions in game {game}");
            assert!(state == stepped, "game {game} after {throw:?}: {state:?} {stepped:?}");
        }
    }
}

#[test]
fn whole_turns_lead_where_single_steps_lead() {
    let ruleset = plain_set();
    compare_turns(&ruleset.table(&Options::new(), None).expect("the defaults fit"), 60);
    let partners = Options::from([("mode".to_owned(), OptionValue::Word("partnership".to_owned()))]);
    compare_turns(&ruleset.table(&partners, None).expect("partners play"), 60);
}
