//! The result of a table, checked and turned into points.

use super::error::TournamentError;
use super::history::{PlayedTable, SeatResult};
use super::score::{Points, Score};

/// Checks that a result has one entry for each seat, and that its places are possible.
///
/// # Errors
/// [`TournamentError::TableSize`] and [`TournamentError::WrongResult`], with the numbers of round and table.
pub(super) fn check(table: &PlayedTable, round: usize, number: usize) -> Result<(), TournamentError> {
    let seats = table.seats.len();
    if !(2..=4).contains(&seats) {
        return Err(TournamentError::TableSize { round, table: number, seats });
    }
    let Some(result) = &table.result else { return Ok(()) };
    let fits = |seat: &SeatResult| seat.place == 1 + result.iter().filter(|other| other.place < seat.place).count();
    let no_show_is_last =
        |seat: &SeatResult| !seat.no_show || result.iter().all(|other| other.no_show || other.place < seat.place);
    if result.len() == seats && result.iter().all(|seat| fits(seat) && no_show_is_last(seat)) {
        Ok(())
    } else {
        Err(TournamentError::WrongResult { round, table: number })
    }
}

/// The points of one seat. They depend on the number of seats of the table, not on the number of entrants who came. An
/// entrant who did not come gets the points for a no-show, whatever the place.
pub(super) fn points(points: &Points, result: &[SeatResult], seat: usize) -> Score {
    let own = &result[seat];
    if own.no_show {
        return Score::points(i64::from(points.no_show));
    }
    let sharers = result.iter().filter(|other| other.place == own.place).count();
    points.of(result.len(), own.place, sharers)
}

/// The indexes of the seats whose entrants came. A table without a result counts as if all entrants came.
pub(super) fn came(table: &PlayedTable) -> Vec<usize> {
    let is_there = |seat: &usize| table.result.as_ref().is_none_or(|result| !result[*seat].no_show);
    (0..table.seats.len()).filter(is_there).collect()
}
