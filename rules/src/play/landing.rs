//! Landings: where a move leads, whether gates and occupied squares allow it, and whether it captures.
//!
//! Callers may listen to the verdicts on the way. Not listening costs nothing.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Mover, Program, Reunite, Route, Spend, Verdict, VerdictEntry, VerdictTable};
use crate::units::{PathPlace, Seat, WALL};

/// The square that a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A square that the move passes.
    Way,
    /// The square where the move ends.
    End,
}

/// The place that a move reaches, and the verdict on landing there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    pub to: PathPlace,
    pub answer: Verdict,
}

impl Engine {
    /// Whether the gate is open for a colour.
    #[inline(always)]
    pub(crate) fn gate_is_open(&self, state: &State, colour: Seat) -> bool {
        self.board.gate.is_none_or(|gate| self.value(state, gate, &Context::seat(colour)) != 0)
    }

    /// The landing of a pawn or pair at `context.from` that moves by a spending line. `None` if the move is impossible.
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

    /// The landing as by [`Engine::landing`]. Calls `heard` with every verdict on the way, refusals included.
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

    /// The landing of a move along the path. `gate` is 1 for open, 0 for closed.
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
            // Empty squares never refuse passing.
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

    /// The landing of a pawn that must stop before an occupied square: tries the places before it, one by one.
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

    /// The landing of a move to home and `beyond` steps back. A move that ends where it began is impossible.
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

    /// The landing of a move back out. No own pawn may stand on the squares of its way that the path visits twice.
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

    /// Whether the path visits the square of this place again on the way home.
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

    /// The verdict of the landing table on a square, and the rule line that gives it.
    pub(crate) fn verdict_at(&self, state: &State, mover: Mover, context: &Context, square: u8) -> (Verdict, LineId) {
        self.verdict(&self.moves.landing, state, mover, context, square)
    }

    /// The verdict of a table on a square, and the rule line that gives it.
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

    /// Whether a condition is true for any enemy at `to` as the other seat. Without enemies there, the partner is
    /// tried.
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

    /// Whether a landing would bring together two pawns that may not meet again.
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
