//! The actions that fit the hand in the present state, before looking ahead.

use std::cell::Cell;

use super::actions::{Actions, PASS};
use super::by_part::HandPart;
use super::companions::pawns_of;
use super::compel::Binding;
use super::context::Context;
use super::engine::Engine;
use super::landing::Landing;
use super::offers::Offer;
use super::question::RESULT;
use super::stage::HandStage;
use super::state::{Action, ActionForm, ActionKind, State};
use crate::tables::{Duty, Spend, WaySet, With};
use crate::units::{MAX_PAWNS, MAX_STEP, PawnIndex, PawnSet, Pips, Seat};

#[cfg(test)]
mod tests;

/// The part of a decision that all spend lines share.
pub(crate) struct Decision {
    pub(super) colour: Seat,
    stage: HandStage,
    /// Whether the gate is open.
    pub(super) gate: bool,
    /// For each pawn, the spend lines that allow a move from its place, one bit each. `begun` combines the lines of all
    /// pawns.
    begin: [WaySet; MAX_PAWNS],
    /// Whether some colour has more than four pawns, so that further entries of `begin` are in use.
    has_many: bool,
    begun: WaySet,
    /// The pawns that are interchangeable with a pawn of a lower number, one bit each. They are not listed.
    twins: PawnSet,
    /// The only number of the hand that is left. `None` if a bonus is due or if several numbers are left.
    only: Option<Offer>,
    /// The spend lines that cannot be used at this decision, one bit each: lines that move several pawns, if no pawns
    /// stand together, and lines that need several numbers, if only one is left.
    idle: WaySet,
    /// If true, the search stops at the first action. Set where only the existence of an action matters.
    pub any: bool,
    /// The work that the search for actions may still do, in operations of conditions.
    work: Cell<u32>,
}

/// Maximum work of one search for the actions of a position, in operations of conditions. Only a rule file with very
/// many lines and long conditions needs more for a full hand; the list is then marked as incomplete.
const MOST_WORK: u32 = 400_000;

/// The part of a condition that depends on the pawn: the first question about it, or the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct OfEach(u32);

impl OfEach {
    const NEVER: OfEach = OfEach(RESULT);
    pub(super) const ALWAYS: OfEach = OfEach(RESULT | 1);
}

/// The pawns that may move by a spend line.
#[derive(Clone, Copy)]
pub(super) struct Movers {
    /// The pawns, one bit each.
    pub pawns: PawnSet,
    /// Whether the condition of the line holds for all of them, so that it need not be evaluated again.
    pub fulfil: bool,
}

impl Decision {
    /// The work that was done for this decision so far, in operations of conditions.
    pub(crate) fn work_done(&self) -> u32 {
        MOST_WORK - self.work.get()
    }

    /// Subtracts `work` from the work that the search may still do. False if too little is left.
    #[inline(always)]
    fn may_work(&self, work: u32) -> bool {
        let left = self.work.get().checked_sub(work);
        self.work.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether some pawn stands where an action of these spend lines could begin.
    pub(crate) fn may_begin(&self, lines: WaySet) -> bool {
        lines & self.begun != 0
    }

    /// The spend lines of a duty that allow a move from the place of some pawn, one bit each. If a bonus is
    /// due, these are lines that spend bonuses, else lines that spend numbers.
    #[inline(always)]
    pub(crate) fn lines(&self, engine: &Engine, duty: Duty) -> WaySet {
        self.begun & !self.idle & engine.spend_lines.of_duty(duty, self.stage.due().is_some())
    }

    /// The pawns on places from which a spend line allows a move, one bit each.
    #[inline(always)]
    pub(crate) fn standing(&self, line: usize) -> PawnSet {
        let bit = |pawn: usize| ((self.begin[pawn] >> (line & 63) & 1) as PawnSet) << pawn;
        let four = bit(0) | bit(1) | bit(2) | bit(3);
        if self.has_many { (4..MAX_PAWNS).fold(four, |all, pawn| all | bit(pawn)) } else { four }
    }
}

impl Engine {
    /// Adds the actions that fit the hand by the spend lines of one [`Duty`]. If these are the ordinary lines,
    /// compulsions then remove the actions that they exclude; actions of other duties are not affected.
    ///
    /// Returns the compulsion that applied.
    pub(super) fn candidates(&self, state: &State, duty: Duty, out: &mut Actions) -> Option<Binding<'_>> {
        self.candidates_under(self.moves.must.len(), state, duty, out)
    }

