//! Tests of the robots: single decisions, and laws over every bundled rule set.

use pagade_rules::bundled::{self, Bundled, SETS};
use pagade_rules::play::{Action, ActionKind, Engine, Phase, Quiet, State};
use pagade_rules::position::{ByName, PositionSetup};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;
use pagade_rules::tables::Duty;

use super::learned::{bundled_lessons, bundled_lines, has_lesson};
use super::*;

/// Makes a generator of pseudo-random numbers. The same seed gives the same numbers in every run.
fn numbers(mut seed: u64) -> impl FnMut(u32) -> u32 {
    move |n| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(n)) as u32
    }
}

fn table(id: &str, players: Option<&[&str]>) -> Engine {
    let players = players.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    bundled::ruleset(id).unwrap().table(&Options::new(), players.as_deref()).unwrap()
}

/// Sets up a position of red and yellow in Ludo, where red has the turn, and plays a throw. The pawns are given by the
/// numbers of their places on the path.
fn ludo(red: [u8; 4], yellow: [u8; 4], throw: &str) -> (Engine, State) {
    let engine = table("ludo", Some(&["red", "yellow"]));
    let labels = |places: [u8; 4]| places.map(|place| engine.board.labels[usize::from(place)].clone()).to_vec();
    let pieces = ByName(vec![("red".to_owned(), labels(red)), ("yellow".to_owned(), labels(yellow))]);
    let setup = PositionSetup { turn: Some("red".to_owned()), pieces, ..PositionSetup::default() };
    let mut state = engine.set_up(&setup, &mut Quiet).unwrap();
    engine.throw(&mut state, &engine.parse_throw(throw).unwrap(), &mut Quiet).unwrap();
    (engine, state)
}

/// The places between which a robot moves a pawn.
fn moved(kind: RobotKind, (engine, state): &(Engine, State)) -> (u8, u8) {
    let open = engine.legal(state);
    let action = open[choose(kind, engine, state, &open, &mut numbers(1))];
    (action.from.0, action.to.0)
}

#[test]
fn the_runner_moves_the_pawn_nearest_home() {
    assert_eq!(moved(RobotKind::Runner, &ludo([3, 12, 20, 0], [0; 4], "2")), (20, 22));
}

#[test]
fn the_hunter_captures_the_pawn_that_loses_the_most_steps() {
    let engine = table("ludo", Some(&["red", "yellow"]));
    let (red, yellow) = (engine.seat_named("red").unwrap(), engine.seat_named("yellow").unwrap());
    let as_yellow = |place: u8| engine.board.seen_as(red, yellow, pagade_rules::play::PathPlace(place)).unwrap().0;
    // Yellow enters half a round after red, so its pawn near red's start has come farther than the one ahead of it.
    let (near, far) = (7, 33);
    assert!(as_yellow(near) > as_yellow(far));
    let position = ludo([near - 2, far - 2, 40, 0], [as_yellow(near), as_yellow(far), 0, 0], "2");
    assert_eq!(moved(RobotKind::Hunter, &position), (near - 2, near));
    assert_eq!(moved(RobotKind::Runner, &position), (40, 42));
}

#[test]
fn the_hunter_brings_a_pawn_home_if_it_cannot_capture() {
    let home = table("ludo", None).board.home().0;
    let position = ludo([home - 1, home - 2, 12, 0], [0; 4], "2");
    assert_eq!(moved(RobotKind::Hunter, &position), (home - 2, home));
    let position = ludo([home - 4, 12, 0, 0], [0; 4], "2");
    assert_eq!(moved(RobotKind::Hunter, &position), moved(RobotKind::Runner, &position));
}

/// Plays a game in which all seats are robots of this kind. Calls `check` with every decision.
fn game(engine: &Engine, kind: RobotKind, seed: u64, mut check: impl FnMut(&State, &[Action], usize)) -> State {
    let mut below = numbers(seed);
    let mut state = engine.opening(engine.first_seat());
    for _ in 0..100_000 {
        match state.phase {
            Phase::Over => return state,
            Phase::Throw => {
                let throw = engine.draw(&mut below);
                engine.throw(&mut state, &throw, &mut Quiet).unwrap();
            }
            Phase::Choose | Phase::Move | Phase::Declare => {
                let open = engine.legal(&state);
                let index = choose(kind, engine, &state, &open, &mut below);
                check(&state, &open, index);
                engine.play(&mut state, &open[index], &mut Quiet).unwrap();
            }
        }
    }
    panic!("{}: a game of robots `{kind}` does not end", engine.identity.id);
}

#[test]
fn games_of_every_set_end_with_every_robot() {
    for (id, _) in SETS {
        let engine = table(id, None);
        for kind in RobotKind::ALL {
            game(&engine, kind, 7, |_, _, _| {});
        }
    }
}

