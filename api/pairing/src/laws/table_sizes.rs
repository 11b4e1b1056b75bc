//! Laws of all formats for rule sets that do not have all sizes of tables.

use std::collections::BTreeSet;

use super::simulated::{Life, chance, play, result, swiss, tournament};
use crate::{
    EntrantId, Format, History, InRound, KnockOut, Playable, Round, TableSize, Tournament, TournamentError, pair,
    pair_free, standings,
};

/// A tournament of a rule set that has tables of these sizes only.
fn with_sizes(sizes: &[usize], entrants: u32, format: Format, seed: u64) -> Tournament {
    Tournament { playable: Playable::new(|seats| sizes.contains(&seats)), ..tournament(entrants, format, seed) }
}

/// The sizes of the tables of a round, in rising order, and the number of byes.
fn sizes(round: &Round) -> (Vec<usize>, usize) {
    let mut sizes: Vec<usize> = round.tables.iter().map(|table| table.seats.len()).collect();
    sizes.sort_unstable();
    (sizes, round.byes.len())
}

fn check_sizes(tournament: &Tournament, round: &Round) {
    assert!(round.tables.iter().all(|table| tournament.playable.has(table.seats.len())), "{:?}", sizes(round));
}

/// Plays a tournament from which these entrants withdraw before the second round, and checks every round.
fn play_without(tournament: &Tournament, leave: &[u32], mut see: impl FnMut(&History, &Round)) -> History {
    let left = leave.iter().map(|id| InRound { entrant: EntrantId(*id), round: 2 });
    let mut history = History { withdrawals: left.collect(), ..History::default() };
    let mut chance = chance(u64::from(tournament.entrants[0].id.0));
    while let Some(round) = pair(tournament, &history).unwrap() {
        check_sizes(tournament, &round);
        see(&history, &round);
        history.add(&round);
        for table in &mut history.rounds.last_mut().unwrap().tables {
            table.result = Some(result(table, Life::Calm, &mut chance));
        }
        assert!(history.rounds.len() < 200, "the tournament does not end");
    }
    assert_eq!(standings(tournament, &history).unwrap()[0].place, 1);
    history
}

/// The first rounds of knock-outs of four without tables of three: the tables of four, the tables of two, the byes.
const FIRST_ROUNDS: [(u32, usize, usize, usize); 14] = [
    (3, 0, 1, 1),
    (4, 1, 0, 0),
    (5, 0, 1, 3),
    (6, 1, 0, 2),
    (7, 1, 1, 1),
    (8, 2, 0, 0),
    (9, 0, 1, 7),
    (10, 1, 0, 6),
    (11, 1, 1, 5),
    (12, 2, 0, 4),
    (13, 2, 1, 3),
    (14, 3, 0, 2),
    (15, 3, 1, 1),
    (16, 4, 0, 0),
];

#[test]
fn a_knock_out_of_four_needs_no_table_of_three() {
    for (entrants, fours, twos, byes) in FIRST_ROUNDS {
        let tournament = with_sizes(&[2, 4], entrants, Format::KnockOut(KnockOut::Fours), 1);
        let first = pair(&tournament, &History::default()).unwrap().unwrap();
        assert_eq!(sizes(&first), ([vec![2; twos], vec![4; fours]].concat(), byes), "{entrants} entrants");
        let strongest = first.byes.iter().all(|bye| usize::try_from(bye.entrant.0).unwrap() <= byes);
        assert!(strongest, "{entrants} entrants: the strongest have the byes");
        let mut here = usize::try_from(entrants).unwrap();
        let history = play_without(&tournament, &[], |_, round| {
            let counted = round.tables.iter().map(|table| table.seats.len()).sum::<usize>() + round.byes.len();
            assert_eq!(counted, here, "{entrants} entrants");
            // Two go on from a table of four, one from a table of two.
            here = round.tables.iter().map(|table| table.seats.len() / 2).sum::<usize>() + round.byes.len();
        });
        let last = sizes(&pair_again(&tournament, &history));
        assert_eq!(last, (vec![if entrants == 3 { 2 } else { 4 }], 0), "{entrants} entrants: the final");
    }
}

/// Pairs the last round of a finished tournament again.
fn pair_again(tournament: &Tournament, history: &History) -> Round {
    let mut before = history.clone();
    before.rounds.pop();
    pair(tournament, &before).unwrap().unwrap()
}

#[test]
fn whoever_leaves_a_knock_out_of_four_nobody_gets_a_table_without_a_board() {
    for sizes in [&[2, 4][..], &[4], &[3, 4], &[2, 3, 4]] {
        for entrants in (4..=20).filter(|entrants| sizes.len() > 1 || entrants % 2 == 0) {
            for leave in 1..entrants {
                let tournament = with_sizes(sizes, entrants, Format::KnockOut(KnockOut::Fours), 1);
                play_without(&tournament, &(entrants - leave + 1..=entrants).collect::<Vec<_>>(), |_, _| {});
                play_without(&tournament, &(1..=leave).collect::<Vec<_>>(), |_, _| {});
            }
        }
    }
}

