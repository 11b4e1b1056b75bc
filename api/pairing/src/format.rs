//! The forms of tournaments, and everything that is settled before the first round.

use serde::{Deserialize, Serialize};

use super::entrant::Entrant;
use super::error::TournamentError;
use super::playable::Playable;
use super::score::Points;

/// The number of entrants at a full table.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TableSize {
    /// Two entrants: two people, or two partnerships.
    Two,
    /// Three entrants.
    Three,
    /// Four entrants.
    Four,
}

impl TableSize {
    /// The number of seats for entrants.
    pub const fn seats(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
        }
    }

    /// The number of entrants at the smallest table of a division.
    pub(super) fn smallest(self, smaller_tables: bool, playable: &Playable) -> usize {
        let smaller = if smaller_tables { playable.smaller(self) } else { None };
        smaller.unwrap_or(self.seats())
    }
}

/// The form of a tournament.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
pub enum Format {
    /// All entrants meet all others. Tables of two follow the Berger tables; larger tables follow a rotation of a
    /// balanced first round. If entrants of a table of three or four are absent, the largest number of the others for
    /// which the rule set has a table plays; entrants who are left over in a round share further tables.
    RoundRobin {
        /// The size of a table.
        table: TableSize,
        /// How many times the whole schedule is played.
        cycles: u32,
    },
    /// Entrants with similar scores meet. Two entrants meet again only if that cannot be avoided.
    Swiss {
        /// The size of a table.
        table: TableSize,
        /// Whether a table may have one seat fewer, so that fewer entrants have a bye; two fewer, if no table with one
        /// seat fewer can be played. If too few entrants are left for any table, they play at the largest table that
        /// they can fill, in any case.
        smaller_tables: bool,
        /// The number of rounds.
        rounds: u32,
    },
    /// Losers leave the tournament.
    KnockOut(KnockOut),
    /// A round robin in each of several groups, then a knock-out of the best of each group. The winners of the groups
    /// have the first seeds, and entrants of the same group meet as late as possible.
    Groups {
        /// The number of groups.
        groups: u32,
        /// The size of a table in the groups.
        table: TableSize,
        /// How many times the schedule of a group is played.
        cycles: u32,
        /// How many entrants of each group go on.
        advance: u32,
        /// The knock-out that follows the groups.
        then: KnockOut,
    },
    /// Entrants who are free play at once, those who have waited longest and played least first, see
    /// [`pair_free`](super::pair_free).
    Arena {
        /// The size of a table.
        table: TableSize,
        /// Whether tables may be smaller, as in a Swiss tournament, so that fewer entrants wait.
        smaller_tables: bool,
    },
}

impl Format {
    /// Checks that the full tables can be played.
    ///
    /// # Errors
    /// [`TournamentError::NoTable`].
    pub(super) fn check_table_sizes(&self, playable: &Playable) -> Result<(), TournamentError> {
        let of_knock_out = |form: &KnockOut| match form {
            KnockOut::Duels { .. } => TableSize::Two,
            KnockOut::Fours => TableSize::Four,
        };
        let (size, then) = match self {
            Self::RoundRobin { table, .. } | Self::Swiss { table, .. } | Self::Arena { table, .. } => (*table, None),
            Self::KnockOut(form) => (of_knock_out(form), None),
            Self::Groups { table, then, .. } => (*table, Some(of_knock_out(then))),
        };
        let missing = std::iter::once(size).chain(then).find(|size| !playable.has(size.seats()));
        missing.map_or(Ok(()), |size| Err(TournamentError::NoTable(size.seats())))
    }
}

/// The form of a knock-out.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "form")]
pub enum KnockOut {
    /// Two entrants at a table. The winner of a series of games goes on.
    Duels {
        /// The greatest number of games of a series.
        best_of: u32,
        /// Whether the losers of the semi-finals play for the third place, in the round of the final.
        third_place: bool,
    },
    /// Four entrants at a table. The first two go on. If one place of a table is empty, three entrants play; if two or
    /// more are empty, the others go on without a game, except in the final.
    ///
    /// If no table of three can be played, one of the three goes on without a game, and the other two play for the
    /// second place: in the final, too, so that a final of two follows. If no table of two can be played either, the
    /// order of the bracket decides among two or three who are left of a table.
    Fours,
}

