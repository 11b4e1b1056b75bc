//! Deadlines and retention of games: a late turn is played by the server.

use std::time::Duration;

use crate::config::Retention;
use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::stored::Game;
use crate::game::terms::{Status, WhenLate};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::NOT_YET;
use crate::service::games::turns::MOST_ACTIONS;
use crate::service::schedule::{DueEntity, StateRetention};

impl DueEntity for Game {
    fn due_at(&self, now: u64) -> Option<u64> {
        let timer = self.setup.timer?;
        match self.status {
            // The commit that starts the game may be on its way.
            Status::Open => Some(now + timer.milliseconds().max(NOT_YET)),
            Status::Playing => self.deadline,
            Status::Finished => None,
        }
    }

    /// Plays the late turn to its end.
    async fn run_due(_: &Service, edit: &mut Edit) -> Result<(), Problem> {
        let timer = edit.game.setup.timer.ok_or_else(|| internal("a game without a timer has a deadline"))?;
        finish_turn(edit, timer.then)
    }

    fn retention(&self, service: &Service) -> StateRetention {
        retention_of(&service.keep, self.status)
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        let Retention { open, playing, finished } = service.keep;
        shortest([open, playing, finished])
    }

    fn count_expired(&self, metrics: &Metrics) {
        let became = if self.status == Status::Playing { "abandoned" } else { "removed" };
        metrics.count_game(&self.setup.rule_set_label(), became);
    }
}

/// The retention of a game of this status.
pub(in crate::service) fn retention_of(keep: &Retention, status: Status) -> StateRetention {
    let Retention { open, playing, finished } = *keep;
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

/// Throws and plays for the seat to move until its turn ends.
fn finish_turn(edit: &mut Edit, then: WhenLate) -> Result<(), Problem> {
    let seat = edit.turn()?;
    edit.add(Event::of_seat(EventKind::TimeOver, seat));
    for _ in 0..MOST_ACTIONS {
        let play = edit.playing()?;
        if play.awaits_throw() {
            let throw = edit.next_throw(None)?;
            edit.throw(&throw)?;
        } else {
            let legal = play.legal_texts(&edit.engine);
            let choice = match then {
                WhenLate::First => 0,
                WhenLate::Random => random_below(legal.len())?,
            };
            let action = legal.get(choice).cloned().ok_or_else(|| internal("no action is legal"))?;
            edit.act(&action, "")?;
        }
        if edit.game.status != Status::Playing || edit.turn()? != seat {
            break;
        }
    }
    Ok(())
}

/// Draws a number below `count`. It picks an action, never a throw: so it needs no proof, and the record shows the action.
fn random_below(count: usize) -> Result<usize, Problem> {
    let random = getrandom::u64().map_err(internal)?;
    // The remainder favours low numbers by less than one part in 10^16: far too little to matter.
    Ok((random % count.max(1) as u64) as usize)
}
