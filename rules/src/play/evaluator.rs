//! Evaluates the conditions and numbers of rules.
//!
//! Conditions and numbers are compiled to chains of questions (`question.rs`): the answer to a question leads to the
//! next one, or to the result.

use std::ops::Deref;

use super::context::Context;
#[cfg(test)]
mod tests;

use super::question::{Amount, Look, Question, Questions, RESULT, Test};
use super::state::State;
use crate::tables::{Op, Program, Rules};
use crate::units::PathPlace;

/// Rules together with their compiled conditions and numbers.
#[derive(Debug)]
pub struct Evaluator {
    rules: Rules,
    pub(super) questions: Questions,
}

impl Deref for Evaluator {
    type Target = Rules;

    #[inline(always)]
    fn deref(&self) -> &Rules {
        &self.rules
    }
}

impl Evaluator {
    /// Compiles the conditions and numbers of the rules.
    pub(super) fn new(mut rules: Rules) -> Evaluator {
        let questions = Questions::of(&rules);
        let truth = |program: Program| {
            let first = questions.first[program.start as usize];
            is_truth(first).then_some(first & 1 == 1)
        };
        rules.moves.landing.settle(truth);
        rules.moves.passing.settle(truth);
        Evaluator { rules, questions }
    }

    /// The operations whose values a program may read. Parts that never affect its value are left out.
    pub(super) fn read_by(&self, program: Program) -> Vec<Op> {
        let (mut ops, mut asked, mut next) = (Vec::new(), vec![false; self.questions.list.len()], Vec::new());
        next.push(self.questions.first[program.start as usize]);
        while let Some(index) = next.pop() {
            let look = if index >= RESULT {
                self.questions.results[(index - RESULT) as usize]
            } else {
                let question = &self.questions.list[index as usize];
                if std::mem::replace(&mut asked[index as usize], true) {
                    continue;
                }
                next.extend([question.yes, question.no]);
                question.look
            };
            self.add_reads(look, &mut ops, &mut next);
        }
        ops
    }

    fn add_reads(&self, look: Look, ops: &mut Vec<Op>, next: &mut Vec<u32>) {
        let places = |set: u32| self.questions.sets[set as usize].places();
        if let Look::PawnsWhere(condition) | Look::OtherPawnsWhere(condition) = look {
            next.push(self.questions.first[condition.start as usize]);
        }
        let op = match look {
            Look::Known(value) => Op::Push(value),
            Look::Fact(fact) => Op::Fact(fact),
            Look::Counter(whose, index) => Op::Counter(whose, index),
            Look::Mark(bit) => Op::Mark(bit),
            Look::MarkThere(bit) => Op::MarkThere(bit),
            Look::MarkNamed(bit) => Op::MarkNamed(bit),
            Look::Face(index) => Op::Face(index),
            Look::Pawns(set) => Op::Pawns(places(set)),
            Look::OtherPawns(set) => Op::OtherPawns(places(set)),
            Look::Pairs(set) => Op::Pairs(places(set)),
            Look::OtherPairs(set) => Op::OtherPairs(places(set)),
            Look::PawnsWhere(condition) => Op::PawnsWhere(condition),
            Look::OtherPawnsWhere(condition) => Op::OtherPawnsWhere(condition),
            Look::Amount(index) => {
                let Amount { op, first, second } = self.questions.amounts[index as usize];
                self.add_reads(first, ops, next);
                self.add_reads(second, ops, next);
                op
            }
            Look::Chain(first) => return next.push(first),
        };
        ops.push(op);
    }

    /// Whether a condition is always false.
    pub(super) fn is_never(&self, condition: Option<Program>) -> bool {
        condition.is_some_and(|program| self.questions.first[program.start as usize] == RESULT)
    }

    /// Whether a condition is true. `None` is always true.
    #[inline(always)]
    pub(crate) fn holds(&self, state: &State, condition: Option<Program>, context: &Context) -> bool {
        condition.is_none_or(|program| self.value(state, program, context) != 0)
    }

    /// The value of a program. True is 1, false is 0.
    #[inline(always)]
    pub(crate) fn value(&self, state: &State, program: Program, context: &Context) -> i32 {
        let first = self.questions.first[program.start as usize];
        if is_truth(first) { (first & 1) as i32 } else { self.value_from(state, first, context) }
    }

    /// Follows the chain from question `first`, and returns the result at its end.
    pub(super) fn value_from(&self, state: &State, first: u32, context: &Context) -> i32 {
        let questions = &self.questions;
        let mut next = first;
        while next < RESULT {
            let question = &questions.list[next as usize];
            next = if self.is_so(state, question, context) { question.yes } else { question.no };
        }
        if is_truth(next) {
            return (next & 1) as i32;
        }
        self.look(state, questions.results[(next - RESULT) as usize], context)
    }

    /// The truth of a condition, if it is the same for every pawn. `None` if it depends on the pawn, or if the chain of
    /// questions ends with a value that has to be read first.
    pub(crate) fn value_for_all(&self, state: &State, program: Program, context: &Context) -> Option<i32> {
        let next = self.asked_for_all(state, program, context);
        is_truth(next).then_some((next & 1) as i32)
    }

    /// Follows the chain of a condition up to the first question about a pawn. Returns that question, or the result.
    /// [`Evaluator::value_from`] gives the value for each pawn.
    pub(super) fn asked_for_all(&self, state: &State, program: Program, context: &Context) -> u32 {
        let questions = &self.questions;
        let mut next = questions.first[program.start as usize];
        while next < RESULT {
            let question = &questions.list[next as usize];
            if question.of_pawn {
                break;
            }
            next = if self.is_so(state, question, context) { question.yes } else { question.no };
        }
        next
    }

    #[inline(always)]
    fn is_so(&self, state: &State, question: &Question, context: &Context) -> bool {
        self.passes(self.look(state, question.look, context), question.test)
    }

    /// Whether a value passes a test.
    #[inline(always)]
    pub(super) fn passes(&self, seen: i32, test: Test) -> bool {
        match test {
            Test::Within(least, most) => (least..=most).contains(&seen),
            Test::In(set) => (0..128).contains(&seen) && self.questions.sets[set as usize].has(PathPlace(seen as u8)),
        }
    }
}

/// Whether an index stands for a truth value: [`RESULT`] for false, the index after it for true.
#[inline(always)]
fn is_truth(next: u32) -> bool {
    next & !1 == RESULT
}
