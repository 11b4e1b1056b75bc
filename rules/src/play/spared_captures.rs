//! Spared captures: pawns that could have captured, but the player chose another action.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::actions::Actions;
use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::state::{Action, Phase, State};
use super::watch::Watch;
use crate::tables::Event;
use crate::units::{MAX_SEATS, PawnIndex, PawnSet, Seat};

/// The pawns that could have captured, one bit each, by colour.
pub(super) type Spared = ArrayVec<(Seat, PawnSet), MAX_SEATS>;

impl Engine {
    /// The pawns that could capture in this state, by colour, if a rule asks for them. Empty if the chosen action
    /// captures or is no move.
    pub(super) fn spared_by(&self, state: &State, action: &Action) -> Spared {
        if !self.may_spare(state, action) {
            return Spared::new();
        }
        let mut open = Actions::default();
        self.legal_into(state, &mut open);
        self.spared_among(state, open.iter().copied())
    }

    /// Whether the choice of an action may spare a pawn, and some rule asks for that.
    #[inline(always)]
    pub(super) fn may_spare(&self, state: &State, action: &Action) -> bool {
        self.is_answered(Event::Spared) && state.phase == Phase::Move && !self.captures_any(state, action)
    }

    /// The pawns that could capture by one of the legal actions, by colour. `open` are the legal actions.
    #[inline(never)]
    pub(super) fn spared_among(&self, state: &State, open: impl Iterator<Item = Action> + Clone) -> Spared {
        let mut spared = Spared::new();
        let is_like_all = |action: Action| {
            let there = |pawn: &PawnIndex| state.place_of(action.colour, *pawn) == action.from;
            let is_like = |pawn| self.are_alike(state, action.colour, action.pawn, pawn);
            PawnIndex::all(self.pawns.count).filter(there).all(is_like)
        };
        if open.clone().filter(|action| self.captures_any(state, action)).all(is_like_all) {
            open.for_each(|action| self.spare(state, &action, &mut spared));
        } else {
            // The legal actions name only one of the pawns after whose moves the same follows.
            let mut repeated = Actions::default();
            self.repeated_moves_into(state, true, &mut repeated);
            repeated.iter().for_each(|action| self.spare(state, action, &mut spared));
        }
        // In the order of the player's colours.
        let colours = self.moving_colours(state);
        spared.sort_unstable_by_key(|(colour, _)| colours.iter().position(|moving| moving == colour));
        spared
    }

    /// Adds the pawns that could capture as this action does: those that it moves, and those that look like its pawn.
    fn spare(&self, state: &State, action: &Action, spared: &mut Spared) {
        if !self.captures_any(state, action) {
            return;
        }
        let is_like = |pawn: &PawnIndex| {
            state.place_of(action.colour, *pawn) == action.from
                && self.are_alike(state, action.colour, action.pawn, *pawn)
        };
        let like = PawnIndex::all(self.pawns.count).filter(is_like);
        let cutting = like.fold(self.movers_of(state, action), |all, pawn| all | pawn.alone());
        match spared.iter_mut().find(|(colour, _)| *colour == action.colour) {
            Some((_, pawns)) => *pawns |= cutting,
            None => spared.push((action.colour, cutting)),
        }
    }

    pub(super) fn answer_spared(
        &self,
        state: &mut State,
        spared: &Spared,
        mut watch: &mut dyn Watch,
    ) -> ControlFlow<()> {
        let each = spared.iter().flat_map(|&(colour, pawns)| pawns_of(pawns).map(move |pawn| (colour, pawn)));
        for (colour, pawn) in each {
            let place = state.place_of(colour, pawn);
            let context = Context { pawn, from: place, to: place, ..Context::seat(colour) };
            self.moment(state, Event::Spared, &context, &mut watch)?;
        }
        ControlFlow::Continue(())
    }
}
