//! Mistakes because of which a tournament cannot be paired or ranked.

use thiserror::Error;

use super::entrant::EntrantId;

/// A mistake in a tournament or its history.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum TournamentError {
    /// Two entrants have the same number.
    #[error("two entrants have the number {0}")]
    SameNumber(EntrantId),
    /// Somebody is a member of two teams, or of one team twice.
    #[error("`{0}` is a member twice")]
    SameMember(String),
    /// Two teams have different sizes, so they cannot alternate round the board.
    #[error("entrant {0} has {1} members, others have {2}")]
    UnequalTeams(EntrantId, usize, usize),
    /// The format is impossible, for example because one of its numbers is zero, or it does not belong to the function
    /// that was called.
    #[error("the format is not possible: {0}")]
    Format(&'static str),
    /// The format needs more entrants.
    #[error("{found} entrants, {needed} are needed")]
    TooFewEntrants {
        /// The number of entrants that were found.
        found: usize,
        /// The smallest number of entrants.
        needed: usize,
    },
    /// A group needs more entrants.
    #[error("group {group} has {found} entrants, {needed} are needed")]
    TooFewInGroup {
        /// The number of the group, the first is 1.
        group: usize,
        /// The number of entrants in the group.
        found: usize,
        /// The smallest number of entrants.
        needed: usize,
    },
    /// The format has tables of a size that the rule set does not have.
    #[error("the rule set has no table of {0}")]
    NoTable(usize),
    /// The knock-out of so many entrants has a table of a size that the rule set does not have.
    #[error("the knock-out of {found} entrants needs a table of {seats}, and the rule set has none")]
    NoTableInBracket {
        /// The number of entrants of the knock-out.
        found: usize,
        /// The number of entrants at the table.
        seats: usize,
    },
    /// The history names an entrant who is not on the list.
    #[error("nobody has the number {0}")]
    UnknownEntrant(EntrantId),
    /// An entrant is to be paired who has not entered yet, is absent, or has withdrawn.
    #[error("entrant {0} is not present")]
    NotPresent(EntrantId),
    /// An entrant appears twice in a round.
    #[error("entrant {entrant} appears twice in round {round}")]
    TwiceInRound {
        /// The number of the round, the first is 1.
        round: usize,
        /// The entrant.
        entrant: EntrantId,
    },
    /// A table has too few or too many seats.
    #[error("round {round}, table {table}: {seats} seats")]
    TableSize {
        /// The number of the round, the first is 1.
        round: usize,
        /// The number of the table, the first is 1.
        table: usize,
        /// The number of seats.
        seats: usize,
    },
    /// The next round needs the result of a table.
    #[error("round {round}, table {table}: the result is missing")]
    MissingResult {
        /// The number of the round, the first is 1.
        round: usize,
        /// The number of the table, the first is 1.
        table: usize,
    },
    /// A result has too few or too many entries, or its places are impossible, such as a second place without a first.
    #[error("round {round}, table {table}: the places are not possible")]
    WrongResult {
        /// The number of the round, the first is 1.
        round: usize,
        /// The number of the table, the first is 1.
        table: usize,
    },
    /// The tables of a round in the history are not those of the bracket, or the bracket was over before the round.
    #[error("round {0} does not follow from the bracket")]
    ForeignRound(usize),
    /// An entrant entered late, and the schedule or bracket has no free place.
    #[error("entrant {0} entered late, and the schedule has no free place")]
    NoFreePlace(EntrantId),
}
