//! Tables of three and four.
//!
//! Up to `EXHAUSTIVE` entrants, the division is the best of all. Larger fields use a local search:
//! 1. The byes go to the entrants with the fewest earlier byes, and among these to the lowest scores. The others fill
//!    the tables in the order of their scores.
//! 2. The entrants of any two tables that are at most `REACH` tables apart (of any two tables, if there are at most
//!    `ALL_REACH`) are divided between the two in the best way. This is repeated until it makes nothing cheaper, at
//!    most in `PASSES` passes.
//! 3. While two entrants meet again or an entrant has a second bye, in fields of at most `KICKED` entrants, tables with
//!    a repeated meeting exchange an entrant with a table drawn by lot, and step 2 is repeated, at most `KICKS` times.
//! 4. If there are still repeated meetings or second byes, steps 2 and 3 are repeated once, with the entrants who have
//!    byes treated as one more table.
//! 5. If entrants still meet again, fields of at most `exact::LARGEST` entrants are searched for a division in which
//!    nobody does (`exact.rs`), with the same byes at first and then with others. The divisions that are found are
//!    improved by step 2, and the best one is taken.
//! 6. In larger fields, and if that search gave up, the entrants of each table with a repeated meeting change places
//!    with the entrants of all other tables, as long as fewer meet again at the two tables.
//!
//! # What is promised
//! - Up to `exact::LARGEST` entrants, nobody meets again if any division into tables of these sizes avoids it, unless
//!   the search gave up. Then [`Division::is_proven`] is false, and the table says so. Tests compare fields of 12 to 24
//!   entrants with an exhaustive search; there it never gave up.
//! - In fields of any size, nobody meets again if there are more than 2 (k - 1) d + k entrants at tables of k, where
//!   nobody has met more than d others. Of the opponents with whom an entrant could change places, at most (k - 1) d
//!   have met somebody of the entrant's table, and at most (k - 1) d sit with somebody whom the entrant has met; k sit
//!   at the entrant's own table. With any other one, step 6 removes the meeting. After r rounds at tables of four, d is
//!   at most 3 r: a thousand entrants can play 55 rounds.
//! - How far scores, floats and beginnings are from the best is not bounded: a better division may exist that changes
//!   three tables or more at once.

use super::division::Division;
use super::exact::{self, SHORT_RUNS, SearchAnswer};
use crate::cost::{Cost, Field, LEVELS, MEETINGS};
use crate::format::TournamentSeed;
use crate::lots::Lots;

/// The number of entrants up to which all divisions are compared. These are at most 6,300 divisions (two tables of
/// three and two tables of two).
const EXHAUSTIVE: usize = 10;
/// The greatest distance, counted in tables, of two tables whose entrants are divided anew between the two.
const REACH: usize = 6;
/// The number of tables up to which the entrants of any two tables are divided anew, whatever the distance of the
/// tables.
const ALL_REACH: usize = 12;
/// The greatest number of passes in which the entrants of two tables are divided anew, over all tables.
const PASSES: usize = 24;
/// The number of entrants up to which the search is repeated after an exchange of entrants by lot.
const KICKED: usize = 100;
/// The greatest number of times that the search is repeated after an exchange of entrants by lot.
const KICKS: usize = 12;
/// The number of further divisions without repeated meetings from which the best one is taken.
const FURTHER: usize = 3;

/// Divides the entrants of a field into tables of these sizes. Entrants beyond the sum of the sizes get byes.
pub(super) fn divide(field: &Field<'_>, sizes: &[usize]) -> Division {
    let mut search = DivisionSearch::new(field, sizes);
    if field.order.len() <= EXHAUSTIVE {
        search.exhaust();
    } else {
        for with_byes in [false, true] {
            search.improve(with_byes);
            search.kick(with_byes);
            if !search.total().repeats() {
                break;
            }
        }
    }
    let is_proven = field.order.len() <= EXHAUSTIVE || search.keep_apart();
    let byes = search.parts.pop().expect("the last part are the byes");
    Division { tables: search.parts, byes, is_proven }
}

/// A division that the search changes. Its parts are the tables and, as the last part, the entrants with a bye.
struct DivisionSearch<'s> {
    field: &'s Field<'s>,
    parts: Vec<Vec<usize>>,
    costs: Vec<Cost>,
}

impl<'s> DivisionSearch<'s> {
    fn new(field: &'s Field<'s>, sizes: &[usize]) -> Self {
        // The byes go to the entrants with the fewest earlier byes, and among these to the lowest scores, which stand
        // last in the order of the field.
        let mut byes: Vec<usize> = (0..field.order.len()).rev().collect();
        byes.sort_by_key(|place| field.facts.past[field.order[*place]].byes);
        byes.truncate(field.order.len() - sizes.iter().sum::<usize>());
        let (left, seated): (Vec<usize>, Vec<usize>) = (0..field.order.len()).partition(|place| byes.contains(place));
        let order: Vec<usize> = seated.into_iter().chain(left).map(|place| field.order[place]).collect();
        let mut rest = &order[..];
        let mut parts = Vec::with_capacity(sizes.len() + 1);
        for size in sizes {
            let (table, below) = rest.split_at(*size);
            parts.push(table.to_vec());
            rest = below;
        }
        parts.push(rest.to_vec());
        let mut search = DivisionSearch { field, parts, costs: Vec::new() };
        search.costs = (0..search.parts.len()).map(|part| search.cost(part, &search.parts[part])).collect();
        search
    }

