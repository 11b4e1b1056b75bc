//! Captures: finds the captured pawns, takes them off their squares, and applies the `on` lines for the event `lost`.

use arrayvec::ArrayVec;

use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::state::State;
use super::watch::{Cause, HappeningKind, Watch, report_pawn_event};
use crate::tables::{Event, LineId, Verdict};
use crate::units::{MAX_PAWNS, MAX_SEATS, PathPlace, PawnIndex, PawnSet, Pips, Seat, SquareId};

/// Captured pawns, with the places where they stood.
pub(super) type Fallen = ArrayVec<(Seat, PawnIndex, PathPlace), { MAX_SEATS * MAX_PAWNS }>;

impl Engine {
    /// The enemy pawn that came last to the square of `context.to`: its seat and index. With `partners_too`, or if no
    /// enemy stands there, the partner's pawns count as enemies.
    pub(super) fn newest_on(&self, state: &State, context: &Context, partners_too: bool) -> Option<(Seat, PawnIndex)> {
        let mut last = None;
        self.each_enemy(state, context, partners_too, |seat, pawn| {
            let newest = pawn.is_in(state.newest[seat.index()]);
            if last.is_none() || newest {
                last = Some((seat, pawn));
            }
        });
        last
    }

    /// The pawns of a seat on a square, one bit each.
    #[inline(always)]
    pub(super) fn standing_on(&self, state: &State, seat: Seat, square: Option<SquareId>) -> PawnSet {
        let places = state.at[seat.index()].iter().take(self.pawns.count.into()).enumerate();
        let bit =
            |(pawn, &place): (usize, &PathPlace)| PawnSet::from(self.square(seat, place) == square) << (pawn & 15);
        places.map(bit).fold(0, |pawns, pawn| pawns | pawn)
    }

    fn each_enemy(&self, state: &State, context: &Context, partners_too: bool, mut each: impl FnMut(Seat, PawnIndex)) {
        let partners_too = partners_too || self.partners_fall(state, context);
        let square = self.square(context.own, context.to);
        let here = state.on(square);
        for &seat in &self.seating.colours {
            let spared = seat == context.own || self.seating.is_friend(context.own, seat) && !partners_too;
            if spared || here >> (2 * seat.index()) & 3 == 0 {
                continue;
            }
            for pawn in pawns_of(self.standing_on(state, seat, square)) {
                each(seat, pawn);
            }
        }
    }

    /// Captures the pawns that a verdict names. If any pawn is captured, sets `victims` to their count and `other` to
    /// the seat of the pawn that came last.
    #[inline(always)]
    pub(crate) fn strike(&self, state: &mut State, context: &mut Context, answer: Verdict, watch: &mut dyn Watch) {
        if answer.captures() {
            self.strike_down(state, context, answer, watch);
        }
    }

    /// Captures the pawns that a verdict names, or swaps pawns if the verdict says so. The landing line `line` and the
    /// landing pawns `pawns` are reported as the cause.
    #[inline(always)]
    pub(crate) fn strike_by(
        &self,
        (line, pawns): (Option<LineId>, PawnSet),
        state: &mut State,
        context: &mut Context,
        answer: Verdict,
        watch: &mut dyn Watch,
    ) {
        if answer.moves_others()
            && let Some(line) = line
        {
            watch.begins(Cause { line, event: None, seat: context.own, pawns });
            self.strike_down(state, context, answer, watch);
            watch.ends();
        }
    }

    #[inline(never)]
    fn strike_down(&self, state: &mut State, context: &mut Context, answer: Verdict, watch: &mut dyn Watch) {
        if answer == Verdict::Swap {
            return self.swap(state, context, &Fallen::new(), watch);
        }
        let last = match answer {
            Verdict::Cut | Verdict::CutLast => self.newest_on(state, context, false),
            Verdict::CutLastOfAll => self.newest_on(state, context, true),
            _ => None,
        };
        let Some((captured, pawn)) = last else { return };
        let only = (answer != Verdict::Cut).then_some((captured, pawn));
        context.victims = self.capture(state, context, only, watch);
        context.other = captured;
    }

