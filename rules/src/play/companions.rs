//! The pawns that move together with another pawn: the second pawn of a pair, or the rest of a group.

use super::state::{Action, State};
use crate::play::engine::Engine;
use crate::tables::Mover;
use crate::units::{PathPlace, PawnIndex, PawnSet, Seat};

impl Engine {
    /// The pawns that may move together with `pawn`, one bit each. In a pair, any one of them joins; in a group, all of
    /// them do.
    pub(super) fn others_of(
        &self,
        state: &State,
        colour: Seat,
        mover: Mover,
        pawn: PawnIndex,
        moved: PawnSet,
    ) -> PawnSet {
        match mover {
            Mover::Pawn => 0,
            Mover::Pair => self.companions(state, colour, pawn, moved),
            Mover::Group => self.rest_of_group(&state.at[colour.index()][..self.pawns.count as usize], pawn, moved),
        }
    }

    /// The pawns that may be the second pawn of a pair with `pawn`, one bit each. They stand on the same square. Each
    /// pair is listed only with its first pawn: that of the lower place or, at one place, of the lower index. `moved`
    /// are the pawns that have moved in this throw, one bit each.
    pub(super) fn companions(&self, state: &State, colour: Seat, pawn: PawnIndex, moved: PawnSet) -> PawnSet {
        let pawns = &state.at[colour.index()][..self.pawns.count as usize];
        let place = pawns[pawn.index()];
        if !place.is_in(self.board.pairing) {
            return 0;
        }
        let square = self.square(colour, place);
        let free = |other: PawnIndex| !(self.turn.once_per_throw && other.is_in(moved));
        let joins = |other: &PawnIndex| {
            let at = pawns[other.index()];
            let later = (at, *other) > (place, pawn);
            later && free(*other) && self.square(colour, at) == square && at.is_in(self.board.pairing)
        };
        PawnIndex::all(self.pawns.count).filter(joins).fold(0, |others, other| others | other.alone())
    }

    /// The other pawns of a group, one bit each, if `pawn` is the first pawn of the group.
    fn rest_of_group(&self, pawns: &[PathPlace], pawn: PawnIndex, moved: PawnSet) -> PawnSet {
        let place = pawns[pawn.index()];
        let group =
            (0..pawns.len()).filter(|&other| pawns[other] == place).fold(0, |all: PawnSet, other| all | 1 << other);
        let free = !self.turn.once_per_throw || moved & group == 0;
        let is_first = group & (pawn.alone() - 1) == 0;
        if place.is_in(self.board.pairing) && free && is_first { group & !pawn.alone() } else { 0 }
    }

    /// The pawns that an action moves, one bit each.
    pub fn movers_of(&self, state: &State, action: &Action) -> PawnSet {
        let Some(other) = action.other else { return action.pawn.alone() };
        if self.moves.spend[action.line as usize].mover == Mover::Pair {
            return action.pawn.alone() | other.alone();
        }
        let pawns = &state.at[action.colour.index()][..self.pawns.count as usize];
        (0..pawns.len()).filter(|&pawn| pawns[pawn] == action.from).fold(0, |all, pawn| all | 1 << pawn)
    }
}

#[inline(always)]
pub(super) fn pawns_of(mut set: PawnSet) -> impl Iterator<Item = PawnIndex> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            PawnIndex::new(first)
        })
    })
}
