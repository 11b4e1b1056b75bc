//! The moving colour: the owner of the pawns that the current seat moves.

use arrayvec::ArrayVec;

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::State;
use crate::units::{MAX_SEATS, Seat};

impl Evaluator {
    /// The colour whose pawns move: the seat whose turn it is, or its partner while the seat helps it.
    #[inline(always)]
    pub fn colour(&self, state: &State) -> Seat {
        let turn = state.turn;
        let partner = self.seating.partner[turn.index()];
        if partner == turn || !state.has_finished(turn) || self.is_all_home(state, partner) {
            return turn;
        }
        match self.finish.help {
            Some(help) if self.value(state, help, &Context::seat(turn)) != 0 => partner,
            _ => turn,
        }
    }

    /// The colours whose pawns the next action may move: the moving colour, or all colours of the player whose turn it
    /// is, if that player has several.
    #[inline(always)]
    pub fn moving_colours(&self, state: &State) -> ArrayVec<Seat, MAX_SEATS> {
        let mut colours = ArrayVec::new();
        if self.seating.shares {
            colours.extend(self.seating.colours_of(state.turn));
        } else {
            colours.push(self.colour(state));
        }
        colours
    }

    /// The colours whose pawns are own pawns for a context.
    #[inline(always)]
    pub(super) fn colours_about(&self, context: &Context) -> ArrayVec<Seat, MAX_SEATS> {
        if context.whole && self.seating.shares {
            return self.seating.colours_of(context.own).collect();
        }
        ArrayVec::from_iter([context.own])
    }

    /// The colours of all opponents of the seat that a context is about.
    pub(super) fn enemies(&self, context: &Context) -> impl Iterator<Item = Seat> {
        let own = context.own;
        let colours = self.seating.colours.iter().copied();
        colours.filter(move |&colour| colour != own && !self.seating.is_friend(own, colour))
    }

    /// Whether a context is about the pawns of a colour: about the colour itself, or about its player as a whole.
    #[inline(always)]
    pub(super) fn is_about(&self, context: &Context, colour: Seat) -> bool {
        colour == context.own || context.whole && self.seating.player[colour.index()] == context.own
    }
}
