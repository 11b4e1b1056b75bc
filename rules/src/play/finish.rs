//! How seats finish and games end.
//!
//! A game consists of moments: each throw, action, choice and event of a turn is one. A seat is *through* while all its
//! pawns are home, in whatever way they came there, or while the condition of the rules for finishing holds for it. A
//! seat that is through at the end of a moment has finished, and the game may be over. Functions that end a moment
//! return a [`ControlFlow`]: after `Break` the game is over, and the caller stops.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::context::Context;
use super::engine::Engine;
use super::state::{Phase, State};
use super::watch::{HappeningKind, Watch, report_seat_event};
use crate::tables::{Event, Program};
use crate::units::{MAX_SEATS, Seat};

impl Engine {
    /// Applies every `on` line for an event of a turn, and ends the moment.
    #[inline(always)]
    pub(super) fn moment(
        &self,
        state: &mut State,
        event: Event,
        context: &Context,
        watch: &mut impl Watch,
    ) -> ControlFlow<()> {
        self.answer(state, event, context, watch);
        if self.homecoming.by_events & event.alone() != 0 {
            self.end_moment(state, watch)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Adds to the ranking the seats that have finished in this moment, and ends the game if it is decided.
    ///
    /// If several seats finish in one moment, the ranking begins with the seat whose turn it is. The others follow in
    /// the order of turns.
    pub(super) fn end_moment(&self, state: &mut State, watch: &mut dyn Watch) -> ControlFlow<()> {
        let mut seat = state.turn;
        let mut decided_by = None;
        for _ in 0..self.seating.players.len() {
            if self.is_through(state, seat) {
                let is_first_time = !state.has_finished(seat);
                if is_first_time {
                    self.finish(state, seat, watch);
                }
                // A team wins when both its seats are through at the same time. So a seat that finished earlier is
                // checked, too.
                if decided_by.is_none() && (is_first_time || self.seating.teams) && self.is_decided(state, seat) {
                    decided_by = Some(seat);
                }
            }
            seat = self.seating.next[seat.index()];
        }
        if let Some(seat) = decided_by {
            self.close(state, seat, watch);
        }
        course(state)
    }

    /// Ends the game if its opening position decides it, because a seat is through before the first turn.
    pub(super) fn end_if_decided(&self, state: &mut State, watch: &mut dyn Watch) -> ControlFlow<()> {
        let is_home = |seat: &&Seat| self.is_through(state, **seat);
        let mut through = self.seating.players.iter().filter(is_home);
        if let Some(&seat) = through.find(|&&seat| self.is_decided(state, seat)) {
            self.close(state, seat, watch);
        }
        course(state)
    }

    /// Gives a seat its rank.
    fn finish(&self, state: &mut State, seat: Seat, watch: &mut dyn Watch) {
        // In a team game, the team wins when both of its seats fulfil the condition to finish. In a game with scores,
        // `close` announces the winner.
        let wins = self.finish.score.is_none()
            && if self.seating.teams { self.is_decided(state, seat) } else { state.placed == 0 };
        let kind = if wins { HappeningKind::PlayerWon } else { HappeningKind::PlayerFinished };
        let is_helped = state.has_finished(state.turn) && seat == self.seating.partner[state.turn.index()];
        state.ranking[state.placed as usize & 7] = seat;
        state.placed += 1;
        // The place of a winner is the first one, even if seats of the other team finished earlier.
        report_seat_event(watch, kind, seat, if wins { 1 } else { state.placed });
        state.ending |= self.finish.ends_turn && (seat == state.turn || is_helped);
    }

    /// Whether the game ends now that this seat is through.
    fn is_decided(&self, state: &State, seat: Seat) -> bool {
        if self.seating.teams {
            return self.is_through(state, seat) && self.is_through(state, self.seating.partner[seat.index()]);
        }
        !self.finish.play_on || state.placed as usize + 1 >= self.seating.players.len()
    }

    /// Ends the game, which this seat has decided.
    fn close(&self, state: &mut State, by: Seat, watch: &mut dyn Watch) {
        if self.finish.play_on && !self.seating.teams || self.finish.score.is_some() {
            for &seat in &self.seating.players {
                if !state.has_finished(seat) {
                    state.ranking[state.placed as usize & 7] = seat;
                    state.placed += 1;
                }
            }
        }
        if let Some(score) = self.finish.score {
            self.rank_by(state, score);
            report_seat_event(watch, HappeningKind::PlayerWon, state.ranking[0], 1);
        } else if self.seating.teams {
            let is_of_winners = |seat: &Seat| *seat == by || *seat == self.seating.partner[by.index()];
            state.ranking[..state.placed as usize].sort_by_key(|seat| !is_of_winners(seat));
        }
        state.clear_turn();
        state.phase = Phase::Over;
        report_seat_event(watch, HappeningKind::GameOver, state.turn, 0);
    }

    /// Lists the seats that have a place, the best first, each with its place from 1.
    ///
    /// Teams have places, and not their members: both seats of a team share the place, and no seat has one before the
    /// game is over. If no scores rank all seats, only the team that won has a place; a seat of the other team may have
    /// finished earlier.
    pub fn places(&self, state: &State) -> impl Iterator<Item = (u8, Seat)> {
        let side = |seat: Seat| seat.min(self.seating.partner[seat.index()]);
        let is_open = self.seating.teams && state.phase != Phase::Over;
        let winners = state.placed().next().map(side).filter(|_| self.seating.teams && self.finish.score.is_none());
        let (mut place, mut last) = (0, None);
        let placed = (1..).zip(state.placed().filter(move |_| !is_open));
        placed.filter(move |(_, seat)| winners.is_none_or(|winners| side(*seat) == winners)).map(
            move |(number, seat)| {
                if last != Some(side(seat)) {
                    (place, last) = (number, Some(side(seat)));
                }
                (place, seat)
            },
        )
    }

    /// The seat that has won; `None` as long as nobody has. Of a team it is the seat that finished last, which decided
    /// the game.
    pub fn winner(&self, state: &State) -> Option<Seat> {
        self.places(state).take_while(|(place, _)| *place == 1).last().map(|(_, seat)| seat)
    }

    /// Ranks all seats by score, the highest first; both seats of a team have the sum of their scores. If scores are
    /// equal, the side that finished earlier goes first.
    fn rank_by(&self, state: &mut State, score: Program) {
        let of = |seat: Seat| self.value(state, score, &Context::player(seat));
        let of_side = |seat: Seat| {
            let partner = self.seating.partner[seat.index()];
            if partner == seat { of(seat) } else { of(seat).saturating_add(of(partner)) }
        };
        let side = |seat: Seat| seat.min(self.seating.partner[seat.index()]);
        let mut ranked: ArrayVec<(Reverse<i32>, usize, Seat), MAX_SEATS> = ArrayVec::new();
        for (rank, seat) in state.placed().enumerate() {
            let first_of_side = ranked.iter().position(|&(_, _, other)| side(other) == side(seat)).unwrap_or(rank);
            ranked.push((Reverse(of_side(seat)), first_of_side, seat));
        }
        ranked.sort_by_key(|&(score, rank, _)| (score, rank));
        for (place, (_, _, seat)) in state.ranking.iter_mut().zip(ranked) {
            *place = seat;
        }
    }
}

/// Returns `Break` if the game is over, otherwise `Continue`.
pub(super) fn course(state: &State) -> ControlFlow<()> {
    if state.phase == Phase::Over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
