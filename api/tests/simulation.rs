//! Tests simulations. Games of a bundled rule set end, their statistics agree with those of an independent program,
//! robots reach their goals, and records can be replayed.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pagade_robots::simulate::{Plan, Robots, Summary, Tally, Times, record, run};
use pagade_rules::bundled;
use pagade_rules::play::Engine;
use pagade_rules::record::{Against, Replay};
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use pagade_rules::scenario::RuleSets;
use pagade_rules::source::Source;

const GAMES: u64 = 10_000;

fn table(players: Option<&[&str]>) -> Engine {
    let set = bundled::ruleset("pagade").unwrap();
    let players = players.map(|names| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>());
    set.table(&Options::new(), players.as_deref()).unwrap()
}

fn plan(games: u64, threads: usize) -> Plan {
    Plan { games, seed: 1, threads, lines: false, robots: Robots::default() }
}

/// Checks that a mean is within four standard errors of the expected mean.
fn assert_mean(what: &str, sum: u64, expected: f64, sd: f64) {
    let mean = sum as f64 / GAMES as f64;
    let noise = 4.0 * sd / (GAMES as f64).sqrt();
    assert!((mean - expected).abs() < noise, "{what}: {mean}, expected {expected} within {noise}");
}

fn assert_wins(tally: &Tally, expected: [f64; 4]) {
    for (seat, rate) in expected.into_iter().enumerate().filter(|(_, rate)| *rate > 0.0) {
        assert_mean("wins", tally.wins[seat], rate, (rate * (1.0 - rate)).sqrt());
    }
}

// The expected means come from an independent program that played millions of games. The standard deviations were
// measured with this engine.

#[test]
fn ten_thousand_games_of_four_end_as_long_as_they_should() {
    let tally = run(&table(None), &plan(GAMES, 2), &|_| {});
    assert_eq!((tally.games, tally.stuck), (GAMES, 0));
    assert_mean("turns", tally.turns(), 370.2, 66.0);
    assert_mean("turns to the first finisher", tally.to_first, 296.0, 66.0);
    assert_mean("actions", tally.actions, 579.6, 105.0);
    assert_mean("passes", tally.counts.passes, 6.26, 4.0);
    assert_mean("cuts", tally.counts.cuts, 40.4, 11.0);
    assert_wins(&tally, [0.259, 0.247, 0.247, 0.247]);
}

