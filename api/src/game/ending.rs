//! How games end otherwise than by their rules: seats give up, all agree, nobody has moved yet, or the game is too long.

use std::cmp::Reverse;

use pagade_rules::play::{Engine, Seat, State};

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::length;
use crate::game::setup::{GaveUp, Setup};
use crate::game::terms::{Agreement, DiceHolder, Ending, Status, TurnTimer, WhenLate};

/// Most turns of absent seats that the server plays at a time: all seats but one have some of them in a row.
const MOST_TURNS: usize = 64;

impl Edit {
    /// Takes a seat out of the game. Its side has lost when none of its seats is left; the last side left ends the game.
    pub(crate) fn give_up(&mut self, seat: Seat, how: GaveUp) -> Result<(), Problem> {
        let name = self.engine.seat_name(seat).to_owned();
        let order = self.game.setup.seats.iter().filter_map(|record| record.gave_up).map(|(order, _)| order).max();
        let record = self.seat_mut(&name)?;
        if record.gave_up.is_some() {
            return Err(Problem::new(Code::NotAllowed, format!("`{name}` has given up before")));
        }
        record.gave_up = Some((order.unwrap_or(0) + 1, how));
        let (kind, ending) = match how {
            GaveUp::Resigned => (EventKind::Resigned, Ending::Resignation),
            GaveUp::Forfeited => (EventKind::Forfeited, Ending::Forfeit),
        };
        self.add(Event::of_seat(kind, seat));
        if sides_left(&self.engine, &self.game.setup) < 2 {
            self.end(ending);
        }
        Ok(())
    }

    /// Notes what a seat agrees to. When all seats that have not given up agree to the same, the game ends.
    pub(crate) fn agree(&mut self, seats: &[Seat], to: Agreement) -> Result<(), Problem> {
        for seat in seats {
            let name = self.engine.seat_name(*seat).to_owned();
            let agreed = (to != Agreement::Play).then_some(to);
            let record = self.seat_mut(&name)?;
            if record.agreed != agreed {
                record.agreed = agreed;
                self.add(Event::of_agreement(*seat, to));
            }
        }
        let mut left = self.game.setup.seats.iter().filter(|record| record.gave_up.is_none());
        if to != Agreement::Play && left.all(|record| record.agreed == Some(to)) {
            self.end(if to == Agreement::Abort { Ending::Abort } else { Ending::Agreement });
        }
        Ok(())
    }

    /// Notes that the seat to move decides in time.
    pub(crate) fn note_in_time(&mut self) -> Result<(), Problem> {
        let name = self.turn_name()?.to_owned();
        if self.game.setup.seats.iter().any(|record| record.seat == name && record.late > 0) {
            self.seat_mut(&name)?.late = 0;
        }
        Ok(())
    }

    /// Plays on for the seat to move, whose decision is late: it forfeits, or the server plays its turn to the end.
    pub(crate) fn play_late(&mut self, timer: TurnTimer) -> Result<(), Problem> {
        let seat = self.turn()?;
        self.add(Event::of_seat(EventKind::TimeOver, seat));
        let name = self.engine.seat_name(seat).to_owned();
        let record = self.seat_mut(&name)?;
        record.late = record.late.saturating_add(1);
        if timer.forfeit_after.is_some_and(|most| record.late >= most) && record.gave_up.is_none() {
            self.give_up(seat, GaveUp::Forfeited)?;
        } else {
            self.finish_turn(timer.then)?;
        }
        self.settle()
    }

    /// Ends the game now.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.game.status = Status::Finished;
        self.game.deadline = None;
        self.game.setup_mut().ending = Some(ending);
        self.add(Event::of_ending(ending));
    }

    /// Finishes a command: plays the turns of absent seats, and ends a game that has become too long.
    ///
    /// # Errors
    /// The engine refuses what it listed as legal, which it does not.
    pub(crate) fn settle(&mut self) -> Result<(), Problem> {
        for _ in 0..MOST_TURNS {
            let is_absent = self.turn().is_ok_and(|seat| self.game.setup.has_given_up(self.engine.seat_name(seat)));
            if !is_absent || self.game.setup.dice == DiceHolder::Players || self.is_too_long() {
                break;
            }
            self.finish_turn(WhenLate::Random)?;
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

/// The sides of which a seat is left: a side is a team, or a seat alone.
fn sides_left(engine: &Engine, setup: &Setup) -> usize {
    let seated = setup.seats.iter().filter(|record| record.gave_up.is_none());
    let mut sides = seated.filter_map(|record| engine.seat_named(&record.seat)).map(|seat| side(engine, seat));
    let mut found = sides.by_ref().collect::<Vec<_>>();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// A number that the seats of a team share.
fn side(engine: &Engine, seat: Seat) -> u8 {
    engine.seating.partner[seat.index()].0.min(seat.0)
}

/// The seats that have a place, first to last, each with its place from 1; seats that are tied share a place.
///
/// A game that ended otherwise than by its rules ranks everybody: first the seats that finished, then those in play by how
/// far the pawns of their side have come, last those that gave up, the first of them last. An aborted game ranks nobody.
pub(crate) fn ranking(engine: &Engine, state: &State, setup: &Setup, status: Status) -> Vec<(u8, Seat)> {
    let order_out = |seat: Seat| {
        let outs = setup.seats.iter().filter(|record| {
            engine.seat_named(&record.seat).is_some_and(|other| side(engine, other) == side(engine, seat))
        });
        outs.map(|record| record.gave_up.map(|(order, _)| order)).min().flatten()
    };
    let mut ranked = Vec::new();
    for seat in state.placed().filter(|seat| order_out(*seat).is_none()) {
        ranked.push((u8::try_from(ranked.len() + 1).unwrap_or(u8::MAX), seat));
    }
    let ends_early = setup.ending.is_some() || setup.seats.iter().any(|record| record.gave_up.is_some());
    if status != Status::Finished || !ends_early {
        return ranked;
    }
    if setup.ending == Some(Ending::Abort) {
        return Vec::new();
    }
    let progress = |seat: Seat| {
        let of_side = engine.seating.players.iter().filter(|other| side(engine, **other) == side(engine, seat));
        let pawns = of_side.flat_map(|other| &state.at[other.index()][..usize::from(engine.pawns.count)]);
        pawns.map(|place| u32::from(place.0)).sum::<u32>()
    };
    // Seats in play first, then those that gave up, the last of them first.
    let merit = |seat: Seat| match order_out(seat) {
        None => (true, 0, progress(seat)),
        Some(order) => (false, order, 0),
    };
    let mut others = engine.seating.players.iter().copied();
    let mut others = others.by_ref().filter(|seat| ranked.iter().all(|(_, ranked)| ranked != seat)).collect::<Vec<_>>();
    others.sort_by_key(|seat| Reverse(merit(*seat)));
    let (mut place, mut last) = (0, None);
    for (seat, number) in others.into_iter().zip(ranked.len() + 1..) {
        if last != Some(merit(seat)) {
            (place, last) = (u8::try_from(number).unwrap_or(u8::MAX), Some(merit(seat)));
        }
        ranked.push((place, seat));
    }
    ranked
}
