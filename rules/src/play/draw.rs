//! Throws: which ones the dice allow, and one drawn from numbers that someone else draws.

use super::state::Throw;
use crate::tables::{Dice, Rules};

impl Rules {
    /// Draws a throw; `uniform(n)` must answer each of 0..n equally likely.
    pub fn draw(&self, uniform: &mut dyn FnMut(u32) -> u32) -> Throw {
        let mut throw = Throw::default();
        match &self.dice {
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

    /// Whether the dice can fall like that.
    pub(crate) fn can_fall(&self, throw: &Throw) -> bool {
        let rest_is_blank = throw.faces.iter().skip(throw.count as usize).all(|&face| face == 0);
        rest_is_blank
            && match &self.dice {
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

    /// Every ordered outcome of one throw; for lots every number of mouths with its weight.
    pub fn outcomes(&self) -> Vec<(Throw, u64)> {
        match &self.dice {
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
