//! Laws of Swiss rounds at tables of two.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::simulated::{Life, Read, chance, check_round, play, present, read, sorted, swiss, tournament};
use crate::pairing::{EntrantId, History, Round, Score, TableSize};

/// The costs of a division without the lots, computed from the history only: meetings, byes, the score group of the
/// bye, beginnings, score differences, floats, balance.
pub(super) type Costs = [u64; 7];

/// The state before a round.
pub(super) struct Before {
    pub(super) read: Read,
    groups: Vec<Score>,
    /// The directions in which entrants floated in the last round and the round before.
    floats: [BTreeMap<EntrantId, Ordering>; 2],
}

impl Before {
    pub(super) fn new(history: &History, present: &[EntrantId]) -> Self {
        let read = read(history);
        let mut groups: Vec<Score> = present.iter().map(|entrant| read.points(*entrant)).collect();
        groups.sort_unstable();
        groups.dedup();
        let floats = [1, 2].map(|ago| history.rounds.len().checked_sub(ago).map(|round| floats(history, round)));
        Self { read, groups, floats: floats.map(Option::unwrap_or_default) }
    }

    fn group(&self, entrant: EntrantId) -> usize {
        self.groups.iter().position(|score| *score == self.read.points(entrant)).unwrap()
    }
}

/// The entrants who floated in a round, each with the direction: `Greater` is up, `Less` is down.
fn floats(history: &History, round: usize) -> BTreeMap<EntrantId, Ordering> {
    let before = read(&History { rounds: history.rounds[..round].to_vec(), ..history.clone() });
    let mut floats: BTreeMap<_, _> = history.rounds[round].byes.iter().map(|bye| (*bye, Ordering::Less)).collect();
    for table in &history.rounds[round].tables {
        let result = table.result.as_ref().unwrap();
        let came: Vec<EntrantId> =
            table.seats.iter().zip(result).filter(|(_, seat)| !seat.no_show).map(|(entrant, _)| *entrant).collect();
        match came[..] {
            [alone] => drop(floats.insert(alone, Ordering::Less)),
            [a, b] => {
                floats.insert(a, before.points(b).cmp(&before.points(a)));
                floats.insert(b, before.points(a).cmp(&before.points(b)));
            }
            _ => {}
        }
    }
    floats.retain(|_, direction| direction.is_ne());
    floats
}

/// The cost of this number of earlier meetings or byes: 0, 1, 3, 6, ..
fn triangle(times: u64) -> u64 {
    times * (times + 1) / 2
}

pub(super) fn costs(before: &Before, pairs: &[[EntrantId; 2]], byes: &[EntrantId]) -> Costs {
    let (mut costs, read) = ([0; 7], &before.read);
    for [a, b] in pairs {
        costs[0] += triangle(read.met(*a, *b));
        // The entrant who has begun less often begins.
        let (low, high) = (read.imbalance(*a).min(read.imbalance(*b)), read.imbalance(*a).max(read.imbalance(*b)));
        costs[3] += [low + 1, high - 1].into_iter().filter(|after| after.abs() > 2).map(|_| 1).sum::<u64>();
        costs[4] += u64::try_from(before.group(*a).abs_diff(before.group(*b)).pow(2)).unwrap();
        for (own, other) in [(a, b), (b, a)] {
            let direction = read.points(*other).cmp(&read.points(*own));
            costs[5] += if before.floats[0].get(own) == Some(&direction) { 2 } else { 0 };
            costs[5] += if before.floats[1].get(own) == Some(&direction) { 1 } else { 0 };
        }
        costs[6] += ((low + 1).pow(2) + (high - 1).pow(2)).unsigned_abs();
    }
    for bye in byes {
        costs[1] += triangle(read.byes(*bye));
        costs[2] += u64::try_from(before.group(*bye)).unwrap();
    }
    costs
}

/// Finds the least costs of all divisions of the entrants `rest`. With `bye`, one of them gets a bye.
fn least(before: &Before, rest: &[EntrantId], bye: bool) -> Costs {
    let Some((first, rest)) = rest.split_first() else { return [0; 7] };
    let add = |own: Costs, other: Costs| std::array::from_fn(|level| own[level] + other[level]);
    let with = (0..rest.len()).map(|at| {
        let mut rest = rest.to_vec();
        let pair = [*first, rest.remove(at)];
        add(costs(before, &[pair], &[]), least(before, &rest, bye))
    });
    let alone = bye.then(|| add(costs(before, &[], &[*first]), least(before, rest, false)));
    with.chain(alone).min().unwrap_or([u64::MAX / 64; 7])
}

