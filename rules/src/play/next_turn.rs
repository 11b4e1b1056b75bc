//! The end of a turn, and the beginning of the next one.

use std::ops::ControlFlow;

use super::context::Context;
use super::open::OpenActions;
use super::state::{Phase, State};
use super::watch::{HappeningKind, Watch, report_seat_event};
use crate::play::engine::Engine;
use crate::tables::{Asking, Event};
use crate::units::{Due, Seat};

/// Maximum number of turns in a row that rules may end before any throw.
///
/// The limit is for rule sets that end every turn as it begins: after it, a throw is due in any case. Real games never
/// skip so many turns.
const MAX_SKIPPED_TURNS: u32 = 64;

impl Engine {
    /// Offers the choices that come at the end of a turn. If there are none, ends the turn.
    #[inline(always)]
    pub(super) fn wind_up(
        &self,
        state: &mut State,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        state.hand.drop_numbers();
        if state.hand.granted > 0 {
            report_seat_event(watch, HappeningKind::BonusForfeited, state.turn, state.hand.granted);
            for due in [Due::Now, Due::After, Due::Last] {
                state.hand.drop_bonuses(due);
            }
        }
        if !self.events.choices.is_empty() {
            state.phase = Phase::Declare;
            if self.ask_first_seat(state, Asking::BeforeTurnEnd, watch) {
                actions.find_choices(self, state);
                return ControlFlow::Continue(());
            }
        }
        self.end_turn(state, actions, watch)
    }

    #[inline(always)]
    pub(super) fn end_turn(
        &self,
        state: &mut State,
        actions: &mut impl OpenActions,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        self.pass_on(state, watch)?;
        self.start_turn(state, watch)?;
        actions.clear();
        if state.phase == Phase::Choose {
            actions.find_choices(self, state);
        }
        ControlFlow::Continue(())
    }

    /// Ends the running turn and passes it to the next seat.
    #[inline(always)]
    fn pass_on(&self, state: &mut State, watch: &mut impl Watch) -> ControlFlow<()> {
        let ended = state.turn;
        self.moment(state, Event::TurnEnd, &Context::player(ended), watch)?;
        if self.is_answered(Event::AnyTurnEnd) {
            for &seat in &self.seating.players {
                self.moment(state, Event::AnyTurnEnd, &Context { other: ended, ..Context::player(seat) }, watch)?;
            }
        }
        state.clear_turn();
        state.turn = self.seating.next[ended.index()];
        self.skip_idle(state);
        report_seat_event(watch, HappeningKind::Turn, state.turn, 0);
        ControlFlow::Continue(())
    }

    /// Begins the turn of the current seat, or of the next seat that can act.
    #[inline(always)]
    pub(crate) fn start_turn(&self, state: &mut State, watch: &mut impl Watch) -> ControlFlow<()> {
        for _ in 0..MAX_SKIPPED_TURNS {
            self.skip_idle(state);
            let seat = state.turn;
            self.moment(state, Event::TurnStart, &Context::player(seat), watch)?;
            if !state.ending {
                break;
            }
            self.pass_on_again(state, watch)?;
        }
        state.ending = false;
        state.phase = if self.ask_first_seat(state, Asking::BeforeThrow, watch) { Phase::Choose } else { Phase::Throw };
        ControlFlow::Continue(())
    }

    /// Ends a turn that rules have ended as it began. This is a separate function so that the usual course is short.
    #[inline(never)]
    fn pass_on_again(&self, state: &mut State, watch: &mut impl Watch) -> ControlFlow<()> {
        self.pass_on(state, watch)
    }

    /// Passes the turn on past seats that have finished. A finished seat keeps the turn if it moves its partner's pawns
    /// or if the rules let it stay (`finish.stays`).
    #[inline(always)]
    pub(crate) fn skip_idle(&self, state: &mut State) {
        if state.placed > 0 {
            self.skip_finished(state);
        }
    }

    #[inline(never)]
    fn skip_finished(&self, state: &mut State) {
        for _ in 0..self.seating.players.len() {
            let seat = state.turn;
            if !state.has_finished(seat) || self.colour(state) != seat || self.stays(state, seat) {
                break;
            }
            state.turn = self.seating.next[seat.index()];
        }
    }

    fn stays(&self, state: &State, seat: Seat) -> bool {
        self.finish.stays.is_some_and(|stays| self.value(state, stays, &Context::player(seat)) != 0)
    }
}
