//! The career of a player: experience, badges, and a record of each rule set with games, rating and seasons.

use serde::{Deserialize, Serialize};

use crate::score::awards::{Awards, Merits};
use crate::score::rating::Rating;
use crate::score::settlement::CareerGain;

/// Maximum number of results of a player: one for each rule set, and one for each season of it. Every result is a line
/// of a leaderboard. Beyond it, the rule set that was played longest ago loses its oldest season, or its record if it
/// has no seasons. A player who plays 50 rule sets in each of four seasons a year reaches it after six years.
const MOST_RESULTS: usize = 1_300;
/// Maximum number of badges of a player. The tables of badges may change, but a player keeps what was earned.
const MOST_BADGES: usize = 200;

/// The results of a player in competitive games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Career {
    /// The experience in all rule sets.
    pub experience: u64,
    /// Number of games played, in all rule sets.
    pub played: u64,
    /// Number of games won, in all rule sets.
    pub won: u64,
    /// Number of games won in a row.
    pub streak: u64,
    /// The badges, in the order in which they were earned.
    pub badges: Vec<EarnedBadge>,
    /// The records of rule sets, the one that was played last at the end.
    pub records: Vec<RuleSetCareer>,
}

/// A badge of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EarnedBadge {
    pub id: String,
    /// The time at which the player earned it, in milliseconds since 1970.
    pub at: u64,
}

/// The results of a player in one rule set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RuleSetCareer {
    /// The id of the rule set.
    pub rule_set: String,
    /// Number of games played.
    pub played: u64,
    /// Number of games won. The other games were lost.
    pub won: u64,
    /// Points of experience, in all seasons and outside of them.
    pub experience: u64,
    /// The estimate of the player's strength in the rule set.
    pub rating: Rating,
    /// Points of experience in each season, the latest season last.
    pub seasons: Vec<SeasonCareer>,
}

/// The experience of a player in one rule set and season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeasonCareer {
    /// The name of the season.
    pub season: String,
    /// Points of experience that the player got by games of this season.
    pub experience: u64,
}

impl RuleSetCareer {
    fn new(rule_set: &str) -> Self {
        let rating = Rating::default();
        Self { rule_set: rule_set.to_owned(), played: 0, won: 0, experience: 0, rating, seasons: Vec::new() }
    }
}

impl Career {
    pub(crate) fn rating(&self, rule_set: &str) -> Rating {
        self.records.iter().find(|record| record.rule_set == rule_set).map(|record| record.rating).unwrap_or_default()
    }

    /// Adds a game. Returns the ids of the badges that the player earns by it. `now` is in milliseconds since 1970.
    pub(crate) fn add(
        &mut self,
        score: &CareerGain,
        rule_set: &str,
        season: Option<&str>,
        awards: &Awards,
        now: u64,
    ) -> Vec<String> {
        let index = self.records.iter().position(|record| record.rule_set == rule_set);
        let mut record = index.map_or_else(|| RuleSetCareer::new(rule_set), |index| self.records.remove(index));
        let won = u64::from(score.has_won);
        record.played += 1;
        record.won += won;
        record.experience += score.experience;
        record.rating = record.rating.after(score.rating);
        if let Some(season) = season {
            record.add_to_season(season, score.experience);
        }
        self.records.push(record);
        self.drop_old_results();
        self.played += 1;
        self.won += won;
        self.streak = if score.has_won { self.streak + 1 } else { 0 };
        self.experience += score.experience;
        self.award(awards, now)
    }

    fn drop_old_results(&mut self) {
        while self.records.iter().map(|record| 1 + record.seasons.len()).sum::<usize>() > MOST_RESULTS {
            let oldest = &mut self.records[0];
            if oldest.seasons.is_empty() {
                self.records.remove(0);
            } else {
                oldest.seasons.remove(0);
            }
        }
    }

