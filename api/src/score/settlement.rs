//! The consequences of the end of a competitive game for its players: chips, experience, a result and a change of
//! rating.

use serde::{Deserialize, Serialize};

use crate::score::rating::{self, Rating, RatingChange};
use crate::score::share;

/// Experience of the winner for each side of the game: 20 with two sides, 40 with four. Partners are one side.
const OF_WINNER: u64 = 10;
/// Experience of everybody who has lost.
const OF_LOSER: u64 = 5;

/// A player of a game that is over, or that has not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Member {
    /// The number of the side. Partners have the same number.
    pub side: u8,
    /// Whether the side has won. Sides that are tied have won together.
    pub is_winner: bool,
    /// The rank of the side, from 1; `None` if the game has ranked winners only.
    pub rank: Option<u8>,
    /// Whether the player has abandoned the seat.
    pub is_abandoned: bool,
}

impl Member {
    /// Makes a player of a game in which only winners have a rank.
    #[cfg(test)]
    pub(crate) fn new(side: u8, is_winner: bool, is_abandoned: bool) -> Self {
        Self { side, is_winner, rank: is_winner.then_some(1), is_abandoned }
    }
}

/// The end of a competitive game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The game was played to its end, and has winners.
    Played,
    /// The game was played to its end between players with one network address: only its pot is divided.
    PlayedAtOneAddress,
    /// The game has not begun, or was cancelled: stakes are returned.
    Cancelled,
}

/// The consequences of the end of a game for one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The chips that the player gets. The stake is gone in any case.
    pub chips: u64,
    /// The change of the career; `None` if only chips change.
    pub score: Option<Score>,
}

/// What a game adds to the career of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Score {
    /// Whether the player has won. An abandoned seat has lost.
    pub has_won: bool,
    /// The experience that the player gains.
    pub experience: u64,
    /// The change of the player's rating. It is that of a loss for an abandoned seat, also if the partner has won.
    pub rating: RatingChange,
}

/// The consequences of the end of a game for all its players and for the bank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Division {
    /// The outcomes, in the order of the members.
    pub members: Vec<Outcome>,
    /// The chips that the bank gets.
    pub bank: u64,
}

/// Computes the consequences of the end of a game. Each member has staked `bet` chips; `ratings` are those of the
/// members when the game began.
pub(crate) fn divide(end: End, bet: u64, members: &[Member], ratings: &[Rating]) -> Division {
    let shares = match end {
        End::Cancelled => share::refunds(bet, members),
        End::Played | End::PlayedAtOneAddress => share::pot(bet, members),
    };
    let scores = if end == End::Played { scores(members, ratings) } else { vec![None; members.len()] };
    let outcomes = shares.members.iter().zip(scores).map(|(chips, score)| Outcome { chips: *chips, score });
    Division { members: outcomes.collect(), bank: shares.bank }
}

