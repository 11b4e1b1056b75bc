//! Deadlines and retention of games. At the deadline of a decision, the server plays the turn of the robot or of the
//! late player.

use std::time::Duration;

use crate::config::Retention;
use crate::error::Problem;
use crate::game::edit::Edit;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::ground::clock;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::NOT_YET;
use crate::service::schedule::{DueEntity, StateRetention};

/// Shortest interval, in milliseconds, between two checks whether a robot has to play.
const SHORTEST_ROBOT_CHECK: u64 = 500;
/// Longest interval, in milliseconds, between two checks whether a robot has to play.
const LONGEST_ROBOT_CHECK: u64 = 900_000;

impl DueEntity for Game {
    fn due_at(&self, now: u64) -> Option<u64> {
        // The process of a commit in progress may start the game, or give the turn to a robot, and die before it
        // schedules the next check.
        let robots = self.setup.has_robots().then(|| now + self.robot_check(now));
        let absence = self.setup.stand_in.map(|stand_in| now + stand_in.after);
        match self.status {
            // The commit that starts the game also schedules its first deadline. If the process dies before that, this
            // check finds the game, and a late first turn is played up to `NOT_YET` too late.
            Status::Open => {
                let timer = self.setup.timer.map(|timer| now + timer.milliseconds().max(NOT_YET));
                timer.into_iter().chain(robots).chain(absence).min()
            }
            Status::Playing => self.deadline.into_iter().chain(self.first_decisions(now)).chain(robots).min(),
            Status::Finished => None,
        }
    }

    /// Plays the turn of a robot or of an absent player, or the late turn of a player, to its end.
    async fn run_due(_: &Service, edit: &mut Edit) -> Result<(), Problem> {
        if let Some(how) = edit.server_plays() {
            return edit.play_at_once(how);
        }
        edit.play_late()
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

impl Game {
    /// Returns the earliest deadline that a commit in progress can set for the first decision of a seat, which has a
    /// time limit of its own. `None` if first decisions have no such limit, or every player has made one.
    fn first_decisions(&self, now: u64) -> Option<u64> {
        let setup = &self.setup;
        let first = setup.no_show.map(|seconds| u64::from(seconds) * 1000)?;
        let is_awaited = setup.seats.iter().any(|seat| !seat.came && seat.gave_up.is_none() && seat.robot.is_none());
        let shortest = setup.timer.map_or(first, |timer| timer.milliseconds().min(first));
        is_awaited.then(|| now + shortest.max(NOT_YET))
    }

    /// Returns the interval, in milliseconds, before the next check whether a robot has to play. The interval is the
    /// time since the last change of the game, within limits, so that games that wait for days cost little.
    fn robot_check(&self, now: u64) -> u64 {
        let changed = clock::read(&self.updated_at).unwrap_or(now);
        now.saturating_sub(changed).clamp(SHORTEST_ROBOT_CHECK, LONGEST_ROBOT_CHECK)
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
