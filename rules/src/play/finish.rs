//! How seats finish and games end.
//!
//! A game consists of moments: each throw, action, choice and event of a turn is one. A seat whose last pawn comes home
//! in a moment, in whatever way, has finished at the end of that moment, and the game may then be over. Functions that
//! end a moment return a [`ControlFlow`]: after `Break` the game is over, and the caller stops.

use std::ops::ControlFlow;

use super::context::Context;
use super::engine::Engine;
use super::evaluator::Evaluator;
use super::perform::tell_of_seat;
use super::state::{Phase, State};
use super::watch::{HappeningKind, Watch};
use crate::tables::{Effect, Event};
use crate::units::Seat;

impl Evaluator {
    /// Whether a pawn may come home in another way than by its own move.
    pub(super) fn brings_home(&self) -> bool {
        let rules = self.events.on.iter().flatten().flat_map(|rule| &rule.effects);
        let mut effects = rules.chain(self.events.choices.iter().flat_map(|choice| &choice.effects));
        self.pawns.cut_to == self.board.home() || effects.any(Effect::moves_pawns)
    }
}

impl Engine {
    /// Applies every `on` line for an event of a turn, and ends the moment.
    pub(super) fn moment(
        &self,
        state: &mut State,
        event: Event,
        context: &Context,
        watch: &mut dyn Watch,
    ) -> ControlFlow<()> {
        self.answer(state, event, context, watch);
        if self.brings_home { self.end_moment(state, watch) } else { ControlFlow::Continue(()) }
    }

    /// Ends a moment: the seats whose pawns have all come home have finished, and the game may be over.
    ///
    /// Of several seats that come home in one moment, the one whose turn it is goes first, then the next ones in the
    /// order of turns.
    pub(super) fn end_moment(&self, state: &mut State, watch: &mut dyn Watch) -> ControlFlow<()> {
        let mut seat = state.turn;
        let mut is_decided = false;
        for _ in 0..self.seating.players.len() {
            if self.is_all_home(state, seat) {
                let is_first_time = !state.has_finished(seat);
                if is_first_time {
                    self.finish(state, seat, watch);
                }
                // A team wins when all its pawns are home at the same time. So a seat that finished earlier is checked,
                // too.
                is_decided |= (is_first_time || self.seating.teams) && self.is_decided(state, seat);
            }
            seat = self.seating.next[seat.index()];
        }
        if is_decided {
            self.close(state, watch);
        }
        course(state)
    }

    /// Ends a game whose opening decides it, because a seat begins with all its pawns home.
    pub(super) fn end_if_decided(&self, state: &mut State, watch: &mut dyn Watch) -> ControlFlow<()> {
        let is_home = |seat: &&Seat| self.is_all_home(state, **seat);
        if self.seating.players.iter().filter(is_home).any(|&seat| self.is_decided(state, seat)) {
            self.close(state, watch);
        }
        course(state)
    }

    /// Gives a seat its rank.
    fn finish(&self, state: &mut State, seat: Seat, watch: &mut dyn Watch) {
        // In a team game, a team wins when both partners are home.
        let wins = if self.seating.teams { self.is_decided(state, seat) } else { state.placed == 0 };
        let kind = if wins { HappeningKind::PlayerWon } else { HappeningKind::PlayerFinished };
        let is_helped = state.has_finished(state.turn) && seat == self.seating.partner[state.turn.index()];
        state.ranking[state.placed as usize & 3] = seat;
        state.placed += 1;
        tell_of_seat(watch, kind, seat, state.placed);
        state.ending |= self.finish.ends_turn && (seat == state.turn || is_helped);
    }

    /// Whether the game ends now that all pawns of this seat are home.
    fn is_decided(&self, state: &State, seat: Seat) -> bool {
        if self.seating.teams {
            return self.is_all_home(state, seat) && self.is_all_home(state, self.seating.partner[seat.index()]);
        }
        !self.finish.play_on || state.placed as usize + 1 >= self.seating.players.len()
    }

    fn close(&self, state: &mut State, watch: &mut dyn Watch) {
        if self.finish.play_on && !self.seating.teams {
            for &seat in &self.seating.players {
                if !state.has_finished(seat) {
                    state.ranking[state.placed as usize & 3] = seat;
                    state.placed += 1;
                }
            }
        }
        state.clear_turn();
        state.phase = Phase::Over;
        tell_of_seat(watch, HappeningKind::GameOver, state.turn, 0);
    }
}

/// `Break` if the game is over.
pub(super) fn course(state: &State) -> ControlFlow<()> {
    if state.phase == Phase::Over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
