//! The criteria C1 to C21 of the Dutch system of FIDE (C.04.3, July 2025), judged from the history and a whole pairing.
//! Nothing here uses the costs and facts of the pairing that it judges.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use crate::{EntrantId, History, Round, Score};

/// The data about an entrant that an arbiter needs to pair the next round.
#[derive(Clone, Default)]
pub(super) struct Card {
    pub(super) points: Score,
    /// Byes, and rounds in which no opponent came.
    pub(super) byes: u32,
    /// Whether the entrant began, for each game.
    turns: Vec<bool>,
    /// The floats of the last round and of the one before: `Less` is down, `Greater` is up.
    floats: [Option<Ordering>; 2],
}

/// A pairing, or a part of one: each pair in any order.
pub(super) type Pairs = Vec<[EntrantId; 2]>;

/// The cards of all entrants before a round of a Swiss tournament with tables of two.
pub(super) struct Cards {
    cards: BTreeMap<EntrantId, Card>,
    present: Vec<EntrantId>,
    rounds: usize,
    is_last: bool,
}

/// The quality of a bracket by the criteria C6 to C21, the most important first. Scores stand in falling order.
type Quality = Vec<Vec<i64>>;

/// The pairs of a bracket, and their quality.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) pairs: Pairs,
    pub(super) quality: Quality,
}

/// The quality of the pairing of a whole round: C1, C2, C3, C5 for all pairs, and then that of each bracket.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) absolute: [i64; 4],
    pub(super) brackets: Vec<Judged>,
}

impl Verdict {
    /// Tells whether a pairing is at least as good as another one. They are compared bracket by bracket, down to the
    /// first one that they pair in different ways.
    pub(super) fn is_as_good_as(&self, other: &Self) -> bool {
        if self.absolute != other.absolute {
            return self.absolute < other.absolute;
        }
        let mut both = self.brackets.iter().zip(&other.brackets);
        both.find(|(own, other)| own.pairs != other.pairs).is_none_or(|(own, other)| own.quality <= other.quality)
    }
}

fn triangle(times: u32) -> i64 {
    i64::from(times * (times + 1) / 2)
}

impl Cards {
    /// Reads a history. `is_last` says whether the last round is to be paired.
    pub(super) fn new(history: &History, present: Vec<EntrantId>, is_last: bool) -> Self {
        let mut cards: BTreeMap<EntrantId, Card> = BTreeMap::new();
        let ids = history.rounds.iter().flat_map(|round| &round.tables).flat_map(|table| &table.seats);
        let ids: Vec<EntrantId> = ids.chain(&present).copied().collect();
        for round in &history.rounds {
            let before: BTreeMap<EntrantId, Score> = cards.iter().map(|(id, card)| (*id, card.points)).collect();
            let points = |id: &EntrantId| before.get(id).copied().unwrap_or_default();
            let mut floats: BTreeMap<EntrantId, Ordering> = BTreeMap::new();
            for table in &round.tables {
                let result = table.result.as_ref().unwrap();
                let came: Vec<usize> = (0..2).filter(|seat| !result[*seat].no_show).collect();
                for seat in &came {
                    let (own, other) = (table.seats[*seat], table.seats[1 - seat]);
                    let card = cards.entry(own).or_default();
                    let won = match result[*seat].place.cmp(&result[1 - seat].place) {
                        Ordering::Less => 6,
                        Ordering::Equal => 3,
                        Ordering::Greater => 0,
                    };
                    card.points += Score::points(won);
                    if came.len() == 1 {
                        card.byes += 1;
                        floats.insert(own, Ordering::Less);
                    } else {
                        card.turns.push(*seat == 0);
                        floats.insert(own, points(&other).cmp(&points(&own)));
                    }
                }
            }
            for bye in &round.byes {
                let card = cards.entry(*bye).or_default();
                card.points += Score::points(6);
                card.byes += 1;
                floats.insert(*bye, Ordering::Less);
            }
            for id in &ids {
                let card = cards.entry(*id).or_default();
                let float = floats.get(id).copied().filter(|float| float.is_ne());
                card.floats = [float, card.floats[0]];
            }
        }
        for id in ids {
            cards.entry(id).or_default();
        }
        Self { cards, present, rounds: history.rounds.len(), is_last }
    }

    pub(super) fn card(&self, id: EntrantId) -> &Card {
        &self.cards[&id]
    }

