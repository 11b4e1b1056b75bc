//! Compares the perft counts of every bundled rule set with recorded counts. A changed rule changes the numbers.
//!
//! The file `perft/<id>.yaml` has, for every number of players, the counts of the sequences of 1, 2, .. actions from
//! the opening. In some sets one throw grants the next at once; for them `throws: 2` leaves out sequences with more
//! throws in a turn. `REWRITE=1 cargo test -p pagade-rules --test rules perft` writes new counts.

use std::collections::BTreeMap;
use std::{env, fs};

use pagade_rules::perft::{perft, perft_while, perft_within};
use pagade_rules::ruleset::Options;
use serde::Deserialize;

use crate::common::{rule_set, sets, table};

/// The recorded counts of a rule set.
#[derive(Deserialize, Default, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Maximum number of throws in a turn.
    throws: Option<u8>,
    /// The counts by depth, for each number of players.
    #[serde(default)]
    players: BTreeMap<usize, Vec<u64>>,
}

/// Greatest count of sequences at one depth after which the next depth is counted too.
const FEW: u64 = 20_000;
/// Greatest depth that is counted, unless the file has counts of a greater depth.
const DEEP: usize = 3;

/// Counts to the depths of the file `known`. If it has no counts, counts to the depths that are quick.
fn counted(id: &str, known: &Table) -> Table {
    let tables = sets::of_every_size(&rule_set(id).unwrap(), &Options::new());
    let counts = tables.iter().map(|engine| {
        let wanted = known.players.get(&engine.seating.players.len()).map(Vec::len);
        let mut counts: Vec<u64> = Vec::new();
        while wanted.map_or_else(|| is_quick(&counts), |wanted| counts.len() < wanted) {
            let opening = engine.opening(engine.first_seat());
            let depth = counts.len() as u32 + 1;
            counts.push(perft_within(engine, &opening, depth, known.throws.unwrap_or(u8::MAX)));
        }
        (engine.seating.players.len(), counts)
    });
    Table { throws: known.throws, players: counts.collect() }
}

fn is_quick(counts: &[u64]) -> bool {
    counts.len() < DEEP && counts.last().is_none_or(|&last| last <= FEW)
}

fn written(table: &Table) -> String {
    let throws = table.throws.map(|throws| format!("throws: {throws}\n"));
    let lines = table.players.iter().map(|(players, counts)| format!("  {players}: {counts:?}\n"));
    throws.unwrap_or_default() + "players:\n" + &lines.collect::<String>()
}

#[test]
fn every_set_has_as_many_sequences_as_its_table_says() {
    let rewrite = env::var_os("REWRITE").is_some();
    sets::share_out(&sets::ids(), |id| {
        let path = format!("{}/tests/perft/{id}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let known = if text.is_empty() { Table::default() } else { serde_yaml::from_str(&text).unwrap() };
        let found = counted(id, &known);
        if rewrite {
            let comments = text.lines().filter(|line| line.starts_with('#'));
            let comments: String = comments.map(|line| format!("{line}\n")).collect();
            fs::write(&path, comments + &written(&found)).unwrap();
        } else {
            assert!(!known.players.is_empty(), "{id} has no table: write one with REWRITE=1");
            assert_eq!(found, known, "{id}");
        }
    });
}

#[test]
fn no_action_at_all_is_one_sequence() {
    let engine = table("pagade", None);
    assert_eq!(perft(&engine, &engine.opening(engine.first_seat()), 0), 1);
}

#[test]
fn a_count_that_would_never_end_can_be_stopped() {
    let engine = table("chaukabara-7", None);
    let opening = engine.opening(engine.first_seat());
    let mut asked = 0;
    let stopped = perft_while(&engine, &opening, 1, u8::MAX, &mut |followed| {
        asked = followed;
        followed < 1000
    });
    assert_eq!((stopped, asked), (None, 1000));
    assert_eq!(perft_while(&engine, &opening, 1, 2, &mut |_| true), Some(perft_within(&engine, &opening, 1, 2)));
}
