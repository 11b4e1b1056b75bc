//! The numbers that throws give. Those that depend on nothing but the throw are kept in a table.

use super::evaluator::Evaluator;
use super::question::{Look, RESULT};
use super::state::{Banked, Throw};
use crate::tables::{Dice, Fact, LineId, Numbers, Program};
use crate::units::{MAX_STEP, Pips};

/// For each value of a single die or of lots, the numbers that the throw gives. `None` where a condition decides.
#[derive(Debug)]
pub(super) struct GivenNumbers(Vec<Option<Banked>>);

impl GivenNumbers {
    pub(super) fn of(rules: &Evaluator) -> GivenNumbers {
        let values = match &rules.throws.dice {
            Dice::Faces { count: 1, faces: values } | Dice::Lots { values, .. } => values,
            Dice::Faces { .. } => return GivenNumbers(Vec::new()),
        };
        let mut given = vec![None; 256];
        for &value in values {
            given[usize::from(value)] = numbers_of(rules, value);
        }
        GivenNumbers(given)
    }

    /// The numbers of a throw. `None` if they depend on more than the throw.
    #[inline(always)]
    pub(super) fn by(&self, throw: &Throw) -> Option<Banked> {
        self.0.get(usize::from(throw.faces[0])).copied().flatten()
    }
}

fn numbers_of(rules: &Evaluator, value: u8) -> Option<Banked> {
    let settled = rules.settled(&|look| match look {
        Look::Fact(Fact::Total) | Look::Face(0) => Some(value.into()),
        Look::Face(_) | Look::Fact(Fact::Doublet) => Some(0),
        _ => None,
    });
    let value_of = |program: Program| {
        let first = settled.comes_to(rules.questions.first[program.start as usize]);
        if first < RESULT { None } else { rules.questions.constant(first) }
    };
    let holds = |when: Option<Program>| when.map_or(Some(true), |when| Some(value_of(when)? != 0));
    let throw = Throw { faces: [value, 0, 0, 0], ..Throw::default() };
    banked_by(&rules.throws.numbers, &throw, holds, value_of).map(|(_, banked)| banked)
}

/// The numbers that a throw gives, and the line that gives them: the first whose condition holds. Without such a line,
/// the numbers are the faces. `None` if a condition or value is not known.
pub(super) fn banked_by(
    lines: &[Numbers],
    throw: &Throw,
    holds: impl Fn(Option<Program>) -> Option<bool>,
    value: impl Fn(Program) -> Option<i32>,
) -> Option<(Option<LineId>, Banked)> {
    for line in lines {
        if !holds(line.when)? {
            continue;
        }
        let mut banked = Banked::default();
        for (number, program) in banked.numbers.iter_mut().zip(&line.numbers) {
            *number = Pips(value(*program)?.clamp(0, MAX_STEP.0.into()) as u8);
        }
        banked.flags = if line.all_or_none { Banked::ALL_OR_NONE } else { 0 };
        return Some((Some(line.line), banked.filled()));
    }
    Some((None, Banked { numbers: throw.faces.map(Pips), ..Banked::default() }.filled()))
}
