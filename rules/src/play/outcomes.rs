//! The outcomes that a condition can have where some facts are known.

use super::code::of_two;
use super::evaluator::Evaluator;
use super::question::{Amount, Look, RESULT};
use crate::tables::{Fact, Op, Program};

impl Evaluator {
    /// For each value of a fact below `count`: whether a condition can be true where the fact has this value. `None` is
    /// always true.
    pub(super) fn may_hold_by(&self, condition: Option<Program>, fact: Fact, count: usize) -> Vec<bool> {
        let Some(condition) = condition else { return vec![true; count] };
        let may_hold = |value: usize| {
            let known = |other: Fact| (other == fact).then_some(value as i32);
            self.outcomes_under(condition, &known)[1]
        };
        if self.read_by(condition).contains(&Op::Fact(fact)) {
            (0..count).map(may_hold).collect()
        } else {
            vec![may_hold(0); count]
        }
    }

    /// Whether a condition can be false, and whether it can be true, where some facts have known values.
    pub(super) fn outcomes_under(&self, condition: Program, known: &impl Fn(Fact) -> Option<i32>) -> [bool; 2] {
        let mut outcomes = [false; 2];
        let (mut asked, mut open) = (vec![false; self.questions.list.len()], Vec::new());
        open.push(self.questions.first[condition.start as usize]);
        while let Some(next) = open.pop() {
            if next >= RESULT {
                let value = self.value_under(self.questions.results[(next - RESULT) as usize], known);
                outcomes[0] |= value.is_none_or(|value| value == 0);
                outcomes[1] |= value.is_none_or(|value| value != 0);
                continue;
            }
            let question = &self.questions.list[next as usize];
            if std::mem::replace(&mut asked[next as usize], true) {
                continue;
            }
            match self.value_under(question.look, known) {
                Some(seen) => open.push(if self.passes(seen, question.test) { question.yes } else { question.no }),
                None => open.extend([question.yes, question.no]),
            }
        }
        outcomes
    }

    /// The value of a look, if the known facts decide it.
    fn value_under(&self, look: Look, known: &impl Fn(Fact) -> Option<i32>) -> Option<i32> {
        match look {
            Look::Known(value) => Some(value.into()),
            Look::Fact(fact) => known(fact),
            Look::Amount(index) => match self.questions.amounts[index as usize] {
                Amount { op: Op::CountAt(_), .. } => None,
                Amount { op, first, second } => {
                    Some(of_two(op, self.value_under(first, known)?, self.value_under(second, known)?))
                }
            },
            _ => None,
        }
    }
}
