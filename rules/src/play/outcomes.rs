//! Finds the possible results of a condition if some values are known beforehand, and the values that it still reads.

use super::code::of_two;
use super::evaluator::Evaluator;
use super::question::{Amount, Look, RESULT};
use crate::tables::{Fact, Op, Program};

/// The questions of all programs, settled for some known values. The entry of a question is its replacement: the
/// question itself, or, if its answer is known or makes no difference, a later question or a result.
pub(super) struct Settled(Vec<u32>);

impl Settled {
    /// The question or result that replaces this question or result.
    pub(super) fn comes_to(&self, next: u32) -> u32 {
        if next >= RESULT { next } else { self.0[next as usize] }
    }
}

impl Evaluator {
    /// For each value of a fact below `count`: whether a condition can be true where the fact has this value. `None` is
    /// always true.
    pub(super) fn may_hold_by(&self, condition: Option<Program>, fact: Fact, count: usize) -> Vec<bool> {
        let Some(condition) = condition else { return vec![true; count] };
        let may_hold = |value: usize| {
            let value_of = |look: Look| (look == Look::Fact(fact)).then_some(value as i32);
            self.outcomes_under(condition, &value_of)[1]
        };
        if self.read_by(condition).contains(&Op::Fact(fact)) {
            (0..count).map(may_hold).collect()
        } else {
            vec![may_hold(0); count]
        }
    }

    /// Whether a condition can be false, and whether it can be true, where some values are known.
    pub(super) fn outcomes_under(&self, condition: Program, known: &impl Fn(Look) -> Option<i32>) -> [bool; 2] {
        let comes_to = |mut next: u32| {
            while next < RESULT {
                let Some(answer) = self.answer_under(next, known) else { break };
                next = answer;
            }
            next
        };
        let mut outcomes = [false; 2];
        self.walk(condition, &comes_to, &mut |look, is_result, _| {
            if is_result {
                let value = self.value_under(look, known);
                outcomes[0] |= value.is_none_or(|value| value == 0);
                outcomes[1] |= value.is_none_or(|value| value != 0);
            }
        });
        outcomes
    }

    /// The operations whose values a program may read. Parts that never affect its value are left out.
    pub(super) fn read_by(&self, program: Program) -> Vec<Op> {
        self.read(program, &|next| next)
    }

    /// Settles the questions of all programs where some values are known.
    pub(super) fn settled(&self, known: &impl Fn(Look) -> Option<i32>) -> Settled {
        let mut settled = Settled(Vec::new());
        // A question comes after the questions to which it leads.
        for index in 0..self.questions.list.len() as u32 {
            let question = &self.questions.list[index as usize];
            let (yes, no) = (settled.comes_to(question.yes), settled.comes_to(question.no));
            let answer = self.answer_under(index, known).map(|answer| settled.comes_to(answer));
            settled.0.push(answer.unwrap_or(if yes == no { yes } else { index }));
        }
        settled
    }

    /// The operations whose values a program may read after its questions were settled.
    pub(super) fn read_after(&self, settled: &Settled, program: Program) -> Vec<Op> {
        self.read(program, &|next| settled.comes_to(next))
    }

    /// Whether a condition is false after its questions were settled.
    pub(super) fn is_never_after(&self, settled: &Settled, condition: Option<Program>) -> bool {
        let first = |program: Program| settled.comes_to(self.questions.first[program.start as usize]);
        condition.is_some_and(|condition| first(condition) == RESULT)
    }

    fn read(&self, program: Program, comes_to: &impl Fn(u32) -> u32) -> Vec<Op> {
        let mut ops = Vec::new();
        self.walk(program, comes_to, &mut |look, _, open| self.add_reads(look, &mut ops, open));
        ops
    }

    /// Goes through all questions and results that a program may reach, and calls `each` with the look of every one and
    /// with whether it is a result. `comes_to` replaces a question or result by another one. `each` may add further
    /// questions to the list that it receives.
    fn walk(
        &self,
        program: Program,
        comes_to: &impl Fn(u32) -> u32,
        each: &mut impl FnMut(Look, /* is_result */ bool, &mut Vec<u32>),
    ) {
        let mut asked = vec![false; self.questions.list.len()];
        let mut open = vec![self.questions.first[program.start as usize]];
        while let Some(next) = open.pop() {
            let next = comes_to(next);
            if next >= RESULT {
                each(self.questions.results[(next - RESULT) as usize], true, &mut open);
            } else if !std::mem::replace(&mut asked[next as usize], true) {
                let question = &self.questions.list[next as usize];
                each(question.look, false, &mut open);
                open.extend([question.yes, question.no]);
            }
        }
    }

    /// The next question or the result after a question, if the known values answer it.
    fn answer_under(&self, question: u32, known: &impl Fn(Look) -> Option<i32>) -> Option<u32> {
        let question = &self.questions.list[question as usize];
        let seen = self.value_under(question.look, known)?;
        Some(if self.passes(seen, question.test) { question.yes } else { question.no })
    }

    /// The value of a look, if the known values decide it.
    fn value_under(&self, look: Look, known: &impl Fn(Look) -> Option<i32>) -> Option<i32> {
        match look {
            Look::Known(value) => Some(value.into()),
            Look::Amount(index) => match self.questions.amounts[index as usize] {
                Amount { op: Op::CountAt(_), .. } => None,
                Amount { op, first, second } => {
                    Some(of_two(op, self.value_under(first, known)?, self.value_under(second, known)?))
                }
            },
            look => known(look),
        }
    }

    /// Adds the operations of a look to `ops`, and the first questions of the programs that it runs to `open`.
    fn add_reads(&self, look: Look, ops: &mut Vec<Op>, open: &mut Vec<u32>) {
        let places = |set: u32| self.questions.sets[set as usize].places();
        if let Look::PawnsWhere(_, condition) = look {
            open.push(self.questions.first[condition.start as usize]);
        }
        let op = match look {
            Look::Known(value) => Op::Push(value),
            Look::Fact(fact) => Op::Fact(fact),
            Look::Counter(whose, index) => Op::Counter(whose, index),
            Look::Mark(bit) => Op::Mark(bit),
            Look::MarkThere(bit) => Op::MarkThere(bit),
            Look::OwnMarkThere(bit) => Op::OwnMarkThere(bit),
            Look::MarkNamed(bit) => Op::MarkNamed(bit),
            Look::Face(index) => Op::Face(index),
            Look::Pawns(counted, set) => Op::Pawns(counted, places(set)),
            Look::Pairs(counted, set) => Op::Pairs(counted, places(set)),
            Look::PawnsWhere(counted, condition) => Op::PawnsWhere(counted, condition),
            Look::Amount(index) => {
                let Amount { op, first, second } = self.questions.amounts[index as usize];
                self.add_reads(first, ops, open);
                self.add_reads(second, ops, open);
                op
            }
            Look::Chain(first) => return open.push(first),
        };
        ops.push(op);
    }
}