    /// The cost of a table with these members. The last `part` stands for the byes: the cost of byes for these members.
    fn cost(&self, part: usize, members: &[usize]) -> Cost {
        if part + 1 < self.parts.len() {
            self.field.table(members)
        } else {
            members.iter().fold(Cost::default(), |sum, entrant| sum + self.field.bye(*entrant))
        }
    }

    fn total(&self) -> Cost {
        self.costs.iter().fold(Cost::default(), |sum, cost| sum + *cost)
    }

    /// Compares all divisions, and keeps the one of least cost.
    fn exhaust(&mut self) {
        let sizes: Vec<usize> = self.parts.iter().map(Vec::len).collect();
        let mut best = (self.total(), self.parts.clone());
        let mut parts = vec![Vec::new(); sizes.len()];
        self.place(&self.field.order.clone(), &sizes, &mut parts, &mut best);
        self.parts = best.1;
    }

    /// Puts the first entrant of `rest` into every part that has room, one after the other, and each time places the
    /// other entrants in the same way. Of several empty tables of the same size, only the first is tried. Keeps the
    /// best complete division in `best`.
    fn place(&self, rest: &[usize], sizes: &[usize], parts: &mut [Vec<usize>], best: &mut (Cost, Vec<Vec<usize>>)) {
        let Some((entrant, rest)) = rest.split_first() else {
            let costs = parts.iter().enumerate().map(|(part, members)| self.cost(part, members));
            let cost = costs.fold(Cost::default(), |sum, cost| sum + cost);
            if cost < best.0 {
                *best = (cost, parts.to_vec());
            }
            return;
        };
        let mut tried_empty = [false; 5];
        for part in 0..parts.len() {
            let is_table = part + 1 < parts.len();
            let seen = is_table && parts[part].is_empty() && std::mem::replace(&mut tried_empty[sizes[part]], true);
            if parts[part].len() < sizes[part] && !seen {
                parts[part].push(*entrant);
                self.place(rest, sizes, parts, best);
                parts[part].pop();
            }
        }
    }

    /// Divides the entrants of any two near tables anew, until that lowers no cost. The entrants with byes take part
    /// only if `with_byes`.
    fn improve(&mut self, with_byes: bool) {
        let last = self.parts.len() - 1;
        let reach = if last <= ALL_REACH { last } else { REACH };
        // Two parts that have not changed since the last pass began need not be divided again.
        let mut changed = vec![true; self.parts.len()];
        for _ in 0..PASSES {
            let mut changes = vec![false; self.parts.len()];
            for a in 0..last {
                for b in (a + 1..last.min(a + reach + 1)).chain(with_byes.then_some(last)) {
                    let is_new = changed[a] || changed[b] || changes[a] || changes[b];
                    if is_new && !self.parts[b].is_empty() && self.divide_anew(a, b) {
                        (changes[a], changes[b]) = (true, true);
                    }
                }
            }
            if !changes.contains(&true) {
                return;
            }
            changed = changes;
        }
    }

    /// Divides the entrants of two parts between the two in the best way. Returns whether that lowers the cost.
    fn divide_anew(&mut self, a: usize, b: usize) -> bool {
        let pool = [&self.parts[a][..], &self.parts[b][..]].concat();
        let (size, mut best) = (self.parts[a].len(), self.costs[a] + self.costs[b]);
        let mut found = None;
        let (mut left, mut right) = (Vec::with_capacity(4), Vec::with_capacity(4));
        for chosen in (0u32..1 << pool.len()).filter(|chosen| chosen.count_ones() == u32::try_from(size).unwrap_or(0)) {
            left.clear();
            right.clear();
            for (bit, entrant) in pool.iter().enumerate() {
                if chosen >> bit & 1 == 1 { left.push(*entrant) } else { right.push(*entrant) }
            }
            let own = self.cost(a, &left);
            if own >= best {
                continue;
            }
            let costs = [own, self.cost(b, &right)];
            if costs[0] + costs[1] < best {
                best = costs[0] + costs[1];
                found = Some((left.clone(), right.clone(), costs));
            }
        }
        let is_cheaper = found.is_some();
        if let Some((left, right, costs)) = found {
            (self.parts[a], self.parts[b]) = (left, right);
            (self.costs[a], self.costs[b]) = (costs[0], costs[1]);
        }
        is_cheaper
    }

    fn meets_again(&self) -> bool {
        self.total().0[MEETINGS] > 0
    }

