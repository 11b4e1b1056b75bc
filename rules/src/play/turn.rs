//! The course of a turn: throws, actions, leftover numbers and the next seat.

use std::ops::ControlFlow;

use super::actions::Actions;
use super::context::Context;
use super::finish::course;
use super::open::{Fitting, OpenActions};
use super::spared_captures::Spared;
use super::stage::HandStage;
use super::state::{Action, ActionKind, Banked, Before, Phase, State, Throw};
use super::watch::{Counting, HappeningKind, Watch, report_seat_event};
use crate::play::engine::Engine;
use crate::play::refusal::Refusal;
use crate::tables::{Asking, Event, Reunite};
use crate::units::MAX_BANKED;

impl State {
    /// Clears all values that last only for one turn.
    pub(crate) fn clear_turn(&mut self) {
        self.hand.drop_numbers();
        if self.hand.granted > 0 {
            self.hand.bonuses = Default::default();
            self.hand.granted = 0;
        }
        self.apart = Default::default();
        self.owed = [0; 2];
        self.asked = None;
        self.thrown = 0;
        self.last_moved = None;
        self.ending = false;
        self.last = Throw::default();
        if self.before.kept {
            self.before = Before::default();
        }
    }

    pub(crate) fn drop_throw(&mut self, all: bool) {
        if all {
            self.hand.drop_numbers();
        }
        self.last.count |= DROPPED;
    }
}

/// A flag in `State::last.count` while the `on` lines for a throw run: the numbers of the throw do not enter the hand.
const DROPPED: u8 = 0x80;

impl Engine {
    /// Plays a throw.
    ///
    /// # Errors
    /// No throw is due, or the throw is impossible with these dice.
    pub fn throw(&self, state: &mut State, throw: &Throw, watch: &mut dyn Watch) -> Result<(), Refusal> {
        self.throw_into(state, throw, &mut Actions::default(), watch)
    }

    /// Plays a throw as [`Engine::throw`] does, and stores the legal actions of the new state in `actions`.
    ///
    /// # Errors
    /// No throw is due, or the throw is impossible with these dice.
    pub fn throw_into(
        &self,
        state: &mut State,
        throw: &Throw,
        actions: &mut Actions,
        watch: &mut dyn Watch,
    ) -> Result<(), Refusal> {
        self.check_throw(state, throw)?;
        self.thrown_into(state, throw, actions, watch);
        Ok(())
    }

    pub(crate) fn thrown_into(
        &self,
        state: &mut State,
        throw: &Throw,
        actions: &mut impl OpenActions,
        mut watch: &mut dyn Watch,
    ) {
        actions.clear();
        let course = match Counting::of(watch) {
            Ok(mut counting) => self.fall(state, throw, actions, &mut counting),
            Err(heard) => {
                watch = heard;
                self.fall(state, throw, actions, &mut watch)
            }
        };
        if course.is_break() {
            actions.clear();
        }
    }

    /// Carries out a throw, and continues the turn up to the next decision.
    #[inline(always)]
    fn fall(
        &self,
        state: &mut State,
        throw: &Throw,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        self.take_up(state, throw, watch)?;
        self.go_on(state, actions, watch)
    }

    /// Carries out a throw, and adds its numbers to the hand unless a rule drops them.
    #[inline(always)]
    pub(crate) fn take_up(&self, state: &mut State, throw: &Throw, watch: &mut impl Watch) -> ControlFlow<()> {
        let colour = self.colour(state);
        if self.undoes_turns && state.thrown == 0 {
            state.before = state.kept();
        }
        state.last = *throw;
        state.thrown = state.thrown.saturating_add(1);
        // The first throw of a turn is not granted, so that it uses up no grant.
        if state.thrown > 1 {
            state.owed[0] = state.owed[0].saturating_sub(1);
        }
        report_seat_event(watch, HappeningKind::Thrown, state.turn, throw.total());
        let context = Context::player(colour);
        let banked = self.numbers_of(state, &context, watch);
        self.moment(state, Event::Throw, &context, watch)?;
        if self.colour(state) != colour {
            state.forget_moves();
        }
        let dropped = state.last.count & DROPPED != 0;
        state.last.count &= !DROPPED;
        if !dropped && banked.left != 0 && (state.hand.throws as usize) < MAX_BANKED {
            state.hand.banked[state.hand.throws as usize] = banked;
            state.hand.throws += 1;
        }
        ControlFlow::Continue(())
    }

    /// Plays a legal action.
    ///
    /// # Errors
    /// The action is not among the legal ones.
    pub fn play(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) -> Result<(), Refusal> {
        let mut actions = Actions::default();
        self.legal_into(state, &mut actions);
        if !actions.contains(action) {
            return Err(match state.phase {
                Phase::Over => Refusal::Over,
                Phase::Throw => Refusal::ThrowDue,
                _ => Refusal::NotLegal,
            });
        }
        self.play_unchecked(state, action, &mut actions, watch);
        Ok(())
    }

    /// Plays one of the legal actions of a state, and stores the legal actions of the new state in `actions`.
    ///
    /// # Panics
    /// May panic, or leave a state that no game reaches, if the action is not legal.
    pub fn play_unchecked(&self, state: &mut State, action: &Action, actions: &mut Actions, watch: &mut dyn Watch) {
        let spared = self.spared_by(state, action);
        self.play_open(state, action, &spared, actions, watch);
    }

