//! The search for a division in which nobody meets again.
//!
//! The search seats one entrant after the other, each time the one with the fewest possible opponents, and goes back
//! where somebody cannot be seated. It first tries opponents with near scores, and then, in further runs, opponents in
//! an order by lot. A run of `SHORT` steps that finds nothing is given up; the last run has `LONG` steps. A run that
//! ends earlier has found a division, or has shown that there is none.

use std::collections::HashSet;
use std::ops::Range;

use crate::cost::Field;
use crate::lots::Lots;

/// The largest number of entrants for which the search runs: the bits of a [`EntrantSet`].
pub(super) const LARGEST: usize = 128;
pub(super) const SHORT_RUNS: usize = 8;
/// The greatest number of steps of a short run.
const SHORT: u32 = 2_000;
/// The greatest number of steps of the last run.
const LONG: u32 = 100_000;

/// Entrants by their places in the order of the field, a bit for each.
type EntrantSet = u128;

#[derive(Debug, PartialEq)]
pub(super) enum SearchAnswer {
    /// Tables at which nobody meets again, and then the byes. Entrants are given by index.
    Found(Vec<Vec<usize>>),
    /// In every division, somebody meets again.
    Impossible,
    /// All runs of the search used up their steps without an answer.
    GaveUp,
}

/// The error of a run that has used up its steps.
struct OutOfSteps;

/// A search among the entrants of a field.
pub(super) struct ExactSearch<'s> {
    field: &'s Field<'s>,
    /// The entrants whom an entrant has not met, by place.
    open: Vec<EntrantSet>,
    /// For each size of tables: the number of tables, and the number of seats of each. The largest size comes first.
    tables: Vec<(usize, usize)>,
    /// The entrants who may have a bye.
    may_sit_out: EntrantSet,
    steps: u32,
    /// Whether opponents are tried in an order by lot, and not by score.
    by_lot: bool,
    lots: Lots,
    /// States of the search from which no division was found: entrants who are not seated yet, with the tables that are
    /// left.
    failed: HashSet<(EntrantSet, Vec<usize>)>,
    seated: Vec<Vec<usize>>,
}

impl<'s> ExactSearch<'s> {
    /// Prepares a search for tables of these sizes. `sit_out` are the entrants who may have a bye, by index.
    pub(super) fn new(field: &'s Field<'s>, sizes: &[usize], sit_out: &[usize], lots: Lots) -> Self {
        let order = &field.order;
        let all_of = |holds: &dyn Fn(usize) -> bool| {
            (0..order.len()).filter(|place| holds(order[*place])).fold(0, |set: EntrantSet, place| set | 1 << place)
        };
        let mut tables: Vec<(usize, usize)> = Vec::new();
        for seats in sizes {
            match tables.last_mut() {
                Some((count, known)) if known == seats => *count += 1,
                _ => tables.push((1, *seats)),
            }
        }
        Self {
            field,
            open: order.iter().map(|own| all_of(&|other| other != *own && field.facts.met(*own, other) == 0)).collect(),
            tables,
            may_sit_out: all_of(&|index| sit_out.contains(&index)),
            steps: 0,
            by_lot: false,
            lots,
            failed: HashSet::new(),
            seated: Vec::new(),
        }
    }

    /// Makes the runs with these numbers. Run 0 prefers opponents with near scores; later runs try them in an order by
    /// lot.
    pub(super) fn answer(&mut self, runs: Range<usize>) -> SearchAnswer {
        for run in runs {
            self.by_lot = run > 0;
            self.steps = if run < SHORT_RUNS { SHORT } else { LONG };
            self.seated.clear();
            match self.seat(self.everybody()) {
                Ok(true) => {
                    let index = |place: &usize| self.field.order[*place];
                    let mut parts: Vec<Vec<usize>> =
                        self.seated.iter().map(|table| table.iter().map(index).collect()).collect();
                    let is_seated = |index: &usize| parts.iter().any(|table| table.contains(index));
                    let byes = self.field.order.iter().copied().filter(|index| !is_seated(index)).collect();
                    parts.sort_by_key(|table| std::cmp::Reverse(table.len()));
                    parts.push(byes);
                    return SearchAnswer::Found(parts);
                }
                Ok(false) => return SearchAnswer::Impossible,
                Err(OutOfSteps) => {}
            }
        }
        SearchAnswer::GaveUp
    }