pub(super) fn costs_of(before: &Before, round: &Round) -> Costs {
    let pairs: Vec<[EntrantId; 2]> = round.tables.iter().map(|table| [table.seats[0], table.seats[1]]).collect();
    let byes: Vec<EntrantId> = round.byes.iter().map(|bye| bye.entrant).collect();
    costs(before, &pairs, &byes)
}

#[test]
fn small_fields_are_divided_as_well_as_any_division_of_all() {
    let mut compared = 0;
    for seed in 0..400 {
        let entrants = 2 + u32::try_from(seed % 7).unwrap();
        let tournament = tournament(entrants, swiss(TableSize::Two, false, entrants + 1), seed);
        let life = if seed % 2 == 0 { Life::Calm } else { Life::Eventful };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let present = present(&tournament, history);
            let before = Before::new(history, &present);
            let best = least(&before, &present, present.len() % 2 == 1);
            assert_eq!(costs_of(&before, round), best, "{entrants} entrants, seed {seed}\n{history:?}");
            compared += 1;
        });
    }
    assert!(compared > 2_000, "{compared} rounds");
}

/// While each entrant has met fewer than half of the others, there is a division without a second meeting, whichever
/// entrant has the bye (a theorem of Dirac). So no two entrants may meet again, and of the entrants without an earlier
/// bye, one with the lowest score has the bye.
#[test]
fn nobody_meets_again_and_the_lowest_have_the_byes_while_that_is_certain_to_be_possible() {
    let (mut certain, mut byes) = (0, 0);
    // Many small fields, and one of every size up to 64.
    let small = (0..1_500).map(|number| 2 + number % 11);
    for (seed, entrants) in (1_000..).zip(small.chain(13..=64).chain(large())) {
        let tournament = tournament(entrants, swiss(TableSize::Two, false, 6), seed);
        let life = if seed % 3 == 0 { Life::Eventful } else { Life::Calm };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let present = present(&tournament, history);
            let before = Before::new(history, &present);
            let read = &before.read;
            assert_eq!(round.byes.len(), present.len() % 2);
            if 2 * (history.rounds.len() + 1) >= present.len() {
                return;
            }
            certain += 1;
            let costs = costs_of(&before, round);
            assert_eq!(costs[..2], [0, 0], "{entrants} entrants, seed {seed}");
            if let [bye] = &round.byes[..] {
                let without = present.iter().filter(|entrant| read.byes(**entrant) == 0);
                let lowest = without.map(|entrant| read.points(*entrant)).min();
                assert_eq!(Some(bye.why.score), lowest, "{entrants} entrants, seed {seed}");
                byes += 1;
            }
            for table in &round.tables {
                let [first, second] = [table.seats[0], table.seats[1]].map(|entrant| read.imbalance(entrant));
                assert!(first <= second, "the first of {:?} has begun more often", table.seats);
                assert!(first < 2 && second > -2, "{entrants} entrants, seed {seed}: a beginning too many");
            }
        });
    }
    assert!(certain > 250 && byes > 100, "{certain} rounds, {byes} byes");
}

/// Numbers of entrants of the larger fields that `PAGADE_TOURNAMENTS` adds.
fn large() -> Vec<u32> {
    let most = std::env::var("PAGADE_TOURNAMENTS").ok().and_then(|most| most.parse().ok()).unwrap_or(0);
    [161, 200, 321, 500, 999, 1_000].into_iter().filter(|entrants| *entrants <= most).collect()
}

/// A division that a greedy search finds never costs less than the pairing.
#[test]
fn no_greedy_division_has_smaller_score_differences() {
    for seed in 0..20 {
        let entrants = 10 + 2 * u32::try_from(seed).unwrap();
        let tournament = tournament(entrants, swiss(TableSize::Two, false, 6), seed);
        let mut tries = chance(seed + 77);
        play(&tournament, Life::Calm, &mut chance(seed), |history, round| {
            let mut present = present(&tournament, history);
            let before = Before::new(history, &present);
            let (own, read) = (costs_of(&before, round), &before.read);
            for _ in 0..6 {
                let lots: Vec<u64> = present.iter().map(|_| tries.draw()).collect();
                let lot = |entrant: &EntrantId| lots[usize::try_from(entrant.0).unwrap() % lots.len()];
                present.sort_by_key(|entrant| (read.points(*entrant), lot(entrant)));
                let (mut rest, mut pairs) = (present.clone(), Vec::new());
                while let Some(entrant) = rest.pop() {
                    let near = (0..rest.len()).rev().min_by_key(|at| read.met(entrant, rest[*at]));
                    pairs.push(sorted(entrant, rest.remove(near.unwrap())));
                }
                let other = costs(&before, &pairs, &[]);
                assert!(own <= other, "{entrants} entrants, seed {seed}: {own:?} against {other:?}");
            }
        });
    }
}
