//! Who decides for a seat: its player, a robot, or the server.

use pagade_robots::RobotKind;

use crate::game::setup::{GameSeat, Setup};
use crate::game::terms::{Absence, Control};

impl GameSeat {
    /// Returns who decides for the seat; `None` if the seat is free or has given up.
    pub(crate) fn control(&self) -> Option<Control> {
        match (self.robot, self.absence) {
            _ if self.gave_up.is_some() => None,
            (Some(_), _) => Some(Control::Robot),
            (None, Some(Absence::Automatic)) => Some(Control::Automatic),
            (None, Some(Absence::Away { .. })) => Some(Control::Robot),
            (None, Some(Absence::Abandoned)) => Some(Control::Abandoned),
            (None, None) => self.token.is_some().then_some(Control::Player),
        }
    }

    /// Tells whether the player of the seat has left for good, and had not given up before.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.absence == Some(Absence::Abandoned)
    }

    /// Tells whether a person has joined the seat and has neither given up nor left for good.
    pub(crate) fn has_person(&self) -> bool {
        self.robot.is_none() && self.token.is_some() && self.gave_up.is_none() && !self.is_abandoned()
    }

    /// Tells whether the player of the seat is asked when all players have to agree. Robots are not asked, not even
    /// those that play for a player without a connection.
    pub(crate) fn is_asked(&self) -> bool {
        let is_robot = self.robot.is_some() || matches!(self.absence, Some(Absence::Away { .. } | Absence::Abandoned));
        self.gave_up.is_none() && !is_robot
    }

    /// Returns the robot that plays the seat now: its own, or the one that stands in for its player.
    pub(crate) fn robot_now(&self, setup: &Setup) -> Option<RobotKind> {
        let stand_in = || match self.absence {
            Some(Absence::Away { .. } | Absence::Abandoned) => setup.stand_in.map(|stand_in| stand_in.robot),
            Some(Absence::Automatic) | None => None,
        };
        self.robot.or_else(stand_in)
    }
}

impl Setup {
    /// Returns the seat with this name.
    pub(crate) fn seat(&self, name: &str) -> Option<&GameSeat> {
        self.seats.iter().find(|game_seat| game_seat.seat == name)
    }

    /// Tells whether the player of the seat with this name has left for good.
    pub(crate) fn is_abandoned(&self, name: &str) -> bool {
        self.seat(name).is_some_and(GameSeat::is_abandoned)
    }
}
