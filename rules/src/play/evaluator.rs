//! Evaluates the conditions and numbers of rules.
//!
//! Conditions and numbers are compiled to chains of questions (`question.rs`): the answer to a question leads to the
//! next one, or to the result.

use std::ops::Deref;

use super::barriers::Barriers;
use super::context::Context;
#[cfg(test)]
mod tests;

use super::question::{Look, Question, Questions, RESULT, Test};
use super::state::State;
use crate::tables::{Fact, Program, Rules, Whose};
use crate::units::PathPlace;

/// Rules together with their compiled conditions and numbers.
#[derive(Debug)]
pub struct Evaluator {
    rules: Rules,
    pub(super) questions: Questions,
    pub(super) barriers: Barriers,
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
        Evaluator { barriers: Barriers::of(&rules), rules, questions }
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

    /// If a condition only asks for marks of the pawn: a mask of these marks, and the values that make the condition
    /// true. Otherwise 0.
    pub(super) fn marks_asked(&self, condition: Program) -> [u8; 2] {
        let first = self.questions.first[condition.start as usize];
        match self.questions.list.get(first as usize) {
            Some(question) => question.marks,
            // The condition is a mark itself.
            None => match self.questions.results.get((first.wrapping_sub(RESULT)) as usize) {
                Some(Look::Mark(bit)) => [1 << bit; 2],
                _ => [0; 2],
            },
        }
    }

    /// The mark without which a condition is false, if it asks for it on the place that a choice names.
    pub(super) fn mark_asked_where_named(&self, condition: Program) -> Option<u8> {
        let first = self.questions.first[condition.start as usize];
        match self.questions.list.get(first as usize) {
            Some(&Question { look: Look::MarkNamed(bit), test: Test::Within(0, 0), yes: RESULT, .. }) => Some(bit),
            Some(_) => None,
            None => match self.questions.results.get(first.wrapping_sub(RESULT) as usize) {
                Some(&Look::MarkNamed(bit)) => Some(bit),
                _ => None,
            },
        }
    }

    /// Follows the chain from question `first`, and returns the result at its end.
    pub(super) fn value_from(&self, state: &State, first: u32, context: &Context) -> i32 {
        let questions = &self.questions;
        let mut next = first;
        while next < RESULT {
            let question = &questions.list[next as usize];
            let [mask, values] = question.marks;
            if mask != 0 {
                return i32::from(state.marks[context.own.index()][context.pawn.index()] & mask == values);
            }
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
    /// [`Evaluator::value_from`] goes on from there for each pawn.
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
        // The looks that are most frequent and fast are not worth a call.
        let seen = match question.look {
            Look::Counter(Whose::Game, index) => state.game[index as usize & 7].into(),
            Look::Counter(Whose::Own, index) => {
                state.counters[self.seating.player[context.own.index()].index()][index as usize & 7].into()
            }
            Look::Fact(Fact::Number) => context.number.0.into(),
            look => self.look(state, look, context),
        };
        self.passes(seen, question.test)
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
