//! May it go there, and what does it do there: gates, passing, landing.
//!
//! The verdicts asked on the way can be heard; who hears nothing pays nothing for it.

use super::ask::Ask;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{Answer, LineId, Mover, Program, Reunite, Route, Spend, Verdict, Verdicts};
use crate::units::{Place, Seat, WALL};

/// What a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A square on the way.
    Way,
    /// The square where it ends.
    End,
}

/// Where an action leads and what the landing does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    pub to: Place,
    pub answer: Answer,
}

impl Engine {
    /// Whether the gate is open for a colour.
    #[inline(always)]
    pub(crate) fn gate_is_open(&self, state: &State, colour: Seat) -> bool {
        self.board.gate.is_none_or(|gate| self.value(state, gate, &Ask::seat(colour)) != 0)
    }

    /// Where a pawn (or pair) of `ask.own` standing at `ask.from` gets by a spending line, if it may.
    #[inline(always)]
    pub(crate) fn landing(&self, state: &State, line: &Spend, steps: u8, ask: &mut Ask, open: bool) -> Option<Landing> {
        self.landing_heard(state, line, steps, ask, open, &mut |_, _, _| {})
    }

    /// As [`Engine::landing`]; `heard` is told of every verdict on the way and of the last one, also where they refuse.
    #[inline(always)]
    pub(crate) fn landing_heard(
        &self,
        state: &State,
        line: &Spend,
        steps: u8,
        ask: &mut Ask,
        open: bool,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        let colour = ask.own;
        match line.route {
            Route::Ahead => {
                let gate = usize::from(open || ask.from > self.board.gate_at);
                self.ahead(state, line, steps, ask, gate, heard)
            }
            Route::Lap => {
                let passes = open && ask.from <= self.board.gate_at && ask.from + steps > self.board.gate_at;
                if passes { self.ahead(state, line, steps, ask, 0, heard) } else { None }
            }
            Route::Bounce => {
                let gate = usize::from(open || ask.from > self.board.gate_at);
                let beyond = (ask.from + steps).saturating_sub(self.board.len - 1);
                if gate == 0 || beyond == 0 {
                    return self.ahead(state, line, steps, ask, gate, heard);
                }
                self.bounced(state, line, beyond, ask, heard)
            }
            Route::To(place) => {
                ask.to = place;
                self.verdict_on(state, line.mover, ask, self.square(colour, place), heard)
            }
            Route::Outward | Route::Recoil => self.turned_round(state, line, steps, ask, heard),
        }
    }