    /// The entrants who need a seat. Entrants who may have a bye are left out if there are byes for all of them.
    fn everybody(&self) -> EntrantSet {
        let seats: usize = self.tables.iter().map(|(count, seats)| count * seats).sum();
        let all = (0..self.field.order.len()).fold(0, |set: EntrantSet, place| set | 1 << place);
        if size(all & !self.may_sit_out) == seats { all & !self.may_sit_out } else { all }
    }

    /// Seats the entrants of `rest` at the tables that are left. Returns whether that is possible.
    fn seat(&mut self, rest: EntrantSet) -> Result<bool, OutOfSteps> {
        let seats: usize = self.tables.iter().map(|(count, seats)| count * seats).sum();
        let Some(smallest) = self.tables.iter().filter(|(count, _)| *count > 0).map(|(_, seats)| *seats).min() else {
            return Ok(rest & !self.may_sit_out == 0);
        };
        self.steps = self.steps.checked_sub(1).ok_or(OutOfSteps)?;
        let key = (rest, self.tables.iter().map(|(count, _)| *count).collect::<Vec<_>>());
        if self.failed.contains(&key) {
            return Ok(false);
        }
        let mut byes = size(rest) - seats;
        let fewest = places(rest).map(|place| (size(self.open[place] & rest), place));
        let mut pivot = (usize::MAX, 0);
        for (opponents, place) in fewest {
            pivot = pivot.min((opponents, place));
            if opponents + 1 < smallest {
                // Too few possible opponents are left for a table with this entrant.
                if byes == 0 || self.may_sit_out >> place & 1 == 0 {
                    self.failed.insert(key);
                    return Ok(false);
                }
                byes -= 1;
            }
        }
        let (_, place) = pivot;
        let left = rest & !(1 << place);
        let opponents = self.in_order(self.open[place] & rest, place);
        for kind in 0..self.tables.len() {
            let (count, seats) = self.tables[kind];
            if count == 0 {
                continue;
            }
            self.tables[kind].0 -= 1;
            self.seated.push(vec![place]);
            let found = self.fill(left, self.open[place] & rest, &opponents, seats - 1);
            self.tables[kind].0 += 1;
            match found {
                Ok(false) => drop(self.seated.pop()),
                found => return found,
            }
        }
        if size(rest) > seats && self.may_sit_out >> place & 1 == 1 && self.seat(left)? {
            return Ok(true);
        }
        self.failed.insert(key);
        Ok(false)
    }

    /// Fills the last table with `missing` opponents, who have not met anybody at this table, and goes on with the
    /// other tables.
    fn fill(
        &mut self,
        rest: EntrantSet,
        open: EntrantSet,
        opponents: &[usize],
        missing: usize,
    ) -> Result<bool, OutOfSteps> {
        if missing == 0 {
            return self.seat(rest);
        }
        for (at, place) in opponents.iter().enumerate().filter(|(_, place)| open >> **place & 1 == 1) {
            self.seated.last_mut().expect("a table is being filled").push(*place);
            let found = self.fill(rest & !(1 << place), open & self.open[*place], &opponents[at + 1..], missing - 1);
            if !matches!(found, Ok(false)) {
                return found;
            }
            self.seated.last_mut().expect("a table is being filled").pop();
        }
        Ok(false)
    }

    /// The order in which opponents are tried: the nearest scores first, or by lot.
    fn in_order(&mut self, opponents: EntrantSet, own: usize) -> Vec<usize> {
        let mut order: Vec<usize> = places(opponents).collect();
        if self.by_lot {
            order.sort_by_cached_key(|_| self.lots.draw());
        } else {
            order.sort_by_key(|place| place.abs_diff(own));
        }
        order
    }
}

fn size(set: EntrantSet) -> usize {
    usize::try_from(set.count_ones()).unwrap_or(usize::MAX)
}

/// The places in a set, in rising order.
fn places(mut set: EntrantSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = usize::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
        set &= set - 1;
        Some(place)
    })
}
