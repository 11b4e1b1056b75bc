//! Captures in passing: a move captures the pawns on a square that it crosses if a `passing` line says `cut`.

use arrayvec::ArrayVec;

use super::capture::Fallen;
use super::context::Context;
use super::engine::Engine;
use super::landing::Spot;
use super::state::{Action, ActionKind, State};
use super::watch::{Cause, Watch};
use crate::tables::{LineId, Spend, Verdict};
use crate::units::{MAX_PAWNS, MAX_PLACES, MAX_SEATS, PathPlace, PawnSet};

/// The places where a move captures in passing, in the order in which it crosses them, each with its passing line.
pub(super) type Crossed = ArrayVec<(PathPlace, LineId), MAX_PLACES>;

impl Engine {
    /// Captures the pawns on the squares that a move crosses, and the pawns on the square where it lands. All captured
    /// pawns are put on the place for captured pawns (`cut_to`) before the first `on` line is applied. A pawn is
    /// captured once, even if the move both crosses its square and lands there.
    ///
    /// `crossed` are the places of [`Engine::crossed`]. `verdict` is the landing line, and `answer` its verdict.
    /// `movers` are the pawns that move, one bit each.
    #[inline(never)]
    pub(super) fn strike_along(
        &self,
        crossed: &Crossed,
        (verdict, movers): (Option<LineId>, PawnSet),
        state: &mut State,
        context: &mut Context,
        answer: Verdict,
        watch: &mut dyn Watch,
    ) {
        let mut fallen = Fallen::new();
        let mut causes: ArrayVec<LineId, { MAX_SEATS * MAX_PAWNS }> = ArrayVec::new();
        let mut other = None;
        let ways = crossed.iter().map(|&(place, by)| (place, by, Verdict::Cut));
        let landing = verdict.filter(|_| answer.captures()).map(|by| (context.to, by, answer));
        for (place, by, answer) in ways.chain(landing) {
            let there = Context { to: place, ..*context };
            let last = self.newest_on(state, &there, answer == Verdict::CutLastOfAll);
            let Some((seat, pawn)) = last else { continue };
            let only = (answer != Verdict::Cut).then_some((seat, pawn));
            for falling in self.fallen_on(state, &there, only) {
                if !fallen.contains(&falling) {
                    fallen.push(falling);
                    causes.push(by);
                    other = Some(seat);
                }
            }
        }
        crossed.iter().for_each(|&(_, by)| watch.fired(by));
        let cause = |line| Cause { line, event: None, seat: context.own, pawns: movers };
        for (&falling, &by) in fallen.iter().zip(&causes) {
            watch.begins(cause(by));
            self.take_off(state, falling, watch);
            watch.ends();
        }
        // A move that turns back may cross its target square before it lands there. Pawns that it captures in crossing
        // have left the square, so only the pawns that remain there are swapped.
        if answer == Verdict::Swap
            && let Some(by) = verdict
        {
            watch.begins(cause(by));
            self.swap(state, context, &fallen, watch);
            watch.ends();
        }
        self.answer_lost(state, context, &fallen, watch);
        if let Some(other) = other {
            (context.victims, context.other) = (fallen.len() as u8, other);
        }
    }

    /// Whether an action captures pawns, where it lands or in passing.
    pub(super) fn captures_any(&self, state: &State, action: &Action) -> bool {
        action.captures
            || self.cuts_in_passing && action.kind == ActionKind::Move && {
                let context = self.asked_of(state, action);
                let crossed = self.crossed(state, &self.moves.spend[usize::from(action.line)], &context);
                let falls =
                    |&(to, _): &(PathPlace, LineId)| self.newest_on(state, &Context { to, ..context }, false).is_some();
                crossed.iter().any(falls)
            }
    }

    /// The places that a legal move crosses and where a passing line says `cut`. Call it before the numbers of the move
    /// are spent, because conditions may read the hand.
    #[inline(never)]
    pub(super) fn crossed(&self, state: &State, line: &Spend, context: &Context) -> Crossed {
        let (mut crossed, mut ends) = (Crossed::new(), 0);
        let mut context = *context;
        let Some(steps) = self.steps_of(state, line, &context) else { return crossed };
        let gate = self.gate_is_open(state, context.own);
        self.landing_heard(
            state,
            line,
            steps,
            &mut context,
            gate,
            &mut |spot, place, answer, by| match (spot, answer) {
                (Spot::Way, Verdict::Cut) => crossed.extend(by.map(|by| (place, by))),
                (Spot::Way, _) => {}
                (Spot::End, _) => {
                    // The first landing place is the target. If the pawn has to stop before it, earlier places follow,
                    // one by one from the target backwards. The pawn does not cross these places, so they are removed.
                    if ends > 0 && crossed.last().is_some_and(|&(last, _)| last == place) {
                        crossed.pop();
                    }
                    ends += 1;
                }
            },
        );
        crossed
    }
}
