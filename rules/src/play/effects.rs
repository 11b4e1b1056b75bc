//! The effects of `on` lines.

use super::companions::pawns_of;
use super::context::Context;
use super::jumps::{MAX_JUMPS, MAX_JUMPS_OF_A_LINE};
use super::state::{Before, Bonus, State};
use super::watch::{Cause, HappeningKind, StateChange, Watch, report_pawn_event, report_seat_event};
use crate::play::engine::Engine;
use crate::tables::{Effect, Event, Goal, LineId, Mover, Program, Rule, Verdict, Which, Whose};
use crate::units::{Due, MAX_BANKED, MAX_BONUSES, MAX_STEP, PathPlace, PawnIndex, PawnOfSeat, PawnSet, Pips, Seat};

impl Engine {
    /// Whether any `on` line answers an event.
    #[inline(always)]
    pub(super) fn is_answered(&self, event: Event) -> bool {
        self.answered & event.alone() != 0
    }

    /// Applies every `on` line for an event, in the order of the rule set, if its condition holds.
    #[inline(always)]
    pub(crate) fn answer(&self, state: &mut State, event: Event, context: &Context, watch: &mut impl Watch) {
        let is_followed = || !watch.looks_ahead() || self.relevant.events & event.alone() != 0;
        if self.is_answered(event) && is_followed() {
            self.answer_by_lines(state, event, context, watch);
        }
    }

    #[inline(always)]
    fn answer_by_lines(&self, state: &mut State, event: Event, context: &Context, watch: &mut impl Watch) {
        let (may, sure) = match event {
            Event::Throw | Event::TurnStart | Event::Spent | Event::TurnEnd | Event::AnyTurnEnd => (u64::MAX, 0),
            _ => {
                let guard = self.guards.at(state, event, context);
                (guard.may, guard.sure)
            }
        };
        let may = may & if watch.looks_ahead() { self.relevant.lines_for(event) } else { u64::MAX };
        if watch.hears_lines() {
            self.answer_heard(state, event, context, may, watch);
        } else if may != 0 || self.events.on[event as usize].len() > 64 {
            self.answer_unheard(state, event, context, [may, sure], watch);
        }
    }

    #[inline(never)]
    fn answer_heard(&self, state: &mut State, event: Event, context: &Context, may: u64, watch: &mut impl Watch) {
        for (index, rule) in self.events.on[event as usize].iter().enumerate() {
            if (index >= 64 || may >> index & 1 == 1) && self.holds(state, rule.when, context) {
                self.apply(state, rule, event, context, watch);
            }
        }
    }

    /// Applies one `on` line for an event, whose condition holds.
    #[inline(always)]
    fn apply(&self, state: &mut State, rule: &Rule, event: Event, context: &Context, watch: &mut impl Watch) {
        watch.fired(rule.line);
        let pawns = if event.is_about_a_pawn() { context.pawn.alone() } else { 0 };
        watch.begins(Cause { line: rule.line, event: Some(event), seat: context.own, pawns });
        self.affect(state, &rule.effects, context, watch);
        watch.ends();
    }

    pub(crate) fn affect(&self, state: &mut State, effects: &[Effect], context: &Context, watch: &mut dyn Watch) {
        for effect in effects {
            self.take_effect(state, effect, context, watch);
        }
        if context.jumps == 0 {
            state.jumps = 0;
        }
    }

