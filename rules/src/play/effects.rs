//! The effects of `on` lines.

use super::context::Context;
use super::perform::{tell, tell_of_seat};
use super::state::{Bonus, State};
use super::watch::{HappeningKind, Watch};
use crate::play::engine::Engine;
use crate::tables::{Effect, Event, LineId, Mover, NO_LINE, Verdict, Which, Whose};
use crate::units::{Due, MAX_BANKED, MAX_BONUSES, MAX_STEP, PathPlace, PawnIndex, PawnOfSeat, Pips};

/// Maximum number of jumps that one event may cause in sequence. It ends jumps in a circle.
const MAX_JUMPS: u8 = 8;
/// Maximum number of jumps that the effects of one line may cause in all. It ends jumps that each cause several others.
const MAX_JUMPS_OF_A_LINE: u8 = 64;

impl Engine {
    /// Applies every `on` line for an event, in the order of the rule set, if its condition holds.
    #[inline(always)]
    pub(crate) fn answer(&self, state: &mut State, event: Event, context: &Context, watch: &mut dyn Watch) {
        for rule in &self.events.on[event as usize] {
            if self.holds(state, rule.when, context) {
                watch.fired(rule.line);
                self.affect(state, &rule.effects, context, watch);
            }
        }
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
    fn take_effect(&self, state: &mut State, effect: &Effect, context: &Context, watch: &mut dyn Watch) {
        match *effect {
            Effect::Set(whose, index, value) => {
                let value = self.value(state, value, context);
                self.set_counter(state, context, whose, index, value);
            }
            Effect::Add(whose, index, value) => {
                let added = self.value(state, value, context);
                let value = i32::from(*self.counter_mut(state, context, whose, index)).saturating_add(added);
                self.set_counter(state, context, whose, index, value);
            }
            Effect::Mark(bit, value) => {
                let on = self.value(state, value, context) != 0;
                set_bit(&mut state.marks[context.own.index()][context.pawn.index()], bit, on);
            }
            Effect::MarkEach(bit, value, condition) => self.mark_each(state, bit, value, condition, context),
            Effect::ThrowNow => self.grant_throw(state, 0, watch),
            Effect::ThrowAfter => self.grant_throw(state, 1, watch),
            Effect::Bonus(steps, due) => {
                let steps = self.value(state, steps, context).clamp(0, MAX_STEP.0.into()) as u8;
                self.grant_bonus(state, Pips(steps), due, watch);
            }
            Effect::Drop { all } => state.drop_throw(all),
            Effect::EndTurn => state.ending = true,
            Effect::UndoTurn => self.undo_turn(state, watch),
            Effect::Send(which, place) => self.send(state, which, place, context, watch),
            Effect::SendEach(each, place, condition) => {
                self.send_each(state, (each, place, condition), context, watch);
            }
            Effect::Jump(from, to) => {
                let standing = |pawn: &PawnIndex| state.place_of(context.own, *pawn) == from;
                if let Some(pawn) = PawnIndex::all(self.pawns.count).find(standing) {
                    self.jump(state, pawn, to, context, watch);
                }
            }
            Effect::JumpEach(to, condition) => self.jump_each(state, to, condition, context, watch),
            Effect::Pounce(from) => self.pounce(state, from, context, watch),
            Effect::CutBehind => self.cut_behind(state, context, watch),
        }
    }

    /// Restores the position before the first throw of the turn.
    fn undo_turn(&self, state: &mut State, watch: &mut dyn Watch) {
        let before = state.before;
        if before.kept {
            state.come_back(&before);
            self.settle_position(state);
            state.forget_moves();
            state.last_moved = None;
            tell_of_seat(watch, HappeningKind::TakenBack, state.turn, 0);
        }
    }

    fn counter_mut<'s>(&self, state: &'s mut State, context: &Context, whose: Whose, index: u8) -> &'s mut i16 {
        let seat = match whose {
            Whose::Own => context.own,
            Whose::Other => context.other,
            Whose::Partner => self.seating.partner[context.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return &mut state.game[index as usize & 7],
        };
        &mut state.counters[seat.index()][index as usize & 7]
    }

    fn set_counter(&self, state: &mut State, context: &Context, whose: Whose, index: u8, value: i32) {
        let declared = if whose == Whose::Game { &self.counters.game } else { &self.counters.seat };
        let (least, most) = declared[index as usize].range;
        *self.counter_mut(state, context, whose, index) = value.clamp(i32::from(least), i32::from(most)) as i16;
    }

    fn mark_each(
        &self,
        state: &mut State,
        bit: u8,
        value: crate::tables::Program,
        condition: crate::tables::Program,
        context: &Context,
    ) {
        if let (Some(marked), Some(on)) =
            (self.value_for_all(state, condition, context), self.value_for_all(state, value, context))
        {
            let pawns = state.marks[context.own.index()].iter_mut().take(if marked != 0 {
                self.pawns.count as usize
            } else {
                0
            });
            return pawns.for_each(|marks| set_bit(marks, bit, on != 0));
        }
        for pawn in PawnIndex::all(self.pawns.count) {
            let place = state.place_of(context.own, pawn);
            let each = Context { pawn, from: place, to: place, ..*context };
            if self.value(state, condition, &each) != 0 {
                let on = self.value(state, value, &each) != 0;
                set_bit(&mut state.marks[context.own.index()][pawn.index()], bit, on);
            }
        }
    }

    fn grant_throw(&self, state: &mut State, when: usize, watch: &mut dyn Watch) {
        let waiting = state.hand.throws + state.owed[0] + state.owed[1];
        if (waiting as usize) < MAX_BANKED && state.thrown < u8::MAX {
            state.owed[when] += 1;
            tell_of_seat(watch, HappeningKind::ThrowGranted, state.turn, 1);
        }
    }

