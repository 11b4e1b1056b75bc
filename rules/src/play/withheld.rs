//! Finds the rule lines that prevent actions: refused passings and landings, and compulsions.
//!
//! Runs apart from listing the legal actions, and only for watchers that ask for it.

use arrayvec::ArrayVec;

use super::actions::Actions;
use super::companions::bits;
use super::context::Context;
use super::landing::Spot;
use super::offers::Offer;
use super::stage::Stage;
use super::state::{Action, State};
use super::watch::Watch;
use crate::play::engine::Engine;
use crate::tables::{Duty, LineId, Mover, Must, NO_LINE, Spend, Verdict};
use crate::units::{MAX_PAWNS, PathPlace, Seat};

impl Engine {
    /// Reports the rule lines that prevent actions at this decision.
    ///
    /// A line of `passing` or `landing` is reported once for each place and number for which it alone prevents a move.
    /// A compulsion is reported once if it leaves fewer actions.
    pub(super) fn tell_withheld(&self, state: &State, watch: &mut dyn Watch) {
        let colour = self.colour(state);
        let mut actions = Actions::default();
        self.tell_refused(state, colour, Duty::Ordinary, watch);
        self.free_candidates(state, colour, Duty::Ordinary, &mut actions);
        let compelled = self.tell_compelled(state, colour, &mut actions, watch);
        if actions.is_empty() {
            self.tell_refused(state, colour, Duty::Last, watch);
        }
        if !compelled {
            self.tell_refused(state, colour, Duty::Voluntary, watch);
        }
    }

    /// Reports the lines of `passing` that let this move pass, and the lines of `landing` that make it stop before.
    pub(super) fn tell_way(&self, state: &State, line: &Spend, context: &Context, watch: &mut dyn Watch) {
        let mut context = *context;
        if let Some(steps) = self.steps_of(state, line, &context) {
            let gate = self.gate_is_open(state, context.own);
            self.landing_heard(state, line, steps, &mut context, gate, &mut |spot, answer, by| {
                if matches!((spot, answer), (Spot::Way, Verdict::Allow) | (Spot::End, Verdict::StopBefore)) {
                    watch.fired(by);
                }
            });
        }
    }

    /// Lists the possible actions of one duty, without compulsions.
    fn free_candidates(&self, state: &State, colour: Seat, duty: Duty, out: &mut Actions) {
        let throws = self.distinct_throws(state);
        let decision = self.decision(state, colour);
        for line in 0..self.moves.spend.len() {
            self.candidates_by(state, &decision, duty, line, throws, out);
        }
    }

    fn tell_refused(&self, state: &State, colour: Seat, duty: Duty, watch: &mut dyn Watch) {
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
        let pawns = &state.at[colour.index()][..self.pawns.count as usize];
        let moved = state.hand.banked.get(offer.throw as usize).map_or(0, |thrown| thrown.moved);
        let mut told = ArrayVec::<(PathPlace, LineId), MAX_PAWNS>::new();
        for (pawn, &from) in pawns.iter().enumerate() {
            if line.from >> from & 1 == 0 || self.turn.once_per_throw && moved >> pawn & 1 == 1 {
                continue;
            }
            let joint = line.mover.is_joint();
            let others = self.others_of(state, colour, line.mover, pawn, moved);
            if joint && others == 0 {
                continue;
            }
            let number = offer.number;
            let mut context =
                Context { pawn: pawn as u8, from, number, throw: offer.throw, joint, ..Context::seat(colour) };
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let by = self.refuser(state, line, steps, &mut context, gate).or_else(|| {
                // A pair needs one other pawn that can go along, a group needs all its pawns.
                let mut refusers = bits(others).map(|pawn| {
                    let mut context = Context { pawn, from: state.at[colour.index()][pawn as usize], ..context };
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

    /// The rule line that makes a move impossible: it refuses the passing or landing, or leaves no place to stop
    /// before.
    fn refuser(&self, state: &State, line: &Spend, steps: u8, context: &mut Context, gate: bool) -> Option<LineId> {
        let mut refuser = None;
        let landing = self.landing_heard(state, line, steps, context, gate, &mut |_, answer, by| {
            if matches!(answer, Verdict::Refuse | Verdict::StopBefore) && by != NO_LINE {
                refuser = Some(by);
            }
        });
        refuser.filter(|_| landing.is_none())
    }

    fn steps_of(&self, state: &State, line: &Spend, context: &Context) -> Option<u8> {
        let steps = line.steps.map_or(i32::from(context.number), |steps| self.value(state, steps, context));
        u8::try_from(steps).ok().filter(|steps| (1..=32).contains(steps))
    }

    /// Applies the compulsions and reports those that removed actions. Answers whether one on the next action applied.
    fn tell_compelled(&self, state: &State, colour: Seat, actions: &mut Actions, watch: &mut dyn Watch) -> bool {
        let must = self.compelling(state, colour, actions).map(|(must, _)| must);
        if let Some(must) = must {
            let free = actions.len();
            actions.retain_from(0, |action| self.is_asked_for(state, colour, must, action));
            if actions.len() < free {
                watch.fired(must.line);
            }
        }
        if self.has_due() && !actions.is_empty() && (state.stage() == Stage::Numbers || state.must_spend_all()) {
            let (mut free, mut due) = (actions.clone(), actions.clone());
            self.keep_longest(state, &mut free, false);
            self.keep_best(state, &mut due, false);
            if free.iter().any(|action| !due.contains(action)) {
                self.tell_due(state, colour, actions, watch);
            }
        }
        must.is_some()
    }

    /// Reports the compulsions on the whole hand that an action can meet now. If there is none, reports all of them.
    fn tell_due(&self, state: &State, colour: Seat, actions: &[Action], watch: &mut dyn Watch) {
        let holds = |must: &&Must| must.in_hand && self.holds(state, must.open, &Context::seat(colour));
        let at_once = |must: &Must| actions.iter().any(|action| self.is_asked_for(state, colour, must, action));
        let now = self.moves.must.iter().filter(holds).any(at_once);
        for must in self.moves.must.iter().filter(holds).filter(|must| !now || at_once(must)) {
            watch.fired(must.line);
        }
    }
}
