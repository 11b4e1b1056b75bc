//! What rules do when they answer an event.

use super::ask::Ask;
use super::perform::tell;
use super::state::{Bonus, State};
use super::watch::{HappeningKind, Watch};
use crate::play::engine::Engine;
use crate::tables::{Answer, Effect, Event, LineId, Mover, NO_LINE, Which, Whose};
use crate::units::{Due, MAX_BANKED, MAX_BONUSES, Place, Seat};

/// Jumps that rules may make one out of another: jumps in a circle come to an end.
const MAX_JUMPS: u8 = 8;

impl Engine {
    /// Lets every rule that answers an event do so, in order.
    #[inline(always)]
    pub(crate) fn answer(&self, state: &mut State, event: Event, ask: &Ask, watch: &mut dyn Watch) {
        for rule in &self.events.on[event as usize] {
            if self.holds(state, rule.when, ask) {
                watch.fired(rule.line);
                self.affect(state, &rule.effects, ask, watch);
            }
        }
    }

    pub(crate) fn affect(&self, state: &mut State, effects: &[Effect], ask: &Ask, watch: &mut dyn Watch) {
        for effect in effects {
            self.take_effect(state, effect, ask, watch);
        }
    }

    /// Apart from the loop above, so that each effect fetches only what it needs.
    #[inline(never)]
    fn take_effect(&self, state: &mut State, effect: &Effect, ask: &Ask, watch: &mut dyn Watch) {
        match *effect {
            Effect::Set(whose, index, value) => {
                let value = self.value(state, value, ask);
                self.set_counter(state, ask, whose, index, value);
            }
            Effect::Add(whose, index, value) => {
                let added = self.value(state, value, ask);
                let value = i32::from(*self.counter_mut(state, ask, whose, index)).saturating_add(added);
                self.set_counter(state, ask, whose, index, value);
            }
            Effect::Mark(bit, value) => {
                let on = self.value(state, value, ask) != 0;
                set_bit(&mut state.marks[ask.own.index()][ask.pawn as usize & 7], bit, on);
            }
            Effect::MarkEach(bit, value, condition) => self.mark_each(state, bit, value, condition, ask),
            Effect::ThrowNow => self.grant_throw(state, 0, watch),
            Effect::ThrowAfter => self.grant_throw(state, 1, watch),
            Effect::Bonus(steps, due) => {
                let steps = self.value(state, steps, ask).clamp(0, 32) as u8;
                self.grant_bonus(state, steps, due, watch);
            }
            Effect::Drop { all } => state.drop_throw(all),
            Effect::EndTurn => state.ending = true,
            Effect::UndoTurn => self.undo_turn(state, watch),
            Effect::Send(which, place) => self.send(state, which, place, ask, watch),
            Effect::Jump(from, to) => self.jump(state, from, to, ask, watch),
            Effect::Pounce(from) => self.pounce(state, from, ask, watch),
            Effect::CutBehind => self.cut_behind(state, ask, watch),
        }
    }

    /// Puts everything back to where it stood before the first throw of the turn.
    fn undo_turn(&self, state: &mut State, watch: &mut dyn Watch) {
        let before = state.before;
        if before.kept {
            state.come_back(&before);
            self.settle_position(state);
            state.forget_moves();
            state.mover = 255;
            tell(watch, HappeningKind::TakenBack, state.turn, 255, 0, 0, 0);
        }
    }

