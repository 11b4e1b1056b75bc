//! Reports the rule lines that keep an action from being legal: lines that refuse a passing or a landing, and
//! compulsions.
//!
//! The report needs a search of its own. It is made only for watchers whose [`Watch::hears_refusals`] is true.

use arrayvec::ArrayVec;

use super::actions::Actions;
use super::companions::pawns_of;
use super::compel::Binding;
use super::context::Context;
use super::landing::Spot;
use super::offers::Offer;
use super::state::State;
use super::watch::Watch;
use crate::play::engine::Engine;
use crate::tables::{Duty, LineId, Mover, Spend, Verdict};
use crate::units::{MAX_PAWNS, PathPlace, PawnIndex, Pips, Seat};

impl Engine {
    /// Reports the lines that withhold actions at this decision.
    ///
    /// A `passing` or `landing` line is reported once for each place and number, if it is the only obstacle to an
    /// action. A compulsion is reported once, if it removes actions.
    #[inline(never)]
    pub(super) fn tell_withheld(&self, state: &State, watch: &mut dyn Watch) {
        let mut actions = Actions::default();
        self.tell_refused(state, Duty::Ordinary, watch);
        self.free_candidates(state, Duty::Ordinary, &mut actions);
        let binding = self.tell_compelled(state, &mut actions, watch);
        if actions.is_empty() {
            self.tell_refused(state, Duty::Last, watch);
        }
        if binding.is_none() {
            self.tell_refused(state, Duty::Voluntary, watch);
        }
    }

    /// Reports the `passing` lines that allow this move to pass pawns or turn it back, and the `landing` lines that
    /// make it stop before a square.
    pub(super) fn tell_way(&self, state: &State, line: &Spend, context: &Context, watch: &mut dyn Watch) {
        let mut context = *context;
        if let Some(steps) = self.steps_of(state, line, &context) {
            let gate = self.gate_is_open(state, context.own);
            self.landing_heard(state, line, steps, &mut context, gate, &mut |spot, _, answer, by| {
                let tells = match spot {
                    Spot::Way => matches!(answer, Verdict::Allow | Verdict::Refuse),
                    Spot::End => answer == Verdict::StopBefore,
                };
                if let Some(by) = by.filter(|_| tells) {
                    watch.fired(by);
                }
            });
        }
    }

    /// Adds the actions of one duty, without applying compulsions.
    pub(super) fn free_candidates(&self, state: &State, duty: Duty, out: &mut Actions) {
        let throws = self.distinct_throws(state);
        for colour in self.moving_colours(state) {
            let decision = self.decision(state, colour);
            for line in 0..self.moves.spend.len() {
                self.candidates_by(state, &decision, duty, line, throws, out);
            }
        }
    }

    fn tell_refused(&self, state: &State, duty: Duty, watch: &mut dyn Watch) {
        for colour in self.moving_colours(state) {
            self.tell_refused_of(state, colour, duty, watch);
        }
    }

    fn tell_refused_of(&self, state: &State, colour: Seat, duty: Duty, watch: &mut dyn Watch) {
        let (stage, throws, gate) = (state.stage(), self.distinct_throws(state), self.gate_is_open(state, colour));
        let of_duty = |line: &&Spend| line.duty == duty && line.fits(stage);
        for line in self.moves.spend.iter().filter(of_duty) {
            if self.holds(state, line.open, &Context::seat(colour)) {
                self.offers(state, line, stage, throws, |offer| {
                    self.tell_refused_offer(state, colour, line, &offer, gate, watch);
                });
            }
        }
    }

    fn tell_refused_offer(
        &self,
        state: &State,
        colour: Seat,
        line: &Spend,
        offer: &Offer,
        gate: bool,
        watch: &mut dyn Watch,
    ) {
        let moved = state.hand.thrown(offer.throw).map_or(0, |thrown| thrown.moved);
        let mut told = ArrayVec::<(PathPlace, LineId), MAX_PAWNS>::new();
        for pawn in PawnIndex::all(self.pawns.count) {
            let from = state.place_of(colour, pawn);
            if !from.is_in(line.from) || self.turn.once_per_throw && pawn.is_in(moved) {
                continue;
            }
            let joint = line.mover.is_joint();
            let others = self.others_of(state, colour, line.mover, pawn, moved);
            if joint && others == 0 {
                continue;
            }
            let number = offer.number;
            let mut context = Context { pawn, from, number, throw: offer.throw, joint, ..Context::seat(colour) };
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let by = self.refuser(state, line, steps, &mut context, gate).or_else(|| {
                // A pair moves if any second pawn can go along. A group moves only if all of its pawns can.
                let mut refusers = pawns_of(others).map(|pawn| {
                    let mut context = Context { pawn, from: state.place_of(colour, pawn), ..context };
                    self.refuser(state, line, steps, &mut context, gate)
                });
                match line.mover {
                    Mover::Group => refusers.find_map(|by| by),
                    _ => refusers.reduce(|first, next| next.and(first)).flatten(),
                }
            });
            let Some(by) = by.filter(|by| !told.contains(&(from, *by))) else { continue };
            let open = self.holds(state, line.when, &context) && (joint || !self.reunites(state, &context, context.to));
            if open {
                told.push((from, by));
                watch.fired(by);
            }
        }
    }

    /// The line that refuses the way or the landing. A `stop before` line counts as a refusal if the pawn finds no
    /// place to stop.
    fn refuser(&self, state: &State, line: &Spend, steps: Pips, context: &mut Context, gate: bool) -> Option<LineId> {
        let mut refuser = None;
        let landing = self.landing_heard(state, line, steps, context, gate, &mut |_, _, answer, by| {
            if matches!(answer, Verdict::Refuse | Verdict::StopBefore) {
                refuser = by.or(refuser);
            }
        });
        refuser.filter(|_| landing.is_none())
    }

    /// Applies the compulsions and reports those that removed actions. Returns the compulsion on the next action
    /// that binds.
    fn tell_compelled(&self, state: &State, actions: &mut Actions, watch: &mut dyn Watch) -> Option<Binding<'_>> {
        let mut free = actions.clone();
        let binding = self.bind(state, actions)?;
        if binding.must.in_hand {
            // Actions that the duty to spend most removes anyway do not count as removed by the compulsion.
            self.keep_longest(state, &mut free, false);
        }
        if free.iter().any(|action| !actions.contains(action)) {
            watch.fired(binding.must.line);
        }
        Some(binding).filter(|binding| !binding.must.in_hand)
    }
}
