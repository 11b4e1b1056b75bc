//! The options of a table itself, beside those of its rule set: their names, defaults and ranges.

use std::num::NonZeroU32;

use pagade_robots::RobotKind;
use serde::{Deserialize, Serialize};

use crate::error::{Detail, detail};
use crate::game::terms::{TurnTimer, WhenLate};
use crate::model::creation::OptionValue;

/// Most chips that can be staked on a game.
pub(crate) const HIGHEST_BET: u32 = 1_000_000;

/// Default time for a decision, in seconds.
const DEFAULT_TIME: Option<NonZeroU32> = NonZeroU32::new(30);
/// The value of the option `stand_in` if no robot plays for players who are absent.
const NOBODY: &str = "none";
/// Longest time for a decision, in seconds: two weeks.
const LONGEST_TIME: u32 = 1_209_600;

/// The options of a table itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableSettings {
    /// Seconds for each decision in a game; `None` for no limit, which is stored as 0.
    #[serde(with = "stored_time")]
    pub time_per_turn: Option<NonZeroU32>,
    /// Whether only invited players may sit down or watch.
    pub private: bool,
    /// Whether players without a seat may watch.
    pub spectators_allowed: bool,
    /// Whether the players may end a game by a vote.
    pub amicable_end: bool,
    /// Whether games count: for chips, experience, statistics and ratings. Other games are practice.
    pub competitive: bool,
    /// Number of chips that each player stakes on a competitive game.
    pub bet: u32,
    /// The robot that plays for players who leave or lose the connection; `None`: a player who leaves gives up.
    pub stand_in: Option<RobotKind>,
    /// Whether a game begins as soon as all seats are taken.
    pub start_when_full: bool,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            time_per_turn: DEFAULT_TIME,
            private: false,
            spectators_allowed: true,
            amicable_end: true,
            competitive: true,
            bet: 0,
            stand_in: Some(RobotKind::Hunter),
            start_when_full: false,
        }
    }
}

/// An option of a table itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableSetting {
    /// See [`TableSettings::time_per_turn`].
    TimePerTurn,
    /// See [`TableSettings::private`].
    Private,
    /// See [`TableSettings::spectators_allowed`].
    SpectatorsAllowed,
    /// See [`TableSettings::amicable_end`].
    AmicableEnd,
    /// See [`TableSettings::competitive`].
    Competitive,
    /// See [`TableSettings::bet`].
    Bet,
    /// See [`TableSettings::stand_in`].
    StandIn,
    /// See [`TableSettings::start_when_full`].
    StartWhenFull,
}

impl TableSetting {
    /// Every option, in the order in which they are listed.
    pub(crate) const ALL: [Self; 8] = [
        Self::TimePerTurn,
        Self::Private,
        Self::SpectatorsAllowed,
        Self::AmicableEnd,
        Self::Competitive,
        Self::Bet,
        Self::StandIn,
        Self::StartWhenFull,
    ];

