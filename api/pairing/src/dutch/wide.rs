//! Whole numbers wider than 128 bits, as weights of a matching.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::Weight;

/// A whole number of `N` words of 64 bits with a sign, in two's complement, the lowest word first.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Add for Wide<N> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        let mut carry = false;
        for (own, more) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = own.overflowing_add(more);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*own, carry) = (sum, over || again);
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (own, less) in self.0.iter_mut().zip(other.0) {
            let (rest, under) = own.overflowing_sub(less);
            let (rest, again) = rest.overflowing_sub(u64::from(borrow));
            (*own, borrow) = (rest, under || again);
        }
        self
    }
}

impl<const N: usize> AddAssign for Wide<N> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for Wide<N> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |words: &[u64; N]| words[N - 1].cast_signed();
        sign(&self.0).cmp(&sign(&other.0)).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self([0; N]);
    const ONE: Self = {
        let mut words = [0; N];
        words[0] = 1;
        Self(words)
    };

    fn inf() -> Self {
        let mut words = [u64::MAX; N];
        words[N - 1] = u64::MAX >> 3;
        Self(words)
    }

    fn double(self) -> Self {
        self + self
    }

    /// Half of an even number.
    fn half(self) -> Self {
        let mut words = self.0;
        for (word, higher) in words.iter_mut().zip(&self.0[1..]) {
            *word = *word >> 1 | higher << 63;
        }
        words[N - 1] = (self.0[N - 1].cast_signed() >> 1).cast_unsigned();
        Self(words)
    }
}

/// A weight that is made of levels of costs.
pub(super) trait Levelled: Weight {
    /// The number of bits of the largest weight that a matching can work with.
    const BITS: u32;

    /// Adds a level below all others: shifts the number left by `bits` bits, and adds the cost.
    #[must_use]
    fn with_level(self, bits: u32, cost: u32) -> Self;
}

impl Levelled for i128 {
    const BITS: u32 = 122;
    fn with_level(self, bits: u32, cost: u32) -> Self {
        (self << bits) + Self::from(cost)
    }
}

impl<const N: usize> Levelled for Wide<N> {
    // A matching doubles weights and adds two of them; one bit is the sign. The cast of a small number loses nothing.
    const BITS: u32 = 64 * N as u32 - 6;
    fn with_level(self, bits: u32, cost: u32) -> Self {
        let mut words = self.0;
        if bits > 0 {
            for place in (1..N).rev() {
                words[place] = self.0[place] << bits | self.0[place - 1] >> (64 - bits);
            }
            words[0] = self.0[0] << bits;
        }
        words[0] += u64::from(cost);
        Self(words)
    }
}

#[cfg(test)]
mod tests {
    use integer_blossom::Weight;

    use super::{Levelled, Wide};

    /// Converts a number to a wide one: adds its quotient by 2^40 and the remainder as two levels.
    fn wide(number: i128) -> Wide<3> {
        let size = number.unsigned_abs();
        let level = |shift: u32| u32::try_from(size >> shift & 0xFFFF_FFFF).unwrap();
        let size = (0..4).rev().fold(Wide::ZERO, |wide: Wide<3>, place| wide.with_level(32, level(32 * place)));
        if number < 0 { Wide::ZERO - size } else { size }
    }

    #[test]
    fn wide_numbers_calculate_like_narrow_ones() {
        let bits = [0, 1, 2, 0xFFFF_FFFF, 1 << 63, u64::MAX.into(), 1 << 64, (1 << 90) + 7];
        let numbers: Vec<i128> = bits.into_iter().flat_map(|number: i128| [number, -number]).collect();
        for a in &numbers {
            assert_eq!(wide(2 * *a).half(), wide(*a));
            assert_eq!(wide(*a).double(), wide(2 * *a));
            for b in &numbers {
                assert_eq!(wide(*a) + wide(*b), wide(a + b), "{a} + {b}");
                assert_eq!(wide(*a) - wide(*b), wide(a - b), "{a} - {b}");
                assert_eq!(wide(*a).cmp(&wide(*b)), a.cmp(b), "{a} and {b}");
            }
        }
        assert!(Wide::<3>::inf() > wide(1 << 120));
    }
}
