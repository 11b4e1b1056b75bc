//! Tests how long pairings and standings take. This command measures large fields and prints the times: `cargo test
//! --release -p pagade-pairing laws::time -- --nocapture`. A build without optimisation tests a small field, and allows
//! more time.

use std::time::{Duration, Instant};

use super::simulated::{Life, chance, result, swiss, tournament};
use crate::{History, TableSize, pair, standings};

/// Plays rounds of a field and returns the longest times of a pairing and of the standings.
fn longest(entrants: u32, size: TableSize, rounds: u32) -> [Duration; 2] {
    let tournament = tournament(entrants, swiss(size, false, rounds), 1);
    let (mut history, mut chance) = (History::default(), chance(1));
    let mut longest = [Duration::ZERO; 2];
    loop {
        let start = Instant::now();
        let Some(round) = pair(&tournament, &history).unwrap() else { break };
        longest[0] = longest[0].max(start.elapsed());
        history.add(&round);
        for table in &mut history.rounds.last_mut().unwrap().tables {
            table.result = Some(result(table, Life::Calm, &mut chance));
        }
        let start = Instant::now();
        standings(&tournament, &history).unwrap();
        longest[1] = longest[1].max(start.elapsed());
    }
    longest
}

#[test]
fn a_thousand_entrants_take_a_second_and_ten_thousand_a_minute() {
    let large = [(160, 12, 1), (1_000, 12, 1), (10_000, 12, 60)];
    let fields = if cfg!(debug_assertions) { &[(60, 5, 20)][..] } else { &large };
    for size in [TableSize::Two, TableSize::Three, TableSize::Four] {
        for &(entrants, rounds, limit) in fields {
            let [pairing, standing] = longest(entrants, size, rounds);
            println!("{size:?}, {entrants} entrants: pairing {pairing:?}, standings {standing:?}");
            assert!(pairing.max(standing) <= Duration::from_secs(limit), "{size:?}, {entrants} entrants");
        }
    }
}
