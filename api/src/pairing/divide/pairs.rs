//! Tables of two: a perfect matching of least cost, for the whole field or window by window.

use integer_blossom::min_weight_perfect_matching;

use super::division::Division;
use crate::pairing::cost::{BYE_SCORE, BYES, Cost, Field, LARGEST, LEVELS};

/// The number of entrants up to which the whole field is matched at once, so that the division is the best of all.
pub(super) const WHOLE: usize = 160;
/// The largest number of entrants that are matched at once.
const LARGEST_WINDOW: usize = 512;

/// The weight of one unit of cost on each level. Each weight is more than the costs of a whole matching on all later
/// levels.
const WEIGHTS: [i128; LEVELS] = {
    let mut weights = [1; LEVELS];
    let mut level = LEVELS - 1;
    while level > 0 {
        // At most one entrant has a bye, so the costs of byes occur at most once in a matching.
        let tables = if level == BYES || level == BYE_SCORE { 1 } else { LARGEST_WINDOW / 2 };
        weights[level - 1] = weights[level] * (LARGEST[level] as i128 * tables as i128 + 1);
        level -= 1;
    }
    weights
};
const _: () = assert!(WEIGHTS[0] < i128::MAX / (LARGEST[0] as i128 * (LARGEST_WINDOW as i128 / 2 + 1) * 16));

/// One side of a pair: an entrant, or `None` as the opponent of the entrant with the bye.
type Side = Option<usize>;

/// Divides the field into tables of two. One entrant has a bye if the number is odd.
pub(super) fn divide(field: &Field<'_>) -> Division {
    let mut rest: Vec<Side> = field.order.iter().copied().map(Some).collect();
    if rest.len() % 2 == 1 {
        rest.push(None);
    }
    let mut fixed: Vec<[Side; 2]> = Vec::new();
    let mut window = WHOLE;
    while !rest.is_empty() {
        let is_last = rest.len() <= window;
        let taken = &rest[..window.min(rest.len())];
        // Only the pairs of the upper half of a window are final: entrants of the lower half may find better opponents
        // further down.
        let half = taken.len() / 2;
        let pairs = matching(field, taken).into_iter();
        let (kept, open): (Vec<_>, Vec<_>) = pairs.partition(|[upper, _]| is_last || *upper < half);
        let repeats = |pair: &[usize; 2]| cost(field, pair.map(|place| taken[place])).repeats();
        if kept.iter().any(repeats) && window < LARGEST_WINDOW && (!is_last || !fixed.is_empty()) {
            window = (2 * window).min(LARGEST_WINDOW);
            if is_last {
                take_back(&mut rest, &mut fixed, window);
            }
            continue;
        }
        fixed.extend(kept.into_iter().map(|pair| pair.map(|place| taken[place])));
        let mut left: Vec<usize> = open.into_iter().flatten().collect();
        left.sort_unstable();
        let mut next: Vec<Side> = left.into_iter().map(|place| taken[place]).collect();
        next.extend(&rest[taken.len()..]);
        rest = next;
        window = WHOLE;
    }
    let meets = |pair: &[Side; 2]| matches!(pair, [Some(a), Some(b)] if field.facts.met(*a, *b) > 0);
    let is_proven = field.order.len() <= WHOLE || !fixed.iter().any(meets);
    let mut division = Division { is_proven, ..Division::default() };
    for pair in fixed {
        match pair {
            [Some(a), Some(b)] => division.tables.push(vec![a, b]),
            [Some(alone), None] | [None, Some(alone)] => division.byes.push(alone),
            [None, None] => {}
        }
    }
    division
}

/// Moves the last pairs of `fixed` back into `rest`, as many as the window has room for.
fn take_back(rest: &mut Vec<Side>, fixed: &mut Vec<[Side; 2]>, window: usize) {
    let count = (window.saturating_sub(rest.len()) / 2).min(fixed.len());
    let reopened = fixed.split_off(fixed.len() - count);
    rest.splice(0..0, reopened.into_iter().flatten());
}

/// Returns the matching of least cost: pairs of indexes into `sides`, in rising order, the smaller index of a pair
/// first.
fn matching(field: &Field<'_>, sides: &[Side]) -> Vec<[usize; 2]> {
    let n = sides.len();
    let mut weights = vec![0; n * n];
    for a in 0..n {
        for b in a + 1..n {
            weights[a * n + b] = weight(&cost(field, [sides[a], sides[b]]));
        }
    }
    let mates = min_weight_perfect_matching(&weights, n);
    mates.into_iter().enumerate().filter(|(a, b)| a < b).map(<[usize; 2]>::from).collect()
}

fn cost(field: &Field<'_>, pair: [Side; 2]) -> Cost {
    match pair {
        [Some(a), Some(b)] => field.table(&[a, b]),
        [Some(alone), None] | [None, Some(alone)] => field.bye(alone),
        [None, None] => Cost::default(),
    }
}

/// Converts a cost to one number, in which each level outweighs all later levels.
fn weight(cost: &Cost) -> i128 {
    cost.0.iter().zip(WEIGHTS).map(|(units, weight)| i128::from(*units) * weight).sum()
}
