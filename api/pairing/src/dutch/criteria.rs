//! The criteria C1 to C21 for the pairs of one bracket, as levels of a cost.

use crate::beginning::{BeginningClaim, STEP, first};
use crate::cost::{Field, triangle};
use crate::score::Score;
use crate::why::Float;

use super::matching::Costs;

/// The largest cost of lots.
const LOT: u64 = 63;

/// Where an entrant stands while a bracket is paired.
#[derive(Clone, Copy, Eq, PartialEq)]
enum BracketPlace {
    /// In the bracket, from a higher score group, with the number of the score: 0 is the highest.
    Moved(usize),
    /// In the bracket, of the score group of the bracket.
    Resident,
    /// In the next score group.
    Next,
    /// In a score group below the next one.
    Below,
}

/// The first level of each criterion. A criterion that compares scores has one level for each score.
struct Levels {
    scores: usize,
}

impl Levels {
    const MEETINGS: usize = 0;
    const SECOND_BYES: usize = 1;
    const SAME_TURN: usize = 2;
    const BYE_SCORE: usize = 3;
    const FLOATERS: usize = 4;
    const FLOATERS_SCORES: usize = 5;

    const fn next_floaters(&self) -> usize {
        Self::FLOATERS_SCORES + self.scores
    }
    /// The level of criterion C9; those of C10 to C17 follow.
    const fn unplayed(&self) -> usize {
        self.next_floaters() + 1 + self.scores + 1
    }
    /// The level of one of the criteria C10 to C17, and of the first score of C18 to C21.
    const fn criterion(&self, number: usize) -> usize {
        match number {
            ..18 => self.unplayed() + number - 9,
            _ => self.unplayed() + 9 + (number - 18) * self.scores,
        }
    }
    const fn lots(&self) -> usize {
        self.criterion(22)
    }
}

/// A bracket, and those lower entrants who are needed to find out which entrants can leave it.
pub(super) struct ScoreBracket {
    /// Entrants of higher score groups who have not been paired, the highest score first.
    pub(super) moved: Vec<usize>,
    /// The entrants of the score group.
    pub(super) residents: Vec<usize>,
    /// The entrants of the next score group.
    pub(super) next: Vec<usize>,
    /// Entrants of lower score groups.
    pub(super) below: Vec<usize>,
}

/// The best pairing of a bracket.
#[derive(Debug, Default)]
pub(super) struct Paired {
    /// The pairs of the bracket.
    pub(super) pairs: Vec<[usize; 2]>,
    /// The entrants of the bracket without an opponent in it, the highest score first.
    pub(super) floaters: Vec<usize>,
}

impl ScoreBracket {
    fn sides(&self) -> impl Iterator<Item = usize> {
        [&self.moved, &self.residents, &self.next, &self.below].into_iter().flatten().copied()
    }

    /// Pairs the bracket. An odd number of entrants is completed by the bye.
    pub(super) fn pair(&self, field: &Field<'_>) -> Paired {
        let first = self.pair_with(field, false);
        // C9 belongs to a bracket from which exactly one entrant leaves, who then gets the bye.
        let sides = self.sides().count();
        if first.floaters.len() == 1 && sides % 2 == 1 { self.pair_with(field, true) } else { first }
    }

    fn pair_with(&self, field: &Field<'_>, counts_unplayed: bool) -> Paired {
        let sides: Vec<usize> = self.sides().collect();
        let criteria = Criteria::new(field, self, counts_unplayed);
        let count = sides.len() + sides.len() % 2;
        let mut costs = Costs::new(count, criteria.levels.lots() + 1);
        for a in 0..sides.len() {
            for b in a + 1..sides.len() {
                criteria.judge([sides[a], sides[b]], [criteria.places[a], criteria.places[b]], costs.pair(a, b));
            }
            if count > sides.len() {
                criteria.judge_bye(sides[a], criteria.places[a], costs.pair(a, sides.len()));
            }
        }
        let mates = costs.matching();
        let inside = self.moved.len() + self.residents.len();
        let mut paired = Paired::default();
        for a in 0..inside {
            if mates[a] >= inside {
                paired.floaters.push(sides[a]);
            } else if a < mates[a] {
                paired.pairs.push([sides[a], sides[mates[a]]]);
            }
        }
        paired
    }
}

struct Criteria<'c> {
    field: &'c Field<'c>,
    levels: Levels,
    places: Vec<BracketPlace>,
    /// Whether C9 counts.
    counts_unplayed: bool,
}

impl<'c> Criteria<'c> {
    fn new(field: &'c Field<'c>, bracket: &ScoreBracket, counts_unplayed: bool) -> Self {
        let score = |entrant: &usize| field.facts.past[*entrant].score;
        let mut scores: Vec<Score> = bracket.moved.iter().map(score).collect();
        scores.dedup();
        let number = |entrant: &usize| scores.iter().position(|known| *known == score(entrant)).unwrap_or(0);
        let mut places: Vec<BracketPlace> =
            bracket.moved.iter().map(|entrant| BracketPlace::Moved(number(entrant))).collect();
        places.extend(bracket.residents.iter().map(|_| BracketPlace::Resident));
        places.extend(bracket.next.iter().map(|_| BracketPlace::Next));
        places.extend(bracket.below.iter().map(|_| BracketPlace::Below));
        Self { field, levels: Levels { scores: scores.len() }, places, counts_unplayed }
    }

