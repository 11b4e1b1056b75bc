//! Blocks: parts of a large score group, each of which is paired by itself.

use super::criteria::ScoreBracket;
use super::{BLOCK, KEPT, LARGEST};
use crate::cost::Field;

/// Takes entrants out of a score group and pairs them with each other, until at most [`KEPT`] + 1 are left.
pub(super) fn take(field: &Field<'_>, residents: &mut Vec<usize>) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    if residents.len() <= KEPT + 1 {
        return pairs;
    }
    mix(field, residents);
    let mut size = BLOCK;
    while residents.len() > KEPT + 1 {
        let taken = (residents.len() - KEPT).min(size) & !1;
        let block = residents[residents.len() - taken..].to_vec();
        let paired =
            ScoreBracket { moved: Vec::new(), residents: block, next: Vec::new(), below: Vec::new() }.pair(field);
        let is_broken = |pair: &[usize; 2]| field.facts.met(pair[0], pair[1]) > 0 || field.clash(*pair);
        if paired.pairs.iter().any(is_broken) {
            if size < LARGEST && taken == size {
                size = (2 * size).min(LARGEST);
                continue;
            }
            if residents.len() <= LARGEST {
                // The residents that are left are few enough to be paired together with the bracket.
                break;
            }
        }
        residents.truncate(residents.len() - taken);
        pairs.extend(paired.pairs);
        size = BLOCK;
    }
    pairs
}

/// Mixes the entrants who prefer to begin with those who do not, so that every part has both in the same proportion.
fn mix(field: &Field<'_>, residents: &mut [usize]) {
    let begins = |entrant: &usize| field.facts.past[*entrant].preference().map(|preference| preference.begins);
    let wishes: Vec<Option<bool>> = residents.iter().map(begins).collect();
    let mut seen = [0_u64; 3];
    let kind = |wish: &Option<bool>| wish.map_or(2, usize::from);
    let all = wishes.iter().fold([0_u64; 3], |mut all, wish| {
        all[kind(wish)] += 1;
        all
    });
    let mut keyed: Vec<(u64, usize)> = Vec::with_capacity(residents.len());
    for (entrant, wish) in residents.iter().zip(&wishes) {
        let kind = kind(wish);
        keyed.push(((2 * seen[kind] + 1) * (1 << 32) / all[kind], *entrant));
        seen[kind] += 1;
    }
    keyed.sort_unstable_by_key(|(key, _)| *key);
    for (place, (_, entrant)) in keyed.into_iter().enumerate() {
        residents[place] = entrant;
    }
}
