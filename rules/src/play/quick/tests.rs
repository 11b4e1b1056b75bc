//! The short way finds what the long way finds, at every decision of many games.

use std::collections::BTreeSet;

use super::super::{Actions, Game, Phase, Quiet};
use crate::build::tests::ruleset;
use crate::bundled;
use crate::document::OptionKind;
use crate::ruleset::{OptionValue, Options, RuleSet};
use crate::tables::Rules;

/// Small, dense, and with all that a plain rule set can have.
const CROWDED: &str = include_str!("plain.yaml");
/// Longest stretch of a game that is compared: some variants of the crowded ring hardly end.
const MAX_STEPS: usize = 3_000;

/// A small generator for tests: splitmix64.
pub(crate) struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ z >> 31) >> 32) * u64::from(n) >> 32) as u32
    }
}

/// Plays games step by step and compares the actions at every decision.
fn compare_actions(rules: &Rules, games: u64) {
    for game in 0..games {
        let mut chance = Chance(game);
        let mut state = rules.opening(rules.players[0]);
        for _ in 0..MAX_STEPS {
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
                }
            }
        }
    }
}

/// Plays the same game by whole turns and step by step, and compares the state after every turn.
fn compare_turns(rules: &Rules, games: u64) {
    for game in 0..games {
        let mut chance = Chance(game);
        let mut whole = Game::new(rules, rules.players[0]);
        let mut stepped = *whole.state();
        for _ in 0..MAX_STEPS {
            if whole.is_over() {
                break;
            }
            let throw = rules.draw(&mut |n| chance.below(n));
            let mut again = Chance(chance.0);
            whole.play_turn(&throw, &mut |n| chance.below(n), &mut Quiet).expect("plain rules");
            let turn = stepped.turn;
            rules.throw(&mut stepped, &throw, &mut Quiet).expect("a throw is due");
            while stepped.phase == Phase::Move && stepped.turn == turn {
                let open = rules.legal(&stepped);
                let action = open[again.below(open.len() as u32) as usize];
                rules.play(&mut stepped, &action, &mut Quiet).expect("a listed action is legal");
            }
            assert_eq!(chance.0, again.0, "as many decisions in game {game}");
            assert!(whole.state() == &stepped, "game {game} after {throw:?}: {:?} {stepped:?}", whole.state());
        }
    }
}

/// Options drawn at random; every third draw takes the defaults.
pub(crate) fn drawn(ruleset: &RuleSet, chance: &mut Chance) -> Options {
    let mut options = Options::new();
    if chance.below(3) == 0 {
        return options;
    }
    for line in &ruleset.document().options {
        let value = match &line.kind {
            OptionKind::OneOf { words, .. } => {
                OptionValue::Word(words[chance.below(words.len() as u32) as usize].value.clone())
            }
            OptionKind::Truth { .. } => OptionValue::Truth(chance.below(2) == 1),
            OptionKind::Range { from, to, .. } => {
                OptionValue::Number(from.value + i64::from(chance.below((to.value - from.value + 1) as u32)))
            }
        };
        if chance.below(3) > 0 {
            options.insert(line.name.value.clone(), value);
        }
    }
    options
}

/// Tables of a rule set that the short way plays, with options drawn at random.
fn plain_tables(ruleset: &RuleSet, tables: usize) -> Vec<Rules> {
    let mut chance = Chance(tables as u64);
    let made = (0..tables).filter_map(|_| ruleset.table(&drawn(ruleset, &mut chance), None).ok());
    made.filter(|rules| rules.quick.is_some()).collect()
}

/// Compares games of the plain tables among some drawn ones; answers how many are plain.
fn compare(ruleset: &RuleSet, tables: usize) -> usize {
    let plain = plain_tables(ruleset, tables);
    for rules in &plain {
        compare_actions(rules, 3);
        if rules.quick.as_ref().is_some_and(|quick| quick.whole_turns) {
            compare_turns(rules, 3);
        }
    }
    plain.len()
}

#[test]
fn the_short_way_plays_every_plain_bundled_game_as_the_long_way_does() {
    let bundled = bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let plain: usize = bundled.map(|ruleset| compare(&ruleset, 60)).sum();
    assert!(plain > 20, "{plain} tables");
}

#[test]
fn the_short_way_plays_a_crowded_ring_as_the_long_way_does() {
    let variants = [
        ("", ""),
        ("each: 4, start: [0, 0, 2, 5]", "each: 6, start: [0, 0, 2, 5, 5, 9]"),
        ("each: 4, start: [0, 0, 2, 5]", "each: 3, start: [0, 0, 2]"),
        ("cut_to: 0", "cut_to: out"),
        ("pairs_on: [ring, inner]", "pairs_on: inner"),
        ("  gate: {after: 15, open_when: cuts >= needed, closed: $closed, lap_to: 0}\n", ""),
        ("finish: {play_on: yes}", "finish: {play_on: yes}\nteams: {opposite: yes}"),
    ];
    for (text, instead) in variants {
        assert!(CROWDED.contains(text), "{text}");
        let ruleset = ruleset(&CROWDED.replacen(text, instead, 1));
        let plain = compare(&ruleset, 40);
        assert!(plain > 20, "{plain} tables with `{instead}`");
    }
}
