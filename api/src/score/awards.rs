//! Levels and badges: the tables from which they follow, read from a file.

use std::collections::BTreeSet;

use serde::Deserialize;

/// The levels and badges that the program brings along.
const BUNDLED: &str = include_str!("../../data/awards.yaml");
/// Maximum number of levels, and of badges.
const MOST_AWARDS: usize = 100;
/// Longest id of a badge, in bytes.
const LONGEST_ID: usize = 40;
/// Longest text of a badge, in characters.
const LONGEST_TEXT: usize = 200;

/// The tables of levels and badges.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awards {
    /// The experience from which each level begins, from level 1.
    levels: Vec<u64>,
    /// The badges, in the order in which they are shown.
    #[serde(default)]
    badges: Vec<Badge>,
}

/// A badge, which players earn once and keep.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Badge {
    /// The word by which the badge is stored.
    pub id: String,
    /// The text for people.
    pub text: String,
    when: Conditions,
}

/// The conditions of a badge: each number is the least that a player needs. `None`: no condition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Conditions {
    played: Option<u64>,
    won: Option<u64>,
    streak: Option<u64>,
    rule_sets: Option<u64>,
    experience: Option<u64>,
    level: Option<u64>,
}

/// The numbers of a player by which badges are earned.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Merits {
    /// Number of games played.
    pub played: u64,
    /// Number of games won.
    pub won: u64,
    /// Number of games won in a row.
    pub streak: u64,
    /// Number of rule sets in which the player has won.
    pub rule_sets: u64,
    /// The experience in all rule sets.
    pub experience: u64,
}

impl Default for Awards {
    /// The tables that the program brings along.
    fn default() -> Self {
        Self::parse(BUNDLED).expect("a test reads the file")
    }
}

impl Awards {
    /// Reads the tables from YAML.
    ///
    /// # Errors
    /// The text is not a table of levels and badges. The error is a sentence that says why.
    pub fn parse(text: &str) -> Result<Self, String> {
        let awards: Self = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        awards.check().map(|()| awards)
    }

    fn check(&self) -> Result<(), String> {
        if self.levels.first() != Some(&0) || !self.levels.is_sorted_by(|one, next| one < next) {
            return Err("`levels` begins with 0, and each number is greater than the one before".to_owned());
        }
        if self.levels.len() > MOST_AWARDS || self.badges.len() > MOST_AWARDS {
            return Err(format!("there are at most {MOST_AWARDS} levels and {MOST_AWARDS} badges"));
        }
        let mut ids = BTreeSet::new();
        for Badge { id, text, when } in &self.badges {
            let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            if id.is_empty() || id.len() > LONGEST_ID || !id.bytes().all(is_word) {
                return Err(format!(
                    "the id `{id}` of a badge needs 1 to {LONGEST_ID} lower-case letters, digits and hyphens"
                ));
            }
            if !ids.insert(id) {
                return Err(format!("two badges have the id `{id}`"));
            }
            if text.trim().is_empty() || text.chars().count() > LONGEST_TEXT {
                return Err(format!("the text of the badge `{id}` needs 1 to {LONGEST_TEXT} characters"));
            }
            if *when == Conditions::default() {
                return Err(format!("the badge `{id}` has no condition in `when`"));
            }
        }
        Ok(())
    }

    /// Returns the level of a player with this experience, from 1, and the experience from which the next level begins;
    /// `None` in the last level.
    pub(crate) fn level(&self, experience: u64) -> (u64, Option<u64>) {
        let level = self.levels.partition_point(|begins| *begins <= experience);
        (level as u64, self.levels.get(level).copied())
    }

    /// Returns the badges that a player with these numbers has earned.
    pub(crate) fn earned(&self, merits: Merits) -> impl Iterator<Item = &Badge> {
        let level = self.level(merits.experience).0;
        self.badges.iter().filter(move |Badge { when, .. }| {
            let numbers = [
                (when.played, merits.played),
                (when.won, merits.won),
                (when.streak, merits.streak),
                (when.rule_sets, merits.rule_sets),
                (when.experience, merits.experience),
                (when.level, level),
            ];
            numbers.iter().all(|(least, number)| least.is_none_or(|least| *number >= least))
        })
    }

    /// Returns the badge with this id; `None` if the tables have none, which may be because they have changed.
    pub(crate) fn badge(&self, id: &str) -> Option<&Badge> {
        self.badges.iter().find(|badge| badge.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_follows_from_the_experience() {
        let awards = Awards::default();
        assert_eq!(awards.level(0), (1, Some(40)));
        assert_eq!(awards.level(39), (1, Some(40)));
        assert_eq!(awards.level(40), (2, Some(100)));
        assert_eq!(awards.level(u64::MAX), (20, None));
    }

    #[test]
    fn a_badge_is_earned_when_all_its_conditions_hold() {
        let text = "levels: [0, 10]\nbadges:\n- {id: both, text: Both, when: {won: 2, level: 2}}\n";
        let awards = Awards::parse(text).unwrap();
        let earns = |won, experience| awards.earned(Merits { won, experience, ..Merits::default() }).count();
        assert_eq!((earns(2, 9), earns(1, 10), earns(2, 10)), (0, 0, 1));
    }

    #[test]
    fn a_wrong_file_is_refused_with_a_reason() {
        for (text, reason) in [
            ("levels: [1, 2]", "begins with 0"),
            ("levels: [0, 5, 5]", "greater than the one before"),
            ("levels: [0]\nbadges: [{id: A, text: x, when: {won: 1}}]", "the id `A`"),
            ("levels: [0]\nbadges: [{id: a, text: x, when: {}}]", "no condition"),
            ("levels: [0]\nbadges: [{id: a, text: ' ', when: {won: 1}}]", "the text of the badge `a`"),
            (
                "levels: [0]\nbadges: [{id: a, text: x, when: {won: 1}}, {id: a, text: y, when: {won: 2}}]",
                "two badges have the id `a`",
            ),
            ("levels: [0]\nbadges: [{id: a, text: x, when: {wins: 1}}]", "wins"),
            ("badges: []", "levels"),
        ] {
            let refused = Awards::parse(text).unwrap_err();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }
}
