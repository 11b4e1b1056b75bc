//! The members of teams round the board.

use super::entrant::Entrant;
use super::entrant::EntrantId;
use super::round::Table;

/// A seat of the board.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BoardSeat {
    /// The entrant whose seat it is.
    pub entrant: EntrantId,
    /// The member of the team, or `None` for an entrant who plays alone.
    pub member: Option<String>,
}

/// Returns the seats of the board for the entrants of a table, in the order of play.
///
/// The teams alternate, so at a table of two teams, partners sit opposite each other. In each game of a team another
/// member of the team sits first.
pub fn board_seats(entrants: &[Entrant], table: &Table) -> Vec<BoardSeat> {
    let teams = table.seats.iter().zip(&table.why.seats).filter_map(|(seat, why)| {
        let entrant = entrants.iter().find(|entrant| entrant.id == *seat)?;
        Some((entrant, usize::try_from(why.played).unwrap_or(0)))
    });
    let teams: Vec<(&Entrant, usize)> = teams.collect();
    let members = teams.iter().map(|(entrant, _)| entrant.members.len()).max().unwrap_or(0);
    let turn = |turn: usize| {
        teams.iter().map(move |(entrant, played)| {
            let count = entrant.members.len().max(1);
            BoardSeat { entrant: entrant.id, member: entrant.members.get((played + turn) % count).cloned() }
        })
    };
    (0..members.max(1)).flat_map(turn).collect()
}
