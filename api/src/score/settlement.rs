//! The consequences of the end of a competitive game for its players: chips, experience, a result and a change of
//! rating.

use serde::{Deserialize, Serialize};

use crate::score::rating::{self, Rating, RatingChange};
use crate::score::share;

/// Experience of the winner for each side of the game: 20 with two sides, 40 with four. Partners are one side.
const OF_WINNER: u64 = 10;
/// Experience of a player who has lost. A player who has abandoned the seat gets none.
const OF_LOSER: u64 = 5;

/// A player of a game that is over, or that has not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SettledPlayer {
    /// The number of the side. Partners have the same number. `None` if the game has no result.
    pub side: Option<u8>,
    /// Whether the side has won. Sides that are tied have won together.
    pub is_winner: bool,
    /// The rank of the side, from 1; `None` if the game has ranked winners only.
    pub rank: Option<u8>,
    /// How the player's part in the game ended.
    pub part: Participation,
}

/// How the part of a player in a game ended. Only a player who has played to the end can win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Participation {
    /// The player has played to the end of the game.
    Played,
    /// The player has given up, and so has lost, also if the partner wins.
    GaveUp,
    /// The player has abandoned the seat: a loss without experience, and without a refund.
    Abandoned,
}

impl SettledPlayer {
    /// Tells whether the player has won: with the side, and by playing to the end.
    pub(crate) fn has_won(&self) -> bool {
        self.is_winner && self.part == Participation::Played
    }

    /// Makes a player of a game in which only winners have a rank.
    #[cfg(test)]
    pub(crate) fn new(side: u8, is_winner: bool, part: Participation) -> Self {
        Self { side: Some(side), is_winner, rank: is_winner.then_some(1), part }
    }
}

/// The end of a competitive game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The game was played to its end, and has winners.
    Played,
    /// The game was played to its end between players with one network address: the pot is divided, and careers and
    /// ratings stay as they are.
    PlayedAtOneAddress,
    /// The game has not begun, or was cancelled: stakes are returned.
    Cancelled,
}

/// The consequences of the end of a game for one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlayerOutcome {
    /// The chips that the player gets, from the pot or as a refund. The stake of the player was taken before.
    pub chips: u64,
    /// The change of the career; `None` if only chips change.
    pub score: Option<CareerGain>,
}

/// What a game adds to the career of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CareerGain {
    /// Whether the player has won.
    pub has_won: bool,
    /// The experience that the player gains.
    pub experience: u64,
    /// The change of the player's rating. For a player who has not played to the end, it is the change for a loss.
    pub rating: RatingChange,
}

/// The consequences of the end of a game for all its players and for the bank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settlement {
    /// The outcomes, in the order of the members.
    pub members: Vec<PlayerOutcome>,
    /// The chips that the bank gets.
    pub bank: u64,
}

/// Computes the consequences of the end of a game. Each member has staked `bet` chips; `ratings` are those of the
/// members when the game began.
pub(crate) fn divide(end: End, bet: u64, members: &[SettledPlayer], ratings: &[Rating]) -> Settlement {
    let shares = match end {
        End::Cancelled => share::refunds(bet, members),
        End::Played | End::PlayedAtOneAddress => share::pot(bet, members),
    };
    let scores = if end == End::Played { scores(members, ratings) } else { vec![None; members.len()] };
    let outcomes = shares.members.iter().zip(scores).map(|(chips, score)| PlayerOutcome { chips: *chips, score });
    Settlement { members: outcomes.collect(), bank: shares.bank }
}

