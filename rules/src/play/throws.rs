//! Throws: drawing them, checking them against the dice, and turning them into numbers.

use super::given_numbers::banked_by;
use super::state::Throw;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::evaluator::Evaluator;
use crate::play::refusal::Refusal;
use crate::play::state::{Banked, Phase, State};
use crate::play::watch::Watch;
use crate::tables::{Dice, Program};

impl Engine {
    /// Draws a throw. `uniform(n)` must return each number of `0..n` with equal probability.
    pub fn draw(&self, uniform: &mut dyn FnMut(u32) -> u32) -> Throw {
        let mut throw = Throw::default();
        match &self.throws.dice {
            Dice::Faces { count, faces } => {
                throw.count = *count;
                for face in &mut throw.faces[..*count as usize] {
                    *face = faces[uniform(faces.len() as u32) as usize % faces.len()];
                }
            }
            Dice::Lots { count, values } => {
                let up = (0..*count).map(|_| (uniform(2) & 1) as u8).sum::<u8>();
                throw.count = 1;
                throw.faces[0] = values[up as usize];
                throw.up = Some(up);
            }
        }
        throw
    }

    /// Whether the throw is possible with these dice or lots.
    pub(crate) fn can_fall(&self, throw: &Throw) -> bool {
        let rest_is_blank = throw.faces.iter().skip(throw.count as usize).all(|&face| face == 0);
        rest_is_blank
            && match &self.throws.dice {
                Dice::Faces { count, faces } => {
                    let thrown = throw.faces.iter().take(*count as usize);
                    throw.count == *count && throw.up.is_none() && thrown.clone().all(|face| faces.contains(face))
                }
                Dice::Lots { values, .. } => {
                    let value = throw.up.and_then(|up| values.get(up as usize));
                    throw.count == 1 && value == Some(&throw.faces[0])
                }
            }
    }

    pub(crate) fn check_throw(&self, state: &State, throw: &Throw) -> Result<(), Refusal> {
        match state.phase {
            Phase::Throw if self.can_fall(throw) => Ok(()),
            Phase::Throw => Err(Refusal::NoSuchThrow),
            Phase::Over => Err(Refusal::Over),
            _ => Err(Refusal::NoThrowDue),
        }
    }

    /// The numbers that the last throw gives.
    pub(crate) fn numbers_of(&self, state: &State, context: &Context, watch: &mut impl Watch) -> Banked {
        if !watch.hears_lines()
            && let Some(given) = self.given.by(&state.last)
        {
            return given;
        }
        self.numbers_by_lines(state, context, watch)
    }

    #[inline(never)]
    fn numbers_by_lines(&self, state: &State, context: &Context, watch: &mut dyn Watch) -> Banked {
        let holds = |when: Option<Program>| Some(self.holds(state, when, context));
        let value = |program: Program| Some(self.value(state, program, context));
        let (line, mut banked) = banked_by(&self.throws.numbers, &state.last, holds, value).unwrap_or_default();
        if let Some(line) = line {
            watch.fired(line);
        }
        if state.last.is_doublet() {
            banked.flags |= Banked::DOUBLET;
        }
        banked
    }
}

impl Evaluator {
    /// Every possible throw with its weight: dice in every order, lots by how many lie mouth up.
    pub fn outcomes(&self) -> Vec<(Throw, u64)> {
        match &self.throws.dice {
            Dice::Faces { count, faces } => {
                let mut outcomes = vec![(Throw { count: *count, ..Throw::default() }, 1)];
                for die in 0..*count as usize {
                    outcomes = outcomes
                        .iter()
                        .flat_map(|(throw, _)| {
                            faces.iter().map(move |&face| {
                                let mut longer = *throw;
                                longer.faces[die] = face;
                                (longer, 1)
                            })
                        })
                        .collect();
                }
                outcomes
            }
            Dice::Lots { count, values } => (0..=*count)
                .map(|up| {
                    let value = values[up as usize];
                    let ways = (0..u64::from(up)).fold(1, |ways, i| ways * (u64::from(*count) - i) / (i + 1));
                    (Throw { faces: [value, 0, 0, 0], count: 1, up: Some(up) }, ways)
                })
                .collect(),
        }
    }
}