#[test]
fn ten_thousand_games_of_two_end_as_long_as_they_should() {
    let tally = run(&table(Some(&["red", "yellow"])), &plan(GAMES, 2), &|_| {});
    assert_eq!((tally.games, tally.stuck), (GAMES, 0));
    assert_mean("turns", tally.turns(), 120.9, 29.5);
    assert_mean("actions", tally.actions, 188.9, 46.0);
    assert_mean("cuts", tally.counts.cuts, 3.44, 3.0);
    assert_wins(&tally, [0.515, 0.0, 0.485, 0.0]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let engine = table(None);
    let lines = |threads| Plan { lines: true, ..plan(300, threads) };
    assert_eq!(run(&engine, &lines(1), &|_| {}), run(&engine, &lines(3), &|_| {}));
}

#[test]
fn a_recorded_simulation_plays_the_same_games_and_its_record_can_be_replayed() {
    let engine = table(None);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let tally = record(&engine, &plan(20, 1), &mut one, &|_| {}).unwrap();
    record(&engine, &plan(20, 3), &mut two, &|_| {}).unwrap();
    assert_eq!(tally, run(&engine, &plan(20, 1), &|_| {}));
    assert!(one == two, "the record depends on the number of threads");

    let find: &RuleSets<'_> = &|name| bundled::ruleset(name).map(Arc::new).ok_or_else(|| name.to_string());
    let mut replay = Replay::new(find, Against::default());
    for line in String::from_utf8(one).unwrap().lines() {
        replay.line(line).unwrap();
    }
    assert_eq!((replay.games(), replay.decisions()), (20, tally.actions + tally.counts.passes));
}

fn robots(engine: &Engine, how: &str, games: u64) -> Tally {
    let robots = Robots::parse(how, engine).unwrap_or_else(|error| panic!("{error}"));
    run(engine, &Plan { robots, lines: true, ..plan(games, 2) }, &|_| {})
}

/// Returns how often a rule line fired in these games.
fn fired(engine: &Engine, tally: &Tally, line: &str) -> u64 {
    let id = engine.lines.iter().position(|info| info.name == line).unwrap();
    tally.statistics.as_ref().unwrap().fired[id]
}

#[test]
fn robots_reach_their_goals_more_often_than_chance() {
    let engine = table(None);
    let chance = robots(&engine, "random", 40);
    assert_eq!(chance, run(&engine, &Plan { lines: true, ..plan(40, 1) }, &|_| {}));
    let cutters = robots(&engine, "seek:cut", 40);
    assert!(cutters.counts.cuts > chance.counts.cuts * 3 / 2, "{:?} {:?}", cutters.counts, chance.counts);
    // Each case has a rule line, and further goals of the robots that help them to reach this line.
    for (line, help) in [
        ("spend.joint", ",pair_formed"),
        ("landing.pair-by-one", ""),
        ("landing.pair-by-pair", ",spend.joint,pair_formed"),
    ] {
        let seekers = robots(&engine, &format!("seek:{line}{help}"), 40);
        let (by_chance, by_seekers) = (fired(&engine, &chance, line), fired(&engine, &seekers, line));
        assert_eq!(seekers.stuck, 0, "{line}");
        assert!(by_seekers > by_chance * 5 / 4, "{line}: {by_chance} by chance, {by_seekers} by robots");
    }
}

#[test]
fn games_of_robots_are_recorded_as_they_are_played() {
    let engine = table(None);
    let robots = Robots::parse("seek:cut,spend.joint", &engine).unwrap();
    assert_eq!(robots.to_string(), "seek:cut,spend.joint");
    let plan = Plan { robots, lines: true, ..plan(10, 2) };
    let mut written = Vec::new();
    assert_eq!(record(&engine, &plan, &mut written, &|_| {}).unwrap(), run(&engine, &plan, &|_| {}));
    let find: &RuleSets<'_> = &|name| bundled::ruleset(name).map(Arc::new).ok_or_else(|| name.to_string());
    let mut replay = Replay::new(find, Against::default());
    String::from_utf8(written).unwrap().lines().for_each(|line| replay.line(line).unwrap());
    assert_eq!(replay.games(), 10);
}

#[test]
fn a_line_that_robots_cannot_seek_is_refused_with_the_nearest_name() {
    let engine = table(None);
    let message = |how| Robots::parse(how, &engine).unwrap_err().to_string();
    assert!(
        message("greedy").contains("`thinker`, `learned`, `expectimax-3`, `perfect`, or `seek:`"),
        "{}",
        message("greedy")
    );
    assert!(message("seek:cutt").contains("did you mean `cut`?"), "{}", message("seek:cutt"));
    assert!(message("seek:cut,landing.pair-by-pear").contains("did you mean `landing.pair-by-pair`?"));
    assert!(message("seek:xyzzy").contains("events are thrown, moved"), "{}", message("seek:xyzzy"));
}

#[test]
fn lines_that_refuse_or_compel_are_counted() {
    let engine = table(None);
    let chance = robots(&engine, "random", 40);
    for line in ["landing.pair-by-one", "landing.full", "must.reenter"] {
        assert!(fired(&engine, &chance, line) > 0, "{line}");
    }
    let counts = run(&engine, &plan(40, 1), &|_| {});
    assert_eq!(counts.statistics, None, "a run that only counts keeps no statistics");
    assert_eq!(counts, Tally { statistics: None, ..chance }, "statistics change no game");
}

#[test]
fn a_summary_has_spreads_decisions_and_the_advantage_of_the_first_mover() {
    let engine = table(Some(&["red", "yellow"]));
    let plan = Plan { lines: true, ..plan(2000, 2) };
    let tally = run(&engine, &plan, &|_| {});
    let summary = Summary::new(&engine, &plan, &tally, Times::of(&tally, 1.0, 1.0));
    let study = summary.study.unwrap();
    assert!((40.0..52.0).contains(&study.actions_sd), "{study:?}");
    assert!((0.3..3.0).contains(&study.decisions_a_turn) && study.legal_actions >= 2.0, "{study:?}");
    let first = study.first_mover;
    assert!(first.fair == 0.5 && (first.rate - first.fair - first.advantage).abs() < 1e-12, "{study:?}");
    assert!(first.interval[0] < first.advantage && first.advantage < first.interval[1], "{study:?}");
    let text = summary.to_string();
    for part in ["(sd ", "first mover ", "decisions a turn ", "landing.pair-by-one", "must.reenter"] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
    let counted = Plan { lines: false, ..plan };
    let tally = run(&engine, &counted, &|_| {});
    let text = Summary::new(&engine, &counted, &tally, Times::of(&tally, 1.0, 1.0)).to_string();
    assert!(!text.contains("first mover") && !text.contains("rule lines"), "{text}");
}

#[test]
fn in_teams_the_team_that_brings_its_last_pawn_home_wins() {
    let set = bundled::ruleset("pagade").unwrap();
    let options = Options::from([("mode".to_owned(), OptionValue::Word("partnership".to_owned()))]);
    let engine = set.table(&options, None).unwrap();
    let plan = Plan { lines: true, ..plan(300, 2) };
    let mut written = Vec::new();
    let tally = record(&engine, &plan, &mut written, &|_| {}).unwrap();
    let Summary { wins, study, .. } = Summary::new(&engine, &plan, &tally, Times::of(&tally, 1.0, 1.0));
    assert_eq!([wins[0].wins, wins[1].wins], [wins[2].wins, wins[3].wins]);
    assert_eq!(wins[0].wins + wins[1].wins, 300);
    let written = String::from_utf8(written).unwrap();
    let last = written.lines().filter(|line| line.contains("\"game_over\""));
    let of_red =
        last.filter(|line| ["red", "yellow"].iter().any(|seat| line.contains(&format!("\"turn\":\"{seat}\""))));
    assert_eq!(wins[0].wins, of_red.count() as u64);
    assert_eq!(study.unwrap().first_mover.fair, 0.5);
}

#[test]
fn a_count_that_takes_too_long_ends_and_says_what_to_do() {
    let perft = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pagade"));
        let output = program.args(["perft", "chaukabara-7", "--depth", "1"]).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, told) = perft(&["--seconds", "1"]);
    assert_eq!(code, Some(1));
    assert!(told.starts_with("perft 1 is not counted") && told.contains("--throws 2"), "{told}");
    let (code, told) = perft(&["--throws", "2"]);
    assert!(code == Some(0) && told.starts_with("perft 1 = 310 "), "{told}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_first_game() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unwritable");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let missing = folder.join("missing/games.ndjson");
    let refused = |arguments: &[&str], path: &Path| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pagade"));
        let output = program.args(arguments).arg(path).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let path = path.to_str().unwrap();
        assert!(output.stdout.is_empty(), "no game is played");
        assert!(output.status.code() == Some(2) && told.contains(path), "{told}");
        told
    };
    let train = ["train", "ludo", "--players", "2", "--games", "10", "--out"];
    let told = refused(&train, &missing);
    assert!(told.contains("cannot be written"), "{told}");
    refused(&train, &folder);
    refused(&["simulate", "ludo", "--games", "10", "--record"], &missing);
    // No file is created if no table has this number of players.
    let unborn = folder.join("none.ndjson");
    let output = Command::new(env!("CARGO_BIN_EXE_pagade"))
        .args(["train", "ludo", "--players", "9", "--out"])
        .arg(&unborn)
        .output()
        .unwrap();
    assert!(output.status.code() == Some(2) && !unborn.exists());
}