#[test]
fn no_robot_takes_a_voluntary_action_beside_ordinary_ones() {
    for (id, _) in SETS {
        let engine = table(id, None);
        for kind in [RobotKind::Runner, RobotKind::Hunter] {
            game(&engine, kind, 11, |_, open, index| {
                let duty = |action: &Action| {
                    (action.kind == ActionKind::Move).then(|| engine.moves.spend[usize::from(action.line)].duty)
                };
                let is_ordinary = |action: &Action| duty(action).is_some_and(|duty| duty != Duty::Voluntary);
                let has_ordinary = open.iter().any(is_ordinary);
                assert!(is_ordinary(&open[index]) || !has_ordinary, "{id} {kind}: {:?}", open[index]);
            });
        }
    }
}

#[test]
fn a_robot_moves_the_pawns_of_the_partner_that_it_helps() {
    let engine = table("ludo-partners", None);
    let mut helped = 0;
    for seed in 0..20 {
        game(&engine, RobotKind::Hunter, seed, |state, _, _| {
            helped += u32::from(engine.colour(state) != state.turn);
        });
    }
    assert!(helped > 0, "no seat has helped its partner");
}

/// Computes for each square the chance that the seat to throw captures there, by playing all throws and actions.
fn chances_by_playing(engine: &Engine, state: &State) -> Vec<f32> {
    let mut chances = vec![0.0; usize::from(engine.board.squares)];
    let outcomes = engine.outcomes();
    let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
    for (throw, ways) in outcomes {
        let mut thrown = *state;
        engine.throw(&mut thrown, &throw, &mut Quiet).unwrap();
        let open = engine.legal(&thrown);
        let captures = open.iter().filter(|action| thrown.turn == state.turn && action.captures);
        for square in captures.filter_map(|action| engine.square(state.turn, action.to)) {
            chances[square.index()] += ways as f32 / total as f32;
        }
    }
    chances
}

#[test]
fn the_chance_to_be_captured_is_exact_where_a_throw_is_one_number() {
    let engine = table("royal-game-of-ur", None);
    let reach = reach::Reach::new(&engine);
    let (mut below, mut state, mut threats) = (numbers(5), engine.opening(engine.first_seat()), 0);
    for _ in 0..2_000 {
        if state.phase == Phase::Over {
            state = engine.opening(engine.first_seat());
        }
        if state.phase == Phase::Throw {
            let mut found = vec![0.0; usize::from(engine.board.squares)];
            reach.threats(&engine, &state, state.turn, &mut |square, chance| found[square.index()] = chance);
            let played = chances_by_playing(&engine, &state);
            for (found, played) in found.iter().zip(&played) {
                assert!((found - played).abs() < 1e-5, "{found} instead of {played}: {:?}", engine.position(&state));
                threats += u32::from(*played > 0.0);
            }
            let throw = engine.draw(&mut below);
            engine.throw(&mut state, &throw, &mut Quiet).unwrap();
        } else {
            let open = engine.legal(&state);
            let index = engine.pick(&open, &mut below);
            engine.play(&mut state, &open[index], &mut Quiet).unwrap();
        }
    }
    assert!(threats > 100, "{threats} threats");
}

#[test]
fn the_thinker_takes_a_pawn_out_of_danger() {
    let engine = table("ludo", Some(&["red", "yellow"]));
    let (red, yellow) = (engine.seat_named("red").unwrap(), engine.seat_named("yellow").unwrap());
    let as_yellow = |place: u8| engine.board.seen_as(red, yellow, pagade_rules::play::PathPlace(place)).unwrap().0;
    // A pawn of yellow stands three squares behind the pawn on 25. The runner moves the pawn that is already safe.
    let position = ludo([25, 52, 0, 0], [as_yellow(22), 0, 0, 0], "4");
    assert_eq!(moved(RobotKind::Runner, &position).0, 52);
    assert_eq!(moved(RobotKind::Thinker, &position), (25, 29));
}

#[test]
fn every_bundled_table_has_a_lesson_of_its_present_rules() {
    let lessons: Vec<Lesson> = bundled_lines().collect();
    let mut missing = Vec::new();
    for (id, _) in SETS {
        let set = bundled::ruleset(id).unwrap();
        let tables = set.playable_tables(&Options::new()).unwrap();
        let counts: std::collections::BTreeSet<usize> = tables.iter().map(|table| table.players.len()).collect();
        for players in counts.into_iter().filter(|count| *count > 1) {
            let is_of = |lesson: &&Lesson| lesson.origin.ruleset == *id && lesson.origin.players == players;
            let lesson = lessons.iter().find(is_of);
            if lesson.is_none_or(|lesson| lesson.origin.digest != set.digest() || lesson.weights().is_none()) {
                missing.push(format!("{id} of {players}"));
            }
        }
    }
    let command = "pagade train --bundled --out api/robots/src/lessons.ndjson";
    assert!(missing.is_empty(), "no lesson, or one of other rules: {}\nto write them: {command}", missing.join(", "));
    let ids: Vec<&str> = SETS.iter().map(|(id, _)| *id).collect();
    let others = lessons.iter().find(|lesson| !ids.contains(&lesson.origin.ruleset.as_str()));
    assert_eq!(others, None, "a lesson of no bundled rule set");
}

