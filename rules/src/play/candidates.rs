//! The actions that fit the hand in the present state, before looking ahead.

use crate::play::offers::Offer;
use crate::play::stage::Stage;
use arrayvec::ArrayVec;

use super::actions::{Actions, PASS};
use super::companions::pawns_of;
use super::context::Context;
use super::lanes::repeated;
use super::state::{Action, ActionKind, State};
use crate::play::engine::Engine;
use crate::tables::{Duty, Mover, Spend, Verdict, WaySet};
use crate::units::{MAX_PAWNS, MAX_STEP, PathPlace, PawnIndex, Pips, Seat};

#[cfg(test)]
mod tests;

/// The part of a decision that all spend lines share.
pub(crate) struct Decision {
    colour: Seat,
    stage: Stage,
    gate: bool,
    /// For each pawn, the spend lines that allow a move from its place, one bit each. `begun` combines the lines of all
    /// pawns.
    begin: [WaySet; MAX_PAWNS],
    begun: WaySet,
    /// The pawns that stand on the same place as a pawn listed before them, one bit each.
    repeated: u8,
    /// If true, the search stops at the first action: the caller only asks whether an action exists.
    pub any: bool,
}

impl Decision {
    /// Whether some pawn stands where an action of these spend lines could begin.
    pub(crate) fn may_begin(&self, lines: WaySet) -> bool {
        lines & self.begun != 0
    }

    /// The spend lines of a duty that allow a move from the place of some pawn, one bit each. If a bonus is
    /// due, these are lines that spend bonuses, else lines that spend numbers.
    #[inline(always)]
    pub(crate) fn lines(&self, engine: &Engine, duty: Duty) -> WaySet {
        self.begun & engine.spend_lines.of_duty(duty, self.stage.due().is_some())
    }

    /// The pawns on places from which a spend line allows a move, one bit each.
    #[inline(always)]
    fn standing(&self, line: usize) -> u8 {
        let pawns = self.begin.iter().enumerate();
        pawns.fold(0, |set, (pawn, lines)| set | ((lines >> line & 1) as u8) << pawn)
    }
}

impl Engine {
    /// Adds the actions of one duty that fit the hand. Compulsions are applied to ordinary actions only.
    ///
    /// Returns whether a compulsion applied.
    pub(crate) fn candidates(&self, state: &State, colour: Seat, duty: Duty, out: &mut Actions) -> bool {
        let start = out.len();
        let throws = self.distinct_throws(state);
        let decision = self.decision(state, colour);
        let mut lines = decision.lines(self, duty);
        while lines != 0 {
            self.candidates_by(state, &decision, duty, lines.trailing_zeros() as usize, throws, out);
            lines &= lines - 1;
        }
        duty == Duty::Ordinary && out.len() > start && self.compel(state, colour, start, out)
    }

    /// Prepares the part of a decision that all spend lines share.
    pub(crate) fn decision(&self, state: &State, colour: Seat) -> Decision {
        let begin = self.spend_lines.beginning(self.pawns.count, &state.at[colour.index()]);
        let begun = begin.iter().fold(0, |all, lines| all | lines);
        let places = PathPlace::word(&state.at[colour.index()]);
        let repeated = if self.pawns.count > 4 { repeated::<8>(places) } else { repeated::<4>(places) };
        let gate = self.gate_is_open(state, colour);
        Decision { colour, stage: state.stage(), gate, begin, begun, repeated, any: false }
    }

    /// Adds the actions of one spend line with the given throws, before any compulsion.
    #[inline(always)]
    pub(crate) fn candidates_by(
        &self,
        state: &State,
        decision: &Decision,
        duty: Duty,
        index: usize,
        throws: u32,
        out: &mut Actions,
    ) {
        let line = &self.moves.spend[index];
        let &Decision { colour, stage, .. } = decision;
        if line.duty != duty || decision.begun >> index & 1 == 0 || !line.fits(stage) {
            return;
        }
        if !self.holds(state, line.open, &Context::seat(colour)) {
            return;
        }
        let standing = decision.standing(index);
        self.offers(state, line, stage, throws, |offer| {
            if !decision.any || out.is_empty() {
                self.movers(state, decision, index as u8, standing, &offer, out);
            }
        });
    }

