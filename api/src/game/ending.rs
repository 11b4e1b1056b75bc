//! The ways in which a game ends before its rules end it: seats give up, all players agree, or the game is too long.

use pagade_rules::play::Seat;

use crate::error::{Code, Problem, detail, internal};
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::length;
use crate::game::ranking::sides_in_play;
use crate::game::setup::GameSeat;
use crate::game::terms::{Absence, Agreement, DiceHolder, Ending, GaveUp, Status, WhenLate};
use crate::model::event_kind::EventKind;

/// Maximum number of turns of seats that gave up, which the server plays after one command. All seats but one may have
/// given up, and each may get several turns in a row.
const MOST_TURNS: usize = 64;

impl Edit {
    /// Takes a seat out of the game. A side loses when all its seats have given up, and the game ends when one side is
    /// left in play.
    ///
    /// # Errors
    /// The seat has given up before, or has its final rank already.
    pub(crate) fn give_up(&mut self, seat: Seat, how: GaveUp) -> Result<(), Problem> {
        let name = self.engine.seat_name(seat).to_owned();
        if self.has_place(&name) {
            return Err(Problem::new(Code::NotAllowed, detail!("`{seat}` has its place already", seat = name)));
        }
        let order =
            self.game.setup.seats.iter().filter_map(|game_seat| game_seat.gave_up).map(|(order, _)| order).max();
        let ranked_before = self.ranked();
        let game_seat = self.seat_mut(&name)?;
        if game_seat.gave_up.is_some() {
            return Err(Problem::new(Code::NotAllowed, detail!("`{seat}` has given up before", seat = name)));
        }
        game_seat.gave_up = Some((order.unwrap_or(0) + 1, how));
        game_seat.absence = None;
        let (kind, ending) = match how {
            GaveUp::Resigned => (EventKind::Resigned, Ending::Resignation),
            GaveUp::Forfeited => (EventKind::Forfeited, Ending::Forfeit),
        };
        self.add(Event::of_seat(kind, seat));
        self.conclude(&ranked_before);
        if how == GaveUp::Resigned || !self.awaits_winner() {
            self.end_if_one_is_left(ending);
            self.end_if_nobody_is_left();
        }
        self.count_agreements();
        Ok(())
    }

    /// Ends the game if only robots would play it to its end: at least one player has left for good, and all others
    /// have given up or left, too. If a side has won, the game ends with the ranks that were reached. Otherwise, if a
    /// player has given up without leaving, that player has lost: the game counts, and all seats are ranked. If all
    /// players have left, the game does not count.
    pub(crate) fn end_if_nobody_is_left(&mut self) {
        let seats = &self.game.setup.seats;
        let is_played_on = |game_seat: &GameSeat| game_seat.is_abandoned() && game_seat.gave_up.is_none();
        let has_lost = |game_seat: &GameSeat| game_seat.gave_up.is_some() && !game_seat.is_abandoned();
        if self.game.status != Status::Playing
            || !seats.iter().any(is_played_on)
            || seats.iter().any(GameSeat::has_person)
        {
            return;
        }
        if seats.iter().any(has_lost) && !self.is_won() {
            self.end(Ending::Resignation);
        } else {
            self.end_without_players();
        }
    }

    fn end_if_one_is_left(&mut self, ending: Ending) {
        if self.game.status == Status::Playing && sides_in_play(&self.engine, &self.game.setup, &self.ranked()) < 2 {
            self.end(ending);
        }
    }

    /// Ends a game that its players do not play to its end. If a side has won, the game ends with the ranks that were
    /// reached; otherwise it does not count.
    pub(crate) fn end_without_players(&mut self) {
        self.end(if self.is_won() { Ending::Agreement } else { Ending::Abort });
    }

    /// Whether nobody can win this game yet: it is a game of a tournament with a time limit, no player has made a
    /// decision or resigned, and some seat has not given up. A side that is left alone wins only by its own first
    /// decision, for which it has the same time as all others.
    fn awaits_winner(&self) -> bool {
        let setup = &self.game.setup;
        let has_clock = setup.no_show.is_some() || setup.timer.is_some();
        let came = |game_seat: &GameSeat| {
            game_seat.came || game_seat.robot.is_some() || matches!(game_seat.gave_up, Some((_, GaveUp::Resigned)))
        };
        let is_left = |game_seat: &GameSeat| game_seat.gave_up.is_none();
        setup.tournament.is_some() && has_clock && !setup.seats.iter().any(came) && setup.seats.iter().any(is_left)
    }

    /// Notes the proposal that seats agree to. The game ends when all seats agree to the same proposal, except seats
    /// that have given up and those that robots play.
    pub(crate) fn agree(&mut self, seats: &[Seat], to: Agreement) -> Result<(), Problem> {
        for seat in seats {
            let name = self.engine.seat_name(*seat).to_owned();
            let agreed = (to != Agreement::Play).then_some(to);
            let game_seat = self.seat_mut(&name)?;
            if game_seat.agreed != agreed {
                game_seat.agreed = agreed;
                self.add(Event::of_agreement(*seat, to));
            }
        }
        self.count_agreements();
        Ok(())
    }