    fn counter_mut<'s>(&self, state: &'s mut State, ask: &Ask, whose: Whose, index: u8) -> &'s mut i16 {
        let seat = match whose {
            Whose::Own => ask.own,
            Whose::Other => ask.other,
            Whose::Partner => self.seating.partner[ask.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return &mut state.game[index as usize & 3],
        };
        &mut state.counters[seat.index()][index as usize & 7]
    }

    fn set_counter(&self, state: &mut State, ask: &Ask, whose: Whose, index: u8, value: i32) {
        let declared = if whose == Whose::Game { &self.counters.game } else { &self.counters.seat };
        let (least, most) = declared[index as usize].range;
        *self.counter_mut(state, ask, whose, index) = value.clamp(i32::from(least), i32::from(most)) as i16;
    }

    fn mark_each(
        &self,
        state: &mut State,
        bit: u8,
        value: crate::tables::Program,
        condition: crate::tables::Program,
        ask: &Ask,
    ) {
        if let (Some(marked), Some(on)) =
            (self.value_for_all(state, condition, ask), self.value_for_all(state, value, ask))
        {
            let pawns =
                state.marks[ask.own.index()].iter_mut().take(if marked != 0 { self.pawns.count as usize } else { 0 });
            return pawns.for_each(|marks| set_bit(marks, bit, on != 0));
        }
        for pawn in 0..self.pawns.count {
            let place = state.at[ask.own.index()][pawn as usize];
            let each = Ask { pawn, from: place, to: place, ..*ask };
            if self.value(state, condition, &each) != 0 {
                let on = self.value(state, value, &each) != 0;
                set_bit(&mut state.marks[ask.own.index()][pawn as usize], bit, on);
            }
        }
    }

    fn grant_throw(&self, state: &mut State, when: usize, watch: &mut dyn Watch) {
        let waiting = state.hand.throws + state.owed[0] + state.owed[1];
        if (waiting as usize) < MAX_BANKED && state.thrown < u8::MAX {
            state.owed[when] += 1;
            tell(watch, HappeningKind::ThrowGranted, state.turn, 255, 0, 0, 1);
        }
    }

    fn grant_bonus(&self, state: &mut State, steps: u8, due: Due, watch: &mut dyn Watch) {
        let hand = &mut state.hand;
        if steps > 0 && (hand.granted as usize) < MAX_BONUSES {
            hand.bonuses[hand.granted as usize] = Bonus { steps, due };
            hand.granted += 1;
            tell(watch, HappeningKind::BonusGranted, state.turn, 255, 0, 0, steps);
        }
    }

    fn send(&self, state: &mut State, which: Which, place: Place, ask: &Ask, watch: &mut dyn Watch) {
        let chosen = match which {
            Which::This => Some((ask.own, ask.pawn)),
            Which::LastMoved if state.mover == 255 => None,
            Which::LastMoved => Some((Seat(state.mover >> 4), state.mover & 7)),
            Which::Argument => {
                let pawns = &state.at[ask.other.index()][..self.pawns.count as usize];
                pawns.iter().position(|&at| at == ask.argument).map(|pawn| (ask.other, pawn as u8))
            }
            Which::Nearest => {
                let home = self.board.len - 1;
                let pawns = &state.at[ask.own.index()][..self.pawns.count as usize];
                let on_board = pawns.iter().enumerate().filter(|&(_, &at)| at > 0 && at < home);
                on_board.max_by_key(|&(pawn, &at)| (at, 255 - pawn)).map(|(pawn, _)| (ask.own, pawn as u8))
            }
        };
        if let Some((seat, pawn)) = chosen {
            let from = state.at[seat.index()][pawn as usize];
            self.send_off(state, seat, pawn, place);
            tell(watch, HappeningKind::Sent, seat, pawn, from, place, 0);
        }
    }

    /// One own pawn of a place moves to another, landing there as a single pawn.
    fn jump(&self, state: &mut State, from: Place, to: Place, ask: &Ask, watch: &mut dyn Watch) {
        let pawns = &state.at[ask.own.index()][..self.pawns.count as usize];
        let Some(pawn) = pawns.iter().position(|&at| at == from).filter(|_| ask.jumps < MAX_JUMPS) else { return };
        let mut ask = Ask { pawn: pawn as u8, from, to, joint: false, victims: 0, jumps: ask.jumps + 1, ..*ask };
        let (answer, line) = self.verdict_at(state, Mover::Pawn, &ask, self.square(ask.own, to));
        if line != NO_LINE && (answer != Answer::Refuse || watch.hears_refusals()) {
            watch.fired(line);
        }
        if answer == Answer::Refuse {
            return;
        }
        self.strike(state, &mut ask, answer, watch);
        let passed = self.passes_own_pair(state, &ask);
        self.put(state, &ask, watch);
        state.mover = ask.own.0 << 4 | ask.pawn;
        self.rules_after(state, &ask, &[ask.pawn], passed, watch);
        self.finish_if_home(state, ask.own, watch);
    }

    /// Own pawns of a place capture where the argument says and stand there: one where that may land, else a pair.
    fn pounce(&self, state: &mut State, from: Place, ask: &Ask, watch: &mut dyn Watch) {
        let Some((mut ask, second, line)) = self.pouncers(state, from, ask) else { return };
        if line != NO_LINE {
            watch.fired(line);
        }
        self.strike(state, &mut ask, Answer::Cut, watch);
        let movers = [ask.pawn, second];
        let movers = &movers[..1 + usize::from(ask.joint)];
        for &pawn in movers {
            self.put(state, &Ask { pawn, ..ask }, watch);
        }
        state.mover = ask.own.0 << 4 | ask.pawn;
        self.rules_after(state, &ask, movers, false, watch);
    }

    /// Who pounces from a place on the argument: the question about the first pawn, the second one, the line that lets
    /// them; `None` where nobody may.
    fn pouncers(&self, state: &State, from: Place, ask: &Ask) -> Option<(Ask, u8, LineId)> {
        let to = self.board.seen[ask.other.index()][ask.own.index()][ask.argument as usize];
        let pawns = state.at[ask.own.index()];
        let mut standing = (0..self.pawns.count).filter(|&pawn| pawns[pawn as usize] == from);
        let pawn = standing.next().filter(|_| to != 255)?;
        let captures = |joint: bool| {
            let ask = Ask { pawn, from, to, joint, ..*ask };
            let mover = if joint { Mover::Pair } else { Mover::Pawn };
            let (answer, line) = self.verdict_at(state, mover, &ask, self.square(ask.own, to));
            (answer == Answer::Cut).then_some((ask, line))
        };
        match captures(false) {
            Some((ask, line)) => Some((ask, pawn, line)),
            None => {
                let second = standing.next()?;
                captures(true).map(|(ask, line)| (ask, second, line))
            }
        }
    }

    /// Whether all that a choice says can be done: a pounce needs somebody who may land.
    pub(crate) fn can_be_chosen(&self, state: &State, effects: &[Effect], ask: &Ask) -> bool {
        effects.iter().all(|effect| match *effect {
            Effect::Pounce(from) => self.pouncers(state, from, ask).is_some(),
            _ => true,
        })
    }

    /// Captures the enemies on the square that the move left.
    fn cut_behind(&self, state: &mut State, ask: &Ask, watch: &mut dyn Watch) {
        let mut behind = Ask { to: ask.from, victims: 0, ..*ask };
        self.strike(state, &mut behind, Answer::Cut, watch);
        if behind.victims > 0 {
            self.answer(state, Event::Cut, &Ask { victims: behind.victims, other: behind.other, ..*ask }, watch);
        }
    }
}

fn set_bit(bits: &mut u8, bit: u8, on: bool) {
    *bits = *bits & !(1 << bit) | u8::from(on) << bit;
}
