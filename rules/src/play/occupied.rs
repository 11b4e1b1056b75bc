//! The pawns on every square: a count of two bits for each colour, kept beside the places of the pawns.

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::{State, Throw};
use crate::units::{MAX_PAWNS, MAX_SEATS, Occupancy, PathPlace, SQUARE_ENTRIES, Seat, SquareId};

impl Throw {
    /// The sum of the faces, at most 128.
    #[inline(always)]
    pub fn total(&self) -> u8 {
        let [a, b, c, d] = self.faces;
        a + b + c + d
    }

    /// Whether there are several dice and all faces are equal.
    #[inline(always)]
    pub(crate) fn is_doublet(&self) -> bool {
        let count = self.count as usize & 7;
        count > 1 && self.faces[1..count.min(4)].iter().all(|&face| face == self.faces[0])
    }
}

impl State {
    /// Number of a seat's pawns on a square; 3 means three or more. 0 for no square.
    #[inline(always)]
    pub(crate) fn count_on(&self, square: Option<SquareId>, seat: Seat) -> u8 {
        (self.on(square) >> (2 * seat.index()) & 3) as u8
    }

    /// Whether a seat is in the ranking: it has finished at some time, or the end of the game has ranked it.
    #[inline(always)]
    pub(crate) fn has_finished(&self, seat: Seat) -> bool {
        self.placed > 0 && self.ranking[..self.placed as usize & 15].contains(&seat)
    }

    /// The seats of the ranking, in order (see [`State::ranking`]).
    pub fn placed(&self) -> impl Iterator<Item = Seat> + '_ {
        self.ranking[..self.placed as usize].iter().copied()
    }
}

impl Evaluator {
    /// Whether all pawns of a seat are home now. Pawns of a finished seat may have left home again.
    #[inline(always)]
    pub(crate) fn is_all_home(&self, state: &State, seat: Seat) -> bool {
        let empty = u128::BITS - 8 * u32::from(self.pawns.count.clamp(1, MAX_PAWNS as u8));
        let home = u128::from_le_bytes([self.board.home().0; MAX_PAWNS]);
        (PathPlace::word(&state.at[seat.index()]) ^ home) << empty == 0
    }

    /// Whether a player now meets the condition for finishing.
    #[inline(always)]
    pub(crate) fn is_through(&self, state: &State, seat: Seat) -> bool {
        match self.finish.when {
            None if self.seating.shares => self.seating.colours_of(seat).all(|colour| self.is_all_home(state, colour)),
            None => self.is_all_home(state, seat),
            Some(when) => self.value(state, when, &Context::player(seat)) != 0,
        }
    }

    /// Recomputes the counts on squares, and adds seats that have finished to the ranking. Call it after the places of
    /// pawns were written directly.
    pub fn settle_position(&self, state: &mut State) {
        state.occupied = [0; SQUARE_ENTRIES];
        state.barred = [0; MAX_SEATS];
        for &seat in &self.seating.colours {
            for pawn in 0..self.pawns.count {
                let place = state.at[seat.index()][pawn as usize];
                self.arrive(state, seat, self.square(seat, place));
            }
        }
        for &seat in &self.seating.players {
            if self.is_through(state, seat) && !state.has_finished(seat) {
                state.ranking[state.placed as usize & 7] = seat;
                state.placed += 1;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn arrive(&self, state: &mut State, colour: Seat, square: Option<SquareId>) {
        if square.is_none() {
            return;
        }
        let shift = 2 * colour.index();
        let (index, here) = (SquareId::table_index(square), state.on(square));
        if here >> shift & 3 < 3 {
            state.occupied[index] = here + (1 << shift);
            self.note_barrier(state, index, here, here + (1 << shift));
        }
    }

    /// Takes a pawn off the counts of a square. Call it after changing the place of the pawn: a count of 3 stands for
    /// three or more pawns, so that the pawns have to be counted again by their places.
    #[inline(always)]
    pub(crate) fn leave(&self, state: &mut State, colour: Seat, square: Option<SquareId>) {
        if square.is_none() {
            return;
        }
        let shift = 2 * colour.index();
        let (index, here) = (SquareId::table_index(square), state.on(square));
        let left = if here >> shift & 3 < 3 {
            here - (1 << shift)
        } else {
            let pawns = &state.at[colour.index()][..self.pawns.count as usize];
            let left = pawns.iter().filter(|&&at| self.square(colour, at) == square).count().min(3) as Occupancy;
            here & !(3 << shift) | left << shift
        };
        state.occupied[index] = left;
        self.note_barrier(state, index, here, left);
    }
}
