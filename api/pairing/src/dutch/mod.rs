//! Tables of two by the Dutch system of FIDE (Handbook C.04.3, as of July 2025), bracket by bracket.
//!
//! A bracket has the entrants of one score group, and those whom the brackets above have left over. Its pairs are those
//! of a matching of least cost among all entrants who are not paired yet, so that it is always known that the others
//! can be paired as well (C4). The levels of the cost are the criteria in their order: first the absolute ones and the
//! score of the bye (C1 to C3, C5) over all pairs, and then C6 to C21, which judge the pairs of the bracket only. Lots
//! decide among pairings that the criteria leave equal, because there are no ratings: lots take the place of the halves
//! S1 and S2 with their transpositions and exchanges. To begin is to have White (`beginning.rs`).
//!
//! If the absolute criteria cannot be kept, they are broken as seldom as possible: first C3, then C2, then C1.
//!
//! # Large fields
//! Up to [`WHOLE`] entrants, there are no further rules. In larger fields a matching looks at [`WHOLE`] entrants at a
//! time:
//! - A bye goes to an entrant with the fewest byes, of these the lowest score, then the most games (C9).
//! - Of a large score group, [`KEPT`] entrants are paired as above. The others are paired with each other in blocks,
//!   each of which has entrants of both preferences in the proportion of the group. The criteria are then least in each
//!   block.
//! - Of the entrants with lower scores than a bracket, the matching considers only those with the next highest scores.
//!
//! A block or bracket in which entrants meet again, or in which two entrants sit together who must both have the same
//! turn, is paired once more among up to [`LARGEST`] entrants. So nobody meets again in a large field as long as nobody
//! has met half of [`BLOCK`] entrants (a theorem of Dirac).

mod blocks;
mod criteria;
mod matching;
mod wide;

use criteria::ScoreBracket;

use super::cost::Field;
use super::divide::Division;
use super::why::Float;

/// The number of entrants up to which a matching looks at the whole field.
pub(super) const WHOLE: usize = 160;
/// The number of entrants of a score group of a large field who are paired together with those of other groups.
const KEPT: usize = 64;
/// The number of entrants of a block.
const BLOCK: usize = 96;
/// The largest number of entrants of a matching in a large field.
const LARGEST: usize = 512;

/// Divides a field into tables of two. One entrant has a bye if the number is odd.
pub(super) fn divide(field: &Field<'_>) -> Division {
    let mut rest = field.order.clone();
    let mut division = Division::default();
    if rest.len() > WHOLE && rest.len() % 2 == 1 {
        division.byes.push(rest.remove(bye(field, &rest)));
    }
    go_on(field, Vec::new(), rest, &mut division);
    let meets = |table: &Vec<usize>| field.facts.met(table[0], table[1]) > 0;
    division.is_proven = field.order.len() <= WHOLE || !division.tables.iter().any(meets);
    division
}

/// Pairs bracket after bracket. The entrants of `moved` have been left over by the brackets above.
pub(super) fn go_on(field: &Field<'_>, mut moved: Vec<usize>, mut rest: Vec<usize>, division: &mut Division) {
    while let Some(leader) = rest.first() {
        let below = rest.split_off(rest.partition_point(|entrant| field.group(*entrant) == field.group(*leader)));
        let mut residents = rest;
        if moved.len() + residents.len() + below.len() > WHOLE {
            division.tables.extend(blocks::take(field, &mut residents).into_iter().map(Vec::from));
        }
        let paired = bracket(field, moved, residents, &below, WHOLE);
        division.tables.extend(paired.pairs.into_iter().map(Vec::from));
        moved = paired.floaters;
        rest = below;
    }
    division.byes.extend(moved);
}

/// Chooses the entrant of a large field who gets the bye. Returns the index in `order`.
fn bye(field: &Field<'_>, order: &[usize]) -> usize {
    let key = |place: &usize| {
        let entrant = order[*place];
        let past = &field.facts.past[entrant];
        let floats = past.floats.map(|float| float == Some(Float::Down));
        (past.byes, field.group(entrant), field.unplayed(entrant), floats, field.lot(entrant, entrant))
    };
    (0..order.len()).min_by_key(key).unwrap_or(0)
}

/// Pairs a bracket, looking at `window` entrants.
fn bracket(
    field: &Field<'_>,
    moved: Vec<usize>,
    residents: Vec<usize>,
    below: &[usize],
    window: usize,
) -> criteria::Paired {
    let inside = moved.len() + residents.len();
    let whole = inside + below.len() <= window;
    let next_end = below.partition_point(|entrant| field.group(*entrant) == field.group(below[0]));
    let (next, below) = below.split_at(next_end);
    let mut seen = ScoreBracket { moved, residents, next: next.to_vec(), below: below.to_vec() };
    if !whole {
        let room = window.saturating_sub(inside).max(KEPT);
        // An even number of entrants is left out of the next group. So the part that is kept is odd or even as the
        // group is.
        let most = if below.is_empty() { room } else { room / 2 };
        seen.next.truncate(next.len().min(most - (most + next.len()) % 2));
        seen.below.truncate(room - seen.next.len());
        if (inside + seen.next.len() + seen.below.len()) % 2 == 1 {
            seen.below.pop();
        }
    }
    let paired = seen.pair(field);
    let is_broken = |pair: &[usize; 2]| field.facts.met(pair[0], pair[1]) > 0 || field.clash(*pair);
    if !whole && window < LARGEST && paired.pairs.iter().any(is_broken) {
        let below = [next, below].concat();
        return bracket(field, seen.moved, seen.residents, &below, LARGEST);
    }
    paired
}
