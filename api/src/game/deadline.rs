//! The deadline of the decision that a game waits for.

use crate::game::edit::Edit;
use crate::game::terms::{Absence, Status, TurnTimer, WhenLate};

impl Edit {
    /// Sets the deadline of the next decision, counted from the time of the change: its full time for a person, the
    /// pause of the game for a robot and in automatic mode.
    pub(super) fn set_deadline(&mut self) {
        let time = match self.server_plays() {
            Some(_) => Some(self.game.setup.robot_pause.milliseconds()),
            None => self.time_to_come().or(self.game.setup.timer.map(TurnTimer::milliseconds)),
        };
        self.game.deadline = time.filter(|_| self.game.status == Status::Playing).map(|time| self.now() + time);
    }

    /// Returns how the server plays the turn that is due, if the server plays it without waiting; `None` if a person
    /// decides, or nothing is to be decided.
    pub(crate) fn server_plays(&self) -> Option<WhenLate> {
        let setup = &self.game.setup;
        let game_seat = setup.seat(self.decider_name().ok()?)?;
        if let Some(robot) = game_seat.robot_now(setup) {
            return Some(WhenLate::Robot(robot));
        }
        let is_automatic = game_seat.gave_up.is_none() && game_seat.absence == Some(Absence::Automatic);
        is_automatic.then(|| setup.timer.map_or(WhenLate::Random, |timer| timer.then))
    }

    /// Returns the time for the decision that is due, in milliseconds, if it is the first one of its seat and the game
    /// has a limit for first decisions; otherwise `None`.
    pub(crate) fn time_to_come(&self) -> Option<u64> {
        let seconds = self.game.setup.no_show?;
        let name = self.decider_name().ok()?;
        let game_seat = self.game.setup.seat(name)?;
        let is_awaited = !game_seat.came && game_seat.gave_up.is_none() && game_seat.robot.is_none();
        is_awaited.then(|| u64::from(seconds) * 1000)
    }
}