    /// Plays an action as [`Engine::play_unchecked`] does, but does not look ahead, so that the time is short whatever
    /// the hand is. The new state is the same. `actions` holds the legal actions of the new state, but also some that
    /// waste numbers of the hand, and several with the same text.
    ///
    /// # Panics
    /// As [`Engine::play_unchecked`] does.
    pub fn play_fitting(&self, state: &mut State, action: &Action, actions: &mut Actions, watch: &mut dyn Watch) {
        let spared = self.spared_by(state, action);
        self.play_open(state, action, &spared, &mut Fitting(actions), watch);
    }

    /// Plays a legal action. `spared` are the pawns that could have captured instead.
    pub(super) fn play_open(
        &self,
        state: &mut State,
        action: &Action,
        spared: &Spared,
        actions: &mut impl OpenActions,
        mut watch: &mut dyn Watch,
    ) {
        let course = match Counting::of(watch) {
            Ok(mut counting) => self.act(state, action, spared, actions, &mut counting),
            Err(heard) => {
                watch = heard;
                self.act(state, action, spared, actions, &mut watch)
            }
        };
        if course.is_break() {
            actions.clear();
        }
    }

    /// Plays an action and continues the turn up to the next decision, whose actions are then in `actions`. `Break` if
    /// the game is over.
    #[inline(always)]
    fn act(
        &self,
        state: &mut State,
        action: &Action,
        spared: &Spared,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        let declared = state.phase == Phase::Declare;
        self.perform(state, action, watch);
        course(state)?;
        if !spared.is_empty() {
            self.answer_spared(state, spared, watch)?;
        }
        actions.clear();
        if declared {
            self.after_declaring(state, actions, watch)
        } else if action.kind == ActionKind::Choice {
            self.after_choice(state, actions, watch)
        } else {
            self.go_on(state, actions, watch)
        }
    }

    /// Continues after a choice at the end of a turn. Bonuses and throws that the choice has granted are played first;
    /// then the turn ends again, and all seats are asked again. If the choice has granted nothing, the next seat is
    /// asked.
    fn after_declaring(
        &self,
        state: &mut State,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        if state.ending || state.owed == [0; 2] && state.hand.granted == 0 {
            if self.ask_next_seat(state, Asking::BeforeTurnEnd, watch) {
                actions.find_choices(self, state);
                return ControlFlow::Continue(());
            }
            return self.end_turn(state, actions, watch);
        }
        self.asked_back(state, watch);
        if state.hand.granted > 0 {
            return self.go_on(state, actions, watch);
        }
        self.await_granted_throw(state);
        ControlFlow::Continue(())
    }

    /// Waits for the next throw of those that are owed.
    fn await_granted_throw(&self, state: &mut State) {
        if state.owed[0] == 0 {
            state.owed[1] = state.owed[1].saturating_sub(1);
        }
        if self.turn.reunite == Reunite::Roll {
            state.apart = Default::default();
        }
        state.phase = Phase::Throw;
    }

    fn after_choice(
        &self,
        state: &mut State,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        if state.ending {
            return self.end_turn(state, actions, watch);
        }
        if self.ask_next_seat(state, Asking::BeforeThrow, watch) {
            actions.find_choices(self, state);
        } else {
            self.asked_back(state, watch);
            state.phase = Phase::Throw;
        }
        ControlFlow::Continue(())
    }

    /// Continues after a throw or an action, up to the next decision.
    #[inline(always)]
    pub(super) fn go_on(
        &self,
        state: &mut State,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        if state.ending {
            return self.wind_up(state, actions, watch);
        }
        if state.owed[0] > 0 {
            state.phase = Phase::Throw;
            return ControlFlow::Continue(());
        }
        state.phase = Phase::Move;
        let mut unplayed = 0;
        loop {
            let stage = state.stage();
            if stage == HandStage::Spent {
                return self.after_hand(state, unplayed, actions, watch);
            }
            actions.find_moves(self, state);
            if watch.hears_refusals() {
                self.tell_withheld(state, watch);
            }
            if !actions.is_empty() {
                return ControlFlow::Continue(());
            }
            unplayed = self.drop_unplayed(state, stage, unplayed, watch);
        }
    }

    /// Drops the part of the hand that no action can spend. Returns the count of numbers that could not be played in
    /// this hand. If the part is a bonus, this is still `unplayed`.
    #[inline(never)]
    fn drop_unplayed(&self, state: &mut State, stage: HandStage, unplayed: u8, watch: &mut impl Watch) -> u8 {
        if let Some(due) = stage.due() {
            report_seat_event(watch, HappeningKind::BonusForfeited, state.turn, state.hand.granted);
            state.hand.drop_bonuses(due);
            return unplayed;
        }
        let is_fresh = state.hand.banked[..state.hand.throws as usize].iter().all(Banked::is_whole);
        let kind = if is_fresh { HappeningKind::Passed } else { HappeningKind::DiceDropped };
        let unplayed = state.numbers_left() as u8;
        report_seat_event(watch, kind, state.turn, unplayed);
        state.hand.drop_numbers();
        unplayed
    }

    /// Continues when the hand is spent. `unplayed` is the count of numbers that could not be played.
    #[inline(always)]
    fn after_hand(
        &self,
        state: &mut State,
        unplayed: u8,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        state.hand.drop_numbers();
        let context = Context { unplayed, ..Context::player(self.colour(state)) };
        self.moment(state, Event::Spent, &context, watch)?;
        if !state.ending && state.owed != [0; 2] {
            self.await_granted_throw(state);
            return ControlFlow::Continue(());
        }
        self.wind_up(state, actions, watch)
    }
}
