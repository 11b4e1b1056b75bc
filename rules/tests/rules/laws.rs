//! Laws that every bundled rule set keeps at every table: laws of its file, and laws of every step of its games.

pub(crate) mod steps;

use std::thread;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Action, Engine, Happening, HappeningKind, Phase, State, Watch};
use pagade_rules::record::{Against, Recorder, Replay};
use pagade_rules::ruleset::{Options, RuleFiles, RuleSet};

use crate::common::sets::{ids, of_every_option, of_every_size, share_out};
use crate::common::{Chance, play_at_random, rule_set};

/// The number of whole games that are played at each table.
const GAMES: u64 = 20;
/// Maximum number of steps of a game that are checked. With some options, random games are very long.
const STEPS: usize = 1500;

#[test]
fn every_set_checks_without_a_warning_and_cites_its_sources() {
    for id in ids() {
        let checked = RuleSet::check(&Bundled.find(id).unwrap(), &Bundled);
        assert!(checked.problems.is_empty(), "{id}: {:#?}", checked.problems);
        let set = checked.ruleset.unwrap();
        let sources = &set.document().sources;
        assert!(!sources.is_empty() && sources.iter().all(|source| !source.value.trim().is_empty()), "{id}");
    }
}

#[test]
fn every_game_ends() {
    let tables: Vec<Engine> = ids().iter().flat_map(|id| sized(id)).collect();
    share_out(&tables, |engine| {
        for seed in 0..GAMES {
            assert!(play(engine, seed, usize::MAX, |_, _| {}), "the game does not end");
        }
    });
}

#[test]
fn every_step_of_every_game_keeps_the_laws() {
    share_out(&every_table(), |engine| {
        let mut chance = Chance(1);
        play(engine, GAMES, STEPS, |state, open| steps::check(engine, state, open, &mut chance));
    });
}

#[test]
fn every_record_is_the_game_again() {
    share_out(&every_table(), |engine| {
        let _told = Told(engine, 7);
        let mut lines = Vec::new();
        play_at_random(engine, 0, 7, STEPS, |line, _| lines.push(line.clone()));

        let header = Recorder::new(engine, 0, engine.first_seat()).header(None).to_json();
        let mut replay = Replay::new(&rule_set, Against::default());
        for text in [header].into_iter().chain(lines.iter().map(|line| line.to_json())) {
            replay.line(&text).unwrap();
        }
        assert_eq!(replay.decisions(), lines.len() as u64);
    });
}

fn sized(id: &str) -> Vec<Engine> {
    of_every_size(&rule_set(id).unwrap(), &Options::new())
}

/// Makes a table for every number of players with the default options, and one for every other value of an option.
fn every_table() -> Vec<Engine> {
    let tables = ids().into_iter().flat_map(|id| {
        let mut tables = sized(id);
        tables.extend(of_every_option(&rule_set(id).unwrap()));
        tables
    });
    tables.collect()
}

/// Plays a random game of at most `most` steps. Returns whether it ended.
///
/// `each` is called with every state and its legal actions.
fn play(engine: &Engine, seed: u64, most: usize, mut each: impl FnMut(&State, &[Action])) -> bool {
    let _told = Told(engine, seed);
    let mut chance = Chance(seed);
    let mut below = |n| chance.below(n);
    let first = engine.seating.players[seed as usize % engine.seating.players.len()];
    let (mut state, mut turns) = (engine.opening(first), Turns(0));
    let mut open = engine.legal(&state);
    for _ in 0..most {
        each(&state, &open);
        match state.phase {
            Phase::Over => return true,
            Phase::Throw => {
                let throw = engine.draw(&mut below);
                engine.throw_into(&mut state, &throw, &mut open, &mut turns).unwrap();
            }
            Phase::Choose | Phase::Move | Phase::Declare => {
                let action = open[engine.pick(&open, &mut below)];
                engine.play_unchecked(&mut state, &action, &mut open, &mut turns);
            }
        }
        if turns.0 >= engine.turn.cap {
            break;
        }
    }
    false
}

/// Counts the turns of a game.
struct Turns(u32);

impl Watch for Turns {
    fn event(&mut self, happening: Happening) {
        self.0 += u32::from(happening.kind == HappeningKind::Turn);
    }
}

/// Prints the table and the seed of the game if a test panics while this value exists.
struct Told<'r>(&'r Engine, u64);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let Told(engine, seed) = self;
            let (identity, players) = (&engine.identity, engine.seating.players.len());
            eprintln!("in game {seed} of {} with {players} players, {:?}", identity.id, identity.options);
        }
    }
}