impl KnockOut {
    /// Checks the settings.
    ///
    /// # Errors
    /// [`TournamentError::Format`] for a series of an even number of games, which may have no winner.
    pub(super) const fn check(&self) -> Result<(), TournamentError> {
        match self {
            Self::Duels { best_of, .. } if *best_of % 2 == 0 => {
                Err(TournamentError::Format("the number of games of a series has to be odd"))
            }
            Self::Duels { .. } | Self::Fours => Ok(()),
        }
    }

    /// Returns the number of seats of a table that a knock-out of this number of entrants needs, and that cannot be
    /// played; `None` if the knock-out can be played to its end, as long as nobody leaves.
    pub fn missing_table(&self, entrants: usize, playable: &Playable) -> Option<usize> {
        let is_even = entrants.is_multiple_of(2);
        match self {
            Self::Duels { .. } => (!playable.has(2)).then_some(2),
            Self::Fours if playable.has(2) => None,
            // Tables of two are needed by a final of two only: elsewhere both entrants go on without a game.
            Self::Fours if entrants == 2 => Some(2),
            Self::Fours => (!is_even && !playable.has(3)).then_some(3),
        }
    }

    /// Checks that all tables of a knock-out of `found` entrants can be played, as long as nobody leaves.
    ///
    /// # Errors
    /// [`TournamentError::NoTableInBracket`].
    pub(super) fn check_table_sizes(&self, found: usize, playable: &Playable) -> Result<(), TournamentError> {
        self.missing_table(found, playable)
            .map_or(Ok(()), |seats| Err(TournamentError::NoTableInBracket { found, seats }))
    }
}

/// The order of the entrants before the first round: the numbers of a round robin, the seeds of a bracket or of groups.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Seeding {
    /// The order of the list of entrants, the strongest first.
    AsListed,
    /// An order by lot.
    Lots,
}

/// A rule that orders entrants with equal points.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The sum over all rounds of the opponents' points in the whole tournament. At a table of three or four, the mean
    /// of the opponents counts. Opponents who did not come are left out. In a round without opponents, the entrant's own
    /// points count.
    Buchholz,
    /// The sum of `Buchholz` without the round that adds least. A round before an entry or after a withdrawal adds
    /// nothing, and is left out first.
    BuchholzCut1,
    /// The sum over all rounds of the points of opponents who finished below the entrant, and half of the points of
    /// opponents who shared the place. At a table of three or four, the sum is divided by the number of opponents.
    SonnebornBerger,
    /// The results among entrants who are still equal, if each two of them have met: one point for each meeting in
    /// which the other one finished below, half a point for a shared place.
    DirectMeeting,
    /// The number of games in which the entrant finished above every opponent who came, and at least one came.
    Wins,
    /// The entrant's game scores less the mean of the opponents' game scores, such as the difference of cuts.
    ScoreDifference,
    /// A lot from the seed of the tournament. It leaves no entrants equal, so tie-breaks after it have no effect.
    Lots,
}

/// The seed of all random numbers of a tournament.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct TournamentSeed(pub [u8; 32]);

/// A tournament before its first round: entrants, form, points, tie-breaks, and the seed of its lots.
///
/// Entrants are added and never removed; [`History`](super::History) says who entered late and who withdrew.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// All entrants, those who withdrew too.
    pub entrants: Vec<Entrant>,
    /// The form of the tournament.
    pub format: Format,
    /// The sizes of tables that can be played.
    pub playable: Playable,
    /// The order before the first round.
    pub seeding: Seeding,
    /// The points for each place.
    pub points: Points,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<TieBreak>,
    /// The seed of all random numbers of the tournament.
    pub seed: TournamentSeed,
}
