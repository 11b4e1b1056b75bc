//! Deadlines and retention of games. At the deadline of a decision, the server plays the late turn.

use std::time::Duration;

use crate::config::Retention;
use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::NOT_YET;
use crate::service::schedule::{DueEntity, StateRetention};

impl DueEntity for Game {
    fn due_at(&self, now: u64) -> Option<u64> {
        let timer = self.setup.timer?;
        match self.status {
            // A commit in progress may start the game. If the time limit is shorter than `NOT_YET` and the start is
            // committed during this check, the first late turn may be played up to `NOT_YET` too late.
            Status::Open => Some(now + timer.milliseconds().max(NOT_YET)),
            Status::Playing => self.deadline,
            Status::Finished => None,
        }
    }

    /// Plays the late turn to its end.
    async fn run_due(_: &Service, edit: &mut Edit) -> Result<(), Problem> {
        let timer = edit.game.setup.timer.ok_or_else(|| internal("a game without a timer has a deadline"))?;
        edit.play_late(timer)
    }

    fn retention(&self, service: &Service) -> StateRetention {
        retention_of(&service.keep, self.status)
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        let Retention { open, playing, finished, .. } = service.keep;
        shortest([open, playing, finished])
    }

    fn count_expired(&self, metrics: &Metrics) {
        let became = if self.status == Status::Playing { "abandoned" } else { "removed" };
        metrics.count_game(&self.setup.rule_set_label(), became);
    }
}

/// Returns how long a game with this status is kept.
pub(in crate::service) fn retention_of(keep: &Retention, status: Status) -> StateRetention {
    let Retention { open, playing, finished, .. } = *keep;
    let (present, later) = match status {
        Status::Open => (open, shortest([playing, finished])),
        Status::Playing => (playing, shortest([finished])),
        Status::Finished => (finished, None),
    };
    StateRetention { present: present.map(milliseconds), later }
}

fn shortest<const COUNT: usize>(kept: [Option<Duration>; COUNT]) -> Option<u64> {
    kept.into_iter().flatten().min().map(milliseconds)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
