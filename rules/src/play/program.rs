//! Runs the small integer programs that conditions and numbers compile to.

#[cfg(test)]
mod tests;

use super::quick::repeated;
use super::state::{Due, NOWHERE, Place, Seat, State};
use crate::tables::{Fact, Look, Op, Places, Program, Question, RESULT, Rules, Test, Whose};

/// What a program may ask about besides the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// The colour that moves, or the seat in question.
    pub own: Seat,
    /// The other seat in question.
    pub other: Seat,
    /// The pawn in question.
    pub pawn: u8,
    /// Where it stands, or stood.
    pub from: Place,
    /// Where it goes, or stands.
    pub to: Place,
    /// What is spent.
    pub number: u8,
    /// Which throw of the hand is spent; 255: none.
    pub throw: u8,
    /// Pawns captured.
    pub victims: u8,
    /// It moves as one of a pair.
    pub joint: bool,
    /// The argument of a choice.
    pub argument: Place,
    /// Jumps by rules that led here, one out of another.
    pub jumps: u8,
}

impl Ask {
    /// A question about a seat as a whole.
    #[inline(always)]
    pub fn seat(own: Seat) -> Ask {
        Ask {
            own,
            other: own,
            pawn: 0,
            from: 0,
            to: 0,
            number: 0,
            throw: 255,
            victims: 0,
            joint: false,
            argument: 0,
            jumps: 0,
        }
    }
}

impl Rules {
    /// Whether a condition holds; no condition always does.
    #[inline(always)]
    pub(crate) fn holds(&self, state: &State, condition: Option<Program>, ask: &Ask) -> bool {
        condition.is_none_or(|program| self.value(state, program, ask) != 0)
    }

    /// The value of a program; truth is 1 and 0.
    #[inline(always)]
    pub(crate) fn value(&self, state: &State, program: Program, ask: &Ask) -> i32 {
        let first = self.questions.first[program.start as usize];
        if is_truth(first) { (first & 1) as i32 } else { self.value_from(state, first, ask) }
    }

    /// The value to which a question leads.
    fn value_from(&self, state: &State, first: u32, ask: &Ask) -> i32 {
        let questions = &self.questions;
        let mut next = first;
        while next < RESULT {
            let question = &questions.list[next as usize];
            next = if self.is_so(state, question, ask) { question.yes } else { question.no };
        }
        if is_truth(next) {
            return (next & 1) as i32;
        }
        self.look(state, questions.results[(next - RESULT) as usize], ask)
    }

    /// The value of a program where it is the same for every pawn, wherever that stands or goes.
    pub(crate) fn value_for_all(&self, state: &State, program: Program, ask: &Ask) -> Option<i32> {
        let questions = &self.questions;
        let mut next = questions.first[program.start as usize];
        while next < RESULT {
            let question = &questions.list[next as usize];
            if question.of_pawn {
                return None;
            }
            next = if self.is_so(state, question, ask) { question.yes } else { question.no };
        }
        is_truth(next).then_some((next & 1) as i32)
    }

    #[inline(always)]
    fn is_so(&self, state: &State, question: &Question, ask: &Ask) -> bool {
        let seen = self.look(state, question.look, ask);
        match question.test {
            Test::Within(least, most) => (least..=most).contains(&seen),
            Test::In(set) => (0..128).contains(&seen) && self.questions.sets[set as usize].has(seen as Place),
        }
    }

    /// What one look shows.
    ///
    /// Apart from the loop above: within it, all that any look might need would be fetched before the first. What
    /// takes longer stands apart from it in turn.
    #[inline(never)]
    fn look(&self, state: &State, look: Look, ask: &Ask) -> i32 {
        match look {
            Look::Known(value) => value.into(),
            Look::Fact(Fact::Number) => ask.number.into(),
            Look::Fact(Fact::From) => ask.from.into(),
            Look::Fact(Fact::To) => ask.to.into(),
            Look::Fact(Fact::Total) => total(state).into(),
            Look::Fact(Fact::Throws) => state.thrown.into(),
            Look::Fact(fact) => self.fact(state, ask, fact),
            Look::Counter(whose, index) => self.counter(state, ask, whose, index),
            Look::Mark(bit) => i32::from(state.marks[ask.own.index()][ask.pawn as usize & 7] >> bit & 1),
            Look::MarkThere(_) | Look::MarkNamed(_) => self.marked(state, look, ask),
            Look::Face(index) => state.last.faces[index as usize & 3].into(),
            Look::Pawns(index) => self.pawns_in_set(state, ask.own, index),
            Look::OtherPawns(index) => self.pawns_in_set(state, ask.other, index),
            Look::Pairs(index) => self.pairs_in_set(state, ask.own, index),
            Look::OtherPairs(index) => self.pairs_in_set(state, ask.other, index),
            Look::Part(part) => self.value_by_code(state, part, ask),
        }
    }