    /// Adds the actions that fit the hand by the spend lines of one duty. Only the first `musts` compulsions apply.
    /// Returns the one that applied.
    pub(super) fn candidates_under(
        &self,
        musts: usize,
        state: &State,
        duty: Duty,
        out: &mut Actions,
    ) -> Option<Binding<'_>> {
        let start = out.len();
        if self.seating.shares {
            self.candidates_of_each(state, duty, out);
        } else {
            self.candidates_of(state, self.colour(state), duty, out);
        }
        let may_apply = duty == Duty::Ordinary && musts > 0 && out.len() > start;
        if may_apply { self.compel(state, musts, start, out) } else { None }
    }

    /// Adds the actions of all colours of a player, before any compulsion.
    #[inline(never)]
    fn candidates_of_each(&self, state: &State, duty: Duty, out: &mut Actions) {
        for colour in self.moving_colours(state) {
            self.candidates_of(state, colour, duty, out);
        }
    }

    /// Adds the actions of one colour that fit the hand by the spend lines of one duty, before any compulsion.
    #[inline(always)]
    fn candidates_of(&self, state: &State, colour: Seat, duty: Duty, out: &mut Actions) {
        if state.stage() == HandStage::Numbers
            && let Some(only) = state.only_number()
        {
            self.candidates_by_one(state, colour, duty, only, false, out);
            return;
        }
        let decision = self.decision(state, colour);
        let mut lines = decision.lines(self, duty);
        if lines != 0 {
            let throws = self.distinct_throws(state);
            while lines != 0 {
                self.candidates_by(state, &decision, duty, lines.trailing_zeros() as usize, throws, out);
                lines &= lines - 1;
            }
        }
    }

    /// Adds the actions of one colour by the only number of the hand, before any compulsion. With `any`, stops at the
    /// first action. Returns the work that was done, in operations of conditions.
    #[inline(never)]
    fn candidates_by_one(
        &self,
        state: &State,
        colour: Seat,
        duty: Duty,
        only: Offer,
        any: bool,
        out: &mut Actions,
    ) -> u32 {
        let able = self.spend_lines.of_duty(duty, false) & self.spend_lines.by_number(only.number);
        let decision = Decision { any, ..self.decision_about(state, colour, HandStage::Numbers, Some(only)) };
        let mut lines = able & decision.begun & !decision.idle;
        let found = out.len();
        while lines != 0 && !(any && out.len() > found) {
            let index = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            let pawns = decision.standing(index) & !decision.twins;
            let open = self.moves.spend[index].open;
            if pawns != 0 && (open.is_none() || self.holds(state, open, &Context::seat(colour))) {
                let Some(only) = &decision.only else { break };
                self.take_offer(state, &decision, index as u8, Movers { pawns, fulfil: false }, only, out);
            }
        }
        decision.work_done()
    }

    /// Whether an ordinary action can spend the next number. Compulsions do not matter: they never remove all actions.
    pub(super) fn can_spend_one(&self, state: &State) -> bool {
        self.can_spend_one_by(state).0
    }

    /// Whether an ordinary action can spend the next number, and the work of this search, in operations of conditions.
    pub(super) fn can_spend_one_by(&self, state: &State) -> (bool, u32) {
        if self.seating.shares {
            self.can_any_spend_one(state)
        } else {
            self.can_spend_one_of(state, self.colour(state))
        }
    }

    /// Whether any colour of a player can spend the next number, and the work of this search, in operations of
    /// conditions.
    #[inline(never)]
    fn can_any_spend_one(&self, state: &State) -> (bool, u32) {
        let mut work = 0;
        for colour in self.moving_colours(state) {
            let (can, more) = self.can_spend_one_of(state, colour);
            work += more;
            if can {
                return (true, work);
            }
        }
        (false, work)
    }

    #[inline(always)]
    fn can_spend_one_of(&self, state: &State, colour: Seat) -> (bool, u32) {
        let mut actions = Actions::default();
        if state.stage() == HandStage::Numbers
            && let Some(only) = state.only_number()
        {
            let part = HandPart { size: only.number, throw: only.throw, numbers: only.numbers };
            let gate = self.gate_is_open(state, colour);
            let row = self.row_by(colour, part, gate);
            if let Some(can) = row.and_then(|row| self.moves_by(state, colour, part, row, gate).are_any()) {
                return (can, 0);
            }
            let work = self.candidates_by_one(state, colour, Duty::Ordinary, only, true, &mut actions);
            return (!actions.is_empty(), work);
        }
        let mut decision = self.decision(state, colour);
        decision.any = true;
        let throws = self.distinct_throws(state);
        let mut lines = decision.lines(self, Duty::Ordinary);
        while lines != 0 && actions.is_empty() {
            let line = lines.trailing_zeros() as usize;
            self.candidates_by(state, &decision, Duty::Ordinary, line, throws, &mut actions);
            lines &= lines - 1;
        }
        (!actions.is_empty(), decision.work_done())
    }

    /// Prepares the part of a decision that all spend lines share.
    pub(crate) fn decision(&self, state: &State, colour: Seat) -> Decision {
        let stage = state.stage();
        let only = if stage == HandStage::Numbers { state.only_number() } else { None };
        self.decision_about(state, colour, stage, only)
    }

    /// Prepares a decision about the part of the hand that is next.
    #[inline(always)]
    fn decision_about(&self, state: &State, colour: Seat, stage: HandStage, only: Option<Offer>) -> Decision {
        let (begin, begun) = self.spend_lines.beginning(self.pawns.count, &state.at[colour.index()]);
        let repeated = self.repeated(state, colour);
        let alone = !self.assumptions.pairs_across && !self.counts_as_pair(state, colour, repeated);
        Decision {
            colour,
            stage,
            gate: self.gate_is_open(state, colour),
            begin,
            has_many: self.pawns.count > 4,
            begun,
            twins: self.twins(state, colour, repeated, stage == HandStage::Numbers),
            idle: self.spend_lines.idle(alone, only.is_some()),
            only,
            any: false,
            work: Cell::new(MOST_WORK),
        }
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
        let is_open = line.duty == duty && (decision.begun & !decision.idle) >> index & 1 == 1 && line.fits(stage);
        if !is_open || !self.holds(state, line.open, &Context::seat(colour)) {
            return;
        }
        let standing = decision.standing(index) & !decision.twins;
        if standing == 0 {
            return;
        }
        let may_spend = |number: Pips| self.spend_lines.by_number(number) >> index & 1 == 1;
        let movers = Movers { pawns: standing, fulfil: false };
        match &decision.only {
            Some(only) if throws == 0 || !may_spend(only.number) => {}
            Some(only) => self.take_offer(state, decision, index as u8, movers, only, out),
            None => {
                let asks_once = !decision.any && self.spend_lines.is_of_pawn(index as u8);
                let movers = if asks_once { self.fulfilling(state, colour, line, standing) } else { movers };
                self.offers(state, line, stage, throws, |offer| {
                    if may_spend(offer.number) {
                        self.take_offer(state, decision, index as u8, movers, &offer, out);
                    }
                });
            }
        }
    }

    /// The pawns of `standing` for which the condition of a spend line holds, which does not depend on the number.
    #[inline(never)]
    fn fulfilling(&self, state: &State, colour: Seat, line: &Spend, standing: PawnSet) -> Movers {
        let context = Context { joint: line.mover.is_joint(), ..Context::seat(colour) };
        let holds = |asked: OfEach, pawn: PawnIndex| {
            self.holds_of(state, asked, &Context { pawn, from: state.place_of(colour, pawn), ..context })
        };
        let pawns = self.asked_of_each(state, line, &context).map_or(0, |asked| {
            pawns_of(standing).filter(|&pawn| holds(asked, pawn)).fold(0, |pawns, pawn| pawns | pawn.alone())
        });
        Movers { pawns, fulfil: true }
    }

    /// Adds the actions of one spend line with one number of the hand, if the line spends single numbers.
    #[inline(always)]
    pub(super) fn candidates_with(
        &self,
        state: &State,
        decision: &Decision,
        index: usize,
        offer: &Offer,
        out: &mut Actions,
    ) {
        let line = &self.moves.spend[index];
        let fits = line.with == With::Die && self.spend_lines.by_number(offer.number) >> index & 1 == 1;
        let standing = decision.standing(index) & !decision.twins;
        if fits && standing != 0 && self.holds(state, line.open, &Context::seat(decision.colour)) {
            let movers = Movers { pawns: standing, fulfil: false };
            self.take_offer(state, decision, index as u8, movers, offer, out);
        }
    }

    /// Adds the actions of one spend line with one part of the hand. `movers` stand on places from which the line
    /// allows a move.
    #[inline(never)]
    fn take_offer(
        &self,
        state: &State,
        decision: &Decision,
        index: u8,
        movers: Movers,
        offer: &Offer,
        out: &mut Actions,
    ) {
        if decision.any && !out.is_empty() {
            return;
        }
        if !decision.may_work(self.spend_lines.work(index)) {
            return out.cut_short();
        }
        let moved =
            if self.turn.once_per_throw { state.hand.thrown(offer.throw).map_or(0, |thrown| thrown.moved) } else { 0 };
        let movers = Movers { pawns: movers.pawns & !moved, ..movers };
        if self.moves.spend[index as usize].mover.is_joint() {
            self.joint_movers(state, decision, index, movers, offer, out);
        } else {
            self.single_movers(state, decision, index, movers, offer, out);
        }
    }

    /// The part of a spend line's condition that has to be evaluated for each pawn. `None` if the condition is false
    /// for all pawns; [`OfEach::ALWAYS`] if it is true for all pawns.
    #[inline(always)]
    pub(super) fn asked_of_each(&self, state: &State, line: &Spend, context: &Context) -> Option<OfEach> {
        let Some(when) = line.when else { return Some(OfEach::ALWAYS) };
        let asked = OfEach(self.asked_for_all(state, when, context));
        (asked != OfEach::NEVER).then_some(asked)
    }

    /// Whether the rest of a condition holds for the pawn of the context.
    #[inline(always)]
    pub(super) fn holds_of(&self, state: &State, asked: OfEach, context: &Context) -> bool {
        asked == OfEach::ALWAYS || self.value_from(state, asked.0, context) != 0
    }

    /// The count of steps by which a pawn moves. `None` if the count is 0 or less, or above [`MAX_STEP`].
    #[inline(always)]
    pub(super) fn steps_of(&self, state: &State, line: &Spend, context: &Context) -> Option<Pips> {
        steps_within(line.steps.map_or(context.number.0.into(), |steps| self.value(state, steps, context)))
    }

    /// Whether `listed` is the same action by another line: it leads an interchangeable pawn from the same place to the
    /// same place, by the same numbers.
    #[inline(always)]
    pub(super) fn is_same_way(&self, state: &State, listed: &Action, action: &Action) -> bool {
        let way = |action: &Action| (action.from, action.to, action.throw, action.numbers);
        way(listed) == way(action) && self.is_alike_by_another_line(state, listed, action)
    }

    #[inline(never)]
    fn is_alike_by_another_line(&self, state: &State, listed: &Action, action: &Action) -> bool {
        let line = |action: &Action| &self.moves.spend[action.line as usize];
        listed.line != action.line
            && listed.colour == action.colour
            && self.are_alike(state, action.colour, listed.pawn, action.pawn)
            && line(listed).reads_like(line(action))
    }

    /// Adds `pass`. The caller has checked that a pass is legal: either all legal actions are voluntary, or `may_pass`
    /// allows a pass.
    pub(crate) fn add_pass(&self, out: &mut Actions) {
        out.push_surely(PASS);
    }
}

/// The action of a pawn by the spend line with the index `line`. For a joint move, the second pawn is still missing.
#[inline(always)]
pub(super) fn moving(line: u8, context: &Context, offer: &Offer, landing: Landing) -> Action {
    Action {
        line,
        kind: ActionKind::Move,
        colour: context.own,
        pawn: context.pawn,
        other: None,
        from: context.from,
        to: landing.to,
        throw: offer.throw,
        numbers: offer.numbers,
        captures: landing.answer.captures(),
        form: ActionForm::PLAIN,
    }
}

/// A computed count of steps. `None` if it is 0 or less, or above [`MAX_STEP`].
#[inline(always)]
pub(super) fn steps_within(steps: i32) -> Option<Pips> {
    u8::try_from(steps).ok().map(Pips).filter(|steps| (Pips(1)..=MAX_STEP).contains(steps))
}
