//! Quiet moves: moves that leave the possible moves of pawns elsewhere unchanged.
//!
//! A quiet move brings pawns onward. It changes the squares where it begins and ends, and nothing else that a
//! condition for another move reads. Whether a move is quiet depends on the rule set and on the counters of the seat
//! ([`Quietness`](super::quietness::Quietness), found once), and on the move ([`Engine::is_quiet`]).

use super::quietness::{ONWARD, Quietness};
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::state::{Banked, State};
use crate::tables::{Places, Reunite};
use crate::units::{PawnIndex, Seat};

/// The moves of a colour that may be quiet in a position.
#[derive(Clone, Copy)]
pub(super) struct QuietNow<'a> {
    quiet: &'a Quietness,
    /// For each event of [`ONWARD`], the lines that may change the moves of other pawns, one bit each. Lines that
    /// change nothing in this position are left out.
    lines: [u64; ONWARD.len()],
}

impl QuietNow<'_> {
    /// Whether no line changes the moves of other pawns when a pawn goes onward.
    pub(super) fn is_answered_by_none(&self) -> bool {
        self.lines == [0; ONWARD.len()]
    }
}

impl Engine {
    /// The moves of a colour that may be quiet in a position. `None` if no move can be quiet.
    #[inline(always)]
    pub(super) fn quietness(&self, state: &State, colour: Seat) -> Option<&Quietness> {
        let quiet = self.assumptions.quiet.at(&state.counters[self.seating.player[colour.index()].index()]);
        let stands_on = |places: Places| {
            let pawns = &state.at[colour.index()][..self.pawns.count as usize & 31];
            places != 0 && pawns.iter().any(|place| place.is_in(places))
        };
        (quiet.onward && !stands_on(quiet.unquiet)).then_some(quiet)
    }

    /// The moves of a colour that may be quiet in a position, with the lines that may answer them there. `None` if no
    /// move can be quiet.
    pub(super) fn quiet_now(&self, state: &State, colour: Seat) -> Option<QuietNow<'_>> {
        let quiet = self.quietness(state, colour).filter(|_| !state.has_finished(colour))?;
        let mut lines = quiet.lines;
        if lines != [0; ONWARD.len()] {
            self.leave_out_idle(state, colour, &mut lines);
        }
        Some(QuietNow { quiet, lines })
    }

    /// Leaves out lines that change nothing, whatever pawn moves.
    #[inline(never)]
    fn leave_out_idle(&self, state: &State, colour: Seat, lines: &mut [u64; ONWARD.len()]) {
        for (&event, lines) in ONWARD.iter().zip(lines) {
            let mut asked = *lines & self.idle_lines.for_event(event);
            while asked != 0 {
                let index = asked.trailing_zeros() as usize;
                asked &= asked - 1;
                let is_of_pawn = self.idle_lines.is_of_pawn(event, index);
                if !is_of_pawn && self.is_idle(state, event, index, &Context::seat(colour)) {
                    *lines &= !(1 << index);
                }
            }
        }
    }

    /// Whether a move onward leaves the possible moves of pawns elsewhere unchanged. `context` describes the move
    /// before it is played.
    pub(super) fn is_quiet(&self, state: &State, context: &Context, captures: bool) -> bool {
        self.quiet_now(state, context.own).is_some_and(|now| self.is_quiet_now(state, now, context, captures))
    }

    /// Whether a move is quiet as [`Engine::is_quiet`] says. `now` are the moves of its colour that may be quiet.
    #[inline(always)]
    pub(super) fn is_quiet_now(&self, state: &State, now: QuietNow<'_>, context: &Context, captures: bool) -> bool {
        let QuietNow { quiet, lines } = now;
        let comes_home = context.to == self.board.home();
        (self.turn.reunite != Reunite::Throw || self.parts_freely(state, context))
            && (!captures || quiet.cuts)
            && (!context.joint || quiet.joint)
            && (!comes_home || quiet.home && !context.joint && self.stays_in_play(state, context))
            && (lines == [0; ONWARD.len()] || !self.is_answered_by_a_line(state, now, context))
    }

    /// Whether a move changes nothing about which of the other pawns may meet again. This is so if the hand has spent
    /// no number yet. Otherwise one pawn has to move, no throw may have parted it from others, and it has to spend the
    /// first or the last number of its throw.
    fn parts_freely(&self, state: &State, context: &Context) -> bool {
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        let is_fresh = |thrown: &Banked| thrown.moved == 0;
        throws.iter().all(is_fresh)
            || !context.joint
                && !throws.iter().any(|thrown| context.pawn.is_in(thrown.parted))
                && state.hand.thrown(context.throw).is_some_and(|thrown| is_fresh(thrown) || thrown.count_left() == 1)
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
    fn is_answered_by_a_line(&self, state: &State, now: QuietNow<'_>, context: &Context) -> bool {
        ONWARD.iter().zip(now.lines.iter().zip(&now.quiet.untold)).any(|(&event, (&lines, untold))| {
            let mut lines = lines;
            while lines != 0 {
                let index = lines.trailing_zeros() as usize;
                lines &= lines - 1;
                let may_be_idle = self.idle_lines.for_event(event) >> index & 1 == 1;
                let holds = || self.holds(state, self.events.on[event as usize][index].when, context);
                if !(may_be_idle && self.is_idle(state, event, index, context)) && (untold >> index & 1 == 1 || holds())
                {
                    return true;
                }
            }
            false
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
