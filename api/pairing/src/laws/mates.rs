//! Laws of the bracket after groups: entrants of the same group meet as late as the bracket allows.

use std::collections::BTreeMap;

use super::simulated::{Life, chance, play, tournament};
use crate::knock_out::{places, seats};
use crate::mates::{Qualifier, seeds};
use crate::{EntrantId, Format, KnockOut, Playable, TableRule, TableSize};

const DUELS: KnockOut = KnockOut::Duels { best_of: 1, third_place: true };

/// The numbers of groups and of entrants who go on from each, with at most 32 in all.
fn cases() -> impl Iterator<Item = (usize, usize)> {
    (2..=8).flat_map(|groups| (1..=4).map(move |advance| (groups, advance)))
}

/// Draws a bracket in which the entrant with the index 10 g + p has place p in group g. Returns the entrants by their
/// places in the first round; `None` is an empty place.
fn draw(rows: &[Vec<usize>], form: &KnockOut, playable: &Playable) -> Vec<Option<usize>> {
    let row = |row: &Vec<usize>| row.iter().map(|index| Qualifier { index: *index, group: index / 10 }).collect();
    let places = places(rows.iter().map(Vec::len).sum(), form, playable);
    let seeds = seeds(rows.iter().map(row).collect(), &places, seats(form));
    let mut drawn = vec![None; places.iter().max().map_or(0, |last| last + 1).next_power_of_two()];
    for (seed, index) in seeds.iter().enumerate() {
        // The rows keep their order: a winner has a better seed than a second place.
        let before: usize = rows.iter().take(index % 10).map(Vec::len).sum();
        assert!((before..before + rows[index % 10].len()).contains(&seed));
        drawn[places[seed]] = Some(*index);
    }
    assert_eq!(drawn.iter().flatten().count(), seeds.len());
    drawn
}

fn full_rows(groups: usize, advance: usize) -> Vec<Vec<usize>> {
    (0..advance).map(|place| (0..groups).map(|group| 10 * group + place).collect()).collect()
}

/// The largest number of entrants of one group in a part of the bracket with this number of places.
fn most_mates(drawn: &[Option<usize>], part: usize) -> usize {
    let of_part = |part: &[Option<usize>]| {
        let mut of_group: BTreeMap<usize, usize> = BTreeMap::new();
        part.iter().flatten().for_each(|index| *of_group.entry(index / 10).or_default() += 1);
        of_group.into_values().max().unwrap_or(0)
    };
    drawn.chunks(part).map(of_part).max().unwrap_or(0)
}

#[test]
fn the_entrants_of_a_group_are_spread_over_the_halves_and_quarters_of_the_bracket() {
    let all = Playable::new(|_| true);
    let without_threes = Playable::new(|seats| seats != 3);
    for (form, playable) in [(DUELS, &all), (KnockOut::Fours, &all), (KnockOut::Fours, &without_threes)] {
        for (groups, advance) in cases() {
            let drawn = draw(&full_rows(groups, advance), &form, playable);
            for parts in [2, 4, 8, 16] {
                let size = drawn.len() / parts;
                if size < seats(&form) {
                    continue;
                }
                // Without tables of three, a half may have four of six entrants: more than one of each of three groups.
                let full = drawn.chunks(size).map(|part| part.iter().flatten().count()).max().unwrap_or(0);
                let crowded = if playable.has(3) { 0 } else { full.div_ceil(groups) };
                let bound = crowded.max(advance.div_ceil(parts));
                let most = most_mates(&drawn, size);
                assert!(most <= bound, "{form:?}, {groups} x {advance}, {parts} parts: {drawn:?}");
            }
        }
    }
}

#[test]
fn who_has_won_a_group_first_meets_a_lower_place_of_another_group() {
    for (groups, advance) in cases().filter(|(groups, advance)| *advance > 1 && groups * advance != 2) {
        let drawn = draw(&full_rows(groups, advance), &DUELS, &Playable::new(|_| true));
        for table in drawn.chunks(2) {
            if let [Some(a), Some(b)] = table {
                assert_ne!(a / 10, b / 10, "{groups} x {advance}: {drawn:?}");
                assert!(a % 10 + b % 10 > 0, "{groups} x {advance}: two winners meet: {drawn:?}");
            }
        }
    }
    let drawn = draw(&full_rows(4, 2), &DUELS, &Playable::new(|_| true));
    assert_eq!(drawn.into_iter().flatten().collect::<Vec<_>>(), [0, 21, 30, 11, 10, 31, 20, 1]);
}

#[test]
fn groups_that_send_fewer_than_others_are_spread_too() {
    // Everybody of group 1 has left, and group 0 sends one. Then nobody is left but one, and nobody at all.
    let rows = [vec![0, 20, 30], vec![21, 31]];
    let drawn = draw(&rows, &DUELS, &Playable::new(|_| true));
    assert_eq!(most_mates(&drawn, 4), 1, "{drawn:?}");
    for rows in [vec![vec![10], vec![]], vec![vec![], vec![]]] {
        assert_eq!(draw(&rows, &DUELS, &Playable::new(|_| true)).into_iter().flatten().count(), rows[0].len());
    }
    // In one group, mates cannot avoid each other.
    assert_eq!(draw(&full_rows(1, 4), &DUELS, &Playable::new(|_| true)), [0, 3, 1, 2].map(Some));
}

#[test]
fn whatever_the_results_two_of_a_group_meet_in_the_final_only_and_four_not_before_the_semi_finals() {
    for (groups, advance) in cases() {
        let (count, size) = (u32::try_from(groups).unwrap(), u32::try_from(advance.max(2)).unwrap());
        let advance = u32::try_from(advance).unwrap();
        let format = Format::Groups { groups: count, table: TableSize::Two, cycles: 1, advance, then: DUELS };
        for seed in 0..5 {
            let cup = tournament(count * size, format.clone(), seed);
            let mut group_of: BTreeMap<EntrantId, usize> = BTreeMap::new();
            play(&cup, Life::Calm, &mut chance(seed), |_, round| {
                for table in &round.tables {
                    let mut of = table.seats.iter().map(|id| group_of.get(id));
                    match table.why.rule {
                        TableRule::Berger { group: Some(group), .. } => {
                            group_of.extend(table.seats.iter().map(|id| (*id, group)));
                        }
                        TableRule::Bracket { of: places, .. } if places > if advance > 2 { 4 } else { 2 } => {
                            assert_ne!(of.next(), of.next(), "{groups} x {advance}: {}", table.why);
                        }
                        _ => {}
                    }
                }
            });
        }
    }
}