fn scores(members: &[Member], ratings: &[Rating]) -> Vec<Option<Score>> {
    let mut sides: Vec<u8> = members.iter().map(|member| member.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let of_side = |side: u8| (0..members.len()).filter(move |index| members[*index].side == side);
    // A side that everybody has abandoned has lost, even if the server has played it to victory.
    let rank = |side: u8| {
        let is_left = of_side(side).all(|index| members[index].is_abandoned);
        let ranks = of_side(side).filter_map(|index| members[index].rank).min();
        ranks.filter(|_| !is_left).unwrap_or(u8::MAX)
    };
    let rated = |side: u8| of_side(side).map(|index| ratings.get(index).copied().unwrap_or_default()).collect();
    let rated: Vec<_> = sides.iter().map(|side| (rated(*side), rank(*side))).collect();
    // The change of ratings as if a side had lost, for players who have abandoned its seats.
    let as_lost = |lost: usize| {
        let mut rated = rated.clone();
        rated[lost].1 = u8::MAX;
        if rated.iter().all(|(_, rank)| *rank == u8::MAX) {
            // Nobody else has a rank, if the side was played to victory.
            rated.iter_mut().enumerate().filter(|(side, _)| *side != lost).for_each(|(_, side)| side.1 = 1);
        }
        let changes = rating::changes(&rated).swap_remove(lost);
        changes.into_iter().map(|change| RatingChange { shift: change.shift.min(0.0), ..change })
    };
    let mut scores = vec![None; members.len()];
    for ((number, side), changes) in sides.iter().enumerate().zip(rating::changes(&rated)) {
        for ((index, as_played), as_lost) in of_side(*side).zip(changes).zip(as_lost(number)) {
            let Member { is_winner, is_abandoned, .. } = members[index];
            let rating = if is_abandoned { as_lost } else { as_played };
            let has_won = is_winner && !is_abandoned;
            let experience = match (has_won, is_abandoned) {
                (true, _) => OF_WINNER * sides.len() as u64,
                (false, false) => OF_LOSER,
                (false, true) => 0,
            };
            scores[index] = Some(Score { has_won, experience, rating });
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The experience of each player. `winners` and `abandoned` are indices of players.
    fn experience(sides: &[u8], winners: &[usize], abandoned: &[usize]) -> Vec<u64> {
        let members = sides.iter().enumerate();
        let members: Vec<_> = members
            .map(|(index, side)| Member::new(*side, winners.contains(&index), abandoned.contains(&index)))
            .collect();
        let ratings = vec![Rating::default(); members.len()];
        let divided = divide(End::Played, 100, &members, &ratings);
        divided.members.iter().map(|outcome| outcome.score.as_ref().unwrap().experience).collect()
    }

    #[test]
    fn the_winner_gains_more_with_more_seats() {
        assert_eq!(experience(&[0, 1], &[0], &[]), [20, 5]);
        assert_eq!(experience(&[0, 1, 2], &[1], &[]), [5, 30, 5]);
        assert_eq!(experience(&[0, 1, 2, 3], &[3], &[]), [5, 5, 5, 40]);
    }

    #[test]
    fn each_of_a_winning_pair_gains_twenty() {
        assert_eq!(experience(&[0, 1, 0, 1], &[0, 2], &[]), [20, 5, 20, 5]);
    }

    #[test]
    fn who_has_abandoned_the_seat_gains_nothing_and_has_lost() {
        assert_eq!(experience(&[0, 1, 2], &[0], &[0]), [0, 5, 5], "even if the seat has won");
        assert_eq!(experience(&[0, 1, 2], &[0], &[1]), [30, 0, 5]);
        assert_eq!(experience(&[0, 1, 0, 1], &[0, 2], &[2]), [20, 5, 0, 5], "the partner has won");
        let members = [Member::new(0, true, true), Member::new(1, false, false)];
        let divided = divide(End::Played, 100, &members, &[Rating::default(); 2]);
        let score = |index: usize| divided.members[index].score.clone().unwrap();
        assert!(!score(0).has_won && score(0).rating.shift <= 0.0);
    }

    #[test]
    fn who_abandons_a_seat_never_gains_rating_whatever_the_partner_and_the_others_do() {
        let rating = |value: f64| Rating { value, uncertainty: 4.0 };
        // A pair wins after one of the two has left: the partner gains, and the one who has left loses.
        let left = |is_abandoned: [bool; 4]| {
            let members: Vec<_> = (0..4_u8)
                .map(|index| Member::new(index % 2, index % 2 == 0, is_abandoned[usize::from(index)]))
                .collect();
            let ratings = [25.0, 25.0, 20.0, 25.0].map(rating);
            let divided = divide(End::Played, 100, &members, &ratings);
            divided.members.iter().map(|outcome| outcome.score.clone().unwrap().rating.shift).collect::<Vec<_>>()
        };
        let (all, one) = (left([false; 4]), left([false, false, true, false]));
        assert!(all[0] > 0.0 && all[2] > 0.0 && one[2] < 0.0, "{all:?} {one:?}");
        assert_eq!((one[0], one[1], one[3]), (all[0], all[1], all[3]), "the others have the result of the game");
        assert!(left([false, true, false, false])[1] < 0.0);
        // The weakest of three leaves: a robot wins for that player, or another player wins and the third is tied.
        for winner in [0, 1] {
            let member = |side: u8| Member::new(side, side == winner, side == 0);
            let divided = divide(End::Played, 100, &[0, 1, 2].map(member), &[5.0, 40.0, 40.0].map(rating));
            assert!(divided.members[0].score.clone().unwrap().rating.shift <= 0.0, "{winner}");
        }
    }

    #[test]
    fn only_chips_count_at_one_address_and_nothing_counts_when_a_game_is_cancelled() {
        let members = [Member::new(0, true, false), Member::new(1, false, false)];
        let divided = |end| divide(end, 100, &members, &[Rating::default(); 2]);
        let shared = divided(End::PlayedAtOneAddress);
        assert_eq!((shared.members[0].chips, shared.bank), (150, 50));
        let cancelled = divided(End::Cancelled);
        assert_eq!((cancelled.members[0].chips, cancelled.members[1].chips, cancelled.bank), (100, 100, 0));
        assert!(shared.members.iter().chain(&cancelled.members).all(|outcome| outcome.score.is_none()));
    }
}
