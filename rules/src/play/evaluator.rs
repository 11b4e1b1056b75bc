//! Conditions and numbers of rules, asked of a state.

use std::ops::Deref;

use super::context::Context;
#[cfg(test)]
mod tests;

use super::question::{Question, Questions, RESULT, Test};
use super::state::State;
use crate::tables::{Program, Rules};
use crate::units::PathPlace;

/// Rules with their conditions and numbers ready to be asked.
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
    /// Makes the conditions of some rules ready.
    pub(super) fn new(rules: Rules) -> Evaluator {
        let questions = Questions::of(&rules);
        Evaluator { rules, questions }
    }

    /// Whether a condition holds; no condition always does.
    #[inline(always)]
    pub(crate) fn holds(&self, state: &State, condition: Option<Program>, context: &Context) -> bool {
        condition.is_none_or(|program| self.value(state, program, context) != 0)
    }

    /// The value of a program; truth is 1 and 0.
    #[inline(always)]
    pub(crate) fn value(&self, state: &State, program: Program, context: &Context) -> i32 {
        let first = self.questions.first[program.start as usize];
        if is_truth(first) { (first & 1) as i32 } else { self.value_from(state, first, context) }
    }

    /// The value to which a question leads.
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

    /// The value of a program where it is the same for every pawn, wherever that stands or goes.
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
            Test::In(set) => (0..128).contains(&seen) && self.questions.sets[set as usize].has(seen as PathPlace),
        }
    }
}

/// Whether what a program led to is truth.
#[inline(always)]
fn is_truth(next: u32) -> bool {
    next & !1 == RESULT
}
