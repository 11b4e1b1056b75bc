//! Quiet moves: moves that leave the possible moves of pawns elsewhere unchanged.
//!
//! A quiet move takes pawns onward. It changes the squares where it begins and ends, and nothing else that a
//! condition for another move reads. Whether a move is quiet depends on the rule set
//! ([`Quietness`](super::quietness::Quietness), found once) and on the move ([`Engine::is_quiet`]).

use super::quietness::ONWARD;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::tables::Reunite;
use crate::units::{PawnIndex, Seat};

impl Engine {
    /// Whether a move onward leaves the possible moves of pawns elsewhere unchanged. The context is that of the move,
    /// before it is played.
    pub(super) fn is_quiet(&self, state: &State, context: &Context, captures: bool) -> bool {
        let quiet = &self.assumptions.quiet;
        let comes_home = context.to == self.board.home();
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        let is_fresh = self.turn.reunite != Reunite::Throw || throws.iter().all(|thrown| thrown.moved == 0);
        quiet.onward
            && is_fresh
            && (!captures || quiet.cuts)
            && (!context.joint || quiet.joint)
            && (!comes_home || quiet.home && !context.joint && self.stays_in_play(state, context))
            && !state.has_finished(context.own)
            && (quiet.asked == 0 || !self.is_answered_by_a_line(state, context))
    }

    /// Whether at least one other pawn is neither home nor on the place where this move begins. If so, the seat has not
    /// finished when the moved pawn comes home.
    fn stays_in_play(&self, state: &State, context: &Context) -> bool {
        let is_elsewhere = |pawn| ![context.from, self.board.home()].contains(&state.place_of(context.own, pawn));
        PawnIndex::all(self.pawns.count).any(is_elsewhere)
    }

    /// Whether a line that matters may answer an event of a move onward. The condition of the line is evaluated as if
    /// the event happened.
    #[inline(never)]
    fn is_answered_by_a_line(&self, state: &State, context: &Context) -> bool {
        ONWARD.iter().filter(|event| self.assumptions.quiet.asked & event.alone() != 0).any(|&event| {
            let lines = self.events.on[event as usize].iter().enumerate();
            lines
                .filter(|(index, _)| self.relevant.has(event, *index))
                .any(|(_, line)| self.holds(state, line.when, context))
        })
    }

    /// Whether a compulsion on the next action may apply before the hand is spent.
    pub(super) fn may_compel(&self, state: &State, colour: Seat) -> bool {
        self.moves.must.iter().filter(|must| !must.in_hand).any(|must| {
            let lines = self.moves.spend.iter().enumerate().filter(|(index, _)| must.actions >> index & 1 == 1);
            let pawns = &state.at[colour.index()][..self.pawns.count as usize];
            lines.into_iter().any(|(_, line)| pawns.iter().any(|place| place.is_in(line.from)))
        })
    }
}
