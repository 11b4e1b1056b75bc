//! Checks that the robot `learned` is as strong as promised, by the table of strengths in `rules/sets/README.md`.

use std::fs;
use std::path::Path;

/// A row of the table: the rule set, the number of players, and the shares of games that `learned` wins against
/// `random`, `runner`, `hunter` and `thinker`, in percent: the rate and the upper end of its 95 % interval.
type Row = (String, u32, Vec<[f64; 2]>);

/// The index of `hunter` in the shares of a row.
const HUNTER: usize = 2;

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/sets/README.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once("## How strong the robots are").expect("a section about the robots");
    let section = section.split("\n## ").next().unwrap();
    section.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

fn row(line: &str) -> Row {
    let mut cells = line.trim_matches('|').split('|').map(str::trim);
    let set = cells.next().unwrap().trim_matches('`').to_owned();
    let players = cells.next().unwrap().parse().unwrap();
    (set, players, cells.map(share).collect())
}

/// Reads a share such as `81.4 (79.6–83.0)`.
fn share(cell: &str) -> [f64; 2] {
    let (rate, interval) = cell.split_once(" (").unwrap_or_else(|| panic!("{cell}"));
    let (_, high) = interval.trim_end_matches(')').split_once('–').unwrap();
    [rate.parse().unwrap(), high.parse().unwrap()]
}

#[test]
fn learned_is_never_weaker_than_hunter() {
    let rows = rows();
    assert!(rows.len() > 100, "{} rows", rows.len());
    for (set, players, shares) in rows {
        // The share of games that `learned` would win if both robots were equally strong. `learned` has half of the
        // seats if their number is even, otherwise one seat.
        let equal = if players % 2 == 0 { 50.0 } else { 100.0 / f64::from(players) };
        let [rate, high] = shares[HUNTER];
        assert!(high >= equal, "`learned` wins {rate} % against `hunter` in {set} with {players} players");
    }
}

#[test]
fn learned_beats_the_simple_robots_in_pagade() {
    let (.., shares) = rows().into_iter().find(|(set, players, _)| set == "pagade" && *players == 2).unwrap();
    for ([rate, _], least) in shares.iter().zip([90.0, 70.0, 60.0]) {
        assert!(*rate >= least, "{rate} is less than {least}");
    }
}
