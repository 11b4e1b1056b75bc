//! The seeds of a bracket after groups: entrants of the same group, the mates, meet as late as possible.
//!
//! The winners of the groups have the first seeds, in the order of the groups; the second places have the next ones,
//! and so on. So the winners have the byes and meet last, whatever follows. What is left to decide is which group gets
//! which seed of a row, a row being the entrants with the same place in their groups:
//! 1. Row by row, each seed gets that group of which fewest entrants are in the same half of the bracket; if several
//!    are equal, in the same quarter, and so on; if they are still equal, the first of the groups.
//! 2. After each row, any two entrants of a row change their seeds if fewer mates are then in the same halves; if as
//!    many, in the same quarters, and so on. This is repeated until no exchange helps.
//!
//! Tests show that with up to four entrants of a group, and 2 to 8 groups, no half has more than half of a group's
//! entrants, rounded up, and no quarter more than a quarter of them. For larger numbers this is not promised.

/// An entrant who goes on from a group, by index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Qualifier {
    pub(super) index: usize,
    /// The index of the group.
    pub(super) group: usize,
}

/// Orders the entrants who go on, the strongest first. `rows` has the winners of the groups, then the second places,
/// and so on. `places` has the place of each seed in the first round of the bracket, whose tables have `seats` places.
pub(super) fn seeds(rows: Vec<Vec<Qualifier>>, places: &[usize], seats: usize) -> Vec<usize> {
    let groups = rows.iter().flatten().map(|qualifier| qualifier.group + 1).max().unwrap_or(0);
    let all = places.iter().map(|place| place + 1).max().unwrap_or(0).next_power_of_two();
    let sizes = std::iter::successors(Some(all / 2), |size| Some(size / 2)).take_while(|size| *size >= seats);
    let parts = sizes.map(|size| PartCounts { size, groups, counts: vec![0; all / size * groups] }).collect();
    let mut bracket = MateBracket { places, parts, seeds: Vec::with_capacity(places.len()) };
    let mut from = Vec::new();
    for row in rows {
        from.push(bracket.seeds.len());
        bracket.add(row);
        bracket.improve(&from);
    }
    bracket.seeds.into_iter().map(|qualifier| qualifier.index).collect()
}

/// How many entrants of each group are in each part of the bracket: in each half, or in each quarter, and so on.
struct PartCounts {
    /// The number of places of a part.
    size: usize,
    groups: usize,
    counts: Vec<u32>,
}

impl PartCounts {
    fn at(&self, place: usize, group: usize) -> usize {
        place / self.size * self.groups + group
    }

    fn count(&self, place: usize, group: usize) -> u32 {
        self.counts[self.at(place, group)]
    }
}

/// The seeds that have been given so far.
struct MateBracket<'m> {
    places: &'m [usize],
    /// The halves of the bracket, then its quarters, down to its tables.
    parts: Vec<PartCounts>,
    seeds: Vec<Qualifier>,
}

impl MateBracket<'_> {
    /// Gives the next seeds to the entrants of a row.
    fn add(&mut self, mut row: Vec<Qualifier>) {
        while !row.is_empty() {
            let place = self.places[self.seeds.len()];
            let mates =
                |at: &usize| self.parts.iter().map(|part| part.count(place, row[*at].group)).collect::<Vec<_>>();
            let Some(next) = (0..row.len()).min_by_key(mates) else { break };
            let qualifier = row.remove(next);
            self.seeds.push(qualifier);
            self.change(place, qualifier.group, 1);
        }
    }

    /// Exchanges entrants of the same row until no exchange moves mates apart. `from` has the first seed of each row.
    fn improve(&mut self, from: &[usize]) {
        let mut is_better = true;
        while std::mem::take(&mut is_better) {
            for (row, first) in from.iter().enumerate().skip(1) {
                let end = from.get(row + 1).copied().unwrap_or(self.seeds.len());
                for a in *first..end {
                    for b in a + 1..end {
                        if self.moves_apart(a, b) {
                            self.exchange(a, b);
                            is_better = true;
                        }
                    }
                }
            }
        }
    }

    /// Tells whether an exchange of two seeds leaves fewer mates in the largest parts that it changes.
    fn moves_apart(&self, a: usize, b: usize) -> bool {
        let [(here, own), (there, other)] = [a, b].map(|seed| (self.places[seed], self.seeds[seed].group));
        for part in self.parts.iter().filter(|part| here / part.size != there / part.size) {
            // The entrants themselves are no mates of their own.
            let now = part.count(here, own) + part.count(there, other) - 2;
            let after = part.count(here, other) + part.count(there, own);
            if now != after {
                return after < now;
            }
        }
        false
    }

    fn exchange(&mut self, a: usize, b: usize) {
        for seed in [a, b] {
            self.change(self.places[seed], self.seeds[seed].group, -1);
        }
        self.seeds.swap(a, b);
        for seed in [a, b] {
            self.change(self.places[seed], self.seeds[seed].group, 1);
        }
    }

    fn change(&mut self, place: usize, group: usize, by: i32) {
        for part in &mut self.parts {
            let at = part.at(place, group);
            part.counts[at] =
                part.counts[at].checked_add_signed(by).expect("only entrants who are there are taken out");
        }
    }
}