    fn award(&mut self, awards: &Awards, now: u64) -> Vec<String> {
        let merits = Merits {
            played: self.played,
            won: self.won,
            streak: self.streak,
            rule_sets: self.records.iter().filter(|record| record.won > 0).count() as u64,
            experience: self.experience,
        };
        let has = |id: &str| self.badges.iter().any(|earned| earned.id == id);
        let room = MOST_BADGES.saturating_sub(self.badges.len());
        let new = awards.earned(merits).filter(|badge| !has(&badge.id)).take(room);
        let new: Vec<_> = new.map(|badge| badge.id.clone()).collect();
        self.badges.extend(new.iter().map(|id| EarnedBadge { id: id.clone(), at: now }));
        new
    }
}

impl RuleSetCareer {
    fn add_to_season(&mut self, season: &str, experience: u64) {
        if let Some(earlier) = self.seasons.iter_mut().find(|earlier| earlier.season == season) {
            earlier.experience += experience;
            return;
        }
        self.seasons.push(SeasonCareer { season: season.to_owned(), experience });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::rating::RatingChange;

    fn score(has_won: bool, experience: u64) -> CareerGain {
        CareerGain { has_won, experience, rating: RatingChange { shift: 1.0, factor: 0.5 } }
    }

    #[test]
    fn a_game_counts_for_its_rule_set_and_season_and_in_total() {
        let (mut career, awards) = (Career::default(), Awards::default());
        let earned = career.add(&score(true, 20), "pagade", Some("autumn"), &awards, 7);
        assert_eq!(earned, ["first-game", "first-win"]);
        career.add(&score(false, 5), "chopat", Some("autumn"), &awards, 8);
        assert!(career.add(&score(true, 40), "pagade", Some("winter"), &awards, 9).is_empty(), "badges come once");
        assert_eq!((career.experience, career.played, career.won, career.streak), (65, 3, 2, 1));
        let record = &career.records[1];
        assert_eq!((record.rule_set.as_str(), record.played, record.won, record.experience), ("pagade", 2, 2, 60));
        let seasons: Vec<_> = record.seasons.iter().map(|season| (season.season.as_str(), season.experience)).collect();
        assert_eq!(seasons, [("autumn", 20), ("winter", 40)]);
        assert_eq!(career.rating("pagade").value, Rating::default().value + 2.0);
        assert_eq!(career.rating("ludo"), Rating::default());
        assert_eq!(awards.level(career.experience).0, 2);
    }

    #[test]
    fn a_season_that_is_over_keeps_its_result_whatever_is_played_later() {
        let (mut career, awards) = (Career::default(), Awards::default());
        for year in 2026..2046 {
            for month in 1..=12 {
                let season = format!("{year}-{month:02}");
                career.add(&score(true, 20), "pagade", Some(&season), &awards, 0);
                career.add(&score(false, 5), "chopat", Some(&season), &awards, 0);
            }
        }
        for record in &career.records {
            assert_eq!((record.seasons.len(), record.seasons[0].season.as_str()), (240, "2026-01"));
        }
    }

    #[test]
    fn a_career_is_bounded() {
        let (mut career, awards) = (Career::default(), Awards::default());
        let results = |career: &Career| career.records.iter().map(|record| 1 + record.seasons.len()).sum::<usize>();
        for number in 0..700 {
            career.add(&score(true, 20), &format!("village-{number}"), Some("autumn"), &awards, 0);
            career.add(&score(true, 20), "pagade", Some(&format!("season-{number}")), &awards, 0);
        }
        assert_eq!((results(&career), career.experience), (MOST_RESULTS, 28_000));
        let record = career.records.last().unwrap();
        assert_eq!((record.rule_set.as_str(), record.played, record.seasons.len()), ("pagade", 700, 700));
        let first = &career.records[0];
        assert_ne!(first.rule_set, "village-0", "the rule set that was played longest ago makes room");
        for number in 700..2_000 {
            career.add(&score(true, 20), "pagade", Some(&format!("season-{number}")), &awards, 0);
        }
        assert_eq!((results(&career), career.records.len()), (MOST_RESULTS, 1));
        assert_eq!(career.records[0].seasons.last().unwrap().season, "season-1999");
        assert!(career.badges.iter().any(|badge| badge.id == "explorer"));
    }
}
