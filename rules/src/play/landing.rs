//! Decides whether a pawn may move somewhere and what happens there: gates, passing and landing.
//!
//! A caller may listen to the verdicts on the way. Callers that do not listen pay nothing for it.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Mover, Program, Reunite, Route, Spend, Verdict, VerdictEntry, VerdictTable};
use crate::units::{PathPlace, Seat, WALL};

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
        steps: u8,
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
        steps: u8,
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
                let passes = open && context.from <= self.board.gate_at && context.from + steps > self.board.gate_at;
                if passes { self.ahead(state, line, steps, context, 0, heard) } else { None }
            }
            Route::Bounce => {
                let gate = usize::from(open || context.from > self.board.gate_at);
                let beyond = (context.from + steps).saturating_sub(self.board.len - 1);
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
        steps: u8,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let target = context.from as usize + steps as usize;
        let square = self.board.square[gate][context.own.index()][target & 255];
        if square == WALL {
            return None;
        }
        context.to = self.board.lands[gate][target & 255];
        if !self.moves.passing.is_empty {
            // No passing line can apply to an empty square.
            let mut way =
                self.board.square[gate][context.own.index()].iter().take(target).skip(context.from as usize + 1);
            let is_free = way.all(|&square| state.occupied[square as usize & 127] == 0);
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
        steps: u8,
        context: &mut Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        for step in (1..steps).rev() {
            let target = (context.from as usize + step as usize) & 255;
            context.to = self.board.lands[gate][target];
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
        let home = self.board.len - 1;
        context.to = home.checked_sub(beyond).filter(|&to| to > 0 && to != context.from)?;
        let mut over = *context;
        let mut way = (context.from.min(context.to) + 1..home).filter(|&place| place != context.from);
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
        steps: u8,
        context: &mut Context,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let colour = context.own;
        let start = self.board.outward[context.from as usize];
        let home = self.board.len - 1;
        let target = start.checked_add(steps)?;
        if start >= context.from && context.from != home || target >= home {
            return None;
        }
        for place in start + 1..=target {
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
            context.to = (target + 1..home).find(|&place| self.board.outward[place as usize] == target)?;
        }
        self.verdict_on(state, line.mover, context, self.square(colour, context.to), heard)
    }

    /// Whether a place lies on the private way, which the path uses outward and again homeward.
    fn is_twice_walked(&self, place: PathPlace) -> bool {
        let home = self.board.len - 1;
        place > 0
            && (place + 1..home).any(|later| later > self.board.gate_at && self.board.outward[later as usize] == place)
    }

    fn may_pass(
        &self,
        state: &State,
        mover: Mover,
        steps: u8,
        context: &Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> bool {
        let mut over = *context;
        (1..steps).all(|step| {
            let target = (context.from as usize + step as usize) & 255;
            let square = self.board.square[gate][context.own.index()][target];
            if state.occupied[square as usize & 127] == 0 {
                return true;
            }
            over.to = self.board.lands[gate][target];
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
        square: u8,
        heard: &mut impl FnMut(Spot, Verdict, LineId),
    ) -> Option<Landing> {
        let (answer, by) = self.verdict(&self.moves.landing, state, mover, context, square);
        heard(Spot::End, answer, by);
        (!matches!(answer, Verdict::Refuse | Verdict::StopBefore)).then_some(Landing { to: context.to, answer })
    }

    /// The verdict of the landing lines for a square, and the line that gives it.
    pub(crate) fn verdict_at(&self, state: &State, mover: Mover, context: &Context, square: u8) -> (Verdict, LineId) {
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
        square: u8,
    ) -> (Verdict, LineId) {
        let colour = context.own;
        let class = self.board.class[colour.index()][context.to as usize & 127];
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
        let here = state.occupied[self.square(context.own, context.to) as usize & 127];
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
            Reunite::Throw => match state.hand.banked.get(context.throw as usize) {
                Some(thrown) => {
                    thrown.parted >> context.pawn & 1 == 1
                        && thrown.has_spent(context.number)
                        && self.meets(state, context.own, thrown.moved, to)
                }
                None => false,
            },
            Reunite::Roll | Reunite::Turn => {
                let parted = state.apart[context.pawn as usize & 7];
                parted != 0 && self.meets(state, context.own, parted, to)
            }
        }
    }

    fn meets(&self, state: &State, colour: Seat, pawns: u8, to: PathPlace) -> bool {
        let square = self.square(colour, to);
        square < crate::units::NOWHERE
            && (0..self.pawns.count).any(|pawn| {
                pawns >> pawn & 1 == 1 && self.square(colour, state.at[colour.index()][pawn as usize]) == square
            })
    }
}
