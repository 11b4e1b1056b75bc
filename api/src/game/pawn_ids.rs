//! The ids of pawns, by which events and answers name them.

use pagade_rules::play::{Engine, Seat};
use pagade_rules::units::{PawnIndex, PawnSet};

use crate::model::written::PawnId;

/// The ids of some pawns of a seat. `pawns` has one bit for each pawn.
pub(super) fn ids(engine: &Engine, seat: Seat, pawns: PawnSet) -> Vec<String> {
    let pawns = PawnIndex::all(engine.pawns.count).filter(move |pawn| pawn.is_in(pawns));
    pawns.map(|pawn| id(engine, seat, pawn)).collect()
}

/// The id of a pawn: seat and number, as [`PawnId`] writes them.
pub(super) fn id(engine: &Engine, seat: Seat, pawn: PawnIndex) -> String {
    PawnId { seat: engine.seat_name(seat), pawn }.text()
}
