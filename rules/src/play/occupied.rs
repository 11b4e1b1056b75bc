//! The pawns on every square: a count of two bits for each colour, kept beside the places of the pawns.

use super::evaluator::Evaluator;
use super::state::{State, Throw};
use crate::units::{Seat, SquareId};

impl Throw {
    /// Whether there are several dice and all faces are equal.
    #[inline(always)]
    pub fn is_doublet(&self) -> bool {
        let count = self.count as usize & 7;
        count > 1 && self.faces[1..count.min(4)].iter().all(|&face| face == self.faces[0])
    }
}

impl State {
    /// Whether a seat has brought all its pawns home at some time in the game.
    #[inline(always)]
    pub fn has_finished(&self, seat: Seat) -> bool {
        self.ranking[..self.placed as usize & 7].contains(&seat)
    }

    /// The seats that have finished, in the order in which they finished.
    pub fn placed(&self) -> impl Iterator<Item = Seat> + '_ {
        self.ranking[..self.placed as usize].iter().copied()
    }
}

impl Evaluator {
    /// The pawns on a square, with the bits turned so that the colour's own count is lowest.
    #[inline(always)]
    pub(crate) fn seen_by(&self, state: &State, colour: Seat, square: Option<SquareId>) -> u8 {
        state.on(square).rotate_right(2 * u32::from(colour.0 & 3))
    }

    /// Whether all pawns of a seat are home now. Pawns of a finished seat may have left home again.
    pub(crate) fn is_all_home(&self, state: &State, seat: Seat) -> bool {
        state.at[seat.index()][..self.pawns.count as usize].iter().all(|&at| at == self.board.home())
    }

    /// Recomputes the counts on squares and the ranking, after the places of pawns were written directly.
    pub fn settle_position(&self, state: &mut State) {
        state.occupied = [0; 128];
        for &seat in &self.seating.players {
            for pawn in 0..self.pawns.count {
                let place = state.at[seat.index()][pawn as usize];
                self.arrive(state, seat, self.square(seat, place));
            }
        }
        for &seat in &self.seating.players {
            if self.is_all_home(state, seat) && !state.has_finished(seat) {
                state.ranking[state.placed as usize & 3] = seat;
                state.placed += 1;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn arrive(&self, state: &mut State, colour: Seat, square: Option<SquareId>) {
        if square.is_none() {
            return;
        }
        let shift = 2 * (colour.0 & 3);
        let here = &mut state.occupied[SquareId::slot(square)];
        if *here >> shift & 3 < 3 {
            *here += 1 << shift;
        }
    }

    /// Takes a pawn off the counts of a square. Call it after changing the place of the pawn, because a count above two
    /// is then made anew from the places.
    #[inline(always)]
    pub(crate) fn leave(&self, state: &mut State, colour: Seat, square: Option<SquareId>) {
        if square.is_none() {
            return;
        }
        let shift = 2 * (colour.0 & 3);
        let here = state.on(square);
        if here >> shift & 3 < 3 {
            state.occupied[SquareId::slot(square)] = here - (1 << shift);
        } else {
            let pawns = &state.at[colour.index()][..self.pawns.count as usize];
            let left = pawns.iter().filter(|&&at| self.square(colour, at) == square).count().min(3) as u8;
            state.occupied[SquareId::slot(square)] = here & !(3 << shift) | left << shift;
        }
    }
}