    /// Adds one action for every distinct pawn of `standing` that can take an offer.
    #[inline(always)]
    fn movers(&self, state: &State, decision: &Decision, index: u8, standing: u8, offer: &Offer, out: &mut Actions) {
        let &Decision { colour, gate, repeated, .. } = decision;
        let line = &self.moves.spend[index as usize];
        let moved = state.hand.thrown(offer.throw).map_or(0, |thrown| thrown.moved);
        let mut context = Context { number: offer.number, throw: offer.throw, ..Context::seat(colour) };
        let mut movers = if self.turn.once_per_throw { standing & !moved } else { standing };
        let has_like = self.spend_lines.has_like(index);
        while movers != 0 {
            let pawn = PawnIndex::new(movers.trailing_zeros() as u8);
            movers &= movers - 1;
            let from = state.place_of(colour, pawn);
            let stands_for = |action: &Action| self.are_alike(state, colour, action.pawn, pawn);
            let spends_same =
                |action: &Action| action.from == from && action.throw == offer.throw && action.numbers == offer.numbers;
            let is_listed = |action: &Action| action.line == index && spends_same(action) && stands_for(action);
            if pawn.is_in(repeated) && out.iter().rev().any(is_listed) {
                continue;
            }
            context.pawn = pawn;
            context.from = from;
            let others = self.others_of(state, colour, line.mover, pawn, moved);
            context.joint = line.mover.is_joint();
            if context.joint && others == 0 {
                continue;
            }
            let steps = match line.steps {
                None => i32::from(offer.number.0),
                Some(steps) => self.value(state, steps, &context),
            };
            let Some(steps) = steps_within(steps) else { continue };
            let Some(landing) = self.landing(state, line, steps, &mut context, gate) else { continue };
            if line.mover == Mover::Pawn && self.reunites(state, &context, landing.to) {
                continue;
            }
            if !self.holds(state, line.when, &context) {
                continue;
            }
            let action = Action {
                line: index,
                kind: ActionKind::Move,
                pawn,
                other: None,
                from,
                to: landing.to,
                throw: offer.throw,
                numbers: offer.numbers,
                captures: matches!(landing.answer, Verdict::Cut | Verdict::CutLast | Verdict::CutLastOfAll),
            };
            // Another line may lead to the same place. Its action reads the same and was listed first.
            let reads_same = |listed: &Action| {
                listed.line != index
                    && listed.to == landing.to
                    && spends_same(listed)
                    && stands_for(listed)
                    && self.moves.spend[listed.line as usize].reads_like(line)
            };
            let known = out.len();
            if has_like && line.mover != Mover::Pair && out.iter().any(reads_same) {
                continue;
            }
            let joins = |other: PawnIndex| self.stays_together(state, line, steps, other, &context, gate);
            match line.mover {
                Mover::Pawn => out.push(action),
                Mover::Pair => {
                    self.push_joint(state, colour, action, others, joins, |listed| has_like && reads_same(listed), out);
                }
                Mover::Group if pawns_of(others).all(joins) => {
                    out.push(Action { other: pawns_of(others).next(), ..action });
                }
                Mover::Group => {}
            }
            if decision.any && out.len() > known {
                return;
            }
        }
    }

    /// Adds one joint move for every distinct pawn of `others` that can join, in the order of their places.
    ///
    /// `reads_same` tells whether a listed action of another line reads the same if its second pawn is the same.
    #[expect(clippy::too_many_arguments, reason = "an action, the pawns that may join it, and what is listed already")]
    fn push_joint(
        &self,
        state: &State,
        colour: Seat,
        action: Action,
        others: u8,
        joins: impl Fn(PawnIndex) -> bool,
        reads_same: impl Fn(&Action) -> bool,
        out: &mut Actions,
    ) {
        let known = out.len();
        let place = |other: PawnIndex| state.place_of(colour, other);
        let mut others: ArrayVec<PawnIndex, MAX_PAWNS> = pawns_of(others).collect();
        others.sort_unstable_by_key(|&other| (place(other), other));
        for other in others {
            let is_alike = |one: PawnIndex| place(one) == place(other) && self.are_alike(state, colour, one, other);
            let stands_for = |action: &Action| action.other.is_some_and(is_alike);
            let is_listed =
                |(index, listed): (usize, &Action)| (index >= known || reads_same(listed)) && stands_for(listed);
            if joins(other) && !out.iter().enumerate().any(is_listed) {
                out.push(Action { other: Some(other), ..action });
            }
        }
    }

    /// Whether another pawn may move along: it reaches the same place, and the condition of the spend line holds for it
    /// too.
    fn stays_together(
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

    /// Adds `pass`. The caller has checked that a pass is legal: either all legal actions are voluntary, or `may_pass`
    /// allows a pass.
    pub(crate) fn add_pass(&self, out: &mut Actions) {
        out.push(PASS);
    }
}

/// A computed count of steps, if a move can have so many.
#[inline(always)]
pub(super) fn steps_within(steps: i32) -> Option<Pips> {
    u8::try_from(steps).ok().map(Pips).filter(|steps| (Pips(1)..=MAX_STEP).contains(steps))
}
