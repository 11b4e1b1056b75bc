//! The ranking of the seats: by the rules, or by the progress of the pawns in games that ended otherwise.

use std::cmp::Reverse;

use pagade_rules::play::{Engine, Seat, State};

use crate::game::setup::Setup;
use crate::game::terms::{Ending, Status};

/// The sides of which a seat is left: a side is a team, or a seat alone.
pub(crate) fn sides_left(engine: &Engine, setup: &Setup) -> usize {
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
/// A game that ended otherwise than by its rules ranks everybody: first the seats that finished, then those in play by
/// how far the pawns of their side have come, last those that gave up, the first of them last. An aborted game ranks
/// nobody.
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