    fn grant_bonus(&self, state: &mut State, steps: Pips, due: Due, watch: &mut dyn Watch) {
        let hand = &mut state.hand;
        if steps.0 > 0 && (hand.granted as usize) < MAX_BONUSES {
            hand.bonuses[hand.granted as usize] = Bonus { steps, due };
            hand.granted += 1;
            tell_of_seat(watch, HappeningKind::BonusGranted, state.turn, steps.0);
        }
    }

    fn send(&self, state: &mut State, which: Which, place: PathPlace, context: &Context, watch: &mut dyn Watch) {
        let chosen = match which {
            Which::This => Some((context.own, context.pawn)),
            Which::LastMoved => state.last_moved.map(|last| (last.seat(), last.pawn())),
            Which::Argument => {
                let pawns = &state.at[context.other.index()][..self.pawns.count as usize];
                pawns
                    .iter()
                    .position(|&at| at == context.argument)
                    .map(|pawn| (context.other, PawnIndex::new(pawn as u8)))
            }
            Which::Nearest => {
                let place = |pawn: &PawnIndex| state.place_of(context.own, *pawn);
                let is_on_board = |pawn: &PawnIndex| place(pawn) > PathPlace::OUT && place(pawn) < self.board.home();
                // Of several pawns on one place, the first one.
                let on_board = PawnIndex::all(self.pawns.count).rev().filter(is_on_board);
                on_board.max_by_key(place).map(|pawn| (context.own, pawn))
            }
        };
        if let Some((seat, pawn)) = chosen {
            let from = state.place_of(seat, pawn);
            self.send_off(state, seat, pawn, place);
            tell(watch, HappeningKind::Sent, seat, pawn, from, place, Pips(0));
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
        if context.jumps >= MAX_JUMPS || state.jumps >= MAX_JUMPS_OF_A_LINE {
            return;
        }
        state.jumps += 1;
        let from = state.place_of(context.own, pawn);
        let jumps = context.jumps + 1;
        let mut context = Context { pawn, from, to, joint: false, victims: 0, jumps, ..*context };
        let (answer, line) = self.verdict_at(state, Mover::Pawn, &context, self.square(context.own, to));
        if line != NO_LINE && (answer != Verdict::Refuse || watch.hears_refusals()) {
            watch.fired(line);
        }
        if answer == Verdict::Refuse {
            return;
        }
        self.strike(state, &mut context, answer, watch);
        let passed = self.passes_own_pair(state, &context);
        self.put(state, &context, watch);
        state.last_moved = Some(PawnOfSeat::new(context.own, context.pawn));
        self.rules_after(state, &context, &[context.pawn], passed, watch);
    }

    /// Carries out a pounce: own pawns of a place capture on the square of the argument and stay there. One pawn moves
    /// if the landing lines let it capture, otherwise a pair.
    fn pounce(&self, state: &mut State, from: PathPlace, context: &Context, watch: &mut dyn Watch) {
        let Some((mut context, second, line)) = self.pouncers(state, from, context) else { return };
        if line != NO_LINE {
            watch.fired(line);
        }
        self.strike(state, &mut context, Verdict::Cut, watch);
        let movers = [context.pawn, second];
        let movers = &movers[..1 + usize::from(context.joint)];
        for &pawn in movers {
            self.put(state, &Context { pawn, ..context }, watch);
        }
        state.last_moved = Some(PawnOfSeat::new(context.own, context.pawn));
        self.rules_after(state, &context, movers, false, watch);
    }

    /// The pawns of a place that can pounce: the context of the first pawn, the second pawn, and the landing line that
    /// allows it. `None` if no pawn may pounce.
    fn pouncers(&self, state: &State, from: PathPlace, context: &Context) -> Option<(Context, PawnIndex, LineId)> {
        let to = self.board.seen_as(context.other, context.own, context.argument)?;
        let mut standing = PawnIndex::all(self.pawns.count).filter(|&pawn| state.place_of(context.own, pawn) == from);
        let pawn = standing.next()?;
        let captures = |joint: bool| {
            let context = Context { pawn, from, to, joint, ..*context };
            let mover = if joint { Mover::Pair } else { Mover::Pawn };
            let (answer, line) = self.verdict_at(state, mover, &context, self.square(context.own, to));
            (answer == Verdict::Cut).then_some((context, line))
        };
        match captures(false) {
            Some((context, line)) => Some((context, pawn, line)),
            None => {
                let second = standing.next()?;
                captures(true).map(|(context, line)| (context, second, line))
            }
        }
    }

    /// Whether all effects of a choice can be carried out. A pounce needs a pawn that may capture there.
    pub(crate) fn can_be_chosen(&self, state: &State, effects: &[Effect], context: &Context) -> bool {
        effects.iter().all(|effect| match *effect {
            Effect::Pounce(from) => self.pouncers(state, from, context).is_some(),
            _ => true,
        })
    }

    /// Captures the enemies on the square that the moved pawn left.
    fn cut_behind(&self, state: &mut State, context: &Context, watch: &mut dyn Watch) {
        let mut behind = Context { to: context.from, victims: 0, ..*context };
        self.strike(state, &mut behind, Verdict::Cut, watch);
        if behind.victims > 0 {
            self.answer(
                state,
                Event::Cut,
                &Context { victims: behind.victims, other: behind.other, ..*context },
                watch,
            );
        }
    }
}

fn set_bit(bits: &mut u8, bit: u8, on: bool) {
    *bits = *bits & !(1 << bit) | u8::from(on) << bit;
}
