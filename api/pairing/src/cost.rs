//! The costs of tables of three and four, and of byes. Divisions of the entrants are compared by the sums of these
//! costs, level by level.

use std::ops::{Add, AddAssign};

use super::beginning::BeginningClaim;
use super::facts::{Facts, float};
use super::lots::mix;
use super::score::Score;
use super::seating;
use super::why::Float;

/// The number of levels of a cost.
pub(super) const LEVELS: usize = 7;

/// Level of earlier meetings: each two entrants of a table cost 1 if they have met once, 3 if twice, 6 if three times.
pub(super) const MEETINGS: usize = 0;
/// Level of earlier byes: an entrant who gets a bye costs 1 after one earlier bye, 3 after two, 6 after three.
pub(super) const BYES: usize = 1;
/// Level of the score group of an entrant who gets a bye: 0 for the lowest group, 1 for the next one.
pub(super) const BYE_SCORE: usize = 2;
/// Level of beginnings: the number of entrants whose beginnings would be more than one away from their even share.
pub(super) const BEGINNINGS: usize = 3;
/// Level of score differences: for each two entrants of a table, the squared distance between their score groups.
pub(super) const SPREAD: usize = 4;
/// Level of floats: 2 for an entrant who floats in the same direction as in the last round, 1 for the direction of the
/// round before the last.
pub(super) const FLOATS: usize = 5;
/// Level of balance: for each entrant, the squared distance of the beginnings from the even share.
pub(super) const BALANCE: usize = 6;

/// The largest number of earlier meetings or byes that counts. A larger number costs no more.
const REPEATS: u64 = 31;
/// The cost of two entrants of an arena who would meet again at once: more than that of [`REPEATS`] meetings.
const AT_ONCE: u64 = 1 << 10;
/// The largest distance of score groups that counts. A larger distance costs no more.
const DISTANCE: u64 = 127;

/// A cost, the most important level first.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Cost(pub(super) [u64; LEVELS]);

impl Add for Cost {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        for (own, more) in self.0.iter_mut().zip(other.0) {
            *own += more;
        }
    }
}

impl Cost {
    /// The difference from another cost, level by level.
    pub(super) fn less(&self, other: Self) -> [i128; LEVELS] {
        std::array::from_fn(|level| i128::from(self.0[level]) - i128::from(other.0[level]))
    }

    /// Tells whether the cost contains a repeated meeting, or a bye after an earlier bye.
    pub(super) fn repeats(&self) -> bool {
        self.0[MEETINGS] > 0 || self.0[BYES] > 0
    }
}

/// The entrants of one round, with the data from which the costs of their tables are computed.
pub(super) struct Field<'f> {
    pub(super) facts: &'f Facts<'f>,
    /// The entrants to pair, by index: the highest scores first, equal scores in an order by lot.
    pub(super) order: Vec<usize>,
    /// Whether an entrant is paired in this round, by index.
    pub(super) is_present: Vec<bool>,
    /// The score group of each entrant, by index; 0 is the lowest group.
    group: Vec<u64>,
    pub(super) round: usize,
    /// In the last round of a Swiss tournament: the score above which an entrant is one of the leaders, which is half
    /// of the points that could be won.
    pub(super) leaders_above: Option<Score>,
    /// In an arena: how often those two of the entrants have met who have met least often.
    fewest_meetings: Option<u32>,
}

impl<'f> Field<'f> {
    /// Prepares the pairing of a round.
    pub(super) fn new(facts: &'f Facts<'f>, mut order: Vec<usize>, round: usize) -> Self {
        let (group, is_present) = (vec![0; facts.past.len()], vec![false; facts.past.len()]);
        let (leaders_above, fewest_meetings) = (None, None);
        let mut field = Field { facts, order: Vec::new(), is_present, group, round, leaders_above, fewest_meetings };
        order.sort_by_key(|index| (facts.past[*index].score, field.lot(*index, *index)));
        let mut group = 0;
        for (place, index) in order.iter().enumerate() {
            if place > 0 && facts.past[order[place - 1]].score != facts.past[*index].score {
                group += 1;
            }
            field.group[*index] = group;
            field.is_present[*index] = true;
        }
        order.reverse();
        field.order = order;
        field
    }