#[test]
fn a_training_gives_the_bytes_of_the_file_whatever_the_number_of_threads() {
    // For the second of these rule sets, the result of the training are the bolder weights.
    for (id, players, threads) in [("ludo-quick", 2, 1), ("ludo-quick", 2, 3), ("mensch-aergere-dich-nicht", 3, 2)] {
        let set = bundled::ruleset(id).unwrap();
        let tables = set.playable_tables(&Options::new()).unwrap();
        let seats = tables.iter().find(|table| table.players.len() == players).unwrap();
        let engine = set.table(&Options::new(), Some(&seats.players)).unwrap();
        let bundled_lesson =
            bundled_lines().find(|lesson| lesson.origin.ruleset == id && lesson.origin.players == players);
        let bundled_lesson = bundled_lesson.unwrap();
        let seed = bundled_lesson.origin.seed.parse().unwrap();
        let course = training::Course { games: bundled_lesson.origin.games, seed, threads, until: None };
        let learned = training::lesson(&engine, &course, &mut |_| true);
        assert_eq!(serde_json::to_string(&learned).unwrap(), serde_json::to_string(&bundled_lesson).unwrap());
    }
}

#[test]
fn a_variant_plays_by_the_lesson_of_its_base_until_it_has_one() {
    use pagade_rules::ruleset::RuleSet;
    use pagade_rules::source::Source;

    let variant = |id: &str, more: &str| {
        let text = format!("rules: {id}\nversion: 1.0.0\ntitle: A variant\nextends: royal-game-of-ur\n{more}");
        let checked = RuleSet::check(&Source { name: id.to_owned(), text }, &bundled::Bundled);
        let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
        std::sync::Arc::new(set.table(&Options::new(), None).unwrap())
    };
    let engine = variant("ur-at-home", "turn: {first: white}\n");
    assert!(!has_lesson(&engine));
    let base = bundled_lessons().find(&table("royal-game-of-ur", None)).unwrap().clone();
    assert_eq!(*learned::weights(&engine), base);
    enroll(&engine);
    let end = std::time::Instant::now() + std::time::Duration::from_secs(300);
    while !has_lesson(&engine) {
        assert!(std::time::Instant::now() < end, "the training does not end");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_ne!(*learned::weights(&engine), base);
    // A rule set that extends nothing has no base.
    let text = bundled::SETS.iter().find(|(id, _)| *id == "royal-game-of-ur").unwrap().1;
    let text = text.replace("rules: royal-game-of-ur", "rules: a-game-of-its-own");
    let checked = RuleSet::check(&Source { name: "own".to_owned(), text }, &bundled::Bundled);
    let own = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
    assert_eq!(*learned::weights(&own), Weights::BY_HAND);
}

/// A table of Pagade for two with these choices.
fn asking(choices: &str) -> Engine {
    let head = "rules: asking\nversion: 1.0.0\ntitle: Questions\nextends: pagade\n";
    let text = format!("{head}choices:\n{choices}");
    let checked = RuleSet::check(&Source { name: "asking.yaml".to_owned(), text }, &Bundled);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
    set.table(&Options::new(), Some(&["red".to_owned(), "yellow".to_owned()])).unwrap()
}

#[test]
fn a_robot_that_is_asked_in_the_turn_of_another_seat_answers_in_its_own_interest() {
    let lose = "  - {id: lose, ask: before_throw, who: next, do: send each to out where from in loop}\n";
    let win = "  - {id: win, ask: before_throw, who: next, do: send each enemy to out where from in loop}\n";
    let calm = "  - {id: calm, ask: before_throw, who: next, do: []}\n";
    for (choices, best) in [([lose, calm], 1), ([calm, win], 1), ([win, calm], 0)] {
        let engine = asking(&choices.concat());
        let state = engine.opening(engine.first_seat());
        let open = engine.legal(&state);
        assert_ne!(state.decider(), state.turn);
        let view = view::View::new(&engine, &state, &open);
        assert!(view.is_enemy(state.turn) && !view.is_enemy(state.decider()));
        for kind in [RobotKind::Thinker, RobotKind::Learned] {
            assert_eq!(choose(kind, &engine, &state, &open, &mut numbers(1)), best, "{choices:?} {kind}");
        }
        assert_eq!(Brain::Deep(Deep::new(&engine, 1)).choose(&engine, &state, &open, &mut numbers(1)), best);
        let most = if choices[0] == calm { 3 } else { 0 };
        for kind in RobotKind::ALL.into_iter().take(most) {
            game(&asking(calm), kind, 3, |_, _, _| {});
        }
    }
}

#[test]
fn a_turn_in_which_others_are_asked_counts_once() {
    let plan = |games| simulate::Plan { games, seed: 1, threads: 1, lines: false, robots: simulate::Robots::default() };
    let turns = |engine: &Engine| simulate::run(engine, &plan(300), &|_| {}).turns() as f64 / 300.0;
    let ask = |at: &str| format!("  - {{id: {at}, word: {at}, ask: {at}, who: next, do: []}}\n");
    let (asked, plain) =
        (asking(&(ask("before_throw") + &ask("before_turn_end"))), table("pagade", Some(&["red", "yellow"])));
    let (asked, plain) = (turns(&asked), turns(&plain));
    assert!((asked - plain).abs() < 0.1 * plain, "{asked} turns, and {plain} where nobody is asked");
}
