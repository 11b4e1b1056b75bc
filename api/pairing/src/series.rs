//! A series of games at one table, such as the best of five.

use super::entrant::EntrantId;
use super::history::SeatResult;
use super::round::Table;

/// The state of a series of games at one table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Series {
    /// Another game is to be played.
    Next {
        /// The entrants in the order of play. In each game, the next entrant begins.
        seats: Vec<EntrantId>,
    },
    /// The result of the table, in the order of its seats.
    Decided(Vec<SeatResult>),
}

/// Returns the state of a series. Each game has its results in the order of the table's seats.
///
/// The series ends when an entrant has won more than half of its games, when at most one entrant has come to any of the
/// last two games, or after the last game. Entrants who came to none of the last two games share the last place. The
/// others are ordered by wins, then by the sum of their scores; at a table of one game, by their places in this game.
pub fn series(table: &Table, games: &[Vec<SeatResult>]) -> Series {
    let count = table.seats.len();
    let half = usize::try_from(table.games / 2).unwrap_or(usize::MAX);
    let wins = |seat: usize| {
        let is_won = |game: &&Vec<SeatResult>| {
            let is_first = |result: &SeatResult| result.place == 1 && !result.no_show;
            game.get(seat).is_some_and(is_first) && game.iter().filter(|result| is_first(result)).count() == 1
        };
        games.iter().filter(is_won).count()
    };
    let is_away = |seat: usize| {
        let came = |game: &&Vec<SeatResult>| game.get(seat).is_some_and(|result| !result.no_show);
        !games.is_empty() && games.iter().rev().take(2).find(came).is_none()
    };
    let away = (0..count).filter(|seat| is_away(*seat)).count();
    let is_over = games.len() >= usize::try_from(table.games).unwrap_or(usize::MAX)
        || (0..count).any(|seat| wins(seat) > half)
        || away + 1 >= count && away > 0;
    if !is_over {
        let mut seats = table.seats.clone();
        seats.rotate_left(games.len() % count.max(1));
        return Series::Next { seats };
    }
    let score = |seat: usize| games.iter().filter_map(|game| game.get(seat)).map(|result| result.score).sum::<i64>();
    // The only game of a table decides all its places.
    let rest = |seat: usize| match games {
        [only] if table.games <= 1 => only.get(seat).map(|own| -i64::try_from(own.place).unwrap_or(i64::MAX)),
        _ => Some(score(seat)),
    };
    let keys: Vec<(bool, usize, Option<i64>)> =
        (0..count).map(|seat| (!is_away(seat), wins(seat), rest(seat))).collect();
    let results = keys.iter().enumerate().map(|(seat, key)| SeatResult {
        place: 1 + keys.iter().filter(|other| *other > key).count(),
        score: score(seat),
        no_show: !key.0,
    });
    Series::Decided(results.collect())
}
