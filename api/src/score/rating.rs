//! Ratings: how strong a player is in one rule set, and how certain that is.
//!
//! The rating of a player is changed by every game that counts, by the method of Weng and Lin (2011) for two and more
//! sides, each of one player or a team. A player may sit in several games at once. So a game changes the rating by a
//! shift and a factor, which follow from the ratings that all players had when the game began; games then change a
//! rating in any order with the same result.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// The rating of a player in one rule set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rating {
    /// The estimated strength. A new player has 25; a player who is better by 4.2 wins two of three games.
    pub value: f64,
    /// The standard deviation of the estimate. A new player has 8.3; it falls with every game.
    pub uncertainty: f64,
}

impl Default for Rating {
    /// The rating of a player who has not played.
    fn default() -> Self {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Self { value: rating, uncertainty }
    }
}

/// The change of a rating by one game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct RatingChange {
    /// The number to add to the value.
    pub shift: f64,
    /// The number by which to multiply the uncertainty.
    pub factor: f64,
}

impl Rating {
    /// Returns the rating after a game.
    #[must_use]
    pub(crate) fn after(self, change: RatingChange) -> Self {
        Self { value: self.value + change.shift, uncertainty: self.uncertainty * change.factor }
    }
}

/// A side of a game: the ratings of its players when the game began, and its rank, from 1. Sides of equal rank are
/// tied. Sides without a rank have lost to all others, and are tied among themselves.
pub(crate) type RatedSide = (Vec<Rating>, Option<u8>);

/// Returns the changes of the ratings of all players, by side.
pub(crate) fn changes(sides: &[RatedSide]) -> Vec<Vec<RatingChange>> {
    let weng_lin = |rating: &Rating| WengLinRating { rating: rating.value, uncertainty: rating.uncertainty };
    let teams: Vec<Vec<_>> = sides.iter().map(|(ratings, _)| ratings.iter().map(weng_lin).collect()).collect();
    let last = 1 + sides.iter().filter_map(|(_, rank)| *rank).max().map_or(0, usize::from);
    let outcome = |rank: Option<u8>| MultiTeamOutcome::new(rank.map_or(last, usize::from));
    let ranked = teams.iter().zip(sides).map(|(team, (_, rank))| (&team[..], outcome(*rank)));
    let after = weng_lin_multi_team(&ranked.collect::<Vec<_>>(), &WengLinConfig::new());
    let change = |(before, after): (&WengLinRating, &WengLinRating)| RatingChange {
        shift: after.rating - before.rating,
        factor: after.uncertainty / before.uncertainty,
    };
    teams.iter().zip(&after).map(|(before, after)| before.iter().zip(after).map(change).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_winner_rises_and_every_game_makes_the_rating_more_certain() {
        let sides = [Some(1), None, None].map(|rank| (vec![Rating::default()], rank));
        let changes = changes(&sides);
        let shift = |side: usize| changes[side][0].shift;
        assert!(shift(0) > 1.0 && shift(1) < -0.5, "{changes:?}");
        assert!((shift(1) - shift(2)).abs() < 1e-9, "two who have lost are tied");
        assert!(changes.iter().flatten().all(|change| change.factor < 1.0 && change.factor > 0.0));
    }

    #[test]
    fn an_unexpected_result_changes_more_than_an_expected_one() {
        let (strong, weak) = (Rating { value: 35.0, uncertainty: 2.0 }, Rating { value: 20.0, uncertainty: 2.0 });
        let expected = changes(&[(vec![strong], Some(1)), (vec![weak], Some(2))])[0][0].shift;
        let unexpected = changes(&[(vec![weak], Some(1)), (vec![strong], Some(2))])[0][0].shift;
        assert!(0.0 < expected && expected < unexpected / 5.0, "{expected} {unexpected}");
    }

    #[test]
    fn partners_share_the_result() {
        let pair = vec![Rating::default(), Rating { value: 30.0, uncertainty: 4.0 }];
        let changes = changes(&[(pair.clone(), Some(1)), (pair, Some(2))]);
        assert!(changes[0].iter().all(|change| change.shift > 0.0));
        assert!(changes[1].iter().all(|change| change.shift < 0.0));
        assert!(changes[0][0].shift > changes[0][1].shift, "the less certain rating changes more");
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let one = RatingChange { shift: 1.5, factor: 0.9 };
        let other = RatingChange { shift: -0.25, factor: 0.8 };
        let (there, back) = (Rating::default().after(one).after(other), Rating::default().after(other).after(one));
        assert!((there.value - back.value).abs() < 1e-12 && (there.uncertainty - back.uncertainty).abs() < 1e-12);
    }
}
