//! Effects on pawns that a condition chooses. All pawns are chosen before the first one moves.

use arrayvec::ArrayVec;

use super::context::Context;
use super::state::State;
use super::watch::{HappeningKind, Watch, report_pawn_event};
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
        let chosen = |seat| (seat, self.chosen(state, seat, condition, context));
        let chosen: ArrayVec<(Seat, PawnSet), MAX_SEATS> = match each {
            Each::Own => self.colours_about(context).into_iter().map(chosen).collect(),
            Each::Enemy => self.enemies(context).map(chosen).collect(),
        };
        for (seat, pawns) in chosen {
            let context = &self.about_colour(context, seat);
            for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
                let from = state.place_of(seat, pawn);
                let about = context.of_pawn(seat, pawn, from);
                let Some(place) = self.send_goal(state, goal, from, &about) else { continue };
                self.send_off(state, seat, pawn, place);
                report_pawn_event(watch, HappeningKind::Sent, seat, pawn, from, place, Pips(0));
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
        let stood = state.at;
        let chosen = |colour| (colour, self.chosen(state, colour, condition, context));
        let chosen: ArrayVec<(Seat, PawnSet), MAX_SEATS> =
            self.colours_about(context).into_iter().map(chosen).collect();
        for (colour, pawns) in chosen {
            let context = &context.of_colour(colour);
            for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| pawn.is_in(pawns)) {
                let from = stood[colour.index()][pawn.index()];
                let about = context.of_pawn(colour, pawn, from);
                if state.place_of(colour, pawn) == from
                    && let Some(to) = self.jump_goal(state, goal, from, &about)
                {
                    self.jump(state, pawn, to, context, watch);
                }
            }
        }
    }
}
