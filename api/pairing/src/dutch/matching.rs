//! Perfect matchings of least cost, where a cost has many levels, and each level counts more than all later ones.

use integer_blossom::min_weight_perfect_matching;

use super::wide::{Levelled, Wide};

/// The costs of all pairs of an even number of sides: for each pair, its costs level by level.
pub(super) struct Costs {
    sides: usize,
    levels: usize,
    costs: Vec<u32>,
}

impl Costs {
    /// Prepares costs that are all 0.
    pub(super) fn new(sides: usize, levels: usize) -> Self {
        Self { sides, levels, costs: vec![0; sides * sides * levels] }
    }

    /// The costs of a pair, the most important level first. The smaller number comes first.
    pub(super) fn pair(&mut self, a: usize, b: usize) -> &mut [u32] {
        let from = (a * self.sides + b) * self.levels;
        &mut self.costs[from..from + self.levels]
    }

    fn of(&self, a: usize, b: usize) -> &[u32] {
        let from = (a * self.sides + b) * self.levels;
        &self.costs[from..from + self.levels]
    }

    /// The number of bits of each level, with room for the costs of a whole matching.
    fn bits(&self) -> Vec<u32> {
        let mut largest = vec![0; self.sides * self.levels];
        for a in 0..self.sides {
            for b in a + 1..self.sides {
                for (level, cost) in self.of(a, b).iter().enumerate() {
                    for side in [a, b] {
                        let largest_of_side: &mut u64 = &mut largest[side * self.levels + level];
                        *largest_of_side = (*largest_of_side).max(u64::from(*cost));
                    }
                }
            }
        }
        // Each pair has two sides, so a matching costs at most half of the sum of the largest costs of all sides.
        let sum = |level: usize| largest[level..].iter().step_by(self.levels).sum::<u64>() / 2;
        (0..self.levels).map(|level| u64::BITS - sum(level).leading_zeros()).collect()
    }

    /// Returns the matching of least cost: the partner of each side.
    pub(super) fn matching(&self) -> Vec<usize> {
        let bits = self.bits();
        match bits.iter().sum::<u32>() {
            needed if needed <= <i128 as Levelled>::BITS => self.match_with::<i128>(&bits),
            needed if needed <= Wide::<4>::BITS => self.match_with::<Wide<4>>(&bits),
            needed if needed <= Wide::<8>::BITS => self.match_with::<Wide<8>>(&bits),
            _ => self.match_with::<Wide<24>>(&bits),
        }
    }

    /// Matches by weights of this type. Levels for which a weight has no room left do not count.
    fn match_with<W: Levelled>(&self, bits: &[u32]) -> Vec<usize> {
        let mut room = W::BITS;
        let fits = |bits: &&u32| room.checked_sub(**bits).map(|left| room = left).is_some();
        let bits: Vec<u32> = bits.iter().take_while(fits).copied().collect();
        let mut weights = vec![W::ZERO; self.sides * self.sides];
        for a in 0..self.sides {
            for b in a + 1..self.sides {
                let levels = bits.iter().zip(self.of(a, b)).filter(|(bits, _)| **bits > 0);
                weights[a * self.sides + b] = levels.fold(W::ZERO, |sum, (bits, cost)| sum.with_level(*bits, *cost));
            }
        }
        min_weight_perfect_matching(&weights, self.sides)
    }
}
