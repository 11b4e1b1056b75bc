//! Effects on pawns that a condition chooses. All pawns are chosen before the first one moves.

use arrayvec::ArrayVec;

use super::context::Context;
use super::state::State;
use super::watch::{HappeningKind, Watch, tell};
use crate::play::engine::Engine;
use crate::tables::{Each, Goal, Program};
use crate::units::{MAX_SEATS, PawnIndex, PawnSet, Pips, Seat};

impl Engine {
    /// Puts the pawns for which a condition holds, own ones or those of all opponents, on a place of their path,
    /// without a landing there.
    pub(super) fn send_each(
        &self,
        state: &mut State,
        (each, goal, condition): (Each, Goal, Program),
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        let seats = self.seating.players.iter().copied().filter(|&seat| match each {
            Each::Own => seat == context.own,
            Each::Enemy => seat != context.own && seat != self.seating.partner[context.own.index()],
        });
        let chosen = |seat| (seat, self.chosen(state, seat, condition, context));
        let chosen: ArrayVec<(Seat, PawnSet), MAX_SEATS> = seats.map(chosen).collect();
        for (seat, pawns) in chosen {
            for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
                let from = state.place_of(seat, pawn);
                let about = context.of_pawn(seat, pawn, from);
                let Some(place) = self.send_goal(state, goal, from, &about) else { continue };
                self.send_off(state, seat, pawn, place);
                tell(watch, HappeningKind::Sent, seat, pawn, from, place, Pips(0));
            }
        }
    }

    /// Lets own pawns jump to a place, one after another. A pawn that has moved meanwhile does not jump.
    pub(super) fn jump_each(
        &self,
        state: &mut State,
        goal: Goal,
        condition: Program,
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        let stood = state.at[context.own.index()];
        let pawns = self.chosen(state, context.own, condition, context);
        for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
            let from = stood[pawn.index()];
            let about = context.of_pawn(context.own, pawn, from);
            if state.place_of(context.own, pawn) == from
                && let Some(to) = self.goal(state, goal, from, &about)
            {
                self.jump(state, pawn, to, context, watch);
            }
        }
    }
}
