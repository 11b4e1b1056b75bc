//! Laws of tables of three and four: entrants meet again only where no division avoids it.

use super::simulated::{Life, Read, chance, meetings, play, read, result, swiss, tournament};
use crate::{EntrantId, History, TableSize, Tournament, pair};

/// Tells whether some division into tables of this size, and byes, keeps everybody apart who has met. Compares all
/// divisions, in the order of the entrants.
fn can_be_apart(read: &Read, rest: &[EntrantId], seats: usize) -> bool {
    let Some((first, others)) = rest.split_first() else { return true };
    let strangers: Vec<EntrantId> = others.iter().copied().filter(|other| read.met(*first, *other) == 0).collect();
    fits(read, others, &strangers, seats - 1, seats)
        || (!rest.len().is_multiple_of(seats) && can_be_apart(read, others, seats))
}

/// Fills a table with `missing` of the strangers, who have met nobody at the table.
fn fits(read: &Read, rest: &[EntrantId], strangers: &[EntrantId], missing: usize, seats: usize) -> bool {
    if missing == 0 {
        return can_be_apart(read, rest, seats);
    }
    strangers.iter().enumerate().any(|(at, next)| {
        let rest: Vec<EntrantId> = rest.iter().copied().filter(|other| other != next).collect();
        let later = strangers[at + 1..].iter().copied().filter(|other| read.met(*next, *other) == 0);
        fits(read, &rest, &later.collect::<Vec<_>>(), missing - 1, seats)
    })
}

/// Plays rounds until entrants meet again. Returns the number of rounds, the one with the repeated meeting too; `None`
/// if nobody meets again in any of them.
fn first_repeat(tournament: &Tournament, seats: usize, seed: u64) -> Option<usize> {
    let (mut history, mut chance) = (History::default(), chance(seed));
    while let Some(round) = pair(tournament, &history).unwrap() {
        let read = read(&history);
        if round.tables.iter().any(|table| meetings(&read, &table.seats) > 0) {
            let ids: Vec<EntrantId> = tournament.entrants.iter().map(|entrant| entrant.id).collect();
            let number = history.next_round();
            assert!(!can_be_apart(&read, &ids, seats), "{} at {seats}, seed {seed}, round {number}", ids.len());
            assert!(round.tables.iter().all(|table| !table.why.may_be_avoidable), "the search gives up");
            return Some(number);
        }
        history.add(&round);
        for table in &mut history.rounds.last_mut().unwrap().tables {
            table.result = Some(result(table, Life::Calm, &mut chance));
        }
    }
    None
}

#[test]
fn nobody_meets_again_before_every_division_has_a_repeated_meeting() {
    let mut rounds = Vec::new();
    for entrants in 12..=24 {
        for size in [TableSize::Three, TableSize::Four] {
            for seed in 0..3 {
                rounds.extend(first_repeat(&tournament(entrants, swiss(size, false, 14), seed), size.seats(), seed));
            }
        }
    }
    assert!(rounds.len() > 70 && rounds.iter().sum::<usize>() > 350, "{rounds:?}");
}

/// The bound of `divide/tables.rs`: more than 2 (k - 1) d + k entrants, nobody of whom has met more than d others.
#[test]
fn in_large_fields_nobody_meets_again_for_many_rounds() {
    for (entrants, size, rounds) in [(135, TableSize::Three, 16), (140, TableSize::Four, 8), (40, TableSize::Four, 8)] {
        let tournament = tournament(entrants, swiss(size, true, rounds), 1);
        play(&tournament, Life::Calm, &mut chance(1), |history, round| {
            let read = read(history);
            let again: u64 = round.tables.iter().map(|table| meetings(&read, &table.seats)).sum();
            assert_eq!(again, 0, "{entrants} at {size:?}, round {}", history.next_round());
        });
    }
}
