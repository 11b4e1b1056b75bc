//! Laws of Swiss rounds at tables of two.

use super::criteria::{Cards, pairs_of};
use super::simulated::{Life, chance, check_round, play, present, read, swiss, tournament};
use crate::TableSize;

/// If each present entrant may meet at least half as many others as entrants are present, rounded up, everybody can be
/// paired, whichever entrant has the bye (a theorem of Dirac). So no two entrants may meet again, and of the entrants
/// without an earlier bye, one with the lowest score has the bye.
#[test]
fn nobody_meets_again_and_the_lowest_have_the_byes_while_that_is_certain_to_be_possible() {
    let (mut certain, mut byes) = (0, 0);
    // Many small fields, and one of every size up to 64.
    let small = (0..1_500).map(|number| 2 + number % 11);
    for (seed, entrants) in (1_000..).zip(small.chain(13..=64).chain(large())) {
        let tournament = tournament(entrants, swiss(TableSize::Two, false, 7), seed);
        let life = if seed % 3 == 0 { Life::Eventful } else { Life::Calm };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let present = present(&tournament, history);
            assert_eq!(round.byes.len(), present.len() % 2);
            let (read, cards) = (read(history), Cards::new(history, present.clone(), history.rounds.len() == 6));
            let may_meet = |a, b| a != b && read.met(a, b) == 0 && !cards.is_forbidden([a, b]);
            let opponents = present.iter().map(|a| present.iter().filter(|b| may_meet(*a, **b)).count());
            // If the number is odd, one of these opponents may be the entrant with the bye; rounding up allows for
            // that.
            if opponents.min().is_none_or(|least| least < present.len().div_ceil(2)) {
                return;
            }
            certain += 1;
            for pair in pairs_of(round) {
                assert!(may_meet(pair[0], pair[1]), "{entrants} entrants, seed {seed}: {pair:?}");
            }
            if let [bye] = &round.byes[..] {
                let without = present.iter().filter(|entrant| read.byes(**entrant) == 0);
                if let Some(lowest) = without.map(|entrant| read.points(*entrant)).min() {
                    let bye = (read.byes(bye.entrant), bye.why.score);
                    assert_eq!(bye, (0, lowest), "{entrants} entrants, seed {seed}");
                    byes += 1;
                }
            }
            for table in round.tables.iter().filter(|_| history.rounds.len() < 6) {
                let [first, second] = [table.seats[0], table.seats[1]].map(|entrant| read.imbalance(entrant));
                assert!(first < 2 && second > -2, "{entrants} entrants, seed {seed}: a beginning too many");
            }
        });
    }
    println!("{certain} rounds, {byes} byes");
    assert!(certain > 250 && byes > 100, "{certain} rounds, {byes} byes");
}

/// Numbers of entrants of the larger fields that `PAGADE_TOURNAMENTS` adds.
fn large() -> Vec<u32> {
    let most = std::env::var("PAGADE_TOURNAMENTS").ok().and_then(|most| most.parse().ok()).unwrap_or(0);
    [161, 200, 321, 500, 999, 1_000].into_iter().filter(|entrants| *entrants <= most).collect()
}

/// No exchange of the opponents of two tables, or of an opponent and the entrant with the bye, follows the criteria
/// better.
#[test]
fn no_exchange_of_opponents_follows_the_criteria_better() {
    let mut exchanges = 0;
    for seed in 0..24 {
        let entrants = 10 + 2 * u32::try_from(seed).unwrap() + u32::try_from(seed % 2).unwrap();
        let tournament = tournament(entrants, swiss(TableSize::Two, false, 7), seed);
        let life = if seed % 3 == 0 { Life::Eventful } else { Life::Calm };
        play(&tournament, life, &mut chance(seed), |history, round| {
            let present = present(&tournament, history);
            let (read, cards) = (read(history), Cards::new(history, present, history.rounds.len() == 6));
            let judge = |pairs: &[_]| cards.judge(|a, b| read.met(a, b), pairs);
            let pairs = pairs_of(round);
            let own = judge(&pairs);
            for a in 0..pairs.len() {
                for seat in [0, 1] {
                    for (b, other) in (a + 1..pairs.len()).map(|b| (b, pairs[b][0])).chain([(a, pairs[a][0])]) {
                        let mut changed = pairs.clone();
                        if b > a {
                            changed[b][0] = std::mem::replace(&mut changed[a][seat], other);
                        } else if let [bye] = &round.byes[..] {
                            changed[a][seat] = bye.entrant;
                        }
                        let verdict = judge(&changed);
                        assert!(own.is_as_good_as(&verdict), "seed {seed}: {own:#?}\nagainst {verdict:#?}");
                        exchanges += 1;
                    }
                }
            }
        });
    }
    assert!(exchanges > 20_000, "{exchanges}");
}
