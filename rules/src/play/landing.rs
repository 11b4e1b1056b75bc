//! Decides whether a pawn may make a move, and with what verdict it lands: gates, passing and landing.
//!
//! A caller may pass a function that receives every verdict (`heard`). An empty function costs nothing.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Mover, Places, Route, Spend, Verdict};
use crate::units::{PathPlace, Pips, Seat, SquareId};

/// The kind of square that a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A square that the pawn crosses.
    Way,
    /// The square on which the move ends.
    End,
}

/// The place that an action reaches, and the verdict of the landing there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    pub to: PathPlace,
    pub answer: Verdict,
}

impl Engine {
    #[inline(always)]
    pub(crate) fn gate_is_open(&self, state: &State, colour: Seat) -> bool {
        self.board.gate.is_none_or(|gate| self.value(state, gate, &Context::seat(colour)) != 0)
    }

    /// The landing of the pawn or pair of `context.own` at `context.from`, moved by a spend line. `None` if the move is
    /// not allowed.
    #[inline(always)]
    pub(crate) fn landing(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: bool,
    ) -> Option<Landing> {
        let past = usize::from(gate || context.from > self.board.gate_at);
        if line.route == Route::Ahead && self.is_clear(state, context.own, context.from, steps, past) {
            return self.lands(state, line, steps, context, past, &mut |_, _, _, _| {});
        }
        self.landing_elsewhere(state, line, steps, context, gate)
    }

    /// Finds the landing if pawns may bar the way, or if the route of the spend line is not [`Route::Ahead`].
    #[inline(never)]
    fn landing_elsewhere(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: bool,
    ) -> Option<Landing> {
        self.landing_heard(state, line, steps, context, gate, &mut |_, _, _, _| {})
    }

    /// Finds the landing of the pawn or pair of `context.own` at `context.from`. `None` if the move is not allowed.
    /// `heard` receives every verdict of the move with its place, refusals too.
    #[inline(always)]
    pub(crate) fn landing_heard(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        open: bool,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let colour = context.own;
        match line.route {
            Route::Ahead => {
                let gate = usize::from(open || context.from > self.board.gate_at);
                self.ahead(state, line, steps, context, gate, heard)
            }
            Route::Lap => {
                let passes = open
                    && context.from <= self.board.gate_at
                    && context.from.ahead(steps) > self.board.gate_at.index();
                if passes { self.ahead(state, line, steps, context, 0, heard) } else { None }
            }
            Route::Bounce(wall) => {
                let gate = usize::from(open || context.from > self.board.gate_at);
                match self.turn(state, line, steps, context, gate, wall, heard) {
                    Some(turn) => self.retraced(state, line, steps, turn, gate, context, heard),
                    None => self.ahead(state, line, steps, context, gate, heard),
                }
            }
            Route::Along(over) => self.along(state, line, (over, steps), context, open, heard),
            Route::Back => self.retraced(state, line, steps, 0, 1, context, heard),
            Route::To(place) => {
                context.to = Some(place).filter(|place| *place != context.from)?;
                self.verdict_on(state, line.mover, context, self.square(colour, place), heard)
            }
            Route::Computed(program) => {
                let place = self.on_path(self.value(state, program, context), context.from)?;
                context.to = place;
                self.verdict_on(state, line.mover, context, self.square(colour, place), heard)
            }
            Route::Stay => {
                context.to = context.from;
                Some(Landing { to: context.from, answer: Verdict::Allow })
            }
            Route::Outward | Route::Recoil => self.turned_round(state, line, steps, context, heard),
        }
    }

    /// Finds the landing of a move along the path. With `gate` 1, it may lead through the gate; with 0, it may not.
    #[inline(always)]
    fn ahead(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let target = context.from.ahead(steps);
        self.board.lands[gate][target & 255]?;
        if !self.moves.passing.is_empty && !self.may_pass(state, line.mover, steps, context, gate, heard) {
            return None;
        }
        self.lands(state, line, steps, context, gate, heard)
    }

    /// Finds the landing of a move along the path. The caller has checked that no pawn bars the way.
    #[inline(always)]
    fn lands(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let target = context.from.ahead(steps) & 255;
        context.to = self.board.lands[gate][target]?;
        let square = self.board.square[gate][context.own.index()][target];
        let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, context, square);
        heard(Spot::End, context.to, answer, by);
        match answer {
            Verdict::Refuse => None,
            Verdict::StopBefore => self.stopped_before(state, line, steps, context, gate, heard),
            answer => Some(Landing { to: context.to, answer }),
        }
    }

    /// The last place before the target where the pawn may land. The search goes back while the verdict is `stop
    /// before`, and ends at a refusal.
    #[inline(never)]
    fn stopped_before(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        for step in (1..steps.0).rev() {
            let target = context.from.ahead(Pips(step)) & 255;
            context.to = self.board.lands[gate][target]?;
            let square = self.board.square[gate][context.own.index()][target];
            let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, context, square);
            heard(Spot::End, context.to, answer, by);
            match answer {
                Verdict::StopBefore => {}
                Verdict::Refuse => return None,
                answer => return Some(Landing { to: context.to, answer }),
            }
        }
        None
    }

    /// Finds the landing of a move over some places of the path.
    fn along(
        &self,
        state: &State,
        line: &Spend,
        (over, steps): (Places, Pips),
        context: &mut Context,
        open: bool,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let gate = usize::from(open || context.from > self.board.gate_at);
        let crossed = usize::from(steps.0).checked_sub(1)?;
        let end = self.board.along(over, context.from, gate).nth(crossed)?;
        for to in self.board.along(over, context.from, gate).take(crossed) {
            let Some((answer, by)) = self.asked_to_pass(state, line, context, to) else { continue };
            heard(Spot::Way, to, answer, by);
            if answer == Verdict::Refuse {
                return None;
            }
        }
        context.to = end;
        self.verdict_on(state, line.mover, context, self.square(context.own, end), heard)
    }

    fn may_pass(
        &self,
        state: &State,
        mover: Mover,
        steps: Pips,
        context: &Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> bool {
        let mut over = *context;
        (1..steps.0).all(|step| {
            let target = context.from.ahead(Pips(step)) & 255;
            let square = self.board.square[gate][context.own.index()][target];
            if state.on(square) == 0 {
                return true;
            }
            let Some(to) = self.board.lands[gate][target] else { return true };
            over.to = to;
            let (answer, by) = self.verdict(&self.moves.passing, state, mover, &over, square);
            heard(Spot::Way, over.to, answer, by);
            answer != Verdict::Refuse
        })
    }

    #[inline(always)]
    pub(super) fn verdict_on(
        &self,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let (answer, by) = self.verdict(&self.moves.landing, state, mover, context, square);
        heard(Spot::End, context.to, answer, by);
        (!matches!(answer, Verdict::Refuse | Verdict::StopBefore)).then_some(Landing { to: context.to, answer })
    }
}
