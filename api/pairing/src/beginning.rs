//! Who begins at a table of two: the rules of colours of the Dutch system of FIDE, in which to begin is to have White.

use std::cmp::{Ordering, Reverse};

use super::facts::{BEGINNING, Facts, Past};
use super::lots::mix;

/// The change of [`Past::due`] by a game of two: plus half a beginning for the entrant who begins, minus half for the
/// opponent.
pub(super) const STEP: i64 = BEGINNING / 2;

/// How strong the claim of an entrant is to begin, or not to begin, the next game.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum BeginningClaim {
    /// The entrant has begun half of its games. It is to have the other turn than last time.
    Mild,
    /// The number of games that the entrant began and the number of the other games differ by one.
    Strong,
    /// The difference is larger than one, or the entrant had the same turn in the last two games.
    Absolute,
}

/// The turn that an entrant is to have in the next game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Preference {
    /// Whether the entrant is to begin.
    pub(super) begins: bool,
    pub(super) strength: BeginningClaim,
}

impl Past {
    /// The preference of an entrant. Somebody who has not played has none.
    pub(super) fn preference(&self) -> Option<Preference> {
        let wanted = |begins, strength| Some(Preference { begins, strength });
        let last = self.turns.last().copied();
        let is_repeated = matches!(self.turns[..], [.., before, last] if before == last);
        match (self.due, last) {
            (due, _) if due.abs() > STEP => wanted(due < 0, BeginningClaim::Absolute),
            (_, Some(begun)) if is_repeated => wanted(!begun, BeginningClaim::Absolute),
            (0, begun) => begun.and_then(|begun| wanted(!begun, BeginningClaim::Mild)),
            (due, _) => wanted(due < 0, BeginningClaim::Strong),
        }
    }
}

/// Orders two entrants: the first one begins.
///
/// Both get the turns that they prefer. If both prefer the same turn, the first of these rules that decides gives it to
/// one of them: the stronger preference; between absolute ones the larger difference; alternation since the last round
/// in which their turns differed; the higher score. If none decides, the entrant begins who lacks most beginnings, then
/// the entrant who had the first seat less often, then one by lot.
pub(super) fn first(facts: &Facts<'_>, [a, b]: [usize; 2], round: usize) -> [usize; 2] {
    let (one, two) = (&facts.past[a], &facts.past[b]);
    let a_begins = match (one.preference(), two.preference()) {
        (Some(own), None) => own.begins,
        (None, Some(other)) => !other.begins,
        (Some(own), Some(other)) if own.begins != other.begins => own.begins,
        (Some(own), Some(other)) => match stronger([one, two], [own.strength, other.strength]) {
            Ordering::Greater => own.begins,
            Ordering::Less => !own.begins,
            Ordering::Equal => by_lot(facts, [a, b], round),
        },
        (None, None) => by_lot(facts, [a, b], round),
    };
    if a_begins { [a, b] } else { [b, a] }
}

/// Decides which of two entrants who prefer the same turn gets it: the first (`Greater`) or the second (`Less`).
fn stronger([one, two]: [&Past; 2], strength: [BeginningClaim; 2]) -> Ordering {
    let difference = |past: &Past| if strength == [BeginningClaim::Absolute; 2] { past.due.abs() } else { 0 };
    let same = strength[0].cmp(&strength[1]).then_with(|| difference(one).cmp(&difference(two)));
    let differed = one.turns.iter().rev().zip(two.turns.iter().rev()).find(|(own, other)| own != other);
    // The entrant who had the preferred turn in that round does not get it in this one.
    let alternate = differed.map_or(Ordering::Equal, |(own, _)| {
        let wants_to_begin = one.preference().is_some_and(|preference| preference.begins);
        if *own == wants_to_begin { Ordering::Less } else { Ordering::Greater }
    });
    same.then(alternate).then_with(|| one.score.cmp(&two.score))
}

fn by_lot(facts: &Facts<'_>, pair: [usize; 2], round: usize) -> bool {
    let round = u64::try_from(round).expect("a number of a round fits into 64 bits");
    let key = |index: usize| {
        let past = &facts.past[index];
        (Reverse(past.due), Reverse(past.seats[0]), mix(facts.lots[index], 0, round))
    };
    key(pair[0]) > key(pair[1])
}
