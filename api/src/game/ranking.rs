//! The ranking of the seats: by the rules, or by the progress of the pawns if a game ended before its rules ended it.

use std::cmp::Reverse;

use pagade_rules::play::{Engine, Seat, State};

use crate::game::setup::Setup;
use crate::game::terms::{Ending, Status};

/// Returns the number of sides in which a seat has not given up. A side is a team, or a seat without a team.
pub(crate) fn sides_left(engine: &Engine, setup: &Setup) -> usize {
    let seated = setup.seats.iter().filter(|record| record.gave_up.is_none());
    let mut sides = seated.filter_map(|record| engine.seat_named(&record.seat)).map(|seat| side(engine, seat));
    let mut found = sides.by_ref().collect::<Vec<_>>();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// Returns a number that is the same for all seats of a team.
fn side(engine: &Engine, seat: Seat) -> u8 {
    engine.seating.partner[seat.index()].0.min(seat.0)
}

/// Returns a number that is the same for all seats of a team. A seat that does not play has a number of its own.
pub(crate) fn side_named(engine: &Engine, seat: &str) -> u8 {
    engine.seat_named(seat).map_or(u8::MAX, |seat| side(engine, seat))
}

/// Lists the seats that have a rank, best first, each with its rank from 1. Seats that are tied have the same rank.
///
/// If a game ended before its rules ended it, all seats are ranked: first the seats that finished, then those in play,
/// then those that gave up. Seats in play are ordered by how far the pawns of their side have come. Of those that gave
/// up, the side with the first seat that gave up is last. In an aborted game, no seat is ranked.
pub(crate) fn ranked(engine: &Engine, state: &State, setup: &Setup, status: Status) -> Vec<(u8, Seat)> {
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
    // Seats in play come first, then those that gave up; the seat that gave up last is the best of these.
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
