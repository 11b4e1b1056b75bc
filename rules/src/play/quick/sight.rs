//! Two sources of landing flags. For a pawn and a square, the flags say whether the pawn may land, whether it still may
//! after another pawn has come or gone, and whether it captures. One source computes the flags from the position at
//! each look-up; the other one stores them and updates them when pawns come and go.

use super::landings::LandingBits;
use super::squares::LandingIndex;
use super::tables::Quick;
use super::{SEATS, index_of};
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::tables::Mover;
use crate::units::{Seat, SquareId};

/// A source of landing flags.
pub(super) trait Sees {
    fn word(&self, quick: &Quick, state: &State, colour: Seat, cell: LandingIndex) -> LandingBits;

    /// Records that the pawns on a square have changed.
    fn changed(&mut self, quick: &Quick, state: &State, square: Option<SquareId>);
}

/// Computes the flags from the position at each look-up.
pub(super) struct Fresh;

impl Sees for Fresh {
    #[inline(always)]
    fn word(&self, quick: &Quick, state: &State, colour: Seat, cell: LandingIndex) -> LandingBits {
        let occupied = state.occupied[cell.index()];
        quick.words.of_cell(Mover::Pawn, cell, occupied)[index_of(colour)]
    }

    #[inline(always)]
    fn changed(&mut self, _: &Quick, _: &State, _: Option<SquareId>) {}
}

/// The landing flags of every square for single pawns of every colour, kept up to date while whole turns are played.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// The flags of every target of a move, indexed by [`LandingIndex`]. There are 256 entries, so that every byte is a
    /// valid index.
    words: [[LandingBits; SEATS]; 256],
    /// Whether the flags belong to the position in play.
    is_current: bool,
}

impl Default for Sight {
    fn default() -> Self {
        Sight { words: [[0; SEATS]; 256], is_current: false }
    }
}

impl Sight {
    /// Marks the flags as outdated, because the position was changed without [`Sees::changed`].
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.is_current = false;
    }

    #[inline(always)]
    pub(super) fn keep_up(&mut self, engine: &Engine, quick: &Quick, state: &State) {
        if !self.is_current {
            self.look_round(engine, quick, state);
        }
    }

    #[inline(never)]
    fn look_round(&mut self, engine: &Engine, quick: &Quick, state: &State) {
        for square in (0..engine.board.squares).map(|square| Some(SquareId::new(square))).chain([None]) {
            self.changed(quick, state, square);
        }
        self.is_current = true;
    }
}

impl Sees for Sight {
    #[inline(always)]
    fn word(&self, _: &Quick, _: &State, colour: Seat, cell: LandingIndex) -> LandingBits {
        self.words[cell.byte()][index_of(colour)]
    }

    #[inline(always)]
    fn changed(&mut self, quick: &Quick, state: &State, square: Option<SquareId>) {
        let cell = LandingIndex::of(square);
        self.words[cell.byte()] = *quick.words.of_cell(Mover::Pawn, cell, state.occupied[cell.index()]);
    }
}