    /// Returns the name of the option.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::TimePerTurn => "time_per_turn",
            Self::Private => "private",
            Self::SpectatorsAllowed => "spectators_allowed",
            Self::AmicableEnd => "amicable_end",
            Self::Competitive => "competitive",
            Self::Bet => "bet",
            Self::StandIn => "stand_in",
            Self::StartWhenFull => "start_when_full",
        }
    }

    /// Returns the description of the option for people.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::TimePerTurn => "Seconds for each decision; 0 for no limit",
            Self::Private => "Only invited players and friends of the master may sit down or watch",
            Self::SpectatorsAllowed => "Players without a seat may watch",
            Self::AmicableEnd => "The players may end a game by a vote",
            Self::Competitive => "Games count for chips, experience and ratings",
            Self::Bet => "Chips that each player stakes on a competitive game",
            Self::StandIn => "The robot that plays for players who leave or lose the connection; `none`: they give up",
            Self::StartWhenFull => "A game begins as soon as all seats are taken",
        }
    }

    /// Returns the option that has to be on for this option to have an effect; `None` if there is none.
    pub(crate) fn needs(self) -> Option<Self> {
        (self == Self::Bet).then_some(Self::Competitive)
    }

    /// Returns the option with this name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.name() == name)
    }

    /// Tells whether a change of the option acts on the game in play, not only on the next one.
    pub(crate) fn acts_now(self) -> bool {
        !matches!(self, Self::AmicableEnd | Self::Competitive | Self::Bet | Self::StandIn)
    }

    /// Tells whether the option belongs to the class of a table, by which quick play brings strangers together. All
    /// other options make no difference to the play of strangers.
    pub(crate) fn is_of_class(self) -> bool {
        !matches!(
            self,
            Self::Private | Self::SpectatorsAllowed | Self::AmicableEnd | Self::StandIn | Self::StartWhenFull
        )
    }

    /// Returns the words that the option can have; none if its values are not words.
    pub(crate) fn words(self) -> Vec<String> {
        match self {
            Self::StandIn => {
                let robots = RobotKind::ALL.iter().map(|robot| robot.name().to_owned());
                [NOBODY.to_owned()].into_iter().chain(robots).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the smallest and the largest number that the option can have; `None` if its values are truth values or
    /// words.
    pub(crate) fn range(self) -> Option<(i64, i64)> {
        match self {
            Self::TimePerTurn => Some((0, LONGEST_TIME.into())),
            Self::Bet => Some((0, HIGHEST_BET.into())),
            Self::Private
            | Self::SpectatorsAllowed
            | Self::AmicableEnd
            | Self::Competitive
            | Self::StandIn
            | Self::StartWhenFull => None,
        }
    }

    pub(crate) fn value(self, settings: &TableSettings) -> OptionValue {
        match self {
            Self::TimePerTurn => OptionValue::Number(settings.seconds_per_turn().into()),
            Self::Private => OptionValue::Truth(settings.private),
            Self::SpectatorsAllowed => OptionValue::Truth(settings.spectators_allowed),
            Self::AmicableEnd => OptionValue::Truth(settings.amicable_end),
            Self::Competitive => OptionValue::Truth(settings.competitive),
            Self::Bet => OptionValue::Number(settings.bet.into()),
            Self::StandIn => OptionValue::Word(settings.stand_in.map_or(NOBODY, RobotKind::name).to_owned()),
            Self::StartWhenFull => OptionValue::Truth(settings.start_when_full),
        }
    }

    /// Sets the value of the option.
    ///
    /// # Errors
    /// The option cannot have this value.
    pub(crate) fn set(self, settings: &mut TableSettings, value: &OptionValue) -> Result<(), Detail> {
        match (self, value) {
            (Self::TimePerTurn, OptionValue::Number(seconds)) if (0..=i64::from(LONGEST_TIME)).contains(seconds) => {
                settings.time_per_turn = NonZeroU32::new(u32::try_from(*seconds).unwrap_or(LONGEST_TIME));
            }
            (Self::TimePerTurn, _) => {
                return Err(detail!("it is a number from {least} to {most}", least = 0, most = LONGEST_TIME));
            }
            (Self::Bet, OptionValue::Number(bet)) if (0..=i64::from(HIGHEST_BET)).contains(bet) => {
                settings.bet = u32::try_from(*bet).unwrap_or(HIGHEST_BET);
            }
            (Self::Bet, _) => {
                return Err(detail!("it is a number from {least} to {most}", least = 0, most = HIGHEST_BET));
            }
            (Self::Private, OptionValue::Truth(private)) => settings.private = *private,
            (Self::SpectatorsAllowed, OptionValue::Truth(allowed)) => settings.spectators_allowed = *allowed,
            (Self::AmicableEnd, OptionValue::Truth(can_end)) => settings.amicable_end = *can_end,
            (Self::Competitive, OptionValue::Truth(counts)) => settings.competitive = *counts,
            (Self::StartWhenFull, OptionValue::Truth(starts)) => settings.start_when_full = *starts,
            (Self::StandIn, OptionValue::Word(word)) if self.words().contains(word) => {
                settings.stand_in = word.parse().ok();
            }
            (Self::StandIn, _) => return Err(detail!("it is one of {words}", words = self.words())),
            _ => return Err(detail!("the value must be `true` or `false`")),
        }
        Ok(())
    }
}

impl TableSettings {
    /// Returns the time limit for decisions in games of the table; `None` if there is none.
    pub(crate) fn timer(&self) -> Option<TurnTimer> {
        let then = self.stand_in.map_or(WhenLate::Random, WhenLate::Robot);
        let seconds = self.time_per_turn?.get();
        Some(TurnTimer { seconds, then, forfeit_after: None, automatic: true })
    }

    /// Returns the seconds for each decision, as options, views and tags have them: 0 for no limit.
    pub(crate) fn seconds_per_turn(&self) -> u32 {
        self.time_per_turn.map_or(0, NonZeroU32::get)
    }
}

/// Writes and reads the stored time for a decision: no limit is 0.
mod stored_time {
    use std::num::NonZeroU32;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Option<NonZeroU32>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(time.map_or(0, NonZeroU32::get))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
        u32::deserialize(deserializer).map(NonZeroU32::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_its_own_values_only() {
        for setting in TableSetting::ALL {
            assert_eq!(TableSetting::parse(setting.name()), Some(setting));
            let mut settings = TableSettings::default();
            let default = setting.value(&settings);
            setting.set(&mut settings, &default).unwrap();
            assert_eq!(settings, TableSettings::default());
            let other = match default {
                OptionValue::Truth(truth) => OptionValue::Truth(!truth),
                OptionValue::Word(_) => OptionValue::Word(NOBODY.to_owned()),
                _ => OptionValue::Number(7),
            };
            setting.set(&mut settings, &other).unwrap();
            assert_eq!(setting.value(&settings), other);
            for wrong in [OptionValue::Word("yes".to_owned()), OptionValue::Number(-1)] {
                assert!(setting.set(&mut settings, &wrong).is_err(), "{setting:?} {wrong:?}");
            }
            assert_eq!(setting.value(&settings), other, "a wrong value changes nothing");
        }
        assert_eq!(TableSettings { time_per_turn: None, ..TableSettings::default() }.timer(), None);
    }

    #[test]
    fn no_time_limit_is_stored_as_0() {
        for (time_per_turn, stored) in [(None, 0), (NonZeroU32::new(60), 60)] {
            let settings = TableSettings { time_per_turn, ..TableSettings::default() };
            let written = serde_json::to_value(&settings).unwrap();
            assert_eq!(written["time_per_turn"], stored);
            assert_eq!(serde_json::from_value::<TableSettings>(written).unwrap(), settings);
        }
    }
}
