//! An arena: entrants who are free play at once, for as long as the arena is open.

mod queue;

use super::cost::Field;
use super::divide::{divide, sizes};
use super::entrant::EntrantId;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::{Format, Tournament};
use super::history::{Attendance, History};
use super::round::Round;
use super::why::TableRule;

/// Pairs the entrants who are free. If the tables have no room for all of them, those play who have waited longest, and
/// then those who have had fewest tables; `queue.rs` has the whole order.
///
/// Of those who play, entrants who have met least often sit together, and as far as possible nobody meets the opponents
/// of the last game at once again; then the costs of a Swiss round decide.
///
/// The history of an arena has one round for each call that found a table. Tables without a result are still being
/// played.
///
/// # Errors
/// The format is no arena, an entrant is in the list of free entrants twice or is not present, or the history is wrong.
pub fn pair_free(tournament: &Tournament, history: &History, free: &[EntrantId]) -> Result<Round, TournamentError> {
    let Format::Arena { table: size, smaller_tables } = tournament.format else {
        return Err(TournamentError::Format("only an arena pairs who is free"));
    };
    tournament.format.check_table_sizes(&tournament.playable)?;
    let facts = Facts::new(tournament, history)?;
    let round = history.next_round();
    let mut here = Vec::with_capacity(free.len());
    for entrant in free {
        let index = facts.index(*entrant)?;
        if history.presence(*entrant, round) != Attendance::Present {
            return Err(TournamentError::NotPresent(*entrant));
        }
        if here.contains(&index) {
            return Err(TournamentError::TwiceInRound { round, entrant: *entrant });
        }
        here.push(index);
    }
    let sizes_of = |entrants: usize| sizes(facts.playable, entrants, size, smaller_tables);
    let mut sizes = sizes_of(here.len());
    // All entrants who are present are too few for a table of the usual sizes, so waiting would not help: one table of
    // the largest possible size plays.
    if sizes_of(facts.present(history, round).len()).is_empty() {
        sizes.extend(facts.playable.largest(here.len()));
    }
    let shares = queue::shares(&facts, history)?;
    let (play, rest) = queue::split(&Field::arena(&facts, here, round), &shares, sizes.iter().sum());
    let field = Field::arena(&facts, play, round);
    let division = divide(&field, &sizes);
    let tables = division.tables.into_iter();
    let tables = tables.map(|table| explain::divided(&field, &table, TableRule::Free, division.is_proven));
    let byes = rest.into_iter().map(|index| explain::wait(&field, index, shares[index].all_waits));
    Ok(Round { tables: tables.collect(), byes: byes.collect() })
}
