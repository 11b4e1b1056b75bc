//! An arena: entrants who are free play at once, for as long as the arena is open.

use std::cmp::Reverse;

use super::cost::Field;
use super::divide::{divide, sizes};
use super::entrant::EntrantId;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::{Format, Tournament};
use super::history::{Attendance, History};
use super::round::Round;
use super::why::{ByeRule, TableRule};

/// An entrant who has no table at the moment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Free {
    /// The entrant.
    pub entrant: EntrantId,
    /// How often the entrant was free and got no table, since the entrant's last game.
    pub waited: u32,
}

/// Pairs the entrants who are free. If the tables have no room for all of them, those who waited longest play, and the
/// others go on waiting. The costs of a Swiss round decide who sits together: entrants who have met least often and
/// have similar scores.
///
/// The history of an arena has one round for each call. Tables without a result are still being played.
///
/// # Errors
/// The format is no arena, an entrant is in the list of free entrants twice or is not present, or the history is wrong.
pub fn pair_free(tournament: &Tournament, history: &History, free: &[Free]) -> Result<Round, TournamentError> {
    let Format::Arena { table: size, smaller_tables } = tournament.format else {
        return Err(TournamentError::Format("only an arena pairs who is free"));
    };
    tournament.format.check_table_sizes(&tournament.playable)?;
    let facts = Facts::new(tournament, history)?;
    let round = history.next_round();
    let mut waiting = Vec::with_capacity(free.len());
    for Free { entrant, waited } in free {
        let index = facts.index(*entrant)?;
        if history.presence(*entrant, round) != Attendance::Present {
            return Err(TournamentError::NotPresent(*entrant));
        }
        if waiting.iter().any(|(_, other)| *other == index) {
            return Err(TournamentError::TwiceInRound { round, entrant: *entrant });
        }
        waiting.push((Reverse(*waited), index));
    }
    waiting.sort_by_key(|(waited, index)| (*waited, facts.lots[*index]));
    let sizes_of = |entrants: usize| sizes(facts.playable, entrants, size, smaller_tables);
    let mut sizes = sizes_of(waiting.len());
    // All entrants who are present are too few for a table of the usual sizes, so waiting would not help: one table of
    // the largest possible size plays.
    if sizes_of(facts.present(history, round).len()).is_empty() {
        sizes.extend(facts.playable.largest(waiting.len()));
    }
    let (play, rest) = waiting.split_at(sizes.iter().sum());
    let field = Field::new(&facts, play.iter().map(|(_, index)| *index).collect(), round);
    let division = divide(&field, &sizes);
    let tables = division.tables.into_iter();
    let tables = tables.map(|table| explain::divided(&field, &table, TableRule::Free, division.is_proven));
    let byes = rest.iter().map(|(_, index)| explain::bye(&field, *index, ByeRule::Waits));
    Ok(Round { tables: tables.collect(), byes: byes.collect() })
}
