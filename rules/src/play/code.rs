//! Runs programs operation by operation. Unlike the questions to which whole programs are compiled (`question.rs`), the
//! functions here also run parts of programs.

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::State;
use crate::play::standing::is_marked_where_named;
use crate::tables::{Op, Program};

impl Evaluator {
    /// The value of a program, or of a part of a program.
    pub(crate) fn value_by_code(&self, state: &State, program: Program, context: &Context) -> i32 {
        let start = program.start as usize;
        let code = &self.code.ops[start..start + program.len as usize];
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
                Op::CountAt(crowd) => stack[top - 1] = self.count_at(state, context.own, crowd, stack[top - 1]),
                Op::Half => stack[top - 1] = of_two(Op::Half, stack[top - 1], 2),
                Op::Not => stack[top - 1] = i32::from(stack[top - 1] == 0),
                Op::Pick => {
                    let (other, condition, then) = (stack[top - 3], stack[top - 2], stack[top - 1]);
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
                    stack[top & (Op::STACK - 1)] = self.asked(state, op, context);
                    top += 1;
                }
            }
        }
        stack[0]
    }

    /// The value that an operation pushes without reading the stack.
    ///
    /// Not inlined into the loop of `value_by_code`: that loop would then load the values of all operations before the
    /// first one runs.
    #[inline(never)]
    fn asked(&self, state: &State, op: Op, context: &Context) -> i32 {
        match op {
            Op::Push(number) => i32::from(number),
            Op::Counter(whose, index) => self.counter(state, context, whose, index),
            Op::Mark(bit) => i32::from(state.marks[context.own.index()][context.pawn.index()] >> bit & 1),
            Op::MarkThere(bit) => i32::from(self.is_marked_there(state, context, bit)),
            Op::OwnMarkThere(bit) => i32::from(self.is_own_marked_there(state, context, bit)),
            Op::MarkNamed(bit) => i32::from(is_marked_where_named(state, context, bit)),
            Op::Fact(fact) => self.fact(state, context, fact),
            Op::Face(index) => i32::from(state.last.faces[index as usize & 3]),
            Op::Pawns(counted, places) => self.counted(context, counted, |seat| self.pawns_in(state, seat, places)),
            Op::Pairs(counted, places) => self.counted(context, counted, |seat| self.pairs_in(state, seat, places)),
            Op::PawnsWhere(counted, condition) => {
                self.counted(context, counted, |seat| self.pawns_where(state, seat, condition, context))
            }
            _ => 0,
        }
    }
}

#[inline(always)]
pub(super) fn of_two(op: Op, a: i32, b: i32) -> i32 {
    match op {
        Op::Add => a.saturating_add(b),
        Op::Sub => a.saturating_sub(b),
        Op::Half => a.div_euclid(2),
        Op::Mul => a.saturating_mul(b),
        Op::Rem => a.checked_rem_euclid(b).unwrap_or(0),
        Op::Eq => i32::from(a == b),
        Op::Lt => i32::from(a < b),
        Op::Le => i32::from(a <= b),
        Op::And => i32::from(a != 0 && b != 0),
        _ => i32::from(a != 0 || b != 0),
    }
}