    #[inline(never)]
    fn marked(&self, state: &State, look: Look, ask: &Ask) -> i32 {
        i32::from(match look {
            Look::MarkThere(bit) => self.is_marked_there(state, ask, bit),
            Look::MarkNamed(bit) => is_marked_where_named(state, ask, bit),
            _ => false,
        })
    }

    #[inline(never)]
    fn pawns_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let set = &self.questions.sets[set as usize];
        let pawns = &state.at[seat.index()][..self.pawns as usize & 15];
        pawns.iter().map(|&at| i32::from(set.has(at))).sum()
    }

    #[inline(never)]
    fn pairs_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let places = u64::from_le_bytes(state.at[seat.index()]);
        let repeated = if self.pawns > 4 { repeated::<8>(places) } else { repeated::<4>(places) };
        if repeated == 0 { 0 } else { self.pairs_in(state, seat, self.questions.sets[set as usize].places()) }
    }

    /// As `value`, operation by operation: for what is no whole program.
    pub(crate) fn value_by_code(&self, state: &State, program: Program, ask: &Ask) -> i32 {
        let start = program.start as usize;
        let code = &self.code[start..start + program.len as usize];
        let mut stack = [0i32; Op::STACK];
        let mut top = 0usize;
        let mut next = 0usize;
        while let Some(op) = code.get(next) {
            next += 1;
            match *op {
                Op::Push(number) => {
                    stack[top & (Op::STACK - 1)] = i32::from(number);
                    top += 1;
                }
                Op::In(places) => {
                    let place = stack[top - 1];
                    stack[top - 1] = i32::from((0..128).contains(&place) && places >> place & 1 == 1);
                }
                Op::Half => stack[top - 1] = stack[top - 1].div_euclid(2),
                Op::Not => stack[top - 1] = i32::from(stack[top - 1] == 0),
                Op::Pick => {
                    let (condition, then, other) = (stack[top - 3], stack[top - 2], stack[top - 1]);
                    top -= 2;
                    stack[top - 1] = if condition != 0 { then } else { other };
                }
                Op::AndThen(left_out) if stack[top - 1] == 0 => next += left_out as usize,
                Op::OrElse(left_out) if stack[top - 1] != 0 => next += left_out as usize,
                Op::AndThen(_) | Op::OrElse(_) => {}
                Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => {
                    let (a, b) = (stack[top - 2], stack[top - 1]);
                    top -= 1;
                    stack[top - 1] = of_two(*op, a, b);
                }
                op => {
                    stack[top & (Op::STACK - 1)] = self.asked(state, op, ask);
                    top += 1;
                }
            }
        }
        stack[0]
    }

    /// What an operation pushes by itself.
    ///
    /// Apart from the loop above: within it, all that any operation might ask would be fetched before the first.
    #[inline(never)]
    fn asked(&self, state: &State, op: Op, ask: &Ask) -> i32 {
        match op {
            Op::Push(number) => i32::from(number),
            Op::Counter(whose, index) => self.counter(state, ask, whose, index),
            Op::Mark(bit) => i32::from(state.marks[ask.own.index()][ask.pawn as usize & 7] >> bit & 1),
            Op::MarkThere(bit) => i32::from(self.is_marked_there(state, ask, bit)),
            Op::MarkNamed(bit) => i32::from(is_marked_where_named(state, ask, bit)),
            Op::Fact(fact) => self.fact(state, ask, fact),
            Op::Face(index) => i32::from(state.last.faces[index as usize & 3]),
            Op::Pawns(places) => self.pawns_in(state, ask.own, places),
            Op::OtherPawns(places) => self.pawns_in(state, ask.other, places),
            Op::Pairs(places) => self.pairs_in(state, ask.own, places),
            Op::OtherPairs(places) => self.pairs_in(state, ask.other, places),
            _ => 0,
        }
    }

    fn counter(&self, state: &State, ask: &Ask, whose: Whose, index: u8) -> i32 {
        let seat = match whose {
            Whose::Own => ask.own,
            Whose::Other => ask.other,
            Whose::Partner => self.partner[ask.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return i32::from(state.game[index as usize & 3]),
        };
        i32::from(state.counters[seat.index()][index as usize & 7])
    }

    #[inline(never)]
    fn fact(&self, state: &State, ask: &Ask, fact: Fact) -> i32 {
        let doublet = || match state.hand.banked.get(ask.throw as usize) {
            Some(banked) => banked.flags & super::state::Banked::DOUBLET != 0,
            None => state.last.is_doublet(),
        };
        let truth = match fact {
            Fact::Doublet => doublet(),
            Fact::Joint => ask.joint,
            Fact::Finished => state.has_finished(ask.own),
            Fact::OtherFinished => state.has_finished(ask.other),
            Fact::InPair => self.stands_in_pair(state, ask.own, ask.pawn),
            Fact::Helping => self.colour(state) != state.turn,
            Fact::OtherIsRight => self.right[ask.own.index()] == ask.other,
            Fact::IsTurn => state.turn == ask.own,
            Fact::AnyMoved => state.mover != 255 && state.mover >> 4 == ask.own.0,
            _ => return self.amount(state, ask, fact),
        };
        i32::from(truth)
    }

    fn amount(&self, state: &State, ask: &Ask, fact: Fact) -> i32 {
        let amount = match fact {
            Fact::Total => total(state),
            Fact::Number | Fact::Unplayed => ask.number,
            Fact::ThrowNumber => ask.throw.wrapping_add(1),
            Fact::Throws => state.thrown,
            Fact::Owed => state.owed[0] + state.owed[1],
            Fact::From => ask.from,
            Fact::To => ask.to,
            Fact::Victims => ask.victims,
            Fact::OwnThere => self.own_on(state, ask.own, ask.to),
            Fact::EnemiesThere => self.enemies_on(state, ask.own, ask.to),
            Fact::PawnsThere => self.pawns_on(state, ask.own, ask.to),
            Fact::Group => self.group_at(state, ask.own, ask.from),
            Fact::GroupThere => self.group_faced(state, ask.own, ask.to),
            Fact::Players => self.players.len() as u8,
            Fact::LastMovedAt => match state.mover {
                255 => 255,
                mover => state.at[(mover >> 4) as usize & 3][mover as usize & 7],
            },
            Fact::ToAsOther => {
                let seen = &self.board.seen[ask.own.index()][ask.other.index()];
                seen.get(ask.to as usize).copied().unwrap_or(255)
            }
            Fact::Argument => ask.argument,
            Fact::BonusesNow => {
                state.hand.bonuses.iter().filter(|bonus| bonus.due == Due::Now && bonus.steps > 0).count() as u8
            }
            Fact::NumbersLeft => state.numbers_left() as u8,
            _ => 0,
        };
        i32::from(amount)
    }

    pub(crate) fn pawns_in(&self, state: &State, seat: Seat, places: Places) -> i32 {
        let pawns = &state.at[seat.index()][..self.pawns as usize];
        pawns.iter().filter(|&&at| places >> at & 1 == 1).count() as i32
    }

    fn pairs_in(&self, state: &State, seat: Seat, places: Places) -> i32 {
        let pawns = &state.at[seat.index()][..self.pawns as usize];
        let mut once = 0u128;
        let mut twice = 0u128;
        for &at in pawns {
            let bit = 1u128 << at & places;
            twice |= once & bit;
            once |= bit;
        }
        twice.count_ones() as i32
    }

    fn stands_in_pair(&self, state: &State, seat: Seat, pawn: u8) -> bool {
        let pawns = &state.at[seat.index()][..self.pawns as usize];
        let place = pawns[pawn as usize % pawns.len()];
        self.board.pairing >> place & 1 == 1 && self.own_on(state, seat, place) > 1
    }

    /// Whether an enemy (where the other seat is the partner, one of its pawns) bears a mark where the pawn in question goes.
    fn is_marked_there(&self, state: &State, ask: &Ask, bit: u8) -> bool {
        let square = self.square(ask.own, ask.to);
        let partner = self.partner[ask.own.index()];
        let is_met = |seat: Seat| seat == ask.other || ask.other != partner && seat != partner && seat != ask.own;
        let bears = |seat: Seat| {
            let pawns = state.at[seat.index()].iter().zip(&state.marks[seat.index()]).take(self.pawns as usize);
            pawns.filter(|&(&at, _)| self.square(seat, at) == square).any(|(_, marks)| marks >> bit & 1 == 1)
        };
        square < NOWHERE && self.players.iter().any(|&seat| is_met(seat) && bears(seat))
    }

    fn own_on(&self, state: &State, seat: Seat, place: Place) -> u8 {
        let square = self.board.square[1][seat.index()][place as usize];
        state.occupied[square as usize & 127] >> (2 * seat.0) & 3
    }

    fn pawns_on(&self, state: &State, seat: Seat, place: Place) -> u8 {
        let occupied = state.occupied[self.square(seat, place) as usize & 127];
        (0..4).map(|colour| occupied >> (2 * colour) & 3).sum()
    }

    /// Pawns of a colour on one place where pairs count; elsewhere each is by itself.
    fn group_at(&self, state: &State, seat: Seat, place: Place) -> u8 {
        if self.board.pairing >> place & 1 == 0 {
            return 1;
        }
        state.at[seat.index()][..self.pawns as usize].iter().filter(|&&at| at == place).count() as u8
    }

    /// Pawns of the largest group on the square of a place: of one enemy colour on one of its own places.
    fn group_faced(&self, state: &State, seat: Seat, place: Place) -> u8 {
        let square = self.square(seat, place);
        let partner = self.partner[seat.index()];
        let enemies = self.players.iter().filter(|&&other| other != seat && other != partner);
        let largest = |other: Seat| {
            let pawns = state.at[other.index()][..self.pawns as usize].iter();
            let there = pawns.filter(|&&at| self.square(other, at) == square);
            there.map(|&at| self.group_at(state, other, at)).max().unwrap_or(0)
        };
        if square < NOWHERE { enemies.map(|&other| largest(other)).max().unwrap_or(0) } else { 0 }
    }

    fn enemies_on(&self, state: &State, seat: Seat, place: Place) -> u8 {
        let square = self.board.square[1][seat.index()][place as usize];
        let occupied = state.occupied[square as usize & 127];
        let partner = self.partner[seat.index()];
        (0..4u8).filter(|&other| other != seat.0 && other != partner.0).map(|other| occupied >> (2 * other) & 3).sum()
    }
}

/// Whether what a program led to is truth.
#[inline(always)]
fn is_truth(next: u32) -> bool {
    next & !1 == RESULT
}

/// The sum of the last throw.
#[inline(always)]
fn total(state: &State) -> u8 {
    let [a, b, c, d] = state.last.faces;
    a + b + c + d
}

/// Whether a pawn of the other seat bears a mark on the place that a choice names.
fn is_marked_where_named(state: &State, ask: &Ask, bit: u8) -> bool {
    let mut pawns = state.at[ask.other.index()].iter().zip(&state.marks[ask.other.index()]);
    pawns.any(|(&at, marks)| at == ask.argument && marks >> bit & 1 == 1)
}

#[inline(always)]
fn of_two(op: Op, a: i32, b: i32) -> i32 {
    match op {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Rem => a.checked_rem_euclid(b).unwrap_or(0),
        Op::Eq => i32::from(a == b),
        Op::Lt => i32::from(a < b),
        Op::Le => i32::from(a <= b),
        Op::And => i32::from(a != 0 && b != 0),
        _ => i32::from(a != 0 || b != 0),
    }
}
