//! The outcome of a game for the table that played it.

use pagade_pairing::{EntrantId, SeatResult};
use pagade_rules::play::{Engine, State};

use crate::game::cache::CachedGame;
use crate::game::ranking::ranked;
use crate::game::terms::{GaveUp, Status};
use crate::tournament::rounds::GameOutcome;

/// The rank of an entrant in a game, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EntrantRank {
    /// The rank of the entrant's seats, from 1.
    Ranked(u8),
    /// The seats of the entrant have no rank, because they have not finished.
    Unranked,
    /// The entrant did not come.
    Missing,
}

impl EntrantRank {
    /// Makes the rank of an entrant who came, from the rank that its seats have in the game.
    pub(crate) fn of_seats(rank: Option<u8>) -> Self {
        rank.map_or(Self::Unranked, Self::Ranked)
    }

    /// Returns the place of this rank among the ranks of a table, from 1. Equal ranks share a place.
    pub(crate) fn place_among(self, ranks: &[Self]) -> usize {
        1 + ranks.iter().filter(|other| **other < self).count()
    }
}

/// Returns how a game ended, for the entrants of its table; `None` while the game is not over. `seats` are the seats of
/// the board with their entrants.
///
/// A team has the place of its seats, which share it. The score of an entrant is the number of its pawns that came
/// home. If all members of an entrant forfeited without a decision, the entrant did not come. Entrants who did not come
/// share the last place. If nobody came, nobody wins.
pub(crate) fn outcome(cached: &CachedGame, seats: &[(String, EntrantId)], table: &[EntrantId]) -> Option<GameOutcome> {
    let CachedGame { game, engine, play, .. } = cached;
    if game.status != Status::Finished {
        return None;
    }
    let Some(play) = play else { return Some(GameOutcome::Void) };
    let ranks = ranked(engine, play.state(), &game.setup, game.status);
    if ranks.is_empty() {
        return Some(GameOutcome::Void);
    }
    let of = |entrant: EntrantId| seats.iter().filter(move |(_, other)| *other == entrant).map(|(seat, _)| seat);
    let rank_of = |seat: &String| {
        let found = ranks.iter().find(|(_, ranked)| engine.seat_name(*ranked) == seat);
        found.map(|(rank, _)| *rank)
    };
    let missed = |seat: &String| {
        let game_seat = game.setup.seat(seat);
        game_seat.is_some_and(|game_seat| !game_seat.came && matches!(game_seat.gave_up, Some((_, GaveUp::Forfeited))))
    };
    let rank = |entrant: &EntrantId| match of(*entrant).all(missed) {
        true => EntrantRank::Missing,
        false => EntrantRank::of_seats(of(*entrant).next().and_then(rank_of)),
    };
    let ranks: Vec<EntrantRank> = table.iter().map(rank).collect();
    let results = table.iter().zip(&ranks).map(|(entrant, rank)| {
        let place = rank.place_among(&ranks);
        match rank {
            EntrantRank::Missing => SeatResult::no_show(place),
            _ => SeatResult::played(place, of(*entrant).map(|seat| pawns_home(engine, play.state(), seat)).sum()),
        }
    });
    Some(GameOutcome::Result(results.collect()))
}

fn pawns_home(engine: &Engine, state: &State, seat: &str) -> i64 {
    let Some(seat) = engine.seat_named(seat) else { return 0 };
    let pawns = &state.at[seat.index()][..usize::from(engine.pawns.count)];
    let home = pawns.iter().filter(|place| **place == engine.board.home()).count();
    i64::try_from(home).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ranking::tests::{partnerships, play_until};

    #[test]
    fn the_team_that_brought_all_its_pawns_home_is_first() {
        let table = [EntrantId(1), EntrantId(2)];
        for seed in 0..40 {
            let mut edit = partnerships(seed);
            play_until(&mut edit, |_, _| false);
            let seats: Vec<(String, EntrantId)> =
                edit.game.setup.players().into_iter().zip([1, 2, 1, 2].map(EntrantId)).collect();
            let (_, cached) = edit.into_change(None).unwrap();
            let Some(GameOutcome::Result(results)) = outcome(&cached, &seats, &table) else { panic!("no result") };
            let places: Vec<(usize, bool)> = results.iter().map(|seat| (seat.place, seat.score == 8)).collect();
            assert!(places == [(1, true), (2, false)] || places == [(2, false), (1, true)], "{seed}: {results:?}");
        }
    }
}