    /// Along the path, the gate open (1) or closed (0).
    #[inline(always)]
    fn ahead(
        &self,
        state: &State,
        line: &Spend,
        steps: u8,
        ask: &mut Ask,
        gate: usize,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        let target = ask.from as usize + steps as usize;
        let square = self.board.square[gate][ask.own.index()][target & 255];
        if square == WALL {
            return None;
        }
        ask.to = self.board.lands[gate][target & 255];
        if !self.moves.passing.is_empty {
            // No line speaks of an empty square.
            let mut way = self.board.square[gate][ask.own.index()].iter().take(target).skip(ask.from as usize + 1);
            let is_free = way.all(|&square| state.occupied[square as usize & 127] == 0);
            if !is_free && !self.may_pass(state, line.mover, steps, ask, gate, heard) {
                return None;
            }
        }
        let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, ask, square);
        heard(Spot::End, answer, by);
        match answer {
            Answer::Refuse => None,
            Answer::StopBefore => self.stopped_before(state, line, steps, ask, gate, heard),
            answer => Some(Landing { to: ask.to, answer }),
        }
    }

    /// The last place short of so many steps where it may stand, as long as what stands there lets it stop before only.
    #[inline(never)]
    fn stopped_before(
        &self,
        state: &State,
        line: &Spend,
        steps: u8,
        ask: &mut Ask,
        gate: usize,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        for step in (1..steps).rev() {
            let target = (ask.from as usize + step as usize) & 255;
            ask.to = self.board.lands[gate][target];
            let square = self.board.square[gate][ask.own.index()][target];
            let (answer, by) = self.verdict(&self.moves.landing, state, line.mover, ask, square);
            heard(Spot::End, answer, by);
            match answer {
                Answer::StopBefore => {}
                Answer::Refuse => return None,
                answer => return Some(Landing { to: ask.to, answer }),
            }
        }
        None
    }

    /// To home and so many steps back; that leads back to where it stands is no move.
    fn bounced(
        &self,
        state: &State,
        line: &Spend,
        beyond: u8,
        ask: &mut Ask,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        let home = self.board.len - 1;
        ask.to = home.checked_sub(beyond).filter(|&to| to > 0 && to != ask.from)?;
        let mut over = *ask;
        let mut way = (ask.from.min(ask.to) + 1..home).filter(|&place| place != ask.from);
        let free = self.moves.passing.is_empty
            || way.all(|place| {
                over.to = place;
                let square = self.square(ask.own, place);
                let (answer, by) = self.verdict(&self.moves.passing, state, line.mover, &over, square);
                heard(Spot::Way, answer, by);
                answer != Answer::Refuse
            });
        let square = self.square(ask.own, ask.to);
        if free { self.verdict_on(state, line.mover, ask, square, heard) } else { None }
    }

    /// Out again by the way that was walked twice: no own pawn may stand on it.
    fn turned_round(
        &self,
        state: &State,
        line: &Spend,
        steps: u8,
        ask: &mut Ask,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        let colour = ask.own;
        let start = self.board.outward[ask.from as usize];
        let home = self.board.len - 1;
        let target = start.checked_add(steps)?;
        if start >= ask.from && ask.from != home || target >= home {
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
        ask.to = target;
        if line.route == Route::Recoil && self.is_twice_walked(target) {
            ask.to = (target + 1..home).find(|&place| self.board.outward[place as usize] == target)?;
        }
        self.verdict_on(state, line.mover, ask, self.square(colour, ask.to), heard)
    }

    /// A place on the private way that leads out and, again, home.
    fn is_twice_walked(&self, place: Place) -> bool {
        let home = self.board.len - 1;
        place > 0
            && (place + 1..home).any(|later| later > self.board.gate_at && self.board.outward[later as usize] == place)
    }

    fn may_pass(
        &self,
        state: &State,
        mover: Mover,
        steps: u8,
        ask: &Ask,
        gate: usize,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> bool {
        let mut over = *ask;
        (1..steps).all(|step| {
            let target = (ask.from as usize + step as usize) & 255;
            let square = self.board.square[gate][ask.own.index()][target];
            if state.occupied[square as usize & 127] == 0 {
                return true;
            }
            over.to = self.board.lands[gate][target];
            let (answer, by) = self.verdict(&self.moves.passing, state, mover, &over, square);
            heard(Spot::Way, answer, by);
            answer != Answer::Refuse
        })
    }

    #[inline(always)]
    fn verdict_on(
        &self,
        state: &State,
        mover: Mover,
        ask: &Ask,
        square: u8,
        heard: &mut impl FnMut(Spot, Answer, LineId),
    ) -> Option<Landing> {
        let (answer, by) = self.verdict(&self.moves.landing, state, mover, ask, square);
        heard(Spot::End, answer, by);
        (!matches!(answer, Answer::Refuse | Answer::StopBefore)).then_some(Landing { to: ask.to, answer })
    }

    /// What a landing on a square does, by the landing table alone.
    pub(crate) fn verdict_at(&self, state: &State, mover: Mover, ask: &Ask, square: u8) -> (Answer, LineId) {
        self.verdict(&self.moves.landing, state, mover, ask, square)
    }

    /// What a table says of what stands on a square.
    #[inline(always)]
    fn verdict(&self, table: &Verdicts, state: &State, mover: Mover, ask: &Ask, square: u8) -> (Answer, LineId) {
        let colour = ask.own;
        let class = self.board.class[colour.index()][ask.to as usize & 127];
        let row = usize::from(mover.is_joint()) * table.classes as usize + class as usize;
        let seen = self.seen_by(state, colour, square);
        match table.table[row << 8 | seen as usize] {
            Verdict::Is(answer, line) => (answer, line),
            Verdict::Ask(first) => self.ask_on(table, first, state, ask),
        }
    }

    #[inline(never)]
    fn ask_on(&self, table: &Verdicts, first: u16, state: &State, ask: &Ask) -> (Answer, LineId) {
        let mut next = first;
        loop {
            let asked = &table.asked[next as usize];
            if self.holds_of_any(state, asked.when, ask) {
                return (asked.then, asked.line);
            }
            match asked.otherwise {
                Verdict::Is(answer, line) => return (answer, line),
                Verdict::Ask(later) => next = later,
            }
        }
    }

    /// Whether a condition holds with the other seat set to one of the enemies (else the partner) at `to`.
    fn holds_of_any(&self, state: &State, when: Program, ask: &Ask) -> bool {
        let here = state.occupied[self.square(ask.own, ask.to) as usize & 127];
        let partner = self.seating.partner[ask.own.index()];
        let there = |seat: &Seat| here >> (2 * seat.0) & 3 != 0 && *seat != ask.own;
        let holds = |other: Seat| self.value(state, when, &Ask { other, ..*ask }) != 0;
        let mut enemies = self.seating.players.iter().copied().filter(|seat| there(seat) && *seat != partner);
        match enemies.next() {
            Some(enemy) => holds(enemy) || enemies.any(holds),
            None => holds(if there(&partner) { partner } else { ask.own }),
        }
    }

    /// Whether landing would bring two pawns of a parted pair together again.
    #[inline(always)]
    pub(crate) fn reunites(&self, state: &State, ask: &Ask, to: Place) -> bool {
        match self.turn.reunite {
            Reunite::Free => false,
            Reunite::Throw => match state.hand.banked.get(ask.throw as usize) {
                Some(thrown) => {
                    thrown.parted >> ask.pawn & 1 == 1
                        && thrown.has_spent(ask.number)
                        && self.meets(state, ask.own, thrown.moved, to)
                }
                None => false,
            },
            Reunite::Roll | Reunite::Turn => {
                let parted = state.apart[ask.pawn as usize & 7];
                parted != 0 && self.meets(state, ask.own, parted, to)
            }
        }
    }

    fn meets(&self, state: &State, colour: Seat, pawns: u8, to: Place) -> bool {
        let square = self.square(colour, to);
        square < crate::units::NOWHERE
            && (0..self.pawns.count).any(|pawn| {
                pawns >> pawn & 1 == 1 && self.square(colour, state.at[colour.index()][pawn as usize]) == square
            })
    }
}