    /// Adds the costs of two entrants who sit together, the entrant with the higher score first.
    fn judge(&self, pair: [usize; 2], places: [BracketPlace; 2], costs: &mut [u32]) {
        costs[Levels::MEETINGS] = cost(self.field.meetings(pair[0], pair[1]));
        costs[Levels::SAME_TURN] = u32::from(self.field.clash(pair));
        match places {
            [BracketPlace::Moved(_) | BracketPlace::Resident, BracketPlace::Moved(_) | BracketPlace::Resident] => {
                self.judge_turns(pair, costs);
                if let [BracketPlace::Moved(score), BracketPlace::Resident] = places {
                    self.judge_opponent(pair[1], score, costs);
                }
                costs[self.levels.lots()] = cost(self.field.lot(pair[0], pair[1]) & LOT);
            }
            [BracketPlace::Moved(_) | BracketPlace::Resident, BracketPlace::Next] => {
                self.leave(pair[0], places[0], costs)
            }
            [BracketPlace::Moved(_) | BracketPlace::Resident, BracketPlace::Below] => {
                self.leave(pair[0], places[0], costs);
                self.leave_next(places[0], costs);
            }
            [BracketPlace::Next, BracketPlace::Below] => self.leave_next(BracketPlace::Next, costs),
            _ => {}
        }
    }

    /// Adds the costs of an entrant who gets the bye.
    fn judge_bye(&self, entrant: usize, place: BracketPlace, costs: &mut [u32]) {
        let past = &self.field.facts.past[entrant];
        costs[Levels::SECOND_BYES] = cost(triangle(past.byes));
        costs[Levels::BYE_SCORE] = cost(self.field.group(entrant));
        costs[self.levels.lots()] = cost(self.field.lot(entrant, entrant) & LOT);
        if matches!(place, BracketPlace::Moved(_) | BracketPlace::Resident) {
            self.leave(entrant, place, costs);
            if self.counts_unplayed {
                costs[self.levels.unplayed()] = self.field.unplayed(entrant);
            }
        }
        if place != BracketPlace::Below {
            self.leave_next(place, costs);
        }
    }

    /// Adds the costs of an entrant who leaves the bracket: C6, C7, C14, C16, C18, C20.
    fn leave(&self, entrant: usize, place: BracketPlace, costs: &mut [u32]) {
        costs[Levels::FLOATERS] += 1;
        for (ago, float) in self.field.facts.past[entrant].floats.iter().enumerate() {
            let again = u32::from(*float == Some(Float::Down));
            match place {
                BracketPlace::Moved(score) => costs[self.levels.criterion(18 + 2 * ago) + score] += again,
                _ => costs[self.levels.criterion(14 + 2 * ago)] += again,
            }
        }
        if let BracketPlace::Moved(score) = place {
            costs[Levels::FLOATERS_SCORES + score] += 1;
        }
    }

    /// Adds the cost of an entrant who would leave the next bracket, too: C8.
    fn leave_next(&self, place: BracketPlace, costs: &mut [u32]) {
        let scores = self.levels.next_floaters() + 1;
        costs[self.levels.next_floaters()] += 1;
        match place {
            BracketPlace::Moved(score) => costs[scores + score] += 1,
            BracketPlace::Resident => costs[scores + self.levels.scores] += 1,
            BracketPlace::Next | BracketPlace::Below => {}
        }
    }

    /// Adds the costs of a resident who meets an entrant from a higher score group: C15, C17, C19, C21.
    fn judge_opponent(&self, resident: usize, score: usize, costs: &mut [u32]) {
        for (ago, float) in self.field.facts.past[resident].floats.iter().enumerate() {
            let again = u32::from(*float == Some(Float::Up));
            costs[self.levels.criterion(15 + 2 * ago)] += again;
            costs[self.levels.criterion(19 + 2 * ago) + score] += again;
        }
    }

    /// Adds the costs of the turns of two entrants who sit together: C10 to C13.
    fn judge_turns(&self, pair: [usize; 2], costs: &mut [u32]) {
        let past = |entrant: usize| &self.field.facts.past[entrant];
        let preferences = pair.map(|entrant| past(entrant).preference());
        if let [Some(a), Some(b)] = preferences
            && a.begins != b.begins
        {
            return;
        }
        let order = first(self.field.facts, pair, self.field.round);
        let has_leader = pair.iter().any(|entrant| self.field.leads(*entrant));
        for (entrant, begins) in order.into_iter().zip([true, false]) {
            let due = past(entrant).due + if begins { STEP } else { -STEP };
            let is_third = past(entrant).turns.ends_with(&[begins, begins]);
            costs[self.levels.criterion(10)] += u32::from(has_leader && due.abs() > 2 * STEP);
            costs[self.levels.criterion(11)] += u32::from(has_leader && is_third);
            if let Some(preference) = past(entrant).preference()
                && preference.begins != begins
            {
                costs[self.levels.criterion(12)] += 1;
                costs[self.levels.criterion(13)] += u32::from(preference.strength == BeginningClaim::Strong);
            }
        }
    }
}

fn cost(cost: u64) -> u32 {
    u32::try_from(cost).unwrap_or(u32::MAX)
}
