//! Decides whether a pawn may move somewhere and what happens there: gates, passing and landing.
//!
//! A caller may listen to the verdicts on the way. Callers that do not listen pay nothing for it.

use super::companions::pawns_of;
use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Mover, Program, Reunite, Route, Spend, Verdict, VerdictEntry, VerdictTable};
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
        open: bool,
    ) -> Option<Landing> {
        self.landing_heard(state, line, steps, context, open, &mut |_, _, _| {})
    }

    /// Finds the landing as [`Engine::landing`] does. `heard` receives every verdict of the move, refusals too.
    #[inline(always)]
    pub(crate) fn landing_heard(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        open: bool,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
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
            Route::Bounce => {
                let gate = usize::from(open || context.from > self.board.gate_at);
                let beyond = context.from.ahead(steps).saturating_sub(self.board.home().index()) as u8;
                if gate == 0 || beyond == 0 {
                    return self.ahead(state, line, steps, context, gate, heard);
                }
                self.bounced(state, line, beyond, context, heard)
            }
            Route::To(place) => {
                context.to = place;
                self.verdict_on(state, line.mover, context, self.square(colour, place), heard)
            }
            Route::Outward | Route::Recoil => self.turned_round(state, line, steps, context, heard),
        }
    }

    /// Moves along the path, with the gate open (1) or closed (0).
    #[inline(always)]
    fn ahead(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let target = context.from.ahead(steps);
        context.to = self.board.lands[gate][target & 255]?;
        let square = self.board.square[gate][context.own.index()][target & 255];
        if !self.moves.passing.is_empty {
            // No passing line can apply to an empty square.
            let mut way =
                self.board.square[gate][context.own.index()].iter().take(target).skip(context.from.index() + 1);
            let is_free = way.all(|&square| state.on(square) == 0);
            if !is_free && !self.may_pass(state, line.mover, steps, context, gate, heard) {
                return None;
            }
        }
        let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, context, square);
        heard(Spot::End, answer, by);
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
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        for step in (1..steps.0).rev() {
            let target = context.from.ahead(Pips(step)) & 255;
            context.to = self.board.lands[gate][target]?;
            let square = self.board.square[gate][context.own.index()][target];
            let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, context, square);
            heard(Spot::End, answer, by);
            match answer {
                Verdict::StopBefore => {}
                Verdict::Refuse => return None,
                answer => return Some(Landing { to: context.to, answer }),
            }
        }
        None
    }

    /// Moves to home and `beyond` steps back. A move that would end on the place where it began is not allowed.
    fn bounced(
        &self,
        state: &State,
        line: &Spend,
        beyond: u8,
        context: &mut Context,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let home = self.board.home();
        let to = home.0.checked_sub(beyond).map(PathPlace);
        context.to = to.filter(|&to| to > PathPlace::OUT && to != context.from)?;
        let mut over = *context;
        let way = context.from.min(context.to).until(home);
        let mut way = way.filter(|&place| place != context.from);
        let free = self.moves.passing.is_empty
            || way.all(|place| {
                over.to = place;
                let square = self.square(context.own, place);
                let (answer, by) = self.verdict(&self.moves.passing, state, line.mover, &over, square);
                heard(Spot::Way, answer, by);
                answer != Verdict::Refuse
            });
        let square = self.square(context.own, context.to);
        if free { self.verdict_on(state, line.mover, context, square, heard) } else { None }
    }

    /// Moves back out by the private way, which the path uses outward and again homeward. No own pawn may stand on a
    /// square of the private way that the move reaches or crosses.
    fn turned_round(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let colour = context.own;
        let start = self.board.outward[context.from.index()];
        let home = self.board.home();
        let target = PathPlace(start.0.checked_add(steps.0)?);
        if start >= context.from && context.from != home || target >= home {
            return None;
        }
        for place in (start.0 + 1..=target.0).map(PathPlace) {
            let square = self.square(colour, place);
            if !self.is_twice_walked(place) {
                break;
            }
            if self.seen_by(state, colour, square) & 3 != 0 {
                return None;
            }
        }
        context.to = target;
        if line.route == Route::Recoil && self.is_twice_walked(target) {
            context.to = target.until(home).find(|place| self.board.outward[place.index()] == target)?;
        }
        self.verdict_on(state, line.mover, context, self.square(colour, context.to), heard)
    }

    /// Whether a place lies on the private way, which the path uses outward and again homeward.
    fn is_twice_walked(&self, place: PathPlace) -> bool {
        let mut homeward = place.max(self.board.gate_at).until(self.board.home());
        place > PathPlace::OUT && homeward.any(|later| self.board.outward[later.index()] == place)
    }

    fn may_pass(
        &self,
        state: &State,
        mover: Mover,
        steps: Pips,
        context: &Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
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
            heard(Spot::Way, answer, by);
            answer != Verdict::Refuse
        })
    }

    #[inline(always)]
    fn verdict_on(
        &self,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let (answer, by) = self.verdict(&self.moves.landing, state, mover, context, square);
        heard(Spot::End, answer, by);
        (!matches!(answer, Verdict::Refuse | Verdict::StopBefore)).then_some(Landing { to: context.to, answer })
    }

    /// The verdict of the landing lines for a square, and the line that gives it.
    pub(crate) fn verdict_at(
        &self,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
    ) -> (Verdict, LineId) {
        self.verdict(&self.moves.landing, state, mover, context, square)
    }

    /// The verdict of a table for the pawns on a square, and the line that gives it.
    #[inline(always)]
    fn verdict(
        &self,
        table: &VerdictTable,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
    ) -> (Verdict, LineId) {
        let colour = context.own;
        let class = self.board.class[colour.index()][context.to.index() & 127];
        let row = usize::from(mover.is_joint()) * table.classes as usize + class as usize;
        let seen = self.seen_by(state, colour, square);
        match table.table[row << 8 | seen as usize] {
            VerdictEntry::Is(answer, line) => (answer, line),
            VerdictEntry::Ask(first) => self.ask_on(table, first, state, context),
        }
    }

    #[inline(never)]
    fn ask_on(&self, table: &VerdictTable, first: u16, state: &State, context: &Context) -> (Verdict, LineId) {
        let mut next = first;
        loop {
            let asked = &table.asked[next as usize];
            if self.holds_of_any(state, asked.when, context) {
                return (asked.then, asked.line);
            }
            match asked.otherwise {
                VerdictEntry::Is(answer, line) => return (answer, line),
                VerdictEntry::Ask(later) => next = later,
            }
        }
    }

    /// Whether a condition holds for the other seat on the square of `context.to`. Each enemy on the square is tried;
    /// if there is none, the partner.
    fn holds_of_any(&self, state: &State, when: Program, context: &Context) -> bool {
        let here = state.on(self.square(context.own, context.to));
        let partner = self.seating.partner[context.own.index()];
        let there = |seat: &Seat| here >> (2 * seat.0) & 3 != 0 && *seat != context.own;
        let holds = |other: Seat| self.value(state, when, &Context { other, ..*context }) != 0;
        let mut enemies = self.seating.players.iter().copied().filter(|seat| there(seat) && *seat != partner);
        match enemies.next() {
            Some(enemy) => holds(enemy) || enemies.any(holds),
            None => holds(if there(&partner) { partner } else { context.own }),
        }
    }

    /// Whether a landing would bring the pawns of a parted pair together again.
    #[inline(always)]
    pub(crate) fn reunites(&self, state: &State, context: &Context, to: PathPlace) -> bool {
        match self.turn.reunite {
            Reunite::Free => false,
            Reunite::Throw => match state.hand.thrown(context.throw) {
                Some(thrown) => {
                    context.pawn.is_in(thrown.parted)
                        && thrown.has_spent(context.number)
                        && self.meets(state, context.own, thrown.moved, to)
                }
                None => false,
            },
            Reunite::Roll | Reunite::Turn => {
                let parted = state.apart[context.pawn.index()];
                parted != 0 && self.meets(state, context.own, parted, to)
            }
        }
    }

    fn meets(&self, state: &State, colour: Seat, pawns: u8, to: PathPlace) -> bool {
        let square = self.square(colour, to);
        square.is_some() && pawns_of(pawns).any(|pawn| self.square(colour, state.place_of(colour, pawn)) == square)
    }
}