#[test]
fn a_knock_out_that_would_need_a_missing_board_is_refused() {
    let pair_of = |sizes: &[usize], entrants| {
        pair(&with_sizes(sizes, entrants, Format::KnockOut(KnockOut::Fours), 1), &History::default())
    };
    for (sizes, entrants, seats) in [(&[4][..], 5, 3), (&[4], 2, 2), (&[3, 4], 2, 2)] {
        let found = usize::try_from(entrants).unwrap();
        assert_eq!(pair_of(sizes, entrants), Err(TournamentError::NoTableInBracket { found, seats }));
    }
    assert!(pair_of(&[4], 6).is_ok() && pair_of(&[3, 4], 5).is_ok());
    assert_eq!(pair_of(&[2, 3], 6), Err(TournamentError::NoTable(4)));
    let then = KnockOut::Fours;
    let groups = Format::Groups { groups: 3, table: TableSize::Four, cycles: 1, advance: 1, then };
    let refused = pair(&with_sizes(&[4], 12, groups, 1), &History::default());
    assert_eq!(refused, Err(TournamentError::NoTableInBracket { found: 3, seats: 3 }));
}

#[test]
fn in_a_round_robin_of_four_those_who_are_left_over_sit_down_together() {
    for entrants in 4..=13 {
        for leave in 0..entrants {
            let tournament = with_sizes(&[2, 4], entrants, Format::RoundRobin { table: TableSize::Four, cycles: 1 }, 1);
            play_without(&tournament, &(1..=leave).collect::<Vec<_>>(), |history, round| {
                let left = if history.rounds.is_empty() { 0 } else { leave };
                let here = usize::try_from(entrants - left).unwrap();
                let seated: usize = round.tables.iter().map(|table| table.seats.len()).sum();
                assert_eq!(seated + round.byes.len(), here);
                let scheduled = usize::try_from(entrants % 4).unwrap();
                assert!(round.byes.len() <= scheduled + 1, "{entrants} entrants, {leave} leave: {:?}", sizes(round));
            });
        }
    }
}

#[test]
fn a_swiss_tournament_of_four_has_tables_of_two_if_there_are_none_of_three() {
    let expected = [(5, 1, 0, 1), (6, 1, 1, 0), (7, 1, 1, 1), (8, 2, 0, 0), (9, 2, 0, 1), (10, 2, 1, 0), (11, 2, 1, 1)];
    for (entrants, fours, twos, byes) in expected.into_iter().chain([(12, 3, 0, 0)]) {
        let cup = with_sizes(&[2, 4], entrants, swiss(TableSize::Four, true, 4), 3);
        let mut sat_out: Vec<EntrantId> = Vec::new();
        let history = play(&cup, Life::Calm, &mut chance(3), |_, round| {
            assert_eq!(sizes(round), ([vec![2; twos], vec![4; fours]].concat(), byes), "{entrants} entrants");
            sat_out.extend(round.byes.iter().map(|bye| bye.entrant));
        });
        let once: BTreeSet<EntrantId> = sat_out.iter().copied().collect();
        assert_eq!((once.len(), history.rounds.len()), (sat_out.len(), 4), "{entrants} entrants: nobody has two byes");
        let full = with_sizes(&[2, 4], entrants, swiss(TableSize::Four, false, 1), 3);
        let round = pair(&full, &History::default()).unwrap().unwrap();
        let entrants = usize::try_from(entrants).unwrap();
        assert_eq!(sizes(&round), (vec![4; entrants / 4], entrants % 4));
    }
}

#[test]
fn the_last_two_of_a_swiss_tournament_or_arena_of_four_play_at_a_table_of_two() {
    for smaller_tables in [false, true] {
        for (playable, left, size, byes) in [(&[2, 3, 4][..], 2, 2, 0), (&[2, 4], 3, 2, 1), (&[2, 3, 4], 3, 3, 0)] {
            let cup = with_sizes(playable, 6, swiss(TableSize::Four, smaller_tables, 3), 1);
            let leave: Vec<u32> = (1 + left..=6).collect();
            play_without(&cup, &leave, |history, round| {
                if !history.rounds.is_empty() {
                    assert_eq!(sizes(round), (vec![size], byes));
                }
            });
            let arena = with_sizes(playable, 6, Format::Arena { table: TableSize::Four, smaller_tables }, 1);
            let free: Vec<EntrantId> = (1..=left).map(EntrantId).collect();
            let gone = leave.iter().map(|id| InRound { entrant: EntrantId(*id), round: 1 });
            let few = History { withdrawals: gone.collect(), ..History::default() };
            assert_eq!(sizes(&pair_free(&arena, &few, &free).unwrap()), (vec![size], byes));
            // While the other entrants may still become free, those who are free wait for them.
            if !smaller_tables {
                assert!(pair_free(&arena, &History::default(), &free).unwrap().tables.is_empty());
            }
        }
    }
}

#[test]
fn groups_of_four_go_on_without_tables_of_three() {
    for entrants in 6..=13 {
        let then = KnockOut::Fours;
        let format = Format::Groups { groups: 2, table: TableSize::Four, cycles: 1, advance: 2, then };
        let cup = with_sizes(&[2, 4], entrants, format, 2);
        if entrants < 8 {
            let refused = TournamentError::TooFewInGroup { group: 1, found: 3, needed: 4 };
            assert_eq!(pair(&cup, &History::default()), Err(refused));
            continue;
        }
        for leave in 0..4 {
            play_without(&cup, &(3..3 + leave).collect::<Vec<_>>(), |_, _| {});
        }
    }
}