    /// If somebody meets again, looks for a division in which nobody does. Returns false if a better division may still
    /// exist.
    fn keep_apart(&mut self) -> bool {
        if !self.meets_again() {
            return true;
        }
        let (order, past) = (&self.field.order, &self.field.facts.past);
        if order.len() <= exact::LARGEST {
            let sizes: Vec<usize> = self.parts[..self.parts.len() - 1].iter().map(Vec::len).collect();
            let own = self.parts.last().cloned().unwrap_or_default();
            let most = own.iter().map(|index| past[*index].byes).max().unwrap_or(0);
            let with_few = order.iter().copied().filter(|index| past[*index].byes <= most).collect();
            let all = if own.is_empty() { Vec::new() } else { order.clone() };
            for (sit_out, runs) in [(own, SHORT_RUNS), (with_few, SHORT_RUNS), (all, SHORT_RUNS + 1)] {
                let mut search = exact::ExactSearch::new(self.field, &sizes, &sit_out, self.lots(1));
                match search.answer(0..runs) {
                    SearchAnswer::Found(parts) => {
                        self.take_best(parts, &mut search);
                        return true;
                    }
                    SearchAnswer::Impossible if runs > SHORT_RUNS => return true,
                    SearchAnswer::Impossible | SearchAnswer::GaveUp => {}
                }
            }
        }
        self.exchange_all();
        !self.meets_again()
    }

    /// Takes the cheapest of some divisions in which nobody meets again, each of them improved.
    fn take_best(&mut self, first: Vec<Vec<usize>>, search: &mut exact::ExactSearch<'_>) {
        let mut best: Option<(Cost, Vec<Vec<usize>>)> = None;
        let further = (1..=FURTHER).filter_map(|run| match search.answer(run..run + 1) {
            SearchAnswer::Found(parts) => Some(parts),
            SearchAnswer::Impossible | SearchAnswer::GaveUp => None,
        });
        for parts in std::iter::once(first).chain(further) {
            self.parts = parts;
            self.costs = (0..self.parts.len()).map(|part| self.cost(part, &self.parts[part])).collect();
            self.improve(true);
            let cost = self.total();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, self.parts.clone()));
            }
        }
        self.parts = best.map(|(_, parts)| parts).unwrap_or_default();
        self.costs = (0..self.parts.len()).map(|part| self.cost(part, &self.parts[part])).collect();
    }

    /// Lets the entrants of tables with a repeated meeting change places with those of all other tables, as long as
    /// fewer meet again at the two tables.
    fn exchange_all(&mut self) {
        let tables = self.parts.len() - 1;
        for a in 0..tables {
            while self.costs[a].0[MEETINGS] > 0 {
                let mut best: Option<([i128; LEVELS], [usize; 3], [Cost; 2])> = None;
                for (own, b) in (0..self.parts[a].len()).flat_map(|own| (0..tables).map(move |b| (own, b))) {
                    for other in (0..self.parts[b].len()).filter(|_| a != b) {
                        let (mut left, mut right) = (self.parts[a].clone(), self.parts[b].clone());
                        std::mem::swap(&mut left[own], &mut right[other]);
                        let after = [self.cost(a, &left), self.cost(b, &right)];
                        let change = (after[0] + after[1]).less(self.costs[a] + self.costs[b]);
                        if change[MEETINGS] < 0 && best.as_ref().is_none_or(|(least, ..)| change < *least) {
                            best = Some((change, [own, b, other], after));
                        }
                    }
                }
                let Some((_, [own, b, other], costs)) = best else { break };
                let moved = self.parts[a][own];
                self.parts[a][own] = std::mem::replace(&mut self.parts[b][other], moved);
                (self.costs[a], self.costs[b]) = (costs[0], costs[1]);
            }
        }
    }

    /// A stream of lots for this round.
    fn lots(&self, number: u64) -> Lots {
        let round = u64::try_from(self.field.round).expect("a number of a round fits into 64 bits");
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.field.facts.lots[self.field.order[0]].to_le_bytes());
        seed[8] = u8::try_from(number).unwrap_or(u8::MAX);
        Lots::new(TournamentSeed(seed), round)
    }

    /// Repeats the search while entrants meet again: each table with a repeated meeting exchanges an entrant with a
    /// table drawn by lot, and the search goes on from there. Keeps the best division.
    fn kick(&mut self, with_byes: bool) {
        let mut lots = self.lots(0);
        let mut best = (self.total(), self.parts.clone(), self.costs.clone());
        for _ in 0..KICKS {
            if !best.0.repeats() || self.field.order.len() > KICKED {
                break;
            }
            let tables = self.parts.len() - 1;
            for a in (0..tables).filter(|table| self.costs[*table].repeats()).collect::<Vec<_>>() {
                let b = lots.below(tables);
                if a != b {
                    let (own, other) = (lots.below(self.parts[a].len()), lots.below(self.parts[b].len()));
                    let moved = self.parts[a][own];
                    self.parts[a][own] = std::mem::replace(&mut self.parts[b][other], moved);
                }
            }
            self.costs = (0..self.parts.len()).map(|part| self.cost(part, &self.parts[part])).collect();
            self.improve(with_byes);
            if self.total() < best.0 {
                best = (self.total(), self.parts.clone(), self.costs.clone());
            } else {
                (self.parts, self.costs) = (best.1.clone(), best.2.clone());
            }
        }
        (self.parts, self.costs) = (best.1, best.2);
    }
}
