//! Up to eight pawns at once: a byte each in a word. Places and squares are below 128, so that the top bit of a byte is
//! free to say yes or no.

/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The byte of a pawn.
#[inline(always)]
pub(super) fn lane(lanes: u64, pawn: usize) -> u8 {
    (lanes >> (8 * pawn)) as u8
}

/// Sets the top bit of a pawn's byte where `flag` is 1.
#[inline(always)]
pub(super) fn flag(flag: u8, pawn: usize) -> u64 {
    u64::from(flag) << (8 * pawn + 7)
}

/// Top bits where two words have the same byte; the other bits mean nothing.
#[inline(always)]
fn same(one: u64, other: u64) -> u64 {
    // No borrow crosses a byte: what is taken away is below 128.
    TOPS - (one ^ other)
}

/// Of `N` bytes each moved down by `by` places, round and round.
#[inline(always)]
fn turned<const N: usize>(lanes: u64, by: usize) -> u64 {
    if N == 4 { u64::from((lanes as u32).rotate_right(8 * by as u32)) } else { lanes.rotate_right(8 * by as u32) }
}

/// The top bits as a bit a pawn.
#[inline(always)]
pub(super) fn pawns(tops: u64) -> u8 {
    (((tops & TOPS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// The pawns whose byte a pawn before them has too.
#[inline(always)]
pub(super) fn repeated<const N: usize>(lanes: u64) -> u8 {
    let mut again = 0;
    for back in 1..N {
        // Bytes that have none `back` before them are compared with nothing: 0 is moved in, and masked out.
        again |= same(lanes, lanes << (8 * back)) & (u64::MAX << (8 * back));
    }
    pawns(again) & ((1u16 << N) - 1) as u8
}

/// Where each pawn stands and gets by one of two dice, and which pawns may take the other one.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub stands: u64,
    pub to: u64,
    pub others_to: u64,
    pub others_may: u64,
}

impl Step {
    /// The pawns after whose step another pawn may step to a square that the first neither left nor came to.
    #[inline(always)]
    pub fn leaves_a_step<const N: usize>(&self) -> u8 {
        let mut leaves = 0;
        for by in 1..N {
            let next = turned::<N>(self.others_to, by);
            let touched = same(self.to, next) | same(self.stands, next);
            leaves |= turned::<N>(self.others_may, by) & !touched;
        }
        pawns(leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, flag, lane, pawns, repeated};

    #[test]
    fn repeated_bytes_are_found_whatever_stands_between() {
        assert_eq!(repeated::<4>(0x0c0c_0706), 0b1000);
        assert_eq!(repeated::<4>(0x0606_0706), 0b1100);
        assert_eq!(repeated::<4>(0), 0b1110);
        assert_eq!(repeated::<8>(0x0102_0304_0506_0701), 0b1000_0000);
        assert_eq!((lane(0x0c07, 1), pawns(flag(1, 3) | flag(0, 2))), (0x0c, 0b1000));
    }

    #[test]
    fn a_step_is_left_where_the_first_changed_nothing() {
        let may = flag(1, 0) | flag(1, 1);
        let step = Step { stands: 0x0403_0201, to: 0x0807_0605, others_to: 0x1817_1615, others_may: may };
        assert_eq!(step.leaves_a_step::<4>(), 0b1111);
        let step = Step { others_may: flag(1, 1), ..step };
        assert_eq!(step.leaves_a_step::<4>(), 0b1101, "a pawn is not its own follower");
        let step = Step { others_to: 0x1817_0515, ..step };
        assert_eq!(step.leaves_a_step::<4>(), 0b1100, "where pawn 0 came to is touched");
        let step = Step { others_to: 0x1817_0415, ..step };
        assert_eq!(step.leaves_a_step::<4>(), 0b0101, "where pawn 3 stood is touched");
    }
}