/// Plays games of two robots. Returns the number of games that the first robot won, and the number of games that had a
/// winner.
fn wins_of_the_first(id: &str, robots: &str, games: u64) -> (u64, u64) {
    let set = bundled::ruleset(id).unwrap();
    let seats = set.table(&Options::new(), None).unwrap().seating.players.clone();
    let all = set.table(&Options::new(), None).unwrap();
    let opposite = [seats[0], seats[seats.len() / 2]].map(|seat| all.seat_name(seat).to_owned());
    let engine = set.table(&Options::new(), Some(&opposite)).unwrap();
    let robots = Robots::parse(robots, &engine).unwrap();
    let tally = run(&engine, &Plan { robots, ..plan(games, 2) }, &|_| {});
    assert_eq!((tally.games, tally.stuck), (games, 0));
    (tally.robot_wins.first().copied().unwrap_or_default(), tally.robot_wins.iter().sum())
}

#[test]
fn each_robot_beats_the_weaker_ones() {
    for (id, robots, least) in [
        ("pagade", "runner,random", 60),
        ("pagade", "hunter,random", 60),
        ("royal-game-of-ur", "runner,random", 60),
        ("royal-game-of-ur", "hunter,runner", 53),
        ("chopat", "hunter,runner", 60),
        ("royal-game-of-ur", "thinker,hunter", 85),
        ("pagade", "thinker,hunter", 60),
        ("pagade", "learned,hunter", 70),
        ("petits-chevaux", "learned,hunter", 65),
        ("royal-game-of-ur", "learned,expectimax-1", 60),
    ] {
        let (wins, games) = wins_of_the_first(id, robots, 1000);
        assert_eq!(games, 1000, "every game has a winner");
        assert!(wins * 100 >= least * games, "{id} {robots}: {wins} of {games}");
    }
}

