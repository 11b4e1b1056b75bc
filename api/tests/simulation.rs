//! Random games of the bundled rule set: they end, and their statistics are those of an independent program.

use std::sync::Arc;

use pagade::simulate::{Plan, Tally, record, run};
use pagade_rules::bundled;
use pagade_rules::record::{Against, Replay};
use pagade_rules::ruleset::Options;
use pagade_rules::scenario::RuleSets;
use pagade_rules::tables::Rules;

const GAMES: u64 = 10_000;

fn table(players: Option<&[&str]>) -> Rules {
    let set = bundled::ruleset("pagade").unwrap();
    let players = players.map(|names| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>());
    set.table(&Options::new(), players.as_deref()).unwrap()
}

fn plan(games: u64, threads: usize) -> Plan {
    Plan { games, seed: 1, threads, lines: false }
}

/// Within four standard errors of a mean.
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

// Expected means are an independent program's, over millions of games; spreads are measured here.

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
    let rules = table(None);
    let lines = |threads| Plan { lines: true, ..plan(300, threads) };
    assert_eq!(run(&rules, &lines(1), &|_| {}), run(&rules, &lines(3), &|_| {}));
}

#[test]
fn a_recorded_simulation_plays_the_same_games_and_its_record_follows() {
    let rules = table(None);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    let tally = record(&rules, &plan(20, 1), &mut one, &|_| {}).unwrap();
    record(&rules, &plan(20, 3), &mut two, &|_| {}).unwrap();
    assert_eq!(tally, run(&rules, &plan(20, 1), &|_| {}));
    assert!(one == two, "the record depends on the number of threads");

    let find: &RuleSets<'_> = &|name| bundled::ruleset(name).map(Arc::new).ok_or_else(|| name.to_string());
    let mut replay = Replay::new(find, Against::default());
    for line in String::from_utf8(one).unwrap().lines() {
        replay.line(line).unwrap();
    }
    assert_eq!((replay.games(), replay.decisions()), (20, tally.actions + tally.counts.passes));
}