    /// Prepares the pairing of entrants of an arena.
    pub(super) fn arena(facts: &'f Facts<'f>, order: Vec<usize>, round: usize) -> Self {
        let mut field = Self::new(facts, order, round);
        let others = |at: usize| field.order[at + 1..].iter().map(move |other| (at, *other));
        let mut pairs = (0..field.order.len()).flat_map(others);
        let fewest = pairs.try_fold(u32::MAX, |fewest, (at, other)| match facts.met(field.order[at], other) {
            0 => None,
            met => Some(fewest.min(met)),
        });
        field.fewest_meetings = Some(fewest.unwrap_or(0));
        field
    }

    /// The cost of two entrants at the same table, by their earlier meetings. An arena has far more rounds than a Swiss
    /// tournament: there only meetings beyond the fewest cost something, and a meeting in the last game costs most.
    pub(super) fn meetings(&self, a: usize, b: usize) -> u64 {
        let met = self.facts.met(a, b);
        match self.fewest_meetings {
            None => triangle(met),
            Some(fewest) => triangle(met.saturating_sub(fewest)) + if self.facts.just_met(a, b) { AT_ONCE } else { 0 },
        }
    }

    pub(super) fn table(&self, members: &[usize]) -> Cost {
        let mut cost = Cost::default();
        for (at, a) in members.iter().enumerate() {
            for b in &members[at + 1..] {
                cost.0[MEETINGS] += self.meetings(*a, *b);
                cost.0[SPREAD] += self.group[*a].abs_diff(self.group[*b]).min(DISTANCE).pow(2);
            }
            let repeated = |(past, weight)| if self.float(*a, members) == past { weight } else { 0 };
            let floats = self.facts.past[*a].floats.into_iter().zip([2, 1]).filter(|(past, _)| past.is_some());
            cost.0[FLOATS] += floats.map(repeated).sum::<u64>();
        }
        (cost.0[BALANCE], cost.0[BEGINNINGS]) = seating::balance(self.facts, members);
        cost
    }

    pub(super) fn bye(&self, entrant: usize) -> Cost {
        let mut cost = Cost::default();
        cost.0[BYES] = triangle(self.facts.past[entrant].byes);
        cost.0[BYE_SCORE] = self.group[entrant];
        cost
    }

    /// The score group of an entrant; 0 is the lowest group.
    pub(super) fn group(&self, entrant: usize) -> u64 {
        self.group[entrant]
    }

    /// Tells whether an entrant is one of the leaders before the last round.
    pub(super) fn leads(&self, entrant: usize) -> bool {
        self.leaders_above.is_some_and(|score| self.facts.past[entrant].score > score)
    }

    /// Tells whether two entrants may not meet because both must have the same turn. Leaders in the last round may meet
    /// anybody.
    pub(super) fn clash(&self, pair: [usize; 2]) -> bool {
        let turn = |entrant: usize| {
            let preference = self.facts.past[entrant].preference()?;
            (preference.strength == BeginningClaim::Absolute).then_some(preference.begins)
        };
        turn(pair[0]).is_some_and(|begins| turn(pair[1]) == Some(begins)) && !pair.iter().any(|own| self.leads(*own))
    }

    /// The number of rounds so far in which an entrant did not play.
    pub(super) fn unplayed(&self, entrant: usize) -> u32 {
        let rounds = u32::try_from(self.round - 1).unwrap_or(u32::MAX);
        rounds.saturating_sub(self.facts.past[entrant].played)
    }

    /// The float of an entrant at a table. `members` contains the entrant, too.
    pub(super) fn float(&self, entrant: usize, members: &[usize]) -> Option<Float> {
        let score = |index: &usize| self.facts.past[*index].score.parts();
        float(score(&entrant), members.iter().map(score))
    }

    /// The random number of a pair of entrants in this round; the random number of one entrant if `a` and `b` are the
    /// same.
    pub(super) fn lot(&self, a: usize, b: usize) -> u64 {
        let round = u64::try_from(self.round).expect("a number of a round fits into 64 bits");
        let other = if a == b { 0 } else { self.facts.lots[b] };
        mix(self.facts.lots[a], other, round)
    }
}

/// The cost of this number of earlier meetings or byes: 0, 1, 3, 6, .. Each repetition costs more than the one before,
/// so that repetitions are spread over all entrants.
pub(super) fn triangle(times: u32) -> u64 {
    let times = u64::from(times).min(REPEATS);
    times * (times + 1) / 2
}
