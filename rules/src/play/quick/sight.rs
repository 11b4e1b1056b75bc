//! Two sources of landing flags: computed from the position at each question, or kept up to date beside it.

use super::landings::LandingBits;
use super::tables::Quick;
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::tables::Mover;
use crate::units::{MAX_SEATS, NOWHERE, Seat};

/// A source of landing flags.
pub(super) trait Sees {
    fn word(&self, quick: &Quick, state: &State, colour: Seat, square: u8) -> LandingBits;

    /// Records that the pawns on a square have changed.
    fn changed(&mut self, quick: &Quick, state: &State, square: u8);
}

/// Computes the flags from the position at every question.
pub(super) struct Fresh;

impl Sees for Fresh {
    #[inline(always)]
    fn word(&self, quick: &Quick, state: &State, colour: Seat, square: u8) -> LandingBits {
        let occupied = state.occupied[square as usize & 127];
        quick.words.of_square(Mover::Pawn, square, occupied)[colour.index()]
    }

    #[inline(always)]
    fn changed(&mut self, _: &Quick, _: &State, _: u8) {}
}

/// The landing flags of every square for single pawns of every colour, kept up to date while whole turns are played.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// The flags by square. 256 entries, so that every byte is a valid index.
    words: [[LandingBits; MAX_SEATS]; 256],
    /// Whether the flags belong to the position in play.
    is_current: bool,
}

impl Default for Sight {
    fn default() -> Self {
        Sight { words: [[0; MAX_SEATS]; 256], is_current: false }
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
        for square in (0..engine.board.squares).chain([NOWHERE]) {
            self.changed(quick, state, square);
        }
        self.is_current = true;
    }
}

impl Sees for Sight {
    #[inline(always)]
    fn word(&self, _: &Quick, _: &State, colour: Seat, square: u8) -> LandingBits {
        self.words[square as usize][colour.index()]
    }

    #[inline(always)]
    fn changed(&mut self, quick: &Quick, state: &State, square: u8) {
        self.words[square as usize] =
            *quick.words.of_square(Mover::Pawn, square, state.occupied[square as usize & 127]);
    }
}
