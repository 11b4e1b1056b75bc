//! Laws of Swiss rounds at tables of three and four.

use super::simulated::{Life, Read, chance, check_round, meetings, play, present, read, swiss, tournament};
use crate::{EntrantId, Score, TableSize};

/// The first two costs of a division: those of meetings and of byes.
type Costs = [u64; 2];

fn triangle(times: u64) -> u64 {
    times * (times + 1) / 2
}

/// The cost of the earlier meetings of the entrants at a table.
fn table_cost(read: &Read, seats: &[EntrantId]) -> u64 {
    let pairs = seats.iter().enumerate().flat_map(|(at, a)| seats[at + 1..].iter().map(move |b| (*a, *b)));
    pairs.map(|(a, b)| triangle(read.met(a, b))).sum()
}

/// The least costs of all divisions into tables of these sizes. Entrants without a table have byes.
fn least(read: &Read, rest: &[EntrantId], tables: &[usize], byes: usize) -> Costs {
    let Some((first, rest)) = rest.split_first() else { return [0; 2] };
    let mut best = [u64::MAX; 2];
    if byes > 0 {
        let [met, had] = least(read, rest, tables, byes - 1);
        best = [met, had + triangle(read.byes(*first))];
    }
    for (at, size) in tables.iter().enumerate().filter(|(at, size)| tables.iter().position(|s| s == *size) == Some(*at))
    {
        let left = [&tables[..at], &tables[at + 1..]].concat();
        for chosen in (0_u32..1 << rest.len()).filter(|chosen| usize::try_from(chosen.count_ones()) == Ok(size - 1)) {
            let (mut seats, mut others) = (vec![*first], Vec::new());
            for (bit, entrant) in rest.iter().enumerate() {
                if chosen >> bit & 1 == 1 { seats.push(*entrant) } else { others.push(*entrant) }
            }
            let [met, had] = least(read, &others, &left, byes);
            best = best.min([met + table_cost(read, &seats), had]);
        }
    }
    best
}

#[test]
fn in_small_fields_nobody_meets_again_while_that_can_be_avoided() {
    let mut compared = 0;
    for seed in 0..60 {
        let size = if seed % 2 == 0 { TableSize::Three } else { TableSize::Four };
        let smaller = seed % 4 > 1;
        let entrants = 4 + u32::try_from(seed % 6).unwrap();
        let tournament = tournament(entrants, swiss(size, smaller, 5), seed);
        let life = if seed % 8 > 3 { Life::Calm } else { Life::Eventful };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let (present, read) = (present(&tournament, history), read(history));
            let sizes: Vec<usize> = round.tables.iter().map(|table| table.seats.len()).collect();
            let own: Costs = [
                round.tables.iter().map(|table| table_cost(&read, &table.seats)).sum(),
                round.byes.iter().map(|bye| triangle(read.byes(bye.entrant))).sum(),
            ];
            assert_eq!(own, least(&read, &present, &sizes, round.byes.len()), "{entrants} entrants, seed {seed}");
            compared += 1;
        });
    }
    assert!(compared > 200, "{compared} rounds");
}

#[test]
fn tables_are_full_and_byes_few() {
    for seed in 0..15 {
        let entrants = 4 + 3 * u32::try_from(seed).unwrap();
        for (size, smaller) in [(TableSize::Three, false), (TableSize::Four, false), (TableSize::Four, true)] {
            let tournament = tournament(entrants, swiss(size, smaller, 2), seed);
            play(&tournament, Life::Calm, &mut chance(seed), |history, round| {
                check_round(&tournament, history, round);
                let full = |table: &&crate::Table| table.seats.len() == size.seats();
                let small = round.tables.iter().filter(|table| !full(table)).count();
                if smaller && entrants > 5 {
                    assert_eq!(round.byes.len(), 0);
                    assert_eq!(small, (4 - present(&tournament, history).len() % 4) % 4);
                } else {
                    assert_eq!(round.byes.len(), present(&tournament, history).len() % size.seats());
                    assert_eq!(small, 0);
                }
            });
        }
    }
}

/// In three rounds of 20 entrants or more, no two entrants meet again, no entrant has a second bye, and the byes go to
/// the lowest scores among the entrants without a bye.
#[test]
fn in_larger_fields_nobody_meets_again_in_the_first_rounds() {
    for seed in 0..24 {
        let entrants = 20 + u32::try_from(seed * 11 % 45).unwrap();
        let size = if seed % 2 == 0 { TableSize::Three } else { TableSize::Four };
        let tournament = tournament(entrants, swiss(size, false, 3), seed);
        play(&tournament, Life::Calm, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let (present, read) = (present(&tournament, history), read(history));
            let again: u64 = round.tables.iter().map(|table| meetings(&read, &table.seats)).sum();
            assert_eq!(again, 0, "{entrants} at {size:?}, seed {seed}, round {}", history.next_round());
            let mut without: Vec<Score> = present
                .iter()
                .filter(|entrant| read.byes(**entrant) == 0)
                .map(|entrant| read.points(*entrant))
                .collect();
            without.sort_unstable();
            let mut byes: Vec<Score> = round.byes.iter().map(|bye| bye.why.score).collect();
            byes.sort_unstable();
            assert!(round.byes.iter().all(|bye| bye.why.before == 0));
            assert_eq!(byes, without[..byes.len()], "{entrants} at {size:?}, seed {seed}");
        });
    }
}

/// The games that an entrant begins differ from the even share by at most one.
#[test]
fn beginnings_stay_near_the_even_share() {
    for seed in 0..12 {
        let entrants = 24 + u32::try_from(seed).unwrap();
        let size = if seed % 2 == 0 { TableSize::Three } else { TableSize::Four };
        let tournament = tournament(entrants, swiss(size, false, 6), seed);
        let history = play(&tournament, Life::Calm, &mut chance(seed), |_, _| {});
        let read = read(&history);
        let seats = i64::try_from(size.seats()).unwrap();
        for (entrant, played) in &read.played {
            let begun = read.begun.get(entrant).copied().unwrap_or(0);
            assert!((seats * begun - played).abs() <= seats, "{entrants} entrants, seed {seed}: {begun} of {played}");
        }
    }
}

/// Entrants of similar scores meet: in two rounds, the score groups of a table are at most two apart.
#[test]
fn tables_of_the_second_round_hold_neighbouring_scores() {
    for seed in 0..12 {
        let entrants = 24 + 4 * u32::try_from(seed % 10).unwrap();
        let tournament = tournament(entrants, swiss(TableSize::Four, false, 2), seed);
        play(&tournament, Life::Calm, &mut chance(seed), |history, round| {
            let read = read(history);
            let mut groups: Vec<Score> = tournament.entrants.iter().map(|entrant| read.points(entrant.id)).collect();
            groups.sort_unstable();
            groups.dedup();
            for table in &round.tables {
                let group = |seat: &EntrantId| groups.iter().position(|score| *score == read.points(*seat)).unwrap();
                let places: Vec<usize> = table.seats.iter().map(group).collect();
                let spread = places.iter().max().unwrap() - places.iter().min().unwrap();
                assert!(spread <= 2, "{entrants} entrants, seed {seed}: {places:?}");
            }
        });
    }
}
