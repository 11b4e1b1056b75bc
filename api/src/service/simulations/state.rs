//! The state of a simulation, as it is stored in its note, and the answer that is made from it.
//!
//! The stored types are separate from those of the answer, so that the API can change without damage to stored data.

use std::collections::BTreeMap;

use pagade_rules::ruleset::OptionValue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::statistics::SimulationStatistics;
use crate::game::terms::PinnedRules;
use crate::model::creation as created;
use crate::model::game::RuleSetRef;
use crate::model::simulation::{SimulationEnd, SimulationStatus, SimulationView};

/// A simulation and how far it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SimulationState {
    pub id: Uuid,
    pub status: SimulationStage,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<StopReason>,
    pub rule_set: PinnedRules,
    /// The name of the game in the rule file.
    pub title: String,
    /// The values of all options, including defaults.
    pub options: BTreeMap<String, StoredOption>,
    /// The names of the seats that play, in the order of travel.
    pub players: Vec<String>,
    /// The robot of each playing seat in the first game.
    pub robots: Vec<String>,
    pub seed: u32,
    /// The number of games to play.
    pub games: u32,
    /// The number of games that were played so far.
    pub played: u64,
    /// Seconds of processor time that the games have taken so far.
    pub seconds: f64,
    /// The time of the creation, as text.
    pub created_at: String,
    /// The statistics of the games so far; `None` while there is no game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<SimulationStatistics>,
}

/// Whether a simulation waits, runs or has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SimulationStage {
    Waiting,
    Running,
    Ended,
}

/// The reason why no further games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StopReason {
    /// All games were played.
    Complete,
    /// The games took as long as they may.
    Time,
    /// Somebody has cancelled the simulation.
    Cancel,
    /// The process was stopped, or the thread failed.
    Failure,
}

/// The value of an option. In the note it is a JSON word, number or truth value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum StoredOption {
    Truth(bool),
    Number(i64),
    Word(String),
}

impl From<&OptionValue> for StoredOption {
    fn from(value: &OptionValue) -> Self {
        match value {
            OptionValue::Truth(truth) => Self::Truth(*truth),
            OptionValue::Number(number) => Self::Number(*number),
            OptionValue::Word(word) => Self::Word(word.clone()),
        }
    }
}

impl From<StoredOption> for created::OptionValue {
    fn from(value: StoredOption) -> Self {
        match value {
            StoredOption::Truth(truth) => Self::Truth(truth),
            StoredOption::Number(number) => Self::Number(number),
            StoredOption::Word(word) => Self::Word(word),
        }
    }
}

impl From<SimulationStage> for SimulationStatus {
    fn from(stage: SimulationStage) -> Self {
        match stage {
            SimulationStage::Waiting => Self::Waiting,
            SimulationStage::Running => Self::Running,
            SimulationStage::Ended => Self::Ended,
        }
    }
}

impl From<StopReason> for SimulationEnd {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Complete => Self::Complete,
            StopReason::Time => Self::Time,
            StopReason::Cancel => Self::Cancel,
            StopReason::Failure => Self::Failure,
        }
    }
}

impl From<SimulationState> for SimulationView {
    fn from(state: SimulationState) -> Self {
        let PinnedRules { id, version, digest } = state.rule_set;
        Self {
            id: state.id,
            status: state.status.into(),
            ended_by: state.ended_by.map(Into::into),
            rule_set: RuleSetRef { id, version, digest },
            title: state.title,
            options: state.options.into_iter().map(|(name, value)| (name, value.into())).collect(),
            players: state.players,
            robots: state.robots,
            seed: state.seed,
            games: state.games,
            played: state.played,
            seconds: state.seconds,
            created_at: state.created_at,
            results: state.results.map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stored::StoredSimulation;
    use super::*;

    /// A note in the stored form, on several lines.
    const NOTE: &str = include_str!("stored_note.json");

    #[test]
    fn a_stored_note_is_read_and_written_in_the_form_of_old_notes() {
        let note = NOTE.lines().map(str::trim_start).collect::<String>();
        let kept: StoredSimulation = serde_json::from_str(&note).unwrap();
        assert_eq!(serde_json::to_string(&kept).unwrap(), note);
    }

    #[test]
    fn a_stored_note_becomes_the_whole_answer() {
        let kept: StoredSimulation = serde_json::from_str(NOTE).unwrap();
        let note: serde_json::Value = serde_json::from_str(NOTE).unwrap();
        assert_eq!(serde_json::to_value(SimulationView::from(kept.state)).unwrap(), note["view"]);
    }
}