fn scores(members: &[SettledPlayer], ratings: &[Rating]) -> Vec<Option<CareerGain>> {
    let mut sides: Vec<Option<u8>> = members.iter().map(|member| member.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let of_side = |side: Option<u8>| (0..members.len()).filter(move |index| members[*index].side == side);
    // A side loses its rank if none of its players has played to the end and one of them has abandoned the seat. Robots
    // have then played for this side at the end, and it counts as a loser even if they have won.
    let rank = |side: Option<u8>| {
        let mut parts = of_side(side).map(|index| members[index].part);
        let is_left = parts.clone().all(|part| part != Participation::Played)
            && parts.any(|part| part == Participation::Abandoned);
        let ranks = of_side(side).filter_map(|index| members[index].rank).min();
        ranks.filter(|_| !is_left)
    };
    let rated = |side: Option<u8>| of_side(side).map(|index| ratings.get(index).copied().unwrap_or_default()).collect();
    let rated: Vec<_> = sides.iter().map(|side| (rated(*side), rank(*side))).collect();
    // Computes the changes of ratings for a side as if it had lost. They are for its players who have not played to the
    // end.
    let as_lost = |lost: usize| {
        let mut rated = rated.clone();
        rated[lost].1 = None;
        if rated.iter().all(|(_, rank)| rank.is_none()) {
            // If this side has won, there may be no other side with a rank. The other sides then win together.
            rated.iter_mut().enumerate().filter(|(side, _)| *side != lost).for_each(|(_, side)| side.1 = Some(1));
        }
        let changes = rating::changes(&rated).swap_remove(lost);
        changes.into_iter().map(|change| RatingChange { shift: change.shift.min(0.0), ..change })
    };
    let mut scores = vec![None; members.len()];
    for ((number, side), changes) in sides.iter().enumerate().zip(rating::changes(&rated)) {
        for ((index, as_played), as_lost) in of_side(*side).zip(changes).zip(as_lost(number)) {
            let (has_won, part) = (members[index].has_won(), members[index].part);
            let rating = if part == Participation::Played { as_played } else { as_lost };
            let experience = match part {
                Participation::Played if has_won => OF_WINNER * sides.len() as u64,
                Participation::Played | Participation::GaveUp => OF_LOSER,
                Participation::Abandoned => 0,
            };
            scores[index] = Some(CareerGain { has_won, experience, rating });
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the experience that each player gains. `winners` are indices of players; `parts` has the players who
    /// have not played to the end.
    fn experience(sides: &[u8], winners: &[usize], parts: &[(usize, Participation)]) -> Vec<u64> {
        let part = |index: usize| {
            parts.iter().find(|(other, _)| *other == index).map_or(Participation::Played, |(_, part)| *part)
        };
        let members = sides.iter().enumerate();
        let members: Vec<_> =
            members.map(|(index, side)| SettledPlayer::new(*side, winners.contains(&index), part(index))).collect();
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
    fn only_who_plays_to_the_end_wins() {
        use Participation::{Abandoned, GaveUp};
        assert_eq!(experience(&[0, 1, 2], &[0], &[(0, Abandoned)]), [0, 5, 5], "even if the seat has won");
        assert_eq!(experience(&[0, 1, 2], &[0], &[(1, Abandoned)]), [30, 0, 5]);
        assert_eq!(experience(&[0, 1, 0, 1], &[0, 2], &[(2, Abandoned)]), [20, 5, 0, 5], "the partner has won");
        assert_eq!(experience(&[0, 1, 0, 1], &[0, 2], &[(2, GaveUp)]), [20, 5, 5, 5]);
        let nobody = [(0, GaveUp), (1, Abandoned), (2, Abandoned), (3, Abandoned)];
        assert_eq!(experience(&[0, 1, 0, 1], &[0, 2], &nobody), [5, 0, 0, 0]);
        for part in [Abandoned, GaveUp] {
            let members = [SettledPlayer::new(0, true, part), SettledPlayer::new(1, false, Participation::Played)];
            let divided = divide(End::Played, 100, &members, &[Rating::default(); 2]);
            let score = |index: usize| divided.members[index].score.clone().unwrap();
            assert!(!score(0).has_won && score(0).rating.shift <= 0.0);
            assert_eq!((divided.members[0].chips, divided.bank), (0, 200));
        }
    }

    #[test]
    fn who_does_not_play_to_the_end_never_gains_rating_whatever_the_partner_and_the_others_do() {
        let rating = |value: f64| Rating { value, uncertainty: 4.0 };
        let shifts = |members: &[SettledPlayer], ratings: &[f64]| {
            let ratings: Vec<_> = ratings.iter().copied().map(rating).collect();
            let divided = divide(End::Played, 100, members, &ratings);
            divided.members.iter().map(|outcome| outcome.score.clone().unwrap().rating.shift).collect::<Vec<_>>()
        };
        // Seats 0 and 2 are a pair, and win.
        let pairs = |parts: [Participation; 4]| {
            let member = |index: u8| SettledPlayer::new(index % 2, index.is_multiple_of(2), parts[usize::from(index)]);
            shifts(&[0, 1, 2, 3].map(member), &[25.0, 25.0, 20.0, 25.0])
        };
        let all = pairs([Participation::Played; 4]);
        for part in [Participation::Abandoned, Participation::GaveUp] {
            // The pair wins after seat 2 has stopped: the partner at seat 0 gains rating, and the player at seat 2
            // loses.
            let one = pairs([Participation::Played, Participation::Played, part, Participation::Played]);
            assert!(all[0] > 0.0 && all[2] > 0.0 && one[2] < 0.0, "{all:?} {one:?}");
            assert_eq!((one[0], one[1], one[3]), (all[0], all[1], all[3]), "the others have the result of the game");
            assert!(pairs([Participation::Played, part, Participation::Played, Participation::Played])[1] < 0.0);
            // Seat 0, the weakest of three, stops. Either this seat wins nevertheless, or seat 1 wins and seats 0 and 2
            // are tied.
            for winner in [0, 1] {
                let member = |side: u8| {
                    SettledPlayer::new(side, side == winner, if side == 0 { part } else { Participation::Played })
                };
                assert!(shifts(&[0, 1, 2].map(member), &[5.0, 40.0, 40.0])[0] <= 0.0, "{winner} {part:?}");
            }
        }
        // The player at seat 0 resigns while a robot plays seat 1, whose player has left.
        let resigned = [(0, true, Participation::GaveUp), (1, false, Participation::Abandoned)];
        let resigned = resigned.map(|(side, is_winner, part)| SettledPlayer::new(side, is_winner, part));
        assert!(shifts(&resigned, &[25.0; 2]).iter().all(|shift| *shift < 0.0), "both have lost");
    }

    #[test]
    fn only_chips_count_at_one_address_and_nothing_counts_when_a_game_is_cancelled() {
        let members =
            [SettledPlayer::new(0, true, Participation::Played), SettledPlayer::new(1, false, Participation::Played)];
        let divided = |end| divide(end, 100, &members, &[Rating::default(); 2]);
        let shared = divided(End::PlayedAtOneAddress);
        assert_eq!((shared.members[0].chips, shared.bank), (150, 50));
        let cancelled = divided(End::Cancelled);
        assert_eq!((cancelled.members[0].chips, cancelled.members[1].chips, cancelled.bank), (100, 100, 0));
        assert!(shared.members.iter().chain(&cancelled.members).all(|outcome| outcome.score.is_none()));
    }
}