    /// Whether a capture on the square of `context.to` is one of the partner's pawns, because no enemy stands there.
    pub(super) fn partners_fall(&self, state: &State, context: &Context) -> bool {
        let here = state.on(self.square(context.own, context.to));
        let is_enemy = |seat: Seat| seat != context.own && !self.seating.is_friend(context.own, seat);
        !self.seating.colours.iter().any(|&seat| is_enemy(seat) && here >> (2 * seat.index()) & 3 != 0)
    }

    /// Captures the enemies on the square of `context.to`; with `only`, that pawn alone. If no enemy stands there, the
    /// partner's pawns are captured. Returns the count of captured pawns.
    pub(crate) fn capture(
        &self,
        state: &mut State,
        context: &Context,
        only: Option<(Seat, PawnIndex)>,
        watch: &mut dyn Watch,
    ) -> u8 {
        let fallen = self.fallen_on(state, context, only);
        for &fallen in &fallen {
            self.take_off(state, fallen, watch);
        }
        self.answer_lost(state, context, &fallen, watch);
        fallen.len() as u8
    }

    /// The enemies on the square of `context.to`, or only the pawn `only`, with the places where they stand.
    pub(super) fn fallen_on(&self, state: &State, context: &Context, only: Option<(Seat, PawnIndex)>) -> Fallen {
        let mut fallen = Fallen::new();
        self.each_enemy(state, context, only.is_some(), |seat, pawn| {
            if only.is_none_or(|one| one == (seat, pawn)) {
                fallen.push((seat, pawn, state.place_of(seat, pawn)));
            }
        });
        fallen
    }

    /// Puts a captured pawn on the place for captured pawns (`cut_to`), and reports the capture to the watcher.
    pub(super) fn take_off(
        &self,
        state: &mut State,
        (seat, pawn, from): (Seat, PawnIndex, PathPlace),
        watch: &mut dyn Watch,
    ) {
        self.send_off(state, seat, pawn, self.pawns.cut_to);
        report_pawn_event(watch, HappeningKind::Cut, seat, pawn, from, self.pawns.cut_to, Pips(0));
    }

    /// Applies the `on` lines for the event `lost`, once for each captured pawn.
    pub(super) fn answer_lost(&self, state: &mut State, context: &Context, fallen: &Fallen, mut watch: &mut dyn Watch) {
        for &(seat, pawn, from) in fallen.iter().filter(|_| self.is_answered(Event::Lost)) {
            let victims = fallen.iter().filter(|&&(other, ..)| other == seat).count() as u8;
            let lost =
                Context { own: seat, other: context.own, pawn, from, to: self.pawns.cut_to, victims, ..*context };
            self.answer(state, Event::Lost, &lost, &mut watch);
        }
    }

    /// Puts the enemies on the square of `context.to` (the partner's pawns, if no enemy stands there) on the square
    /// that the mover leaves. A pawn whose path does not lead there, or that the mover meets from off the board, goes
    /// to the place of captured pawns (`cut_to`). Pawns that the move has captured in passing stay where they were put,
    /// even if that is the square of `context.to`. No `on` line is applied for the pawns that are moved so.
    pub(super) fn swap(&self, state: &mut State, context: &Context, captured: &Fallen, watch: &mut dyn Watch) {
        let is_captured = |seat, pawn| captured.iter().any(|&(fallen, of, _)| (fallen, of) == (seat, pawn));
        for (seat, pawn, from) in self.fallen_on(state, context, None) {
            if is_captured(seat, pawn) {
                continue;
            }
            let left = self.board.seen_as(context.own, seat, context.from);
            let to = left.filter(|_| context.from > PathPlace::OUT).unwrap_or(self.pawns.cut_to);
            self.send_off(state, seat, pawn, to);
            report_pawn_event(watch, HappeningKind::Sent, seat, pawn, from, to, Pips(0));
        }
    }

    /// Puts a pawn on a place, without a landing there.
    pub(crate) fn send_off(&self, state: &mut State, seat: Seat, pawn: PawnIndex, place: PathPlace) {
        self.advance(state, seat, pawn, [state.place_of(seat, pawn), place]);
    }
}