    /// Applies one effect. This is a separate function so that each effect fetches only the data that it needs.
    #[inline(never)]
    pub(super) fn take_effect(&self, state: &mut State, effect: &Effect, context: &Context, watch: &mut dyn Watch) {
        match *effect {
            Effect::Set(whose, index, value) => {
                let value = self.value(state, value, context);
                self.set_counter(state, context, (whose, index), value, watch);
            }
            Effect::Add(whose, index, value) => {
                let added = self.value(state, value, context);
                let value = i32::from(*self.counter_mut(state, context, whose, index)).saturating_add(added);
                self.set_counter(state, context, (whose, index), value, watch);
            }
            Effect::Mark(bit, value) => {
                let on = self.value(state, value, context) != 0;
                set_mark(state, (context.own, context.pawn), bit, on, watch);
            }
            Effect::MarkEach(bit, value, condition) => {
                for colour in self.colours_about(context) {
                    self.mark_each(state, bit, (value, condition), &context.of_colour(colour), watch);
                }
            }
            Effect::ThrowNow => self.grant_throw(state, 0, watch),
            Effect::ThrowAfter => self.grant_throw(state, 1, watch),
            Effect::Bonus(steps, due) => {
                let steps = self.value(state, steps, context).clamp(0, MAX_STEP.0.into()) as u8;
                self.grant_bonus(state, Pips(steps), due, watch);
            }
            Effect::Drop { all } => state.drop_throw(all),
            Effect::EndTurn => state.ending = true,
            Effect::UndoTurn => self.undo_turn(state, watch),
            Effect::Send(which, goal) => self.send(state, which, goal, context, watch),
            Effect::SendEach(each, goal, condition) => {
                self.send_each(state, (each, goal, condition), context, watch);
            }
            Effect::Jump(jumper, goal) => {
                if let Some((seat, pawn)) = self.jumper(state, jumper, context)
                    && let Some(to) = self.jump_goal(state, goal, state.place_of(seat, pawn), context)
                {
                    self.jump(state, pawn, to, &context.of_colour(seat), watch);
                }
            }
            Effect::JumpEach(goal, condition) => self.jump_each(state, goal, condition, context, watch),
            Effect::Pounce(from) => self.pounce(state, from, context, watch),
            Effect::CutBehind => self.cut_behind(state, context, watch),
        }
    }

    /// Restores the pawns, marks, counters and ranking from before the first throw of the turn.
    fn undo_turn(&self, state: &mut State, watch: &mut dyn Watch) {
        let before = state.before;
        if before.kept {
            let after = state.kept();
            state.come_back(&before);
            self.settle_position(state);
            state.forget_moves();
            state.last_moved = None;
            report_seat_event(watch, HappeningKind::TakenBack, state.turn, 0);
            self.tell_changes(&after, &before, watch);
        }
    }

    /// Reports every difference between two states of one turn.
    fn tell_changes(&self, old: &Before, new: &Before, watch: &mut dyn Watch) {
        let counters = |old: &[i16], new: &[i16], seat: Option<Seat>, watch: &mut dyn Watch| {
            for (index, (old, &value)) in (0..).zip(old.iter().zip(new)) {
                if *old != value {
                    watch.changed(StateChange::Counter { seat, index, value });
                }
            }
        };
        for &seat in &self.seating.colours {
            for pawn in PawnIndex::all(self.pawns.count) {
                let [from, to] = [old, new].map(|state| state.at[seat.index()][pawn.index()]);
                if from != to {
                    watch.changed(StateChange::PutBack { seat, pawn, from, to });
                }
                let [old, new] = [old, new].map(|state| state.marks[seat.index()][pawn.index()]);
                for index in (0..8).filter(|index| (old ^ new) >> index & 1 == 1) {
                    watch.changed(StateChange::Mark { seat, pawn, index, is_set: new >> index & 1 == 1 });
                }
            }
            counters(&old.counters[seat.index()], &new.counters[seat.index()], Some(seat), watch);
        }
        counters(&old.game, &new.game, None, watch);
    }