    fn points(&self, id: EntrantId) -> i64 {
        self.card(id).points.parts()
    }

    /// The scores of the entrants to pair, the highest first.
    fn scores(&self) -> Vec<i64> {
        let mut scores: Vec<i64> = self.present.iter().map(|id| self.points(*id)).collect();
        scores.sort_unstable_by_key(|score| Reverse(*score));
        scores.dedup();
        scores
    }

    /// Article 1.8: whether an entrant has more than half of the possible points before the last round.
    fn is_topscorer(&self, id: EntrantId) -> bool {
        let most = Score::points(6).parts() * i64::try_from(self.rounds).unwrap();
        self.is_last && 2 * self.points(id) > most
    }

    /// The number of games begun less the number of the entrant's other games.
    fn difference(&self, id: EntrantId) -> i64 {
        self.card(id).turns.iter().map(|begun| if *begun { 1 } else { -1 }).sum()
    }

    /// Article 1.7: whether an entrant should begin the next game, and how strong this preference is: 1 is mild, 2
    /// strong, 3 absolute. `None` before the first game of the entrant.
    pub(super) fn preference(&self, id: EntrantId) -> Option<(bool, u8)> {
        let (difference, turns) = (self.difference(id), &self.card(id).turns);
        let last = *turns.last()?;
        if difference.abs() > 1 {
            Some((difference < 0, 3))
        } else if turns.len() > 1 && turns[turns.len() - 2] == last {
            Some((!last, 3))
        } else if difference != 0 {
            Some((difference < 0, 2))
        } else {
            Some((!last, 1))
        }
    }

    /// C3: two entrants who are no topscorers have the same absolute preference.
    pub(super) fn is_forbidden(&self, [a, b]: [EntrantId; 2]) -> bool {
        let absolute = |id| self.preference(id).filter(|(_, strength)| *strength == 3).map(|(begins, _)| begins);
        let same = absolute(a).is_some() && absolute(a) == absolute(b);
        same && !self.is_topscorer(a) && !self.is_topscorer(b)
    }

    /// Article 5.2: which of two entrants begins; `None` if this depends on the order of the entrants.
    pub(super) fn begins(&self, [a, b]: [EntrantId; 2]) -> Option<EntrantId> {
        let wish = |id, begins: bool| Some(if begins == (id == a) { a } else { b });
        let ((begins, strength), (other, others)) = match (self.preference(a), self.preference(b)) {
            (None, None) => return None,
            (Some((begins, _)), None) => return wish(a, begins),
            (None, Some((begins, _))) => return wish(b, begins),
            (Some(own), Some(other)) => (own, other),
        };
        if begins != other {
            return wish(a, begins);
        }
        if strength != others {
            return wish(if strength > others { a } else { b }, begins);
        }
        if strength == 3 && self.difference(a).abs() != self.difference(b).abs() {
            return wish(if self.difference(a).abs() > self.difference(b).abs() { a } else { b }, begins);
        }
        let turns = |id| self.card(id).turns.iter().rev();
        if let Some((own, _)) = turns(a).zip(turns(b)).find(|(own, other)| own != other) {
            return wish(a, !own);
        }
        match self.points(a).cmp(&self.points(b)) {
            Ordering::Greater => wish(a, begins),
            Ordering::Less => wish(b, begins),
            Ordering::Equal => None,
        }
    }

    /// Judges a pairing of all entrants who are present.
    pub(super) fn judge(&self, met: impl Fn(EntrantId, EntrantId) -> u64, pairs: &[[EntrantId; 2]]) -> Verdict {
        let scores = self.scores();
        let alone = self.present.iter().copied().find(|id| !pairs.iter().flatten().any(|other| other == id));
        let meetings = pairs.iter().map(|[a, b]| triangle(u32::try_from(met(*a, *b)).unwrap())).sum();
        let forbidden = pairs.iter().filter(|pair| self.is_forbidden(**pair)).count();
        let absolute = [
            meetings,
            alone.map_or(0, |id| triangle(self.card(id).byes)),
            i64::try_from(forbidden).unwrap(),
            alone.map_or(0, |id| self.points(id)),
        ];
        let brackets = (0..scores.len()).map(|number| self.judge_bracket(&scores, number, pairs, alone)).collect();
        Verdict { absolute, brackets }
    }