    /// Ends the game if all players who are asked agree to the same proposal. Called when a player agrees, and when a
    /// player is no longer asked.
    pub(crate) fn count_agreements(&mut self) {
        let mut asked =
            self.game.setup.seats.iter().filter(|game_seat| game_seat.is_asked()).map(|game_seat| game_seat.agreed);
        let Some(Some(to)) = asked.next() else { return };
        let is_agreed = asked.all(|agreed| agreed == Some(to));
        if is_agreed && self.game.status == Status::Playing {
            self.end(if to == Agreement::Abort { Ending::Abort } else { Ending::Agreement });
        }
    }

    /// Notes that the player of the seat that has to decide does so in time. The count of the seat's late decisions in
    /// a row becomes 0. If somebody else decided for the seat, its player decides again.
    ///
    /// # Errors
    /// 409 if the player has left for good.
    pub(crate) fn note_in_time(&mut self) -> Result<(), Problem> {
        let name = self.decider_name()?.to_owned();
        self.come_back(&name)?;
        let notes_coming = self.game.setup.tournament.is_some();
        let has_news = |game_seat: &GameSeat| game_seat.late > 0 || (notes_coming && !game_seat.came);
        if self.game.setup.seats.iter().any(|game_seat| game_seat.seat == name && has_news(game_seat)) {
            let game_seat = self.seat_mut(&name)?;
            (game_seat.late, game_seat.came) = (0, notes_coming);
        }
        Ok(())
    }

    /// Plays for the seat whose decision is late: either the seat forfeits, or the server plays its turn to the end.
    ///
    /// # Errors
    /// The game has no time limit for the decision, which would be a bug.
    pub(crate) fn play_late(&mut self) -> Result<(), Problem> {
        let seat = self.decider()?;
        self.add(Event::of_seat(EventKind::TimeOver, seat));
        if self.time_to_come().is_some() {
            self.give_up(seat, GaveUp::Forfeited)?;
            return self.settle();
        }
        let timer = self.game.setup.timer.ok_or_else(|| internal("a game without a timer has a deadline"))?;
        let name = self.engine.seat_name(seat).to_owned();
        if timer.automatic && self.seat_of_person(&name).is_some() {
            self.set_absence(&name, Some(Absence::Automatic))?;
        }
        self.count_late(&name, timer.then)?;
        self.settle()
    }

    /// Counts a late decision of the seat that has to decide. Then either the seat forfeits, or the server plays its
    /// turn to the end.
    pub(super) fn count_late(&mut self, name: &str, how: WhenLate) -> Result<(), Problem> {
        let seat = self.decider()?;
        let most = self.game.setup.timer.and_then(|timer| timer.forfeit_after);
        let game_seat = self.seat_mut(name)?;
        game_seat.late = game_seat.late.saturating_add(1);
        if most.is_some_and(|most| game_seat.late >= most) && game_seat.gave_up.is_none() {
            return self.give_up(seat, GaveUp::Forfeited);
        }
        self.finish_late_turn(how)
    }

    /// Ends the game for this reason.
    pub(crate) fn end(&mut self, ending: Ending) {
        let ranked_before = self.ranked();
        self.game.status = Status::Finished;
        self.game.deadline = None;
        self.game.setup_mut().ending = Some(ending);
        self.add(Event::of_ending(ending));
        self.conclude(&ranked_before);
    }

    /// Finishes a command: ends a game of a tournament whose last side has come, plays the turns of seats that gave up,
    /// and ends a game that has become too long.
    ///
    /// # Errors
    /// The engine refuses an action that it listed as legal, which would be a bug.
    pub(crate) fn settle(&mut self) -> Result<(), Problem> {
        let setup = &self.game.setup;
        let has_given_up =
            setup.tournament.is_some() && setup.seats.iter().any(|game_seat| game_seat.gave_up.is_some());
        if has_given_up && !self.awaits_winner() {
            self.end_if_one_is_left(Ending::Forfeit);
        }
        for _ in 0..MOST_TURNS {
            let is_absent = self.decider().is_ok_and(|seat| self.game.setup.has_given_up(self.engine.seat_name(seat)));
            if !is_absent || self.game.setup.dice == DiceHolder::Players || self.is_too_long() {
                break;
            }
            self.finish_late_turn(WhenLate::Random)?;
        }
        if self.is_too_long() {
            self.end(Ending::Length);
        }
        Ok(())
    }

    fn is_too_long(&self) -> bool {
        self.game.status == Status::Playing && self.game.events >= length::MOST_EVENTS
    }
}