    pub(super) fn counter_mut<'s>(
        &self,
        state: &'s mut State,
        context: &Context,
        whose: Whose,
        index: u8,
    ) -> &'s mut i16 {
        match self.owner_of_counter(state, context, whose) {
            Some(seat) => &mut state.counters[seat.index()][index as usize & 7],
            None => &mut state.game[index as usize & 7],
        }
    }

    /// The player that owns a counter. `None` means the game.
    #[inline(always)]
    pub(super) fn owner_of_counter(&self, state: &State, context: &Context, whose: Whose) -> Option<Seat> {
        let seat = match whose {
            Whose::Own => context.own,
            Whose::Other => context.other,
            Whose::Partner => self.seating.partner[context.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return None,
        };
        Some(self.seating.player[seat.index()])
    }

    fn set_counter(
        &self,
        state: &mut State,
        context: &Context,
        (whose, index): (Whose, u8),
        value: i32,
        watch: &mut dyn Watch,
    ) {
        let declared = if whose == Whose::Game { &self.counters.game } else { &self.counters.seat };
        let (least, most) = declared[index as usize].range;
        let value = value.clamp(i32::from(least), i32::from(most)) as i16;
        let seat = self.owner_of_counter(state, context, whose);
        let counter = self.counter_mut(state, context, whose, index);
        if *counter != value {
            *counter = value;
            watch.changed(StateChange::Counter { seat, index, value });
        }
    }

    fn mark_each(
        &self,
        state: &mut State,
        bit: u8,
        (value, condition): (Program, Program),
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        if let (Some(marked), Some(on)) =
            (self.value_for_all(state, condition, context), self.value_for_all(state, value, context))
        {
            let count = if marked != 0 { self.pawns.count } else { 0 };
            return PawnIndex::all(count).for_each(|pawn| set_mark(state, (context.own, pawn), bit, on != 0, watch));
        }
        for pawn in PawnIndex::all(self.pawns.count) {
            let place = state.place_of(context.own, pawn);
            let each = Context { pawn, from: place, to: place, ..*context };
            if self.value(state, condition, &each) != 0 {
                let on = self.value(state, value, &each) != 0;
                set_mark(state, (context.own, pawn), bit, on, watch);
            }
        }
    }

    fn grant_throw(&self, state: &mut State, when: usize, watch: &mut dyn Watch) {
        let waiting = state.hand.throws + state.owed[0] + state.owed[1];
        if (waiting as usize) < MAX_BANKED && state.thrown < u8::MAX {
            state.owed[when] += 1;
            report_seat_event(watch, HappeningKind::ThrowGranted, state.turn, 1);
        }
    }

    fn grant_bonus(&self, state: &mut State, steps: Pips, due: Due, watch: &mut dyn Watch) {
        let hand = &mut state.hand;
        if steps.0 > 0 && (hand.granted as usize) < MAX_BONUSES {
            hand.bonuses[hand.granted as usize] = Bonus { steps, due };
            hand.granted += 1;
            report_seat_event(watch, HappeningKind::BonusGranted, state.turn, steps.0);
        }
    }

    fn send(&self, state: &mut State, which: Which, goal: Goal, context: &Context, watch: &mut dyn Watch) {
        if let Some((seat, pawn)) = self.which(state, which, context) {
            let from = state.place_of(seat, pawn);
            let Some(place) = self.send_goal(state, goal, from, context) else { return };
            self.send_off(state, seat, pawn, place);
            report_pawn_event(watch, HappeningKind::Sent, seat, pawn, from, place, Pips(0));
        }
    }

    /// Moves an own pawn to a place, where it lands as a single pawn.
    pub(super) fn jump(
        &self,
        state: &mut State,
        pawn: PawnIndex,
        to: PathPlace,
        context: &Context,
        watch: &mut dyn Watch,
    ) {
        if is_chain_over(state, context) {
            return;
        }
        state.jumps += 1;
        let from = state.place_of(context.own, pawn);
        let jumps = context.jumps + 1;
        let mut context = Context { pawn, from, to, joint: false, victims: 0, jumps, ..*context };
        let (answer, line) = self.verdict_at(state, Mover::Pawn, &context, self.square(context.own, to));
        // A pawn that jumps has no way on which it could stop before the place.
        let is_refused = matches!(answer, Verdict::Refuse | Verdict::StopBefore);
        if let Some(line) = line.filter(|_| !is_refused || watch.hears_refusals()) {
            watch.fired(line);
        }
        if is_refused {
            return;
        }
        self.strike_by((line, pawn.alone()), state, &mut context, answer, watch);
        let passed = self.has_own_pair(state, context.own, from.between(to));
        self.moved_by_effect(state, &context, context.pawn.alone(), passed, watch);
    }

    /// Carries out a pounce: own pawns of a place capture on the square of the argument and stay there. One pawn moves
    /// if the landing lines let it capture, otherwise a pair.
    fn pounce(&self, state: &mut State, from: PathPlace, context: &Context, watch: &mut dyn Watch) {
        let Some((mut context, second, line)) = self.pouncers(state, from, context) else { return };
        watch.fired(line);
        let movers = if context.joint { context.pawn.alone() | second.alone() } else { context.pawn.alone() };
        self.strike_by((Some(line), movers), state, &mut context, Verdict::Cut, watch);
        self.moved_by_effect(state, &context, movers, false, watch);
    }

    /// Puts the pawns that an effect moves on the place where they land, and applies the `on` lines for the events of
    /// the move.
    #[inline(never)]
    fn moved_by_effect(
        &self,
        state: &mut State,
        context: &Context,
        movers: PawnSet,
        passed: bool,
        mut watch: &mut dyn Watch,
    ) {
        for pawn in pawns_of(movers) {
            // The place is read again, because an `on` line for the event `lost` may have moved this pawn.
            self.put(state, &Context { pawn, from: state.place_of(context.own, pawn), ..*context }, &mut watch);
        }
        state.last_moved = Some(PawnOfSeat::new(context.own, context.pawn));
        self.rules_after(state, context, movers, passed, &mut watch);
    }

    /// The pawns of a place that can pounce: the context of the first pawn, the second pawn of a pair (the first pawn
    /// again if it moves alone), and the landing line that lets them capture. `None` if no pawn may pounce.
    fn pouncers(&self, state: &State, from: PathPlace, context: &Context) -> Option<(Context, PawnIndex, LineId)> {
        let to = self.board.seen_as(context.other, context.own, context.argument)?;
        let mut standing = PawnIndex::all(self.pawns.count).filter(|&pawn| state.place_of(context.own, pawn) == from);
        let pawn = standing.next()?;
        let captures = |joint: bool| {
            let context = Context { pawn, from, to, joint, ..*context };
            let mover = if joint { Mover::Pair } else { Mover::Pawn };
            let (answer, line) = self.verdict_at(state, mover, &context, self.square(context.own, to));
            line.filter(|_| answer == Verdict::Cut).map(|line| (context, line))
        };
        match captures(false) {
            Some((context, line)) => Some((context, pawn, line)),
            None => {
                let second = standing.next()?;
                captures(true).map(|(context, line)| (context, second, line))
            }
        }
    }

    /// Whether all effects of a choice can be carried out. A pounce needs pawns that may capture on the square of the
    /// argument.
    pub(crate) fn can_be_chosen(&self, state: &State, effects: &[Effect], context: &Context) -> bool {
        effects.iter().all(|effect| match *effect {
            Effect::Pounce(from) => self.pouncers(state, from, context).is_some(),
            _ => true,
        })
    }

    /// Captures the enemies on the square that the moved pawn left. It counts as a jump, as its events may lead to
    /// another capture.
    fn cut_behind(&self, state: &mut State, context: &Context, mut watch: &mut dyn Watch) {
        let jumps = context.jumps + 1;
        let mut behind = Context { to: context.from, victims: 0, jumps, ..*context };
        if is_chain_over(state, context) || self.partners_fall(state, &behind) {
            return;
        }
        state.jumps += 1;
        self.strike(state, &mut behind, Verdict::Cut, watch);
        if behind.victims > 0 {
            let context = Context { victims: behind.victims, other: behind.other, jumps, ..*context };
            self.answer(state, Event::Cut, &context, &mut watch);
        }
    }
}

/// Whether the effects of a line have caused so many jumps that no further one follows.
fn is_chain_over(state: &State, context: &Context) -> bool {
    context.jumps >= MAX_JUMPS || state.jumps >= MAX_JUMPS_OF_A_LINE
}

fn set_mark(state: &mut State, (seat, pawn): (Seat, PawnIndex), index: u8, is_set: bool, watch: &mut dyn Watch) {
    let marks = &mut state.marks[seat.index()][pawn.index()];
    let new = *marks & !(1 << index) | u8::from(is_set) << index;
    if *marks != new {
        *marks = new;
        watch.changed(StateChange::Mark { seat, pawn, index, is_set });
    }
}
