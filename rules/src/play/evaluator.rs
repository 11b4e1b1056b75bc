//! Evaluates the conditions and numbers of rules.
//!
//! They are compiled to chains of questions (`question.rs`): the answer to a question leads to the next one, or to the
//! result.

use std::ops::Deref;

use super::context::Context;
#[cfg(test)]
mod tests;

use super::question::{Question, Questions, RESULT, Test};
use super::state::State;
use crate::tables::{Program, Rules};
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
    pub(super) fn new(rules: Rules) -> Evaluator {
        let questions = Questions::of(&rules);
        Evaluator { rules, questions }
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
    fn value_from(&self, state: &State, first: u32, context: &Context) -> i32 {
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
        let questions = &self.questions;
        let mut next = questions.first[program.start as usize];
        while next < RESULT {
            let question = &questions.list[next as usize];
            if question.of_pawn {
                return None;
            }
            next = if self.is_so(state, question, context) { question.yes } else { question.no };
        }
        is_truth(next).then_some((next & 1) as i32)
    }

    #[inline(always)]
    fn is_so(&self, state: &State, question: &Question, context: &Context) -> bool {
        let seen = self.look(state, question.look, context);
        match question.test {
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
