//! The rounds of each entrant, as standings need them.

use crate::facts::Facts;
use crate::format::Tournament;
use crate::history::{Attendance, History};
use crate::outcome;
use crate::score::Score;

#[derive(Clone, Debug, Default)]
pub(super) struct EntrantRound {
    /// The number of the round, the first is 1.
    pub(super) round: usize,
    pub(super) points: Score,
    /// The opponents who came, by index, each with this entrant's result against the opponent in half points: 2 if the
    /// entrant finished above the opponent, 1 if the two share a place, 0 if the entrant finished below.
    pub(super) opponents: Vec<(usize, i64)>,
    /// The entrant's score, less the mean of the opponents' scores.
    pub(super) difference: Score,
    /// Whether the entrant finished above every opponent who came, and at least one opponent came.
    pub(super) is_won: bool,
}

/// The finished rounds of all entrants, by index. Left out are rounds before an entry, rounds after a withdrawal, and
/// tables whose result is missing.
pub(super) struct FinishedRounds {
    pub(super) lines: Vec<Vec<EntrantRound>>,
    /// Whether each entrant missed a round before the entry or after a withdrawal.
    pub(super) missed_some: Vec<bool>,
    /// The points of each entrant.
    pub(super) points: Vec<Score>,
}

impl FinishedRounds {
    /// Reads the first `rounds` rounds.
    pub(super) fn new(tournament: &Tournament, facts: &Facts<'_>, history: &History, rounds: usize) -> Self {
        let mut lines = vec![Vec::new(); facts.entrants.len()];
        let mut missed_some = vec![false; facts.entrants.len()];
        for (number, round) in (1..).zip(history.rounds.iter().take(rounds)) {
            let mut here: Vec<Option<EntrantRound>> = vec![None; facts.entrants.len()];
            let empty = |points| EntrantRound { round: number, points, ..EntrantRound::default() };
            let mut is_away = vec![false; facts.entrants.len()];
            for (index, entrant) in facts.entrants.iter().enumerate() {
                match history.presence(entrant.id, number) {
                    Attendance::Present => {}
                    Attendance::Absent => {
                        here[index] = Some(empty(Score::points(i64::from(tournament.points.absent))));
                    }
                    Attendance::Away => is_away[index] = true,
                }
            }
            for entrant in &round.byes {
                if let Ok(index) = facts.index(*entrant) {
                    here[index] = Some(empty(Score::points(i64::from(tournament.points.bye))));
                }
            }
            for table in &round.tables {
                let seats: Vec<usize> = table.seats.iter().filter_map(|seat| facts.index(*seat).ok()).collect();
                // Who withdraws in the middle of a round has a table in it.
                seats.iter().for_each(|index| is_away[*index] = false);
                let Some(result) = &table.result else {
                    seats.iter().for_each(|index| here[*index] = None);
                    continue;
                };
                let came = outcome::came(table);
                for (seat, index) in seats.iter().enumerate() {
                    let mut line = empty(outcome::points(&tournament.points, result, seat));
                    let others: Vec<usize> = came.iter().copied().filter(|other| *other != seat).collect();
                    if came.contains(&seat) && !others.is_empty() {
                        let count = i64::try_from(others.len()).expect("a table has at most four seats");
                        let own = Score::points(result[seat].score);
                        let mean = others.iter().map(|other| Score::points(result[*other].score)).sum::<Score>();
                        line.difference = own - mean.shared(count);
                        line.is_won = others.iter().all(|other| result[seat].place < result[*other].place);
                        let halves = |other: &usize| match result[seat].place.cmp(&result[*other].place) {
                            std::cmp::Ordering::Less => 2,
                            std::cmp::Ordering::Equal => 1,
                            std::cmp::Ordering::Greater => 0,
                        };
                        line.opponents = others.iter().map(|other| (seats[*other], halves(other))).collect();
                    }
                    here[*index] = Some(line);
                }
            }
            for (lines, line) in lines.iter_mut().zip(here) {
                lines.extend(line);
            }
            for (missed, is_away) in missed_some.iter_mut().zip(is_away) {
                *missed |= is_away;
            }
        }
        let points = lines.iter().map(|lines| lines.iter().map(|line| line.points).sum()).collect();
        Self { lines, missed_some, points }
    }
}
