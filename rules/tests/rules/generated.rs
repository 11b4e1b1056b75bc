//! Tests games by randomly drawn rule files: how the games end, the laws that every step keeps, and their records.

mod file;

use std::env;
use std::sync::Arc;
use std::thread;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Counts, Engine, Game, Happening, HappeningKind, Phase, Quiet, Refusal, State};
use pagade_rules::record::{Against, Recorder, Replay};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use crate::common::{Chance, sets};
use crate::laws::steps;

/// The number of rule files that are drawn. The variable `PAGADE_DRAWN` sets another number.
const FILES: u64 = 400;
const STEPS: usize = 150;

fn drawn(seed: u64) -> (String, Option<Arc<RuleSet>>) {
    let text = file::drawn(&mut Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let checked = RuleSet::check(&Source { name: "drawn.yaml".into(), text: text.clone() }, &Bundled);
    (text, checked.ruleset.map(Arc::new))
}

/// Draws rule files, and calls `each` with every rule set that passes the check and with its full table.
fn each_drawn(each: impl Fn(u64, &Arc<RuleSet>, &Engine) + Sync) {
    let files = env::var("PAGADE_DRAWN").ok().and_then(|files| files.parse().ok()).unwrap_or(FILES);
    let seeds: Vec<u64> = (0..files).collect();
    let sound = std::sync::atomic::AtomicU64::new(0);
    sets::share_out(&seeds, |&seed| {
        let (text, set) = drawn(seed);
        let Some(set) = set else { return };
        let _told = Told(text);
        let engine = set.table(&Options::new(), None).unwrap();
        each(seed, &set, &engine);
        sound.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    });
    let sound = sound.into_inner();
    assert!(sound > files / 2, "only {sound} of {files} files are sound");
}

/// Prints the rule file if a test panics while this value exists.
struct Told(String);

impl Drop for Told {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

#[test]
fn a_seat_finishes_however_its_last_pawn_comes_home_and_then_nothing_moves() {
    each_drawn(|seed, _, engine| {
        let mut chance = Chance(seed);
        let mut state = engine.opening(engine.first_seat());
        let mut heard: Vec<Happening> = Vec::new();
        for _ in 0..STEPS {
            ends_as_it_should(engine, &state, &heard);
            if state.phase == Phase::Over {
                break;
            }
            heard.clear();
            step(engine, &mut state, &mut chance, &mut heard);
        }
    });
}

#[test]
fn whole_turns_end_games_as_steps_do() {
    each_drawn(|seed, _, engine| {
        let mut chance = Chance(seed);
        let mut game = Game::new(engine, engine.first_seat());
        for _ in 0..STEPS {
            ends_as_it_should(engine, game.state(), &[]);
            if game.is_over() {
                break;
            } else if !game.needs_throw() {
                game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                continue;
            }
            let throw = engine.draw(&mut |n| chance.below(n));
            let whole = game.play_turn(&throw, &mut |n| chance.below(n), &mut Counts::default());
            if whole.is_none() {
                game.throw(&throw, &mut Quiet).unwrap();
            }
        }
    });
}

#[test]
fn every_step_keeps_the_laws() {
    each_drawn(|seed, _, engine| {
        let mut chance = Chance(seed);
        let mut state = engine.opening(engine.first_seat());
        for _ in 0..STEPS {
            let open = engine.legal(&state);
            steps::check(engine, &state, &open, &mut chance);
            if state.phase == Phase::Over {
                break;
            }
            step(engine, &mut state, &mut chance, &mut Vec::new());
        }
    });
}

#[test]
fn every_record_is_the_game_again() {
    each_drawn(|seed, set, engine| {
        let header = Recorder::new(engine, 0, engine.first_seat()).header(None).to_json();
        let rule_sets = |_: &str| Ok(Arc::clone(set));
        let mut replay = Replay::new(&rule_sets, Against::default());
        replay.line(&header).unwrap();
        crate::common::play_at_random(engine, 0, seed, STEPS, |line, _| {
            replay.line(&line.to_json()).unwrap_or_else(|error| panic!("{error}: {}", line.to_json()));
        });
    });
}

fn step(engine: &Engine, state: &mut State, chance: &mut Chance, heard: &mut Vec<Happening>) {
    if state.phase == Phase::Throw {
        let throw = engine.draw(&mut |n| chance.below(n));
        engine.throw(state, &throw, heard).unwrap();
    } else {
        let open = engine.legal(state);
        let action = open[engine.pick(&open, &mut |n| chance.below(n))];
        engine.play(state, &action, heard).unwrap();
    }
}

/// Checks the ranking, and that the game is over exactly when it is decided. `heard` has the events of the step that
/// led to the state.
fn ends_as_it_should(engine: &Engine, state: &State, heard: &[Happening]) {
    let players = &engine.seating.players;
    let home = engine.board.home();
    let all_home = |seat: usize| state.at[seat][..usize::from(engine.pawns.count)].iter().all(|&at| at == home);
    let colours = |seat: usize| {
        engine.seating.colours.iter().filter(move |own| engine.seating.player[own.index()].index() == seat)
    };
    let is_home = |seat: usize| colours(seat).all(|colour| all_home(colour.index()));
    let placed: Vec<_> = state.placed().collect();
    for seat in players {
        assert!(placed.iter().filter(|other| *other == seat).count() <= 1, "{placed:?}");
        assert!(!is_home(seat.index()) || placed.contains(seat), "{seat:?} is home and has not finished");
    }
    let is_over = state.phase == Phase::Over;
    if engine.seating.teams {
        let wins = players.iter().any(|seat| {
            let partner = engine.seating.partner[seat.index()];
            is_home(seat.index()) && is_home(partner.index())
        });
        assert_eq!(is_over, wins, "a team is home");
    } else if engine.finish.play_on {
        assert_eq!(is_over, placed.len() + 1 >= players.len(), "{placed:?}");
        assert!(!is_over || placed.len() == players.len(), "everybody has a rank");
    } else {
        assert_eq!(is_over, !placed.is_empty(), "{placed:?}");
    }
    if let Some(end) = heard.iter().position(|told| told.kind == HappeningKind::GameOver) {
        assert!(is_over && end + 1 == heard.len(), "something happens after the end: {heard:?}");
    }
    if is_over {
        assert!(engine.legal(state).is_empty());
        assert!(state.hand.throws == 0 && state.hand.granted == 0 && state.owed == [0; 2] && state.thrown == 0);
        let throw = engine.outcomes()[0].0;
        assert_eq!(engine.throw(&mut state.clone(), &throw, &mut Quiet), Err(Refusal::Over));
    }
}
