//! Conversions between the stored terms of a game and the types of the API.

use std::collections::BTreeMap;

use pagade_robots::RobotKind;
use pagade_rules::ruleset::{OptionValue, Options};
use serde::{Serialize, Serializer};

use crate::game::terms::{
    Agreement, Control, DiceHolder, EndedBy, GaveUp, PinnedRules, SeedBy, Status, TurnTimer, WhenLate,
};
use crate::model::ending;
use crate::model::{creation as created, game as wire};

impl From<created::DiceHolder> for DiceHolder {
    fn from(holder: created::DiceHolder) -> Self {
        match holder {
            created::DiceHolder::Server => Self::Server,
            created::DiceHolder::Players => Self::Players,
        }
    }
}

impl From<DiceHolder> for created::DiceHolder {
    fn from(holder: DiceHolder) -> Self {
        match holder {
            DiceHolder::Server => Self::Server,
            DiceHolder::Players => Self::Players,
        }
    }
}

impl From<SeedBy> for wire::SeedBy {
    fn from(by: SeedBy) -> Self {
        match by {
            SeedBy::Server => Self::Server,
            SeedBy::Owner => Self::Owner,
        }
    }
}

impl From<Status> for wire::GameStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Open => Self::Open,
            Status::Playing => Self::Playing,
            Status::Finished => Self::Finished,
        }
    }
}

impl From<wire::GameStatus> for Status {
    fn from(status: wire::GameStatus) -> Self {
        match status {
            wire::GameStatus::Open => Self::Open,
            wire::GameStatus::Playing => Self::Playing,
            wire::GameStatus::Finished => Self::Finished,
        }
    }
}

impl From<created::TurnTimer> for TurnTimer {
    fn from(created::TurnTimer { seconds, then, forfeit_after, automatic }: created::TurnTimer) -> Self {
        let then = match then {
            created::WhenLate::Random => WhenLate::Random,
            created::WhenLate::First => WhenLate::First,
            created::WhenLate::Runner => WhenLate::Robot(RobotKind::Runner),
            created::WhenLate::Hunter => WhenLate::Robot(RobotKind::Hunter),
            created::WhenLate::Thinker => WhenLate::Robot(RobotKind::Thinker),
            created::WhenLate::Learned => WhenLate::Robot(RobotKind::Learned),
        };
        Self { seconds, then, forfeit_after, automatic }
    }
}

impl From<TurnTimer> for created::TurnTimer {
    fn from(TurnTimer { seconds, then, forfeit_after, automatic }: TurnTimer) -> Self {
        let then = match then {
            WhenLate::Random | WhenLate::Robot(RobotKind::Random) => created::WhenLate::Random,
            WhenLate::Robot(RobotKind::Runner) => created::WhenLate::Runner,
            WhenLate::Robot(RobotKind::Hunter) => created::WhenLate::Hunter,
            WhenLate::Robot(RobotKind::Thinker) => created::WhenLate::Thinker,
            WhenLate::Robot(RobotKind::Learned) => created::WhenLate::Learned,
            WhenLate::First => created::WhenLate::First,
        };
        Self { seconds, then, forfeit_after, automatic }
    }
}

impl From<Control> for wire::Control {
    fn from(control: Control) -> Self {
        match control {
            Control::Player => Self::Player,
            Control::Robot => Self::Robot,
            Control::Automatic => Self::Automatic,
            Control::Abandoned => Self::Abandoned,
        }
    }
}

impl From<created::Robot> for RobotKind {
    fn from(robot: created::Robot) -> Self {
        match robot {
            created::Robot::Random => Self::Random,
            created::Robot::Runner => Self::Runner,
            created::Robot::Hunter => Self::Hunter,
            created::Robot::Thinker => Self::Thinker,
            created::Robot::Learned => Self::Learned,
        }
    }
}

impl From<RobotKind> for created::Robot {
    fn from(kind: RobotKind) -> Self {
        match kind {
            RobotKind::Random => Self::Random,
            RobotKind::Runner => Self::Runner,
            RobotKind::Hunter => Self::Hunter,
            RobotKind::Thinker => Self::Thinker,
            RobotKind::Learned => Self::Learned,
        }
    }
}

impl From<EndedBy> for ending::EndedBy {
    fn from(by: EndedBy) -> Self {
        match by {
            EndedBy::Rules => Self::Rules,
            EndedBy::Length => Self::Length,
            EndedBy::Resignation => Self::Resignation,
            EndedBy::Forfeit => Self::Forfeit,
            EndedBy::Agreement => Self::Agreement,
            EndedBy::Abort => Self::Abort,
        }
    }
}

impl From<GaveUp> for ending::GaveUp {
    fn from(how: GaveUp) -> Self {
        match how {
            GaveUp::Resigned => Self::Resigned,
            GaveUp::Forfeited => Self::Forfeited,
        }
    }
}

impl From<Agreement> for ending::AgreesTo {
    fn from(to: Agreement) -> Self {
        match to {
            Agreement::End => Self::End,
            Agreement::Abort => Self::Abort,
            Agreement::Play => Self::Play,
        }
    }
}

impl From<ending::AgreesTo> for Agreement {
    fn from(to: ending::AgreesTo) -> Self {
        match to {
            ending::AgreesTo::End => Self::End,
            ending::AgreesTo::Abort => Self::Abort,
            ending::AgreesTo::Play => Self::Play,
        }
    }
}

impl From<&PinnedRules> for wire::RuleSetRef {
    fn from(PinnedRules { id, version, digest }: &PinnedRules) -> Self {
        Self { id: id.clone(), version: version.clone(), digest: digest.clone() }
    }
}

/// Converts options of a request to options of the engine.
pub(crate) fn options(sent: &BTreeMap<String, created::OptionValue>) -> Options {
    let value = |value: &created::OptionValue| match value {
        created::OptionValue::Truth(truth) => OptionValue::Truth(*truth),
        created::OptionValue::Number(number) => OptionValue::Number(*number),
        created::OptionValue::Word(word) => OptionValue::Word(word.clone()),
    };
    sent.iter().map(|(name, sent)| (name.clone(), value(sent))).collect()
}

/// Converts an option of the engine to its value in an answer.
fn option(value: &OptionValue) -> created::OptionValue {
    match value {
        OptionValue::Truth(truth) => created::OptionValue::Truth(*truth),
        OptionValue::Number(number) => created::OptionValue::Number(*number),
        OptionValue::Word(word) => created::OptionValue::Word(word.clone()),
    }
}

/// The options of a table as JSON, in the order of the rule file.
pub(crate) struct WireOptions<'a>(pub &'a [(String, OptionValue)]);

impl Serialize for WireOptions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, chosen)| (name, option(chosen))))
    }
}
