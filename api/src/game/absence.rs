//! Seats whose players are absent: late, without a connection, or gone. The server plays for them.

use pagade_rules::play::Seat;

use crate::error::{Code, Problem, detail};
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::terms::{Absence, Control, GaveUp, WhenLate};

impl Edit {
    /// Plays the turn that is due to its end, for a seat that the server plays without waiting. A turn in automatic
    /// mode counts as a late decision.
    ///
    /// # Errors
    /// 409 unless the game is in play.
    pub(crate) fn play_at_once(&mut self, how: WhenLate) -> Result<(), Problem> {
        let name = self.decider_name()?.to_owned();
        let is_automatic =
            self.game.setup.seat(&name).is_some_and(|game_seat| game_seat.control() == Some(Control::Automatic));
        if is_automatic {
            self.count_late(&name, how)?;
        } else {
            self.finish_turn(how)?;
        }
        self.settle()
    }

    /// Notes who decides for a seat from now on. `None` gives the seat back to its player.
    ///
    /// # Errors
    /// No seat has this name.
    pub(crate) fn set_absence(&mut self, name: &str, absence: Option<Absence>) -> Result<(), Problem> {
        if self.game.setup.seat(name).is_none_or(|game_seat| game_seat.absence == absence) {
            return Ok(());
        }
        let (seat, ranked_before) = (self.player(name)?, self.ranked());
        let now = self.now();
        let game_seat = self.seat_mut(name)?;
        game_seat.absence = absence;
        if absence.is_none() {
            game_seat.back_at = now;
        }
        let until = match absence {
            Some(Absence::Away { until }) => Some(until),
            _ => None,
        };
        let (control, setup) = (game_seat.control(), &self.game.setup);
        let robot = setup.seat(name).and_then(|game_seat| game_seat.robot_now(setup));
        self.add(Event::of_control(seat, control, robot, until));
        if self.decider_name().is_ok_and(|turn| turn == name) {
            self.set_deadline();
        }
        self.conclude(&ranked_before);
        Ok(())
    }

    /// Notes that the player of a seat has left for good: a robot plays the seat to the end. The game ends if nobody is
    /// left in it.
    ///
    /// # Errors
    /// No seat has this name.
    pub(crate) fn abandon(&mut self, name: &str) -> Result<(), Problem> {
        self.set_absence(name, Some(Absence::Abandoned))?;
        self.end_if_nobody_is_left();
        self.count_agreements();
        Ok(())
    }

    /// Notes that the player of a seat has left the game: a robot plays on if the game has one for absent players,
    /// otherwise the seat gives up. A seat that has its final rank keeps it. Does nothing if the seat has given up or
    /// its player has left before: only the first of these counts.
    ///
    /// # Errors
    /// No seat has this name.
    pub(crate) fn leave_for_good(&mut self, name: &str) -> Result<(), Problem> {
        let setup = &self.game.setup;
        match setup.stand_in {
            _ if setup.has_given_up(name) || setup.is_abandoned(name) => Ok(()),
            Some(_) => self.abandon(name),
            None if self.has_place(name) => self.set_absence(name, Some(Absence::Abandoned)),
            None => {
                self.give_up(self.player(name)?, GaveUp::Resigned)?;
                self.seat_mut(name)?.absence = Some(Absence::Abandoned);
                Ok(())
            }
        }
    }

    /// Gives a seat back to its player. Does nothing if the player decides already.
    ///
    /// # Errors
    /// 409 if the player has left for good, or was away for too long.
    pub(crate) fn come_back(&mut self, name: &str) -> Result<(), Problem> {
        let absence = self.game.setup.seat(name).and_then(|game_seat| game_seat.absence);
        let is_too_late = match absence {
            Some(Absence::Abandoned) => true,
            Some(Absence::Away { until }) => until <= self.now(),
            Some(Absence::Automatic) | None => false,
        };
        if is_too_late {
            return Err(abandoned(name));
        }
        self.set_absence(name, None)
    }

    /// Returns the seat as the engine names it, if a person plays it and has not left for good.
    pub(crate) fn seat_of_person(&self, name: &str) -> Option<Seat> {
        let game_seat = self.game.setup.seat(name).filter(|game_seat| game_seat.has_person())?;
        self.player(&game_seat.seat).ok()
    }
}

/// Makes the problem of a player who has left for good.
pub(crate) fn abandoned(seat: &str) -> Problem {
    Problem::new(Code::SeatAbandoned, detail!("a robot plays `{seat}` to the end of the game", seat))
}
