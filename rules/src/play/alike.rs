//! Pawns that are interchangeable, so that only one of them is listed.

use super::companions::pawns_of;
use super::engine::Engine;
use super::lanes::repeated_of;
use super::state::State;
use crate::units::{PathPlace, PawnIndex, PawnSet, Seat};

impl Engine {
    /// The pawns that share their place with a pawn of a lower number, one bit each.
    #[inline(always)]
    pub(super) fn repeated(&self, state: &State, colour: Seat) -> PawnSet {
        repeated_of(PathPlace::word(&state.at[colour.index()]), self.pawns.count)
    }

    /// Whether any of these pawns stands on a place where pairs count.
    #[inline(always)]
    pub(super) fn counts_as_pair(&self, state: &State, colour: Seat, pawns: PawnSet) -> bool {
        pawns_of(pawns).any(|pawn| state.place_of(colour, pawn).is_in(self.board.pairing))
    }

    /// The pawns that are interchangeable with a pawn of a lower number on the same place, one bit each.
    ///
    /// `repeated` is the result of [`Engine::repeated`]. `by_numbers` is true if the pawns move by numbers, false if
    /// they move by a bonus.
    #[inline(always)]
    pub(super) fn twins(&self, state: &State, colour: Seat, repeated: PawnSet, by_numbers: bool) -> PawnSet {
        if repeated == 0 {
            return 0;
        }
        let is_simple = self.tells_no_pawns(state);
        // With `once_per_throw`, a pawn that has spent a number of the throw and a pawn that has spent none are not
        // interchangeable.
        let moved = if by_numbers && self.turn.once_per_throw { state.hand.banked[0].moved } else { 0 };
        if is_simple && moved == 0 {
            return repeated;
        }
        self.twins_among(state, colour, repeated, is_simple, moved)
    }

    #[inline(never)]
    fn twins_among(&self, state: &State, colour: Seat, repeated: PawnSet, is_simple: bool, moved: PawnSet) -> PawnSet {
        let moved = if is_simple { moved } else { 0 };
        let at = &state.at[colour.index()][..self.pawns.count as usize];
        let mut twins = 0;
        for pawn in pawns_of(repeated) {
            let stands_for = |other: PawnIndex| {
                at[other.index()] == at[pawn.index()]
                    && !other.is_in(moved)
                    && (is_simple || self.look_alike(state, colour, pawn, other))
            };
            if PawnIndex::all(pawn.number()).any(stands_for) {
                twins |= pawn.alone();
            }
        }
        twins
    }

    /// Whether two pawns of one place are interchangeable: no rule can distinguish them by marks or earlier moves of
    /// the turn.
    #[inline(always)]
    pub(super) fn are_alike(&self, state: &State, colour: Seat, pawn: PawnIndex, other: PawnIndex) -> bool {
        pawn == other || self.tells_no_pawns(state) || self.look_alike(state, colour, pawn, other)
    }

    /// Whether no rule can distinguish the pawns of a place, whatever moves they made in this turn.
    #[inline(always)]
    fn tells_no_pawns(&self, state: &State) -> bool {
        !self.assumptions.tells_pawns && state.hand.throws < 2
    }

    #[inline(never)]
    fn look_alike(&self, state: &State, colour: Seat, pawn: PawnIndex, other: PawnIndex) -> bool {
        let differ = |pawns: PawnSet| pawn.is_in(pawns) != other.is_in(pawns);
        let [one, another] =
            [pawn, other].map(|pawn| (state.marks[colour.index()][pawn.index()], state.apart[pawn.index()]));
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        one == another
            && !throws.iter().any(|thrown| thrown.left != 0 && (differ(thrown.moved) || differ(thrown.parted)))
    }
}
