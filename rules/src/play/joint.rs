//! The actions that move several pawns together, before looking ahead.

use arrayvec::ArrayVec;

use super::actions::Actions;
use super::candidates::{Decision, Movers, OfEach, moving};
use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::offers::Offer;
use super::state::{Action, State};
use crate::tables::{Mover, Spend};
use crate::units::{MAX_PAWNS, PawnIndex, PawnSet, Pips};

impl Engine {
    /// Adds the actions of every pawn of `movers` that can move together with others by the part of the hand that
    /// `offer` names.
    #[inline(never)]
    pub(super) fn joint_movers(
        &self,
        state: &State,
        decision: &Decision,
        index: u8,
        movers: Movers,
        offer: &Offer,
        out: &mut Actions,
    ) {
        let &Decision { colour, gate, .. } = decision;
        let line = &self.moves.spend[index as usize];
        let moved = state.hand.thrown(offer.throw).map_or(0, |thrown| thrown.moved);
        let mut context = Context { number: offer.number, throw: offer.throw, joint: true, ..Context::seat(colour) };
        let when = if movers.fulfil { Some(OfEach::ALWAYS) } else { self.asked_of_each(state, line, &context) };
        let Some(when) = when else { return };
        let asks_first = self.spend_lines.asks_first(index);
        for pawn in pawns_of(movers.pawns) {
            (context.pawn, context.from) = (pawn, state.place_of(colour, pawn));
            let others = self.others_of(state, colour, line.mover, pawn, moved);
            if others == 0 || asks_first && !self.holds_of(state, when, &context) {
                continue;
            }
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let Some(landing) = self.landing(state, line, steps, &mut context, gate) else { continue };
            if !asks_first && !self.holds_of(state, when, &context) {
                continue;
            }
            let action = moving(index, &context, offer, landing);
            let joins = |other: PawnIndex| self.stays_together(state, line, steps, other, &context, gate);
            let before = out.len();
            if line.mover == Mover::Pair {
                self.push_pairs(state, action, others, joins, out);
            } else if !self.is_listed_group(state, &action, out) && pawns_of(others).all(joins) {
                out.push(Action { other: pawns_of(others).next(), ..action });
            }
            if decision.any && out.len() > before {
                return;
            }
        }
    }

    fn is_listed_group(&self, state: &State, action: &Action, out: &Actions) -> bool {
        self.spend_lines.has_like(action.line) && out.iter().any(|listed| self.is_same_way(state, listed, action))
    }

    /// Adds one joint move for every distinct pawn of `others` that can join, in the order of their places.
    fn push_pairs(
        &self,
        state: &State,
        action: Action,
        others: PawnSet,
        joins: impl Fn(PawnIndex) -> bool,
        out: &mut Actions,
    ) {
        let colour = action.colour;
        let before = out.len();
        let has_like = self.spend_lines.has_like(action.line);
        let place = |other: PawnIndex| state.place_of(colour, other);
        let mut others: ArrayVec<PawnIndex, MAX_PAWNS> = pawns_of(others).collect();
        others.sort_unstable_by_key(|&other| (place(other), other));
        for other in others {
            let is_alike = |one: PawnIndex| place(one) == place(other) && self.are_alike(state, colour, one, other);
            let stands_for = |listed: &Action| listed.other.is_some_and(is_alike);
            let reads_same = |listed: &Action| has_like && self.is_same_way(state, listed, &action);
            let is_listed =
                |(index, listed): (usize, &Action)| (index >= before || reads_same(listed)) && stands_for(listed);
            if joins(other) && !out.iter().enumerate().any(is_listed) {
                out.push(Action { other: Some(other), ..action });
            }
        }
    }

    /// Whether another pawn may move along: it reaches the same place, and the condition of the spend line holds for it
    /// too.
    pub(super) fn stays_together(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        other: PawnIndex,
        first: &Context,
        gate: bool,
    ) -> bool {
        let mut context = Context { pawn: other, from: state.place_of(first.own, other), ..*first };
        let landing = self.landing(state, line, steps, &mut context, gate);
        landing.is_some_and(|landing| landing.to == first.to) && self.holds(state, line.when, &context)
    }
}