    /// Judges one bracket. A pair belongs to the bracket of its lower score.
    fn judge_bracket(
        &self,
        scores: &[i64],
        number: usize,
        pairs: &[[EntrantId; 2]],
        alone: Option<EntrantId>,
    ) -> Judged {
        let own = scores[number];
        let lower = |pair: &[EntrantId; 2]| self.points(pair[0]).min(self.points(pair[1]));
        // Each pair has the higher score first.
        let sort = |pair: &[EntrantId; 2]| {
            if self.points(pair[0]) >= self.points(pair[1]) { *pair } else { [pair[1], pair[0]] }
        };
        let inside: Pairs = pairs.iter().filter(|pair| lower(pair) == own).map(sort).collect();
        // The entrants with at least this score who are not paired with an opponent of at least this score.
        let left = |score: i64| {
            let higher = pairs.iter().map(sort).filter(|pair| lower(pair) < score).map(|pair| pair[0]);
            let mut left: Vec<EntrantId> = higher.chain(alone).filter(|id| self.points(*id) >= score).collect();
            left.sort_unstable_by_key(|id| Reverse(self.points(*id)));
            left
        };
        let (floaters, next) = (left(own), scores.get(number + 1).map(|score| left(*score)).unwrap_or_default());
        let points = |ids: &[EntrantId]| ids.iter().map(|id| self.points(*id)).collect::<Vec<i64>>();
        let count = |found: usize| vec![i64::try_from(found).unwrap()];
        let mut quality = vec![count(floaters.len()), points(&floaters), count(next.len()), points(&next)];
        let unplayed = |id: &EntrantId| i64::try_from(self.rounds - self.card(*id).turns.len()).unwrap();
        quality.push(vec![match floaters[..] {
            [only] if Some(only) == alone => unplayed(&only),
            _ => 0,
        }]);
        quality.extend(self.judge_turns(&inside));
        let residents: Vec<EntrantId> = floaters.iter().copied().filter(|id| self.points(*id) == own).collect();
        let had = |id: &EntrantId, ago: usize, float: Ordering| self.card(*id).floats[ago] == Some(float);
        let moved: Pairs = inside.iter().filter(|pair| self.points(pair[0]) > own).copied().collect();
        for ago in [0, 1] {
            quality.push(count(residents.iter().filter(|id| had(id, ago, Ordering::Less)).count()));
            quality.push(count(moved.iter().filter(|pair| had(&pair[1], ago, Ordering::Greater)).count()));
        }
        for ago in [0, 1] {
            // Of entrants from above who floated down before, those who float again count more than those who are
            // paired here.
            let again = floaters.iter().filter(|id| self.points(**id) > own && had(id, ago, Ordering::Less));
            let mut differences: Vec<i64> = again.map(|id| self.points(*id) - own + (1 << 40)).collect();
            let paired = moved.iter().filter(|pair| had(&pair[0], ago, Ordering::Less));
            differences.extend(paired.map(|pair| self.points(pair[0]) - own));
            differences.sort_unstable_by_key(|difference| Reverse(*difference));
            quality.push(differences);
            let up = moved.iter().filter(|pair| had(&pair[1], ago, Ordering::Greater));
            let mut differences: Vec<i64> = up.map(|pair| self.points(pair[0]) - own).collect();
            differences.sort_unstable_by_key(|difference| Reverse(*difference));
            quality.push(differences);
        }
        let mut pairs: Pairs = inside.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        pairs.sort_unstable();
        Judged { pairs, quality }
    }

    /// C10 to C13.
    fn judge_turns(&self, pairs: &[[EntrantId; 2]]) -> [Vec<i64>; 4] {
        let mut counts = [0; 4];
        for pair in pairs {
            let first = self.begins(*pair).unwrap_or(pair[0]);
            for id in pair {
                let begins = *id == first;
                let after = self.difference(*id) + if begins { 1 } else { -1 };
                if pair.iter().any(|id| self.is_topscorer(*id)) {
                    counts[0] += i64::from(after.abs() > 2);
                    counts[1] += i64::from(self.card(*id).turns.ends_with(&[begins, begins]));
                }
                if let Some((wanted, strength)) = self.preference(*id).filter(|(wanted, _)| *wanted != begins) {
                    assert_ne!(wanted, begins);
                    counts[2] += 1;
                    counts[3] += i64::from(strength == 2);
                }
            }
        }
        counts.map(|count| vec![count])
    }
}

pub(super) fn pairs_of(round: &Round) -> Pairs {
    round.tables.iter().map(|table| [table.seats[0], table.seats[1]]).collect()
}