#[test]
fn equal_robots_win_equally_often_at_whatever_seats_they_begin() {
    let (first, games) = wins_of_the_first("pagade", "hunter,runner", 400);
    let (second, _) = wins_of_the_first("pagade", "runner,hunter", 400);
    assert!((first + second).abs_diff(games) < 80, "hunters won {first}, runners {second} of {games}");
}

#[test]
fn games_of_named_robots_are_the_same_on_any_number_of_threads() {
    let engine = table(None);
    let robots = Robots::parse("hunter,runner,random,random", &engine).unwrap();
    assert_eq!(robots.to_string(), "hunter,runner,random,random");
    let plan = Plan { robots, lines: true, ..plan(12, 2) };
    let tally = run(&engine, &plan, &|_| {});
    assert_eq!(tally, run(&engine, &Plan { threads: 1, ..plan.clone() }, &|_| {}));
    let mut written = Vec::new();
    assert_eq!(record(&engine, &plan, &mut written, &|_| {}).unwrap(), tally);
    let summary = Summary::new(&engine, &plan, &tally, Times::of(&tally, 1.0, 1.0));
    assert_eq!(summary.robot_wins.iter().map(|wins| wins.seats).collect::<Vec<_>>(), [1, 1, 2]);
    assert_eq!(summary.robot_wins.iter().map(|wins| wins.wins).sum::<u64>(), 12);
    assert!(summary.to_string().contains("wins by robot    hunter"), "{summary}");
}

#[test]
fn a_game_in_which_nobody_throws_is_stuck_at_its_turn_cap() {
    let text = "rules: idle\nversion: 1.0.0\ntitle: Idle\nextends: ludo\nsources: [Tests]\nturn: {turn_cap: 50}\n\
        choices: [{id: wait, ask: before_throw, do: end turn}]\n";
    let source = Source { name: "idle.yaml".into(), text: text.into() };
    let set = RuleSet::check(&source, &bundled::Bundled).ruleset.unwrap();
    let engine = set.table(&Options::new(), None).unwrap();
    let tally = run(&engine, &plan(3, 1), &|_| {});
    assert_eq!((tally.games, tally.stuck, tally.lengths.iter().rposition(|games| *games > 0)), (3, 3, Some(50)));
}

#[test]
fn lines_that_fire_as_the_game_begins_are_counted() {
    let text = "rules: stake\nversion: 1.0.0\ntitle: Stake\nextends: ludo\nsources: [Tests]\n\
        counters: {seat: {paid: {truth: yes}}}\n\
        on: [{id: stake, event: turn_start, when: not paid, do: paid = yes}]\n";
    let source = Source { name: "stake.yaml".into(), text: text.into() };
    let set = RuleSet::check(&source, &bundled::Bundled).ruleset.unwrap();
    let engine = set.table(&Options::new(), None).unwrap();
    let tally = run(&engine, &Plan { lines: true, ..plan(5, 1) }, &|_| {});
    assert_eq!(fired(&engine, &tally, "on.stake"), 5 * 4);
}
