//! The pawns that move together with another pawn: the second pawn of a pair, or the rest of a group.

use super::state::{Action, State};
use crate::play::engine::Engine;
use crate::tables::Mover;
use crate::units::{PathPlace, Seat};

impl Engine {
    /// The pawns that may move together with `pawn`, one bit each. In a pair, any one of them joins; in a group, all of
    /// them do.
    pub(super) fn others_of(&self, state: &State, colour: Seat, mover: Mover, pawn: usize, moved: u8) -> u8 {
        match mover {
            Mover::Pawn => 0,
            Mover::Pair => self.companions(state, colour, pawn, moved),
            Mover::Group => self.rest_of_group(&state.at[colour.index()][..self.pawns.count as usize], pawn, moved),
        }
    }

    /// The pawns that may be the second pawn of a pair, one bit each. They stand on the same square as `pawn`, which is
    /// the first of the pair on the path.
    pub(super) fn companions(&self, state: &State, colour: Seat, pawn: usize, moved: u8) -> u8 {
        let pawns = &state.at[colour.index()][..self.pawns.count as usize];
        let place = pawns[pawn];
        if self.board.pairing >> place & 1 == 0 {
            return 0;
        }
        let square = self.square(colour, place);
        let free = |other: usize| !(self.turn.once_per_throw && moved >> other & 1 == 1);
        let joins = |other: &usize| {
            let at = pawns[*other];
            let later = (at, *other) > (place, pawn);
            later && free(*other) && self.square(colour, at) == square && self.board.pairing >> at & 1 == 1
        };
        (0..pawns.len()).filter(joins).fold(0, |others, other| others | 1 << other)
    }

    /// The other pawns of a group, one bit each, if `pawn` is the first pawn of the group.
    fn rest_of_group(&self, pawns: &[PathPlace], pawn: usize, moved: u8) -> u8 {
        let place = pawns[pawn];
        let group = (0..pawns.len()).filter(|&other| pawns[other] == place).fold(0u8, |all, other| all | 1 << other);
        let free = !self.turn.once_per_throw || moved & group == 0;
        let is_first = group & ((1 << pawn) - 1) == 0;
        if self.board.pairing >> place & 1 == 1 && free && is_first { group & !(1 << pawn) } else { 0 }
    }

    /// The pawns that an action moves, one bit each.
    pub fn movers_of(&self, state: &State, action: &Action) -> u8 {
        if !action.is_joint() {
            return 1 << action.pawn;
        }
        if self.moves.spend[action.line as usize].mover == Mover::Pair {
            return 1 << action.pawn | 1 << action.other;
        }
        let pawns = &state.at[self.colour(state).index()][..self.pawns.count as usize];
        (0..pawns.len()).filter(|&pawn| pawns[pawn] == action.from).fold(0, |all, pawn| all | 1 << pawn)
    }
}

/// The indices of the bits that are set.
#[inline(always)]
pub(super) fn bits(mut set: u8) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            first
        })
    })
}
