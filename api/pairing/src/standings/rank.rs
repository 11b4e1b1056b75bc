//! The order of entrants by points and tie-breaks.

use super::ledger::FinishedRounds;
use super::tie_break::{Explained, evaluate};
use crate::facts::Facts;
use crate::format::{TieBreak, Tournament};
use crate::history::History;
use crate::score::Score;

/// An entrant in the order, by index.
pub(crate) struct Ranked {
    pub(crate) index: usize,
    /// The place, the first is 1. Entrants whom nothing separates share a place.
    pub(crate) place: usize,
    pub(crate) points: Score,
    pub(crate) tie_breaks: Vec<Explained>,
    /// The tie-break that separates the entrant from the one above. `None` if the points or the knock-out separate
    /// them, or if they share a place.
    pub(crate) decided_by: Option<TieBreak>,
}

/// The order of some entrants after the first `rounds` rounds, by index.
pub(crate) fn rank(
    tournament: &Tournament,
    facts: &Facts<'_>,
    history: &History,
    entrants: &[usize],
    rounds: usize,
) -> Vec<usize> {
    let none = vec![0; facts.entrants.len()];
    ranked(tournament, facts, history, entrants, rounds, &none).into_iter().map(|ranked| ranked.index).collect()
}

/// Orders some entrants, with reasons. `reached` says how far each entrant came in a knock-out, by index, and counts
/// before the points.
pub(crate) fn ranked(
    tournament: &Tournament,
    facts: &Facts<'_>,
    history: &History,
    entrants: &[usize],
    rounds: usize,
    reached: &[u32],
) -> Vec<Ranked> {
    let ledger = FinishedRounds::new(tournament, facts, history, rounds);
    let points = |index: usize| ledger.points[index];
    let by_points = split(vec![(entrants.to_vec(), None)], &|index, _| (reached[index], points(index)), None);
    let (mut groups, mut explained) = (by_points, vec![Vec::new(); facts.entrants.len()]);
    for tie_break in &tournament.tie_breaks {
        let evaluated: Vec<Vec<Explained>> = groups
            .iter()
            .map(|(group, _)| group.iter().map(|index| evaluate(*tie_break, &ledger, facts, *index, group)).collect())
            .collect();
        for ((group, _), found) in groups.iter().zip(evaluated) {
            for (index, found) in group.iter().zip(found) {
                explained[*index].push(found);
            }
        }
        let value = |index: usize, _: &[usize]| explained[index].last().map(|found: &Explained| found.value);
        groups = split(groups, &value, Some(*tie_break));
    }
    let mut ranked = Vec::with_capacity(entrants.len());
    for (group, decided_by) in groups {
        let place = ranked.len() + 1;
        for (at, index) in group.into_iter().enumerate() {
            let tie_breaks = std::mem::take(&mut explained[index]);
            let decided_by = if at == 0 { decided_by } else { None };
            ranked.push(Ranked { index, place, points: points(index), tie_breaks, decided_by });
        }
    }
    ranked
}

/// Entrants who are equal so far, and the tie-break that separates them from the group above. `None` stands for the
/// points or the knock-out, and for the first group.
type TiedGroup = (Vec<usize>, Option<TieBreak>);

/// Splits each group into groups of entrants with the same value. The highest value comes first.
fn split<V: Ord>(groups: Vec<TiedGroup>, value: &dyn Fn(usize, &[usize]) -> V, by: Option<TieBreak>) -> Vec<TiedGroup> {
    let mut found = Vec::new();
    for (group, above) in groups {
        let mut valued: Vec<(V, usize)> = group.iter().map(|index| (value(*index, &group), *index)).collect();
        valued.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (at, equal) in valued.chunk_by(|(a, _), (b, _)| a == b).enumerate() {
            found.push((equal.iter().map(|(_, index)| *index).collect(), if at == 0 { above } else { by }));
        }
    }
    found
}
