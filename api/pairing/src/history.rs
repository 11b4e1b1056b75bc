//! The history of a tournament: rounds with their results, late entries, absences, withdrawals, returns.

use serde::{Deserialize, Serialize};

use super::entrant::EntrantId;
use super::error::TournamentError;
use super::round::{Bye, Round};
use super::why::ByeRule;

/// The rounds so far, and the late entries, absences and withdrawals.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The rounds that were paired, the first one first.
    pub rounds: Vec<PlayedRound>,
    /// Entrants who entered late, with the first round for which they are paired.
    pub late_entries: Vec<InRound>,
    /// Entrants who asked not to be paired in a round.
    pub absences: Vec<InRound>,
    /// Entrants who left the tournament, with the first round for which they are not paired.
    pub withdrawals: Vec<InRound>,
    /// Entrants who had left and came back, with the first round for which they are paired again. It is later than the
    /// round of the withdrawal.
    #[serde(default)]
    pub returns: Vec<InRound>,
}

/// An entrant and a round.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InRound {
    /// The entrant.
    pub entrant: EntrantId,
    /// The number of the round, the first is 1.
    pub round: usize,
}

/// A round that was paired.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedRound {
    /// The tables of the round.
    pub tables: Vec<PlayedTable>,
    /// The entrants with a bye.
    pub byes: Vec<EntrantId>,
    /// The entrants of an arena who were free and got no table. Waiting is no bye, and gives no points.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waits: Vec<EntrantId>,
}

impl PlayedRound {
    /// Makes a round of these tables. Of `byes`, those who wait in an arena have no bye.
    pub fn new(tables: Vec<PlayedTable>, byes: &[Bye]) -> Self {
        let (waits, byes): (Vec<&Bye>, Vec<&Bye>) = byes.iter().partition(|bye| bye.why.rule == ByeRule::Waits);
        let ids = |byes: Vec<&Bye>| byes.into_iter().map(|bye| bye.entrant).collect();
        Self { tables, byes: ids(byes), waits: ids(waits) }
    }
}

/// A table of a round, with its result once there is one.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedTable {
    /// The entrants in the order of their seats.
    pub seats: Vec<EntrantId>,
    /// The result, one entry for each seat.
    pub result: Option<Vec<SeatResult>>,
}

/// The result of one entrant at a table.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SeatResult {
    /// The place, the first is 1. Entrants who share a place have the same number, and the places after it are left
    /// out: 1, 2, 2, 4.
    pub place: usize,
    /// The score of the game, such as pawns home or cuts.
    pub score: i64,
    /// Whether the entrant did not come. Such an entrant gets the points for a no-show, and has met nobody.
    #[serde(default)]
    pub no_show: bool,
}

impl SeatResult {
    /// The result of an entrant who came and played.
    pub const fn played(place: usize, score: i64) -> Self {
        Self { place, score, no_show: false }
    }

    /// The result of an entrant who did not come.
    pub const fn no_show(place: usize) -> Self {
        Self { place, score: 0, no_show: true }
    }
}

/// Whether an entrant is paired in a round.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Attendance {
    /// The entrant is paired.
    Present,
    /// The entrant asked not to be paired.
    Absent,
    /// The entrant has not entered yet, or has withdrawn.
    Away,
}

impl History {
    /// Adds a pairing without results.
    pub fn add(&mut self, round: &Round) {
        let tables = round.tables.iter().map(|table| PlayedTable { seats: table.seats.clone(), result: None });
        self.rounds.push(PlayedRound::new(tables.collect(), &round.byes));
    }

    /// The number of the round that is paired next, the first is 1.
    pub fn next_round(&self) -> usize {
        self.rounds.len() + 1
    }

    /// Checks that the first `rounds` rounds have all their results.
    ///
    /// # Errors
    /// [`TournamentError::MissingResult`].
    pub(super) fn check_results(&self, rounds: usize) -> Result<(), TournamentError> {
        for (number, round) in (1..).zip(self.rounds.iter().take(rounds)) {
            for (table_number, table) in (1..).zip(&round.tables) {
                if table.result.is_none() {
                    return Err(TournamentError::MissingResult { round: number, table: table_number });
                }
            }
        }
        Ok(())
    }

    /// Returns the history; leaves out its last round if a table of that round has no result.
    pub(super) fn finished(&self) -> Self {
        let mut finished = self.clone();
        if finished.rounds.last().is_some_and(|round| round.tables.iter().any(|table| table.result.is_none())) {
            finished.rounds.pop();
        }
        finished
    }

    /// Tells whether an entrant is paired in the round with this number.
    pub fn is_present(&self, entrant: EntrantId, round: usize) -> bool {
        self.presence(entrant, round) == Attendance::Present
    }

    /// The first round for which an entrant is paired.
    pub(super) fn entered(&self, entrant: EntrantId) -> usize {
        self.late_entries.iter().find(|late| late.entrant == entrant).map_or(1, |late| late.round)
    }

    /// Whether an entrant is paired in the round with this number.
    pub(super) fn presence(&self, entrant: EntrantId, round: usize) -> Attendance {
        let last = |list: &[InRound]| {
            list.iter().filter(|noted| noted.entrant == entrant && noted.round <= round).map(|noted| noted.round).max()
        };
        let is_gone = last(&self.withdrawals) > last(&self.returns);
        if is_gone || round < self.entered(entrant) {
            Attendance::Away
        } else if self.absences.contains(&InRound { entrant, round }) {
            Attendance::Absent
        } else {
            Attendance::Present
        }
    }
}
