//! The pawns of a colour in one word, one byte for each pawn's place: eight in 64 bits, sixteen in 128. Places are
//! below 127, so that the top bit of each byte is free for flags.

use crate::units::{MAX_PAWNS, PawnSet};

/// 1 in every byte.
pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte.
pub(super) const TOPS: u64 = 0x80 * ONES;
/// A value above every place.
const HIDDEN: u64 = 127;

/// The byte of a pawn.
#[inline(always)]
pub(super) fn lane(lanes: u64, pawn: usize) -> u8 {
    (lanes >> (8 * (pawn & 7))) as u8
}

/// The word with the byte of one pawn replaced.
#[inline(always)]
pub(super) fn with_lane(lanes: u64, pawn: u8, byte: u8) -> u64 {
    let shift = 8 * u32::from(pawn & 7);
    lanes & !(0xff << shift) | u64::from(byte) << shift
}

/// The word with one pawn's byte changed to a value that no other pawn has.
#[inline(always)]
pub(super) fn hidden(lanes: u64, pawn: u8) -> u64 {
    lanes | HIDDEN << (8 * u32::from(pawn & 7))
}

/// Compares two words byte by byte. Returns a mask with one bit for each equal byte.
#[inline(always)]
fn same(one: u64, other: u64) -> u8 {
    // The top bit of a byte stays set only if the two bytes are equal. Each subtracted byte is below 128, so that no
    // borrow crosses into the next byte.
    let tops = TOPS - (one ^ other) & TOPS;
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// For four pawns, a mask of the pawns whose byte is equal to that of an earlier pawn.
///
/// Bit `p` of the index says that pawn `p` is equal to pawn `p - 1`, bit `4 + p` that it is equal to pawn `p - 2`. The
/// pawns count in a circle: pawn 3 comes before pawn 0.
static REPEATED: [u8; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let (second, third, fourth) = (bits & 0x02, bits & 0x44, bits & 0x89);
        table[bits] = (second != 0) as u8 * 2 | (third != 0) as u8 * 4 | (fourth != 0) as u8 * 8;
        bits += 1;
    }
    table
};

/// A mask of the pawns whose byte is equal to that of an earlier pawn.
#[inline(always)]
pub(super) fn repeated<const N: usize>(lanes: u64) -> u8 {
    if N == 4 {
        let four = lanes as u32;
        let before = u64::from(four.rotate_left(8)) | u64::from(four.rotate_left(16)) << 32;
        return REPEATED[same(u64::from(four) | u64::from(four) << 32, before) as usize];
    }
    let mut again = 0;
    for back in 1..N {
        // For the first `back` bytes there is no byte to compare. The comparison takes the zeros that are shifted in,
        // and the mask removes its result.
        again |= same(lanes, lanes << (8 * back)) & (u8::MAX << back);
    }
    again
}

/// A mask of the pawns of a colour whose place is equal to that of an earlier pawn. `pawns` is the number of pawns.
#[inline(always)]
pub(super) fn repeated_of(places: u128, pawns: u8) -> PawnSet {
    let set = match pawns {
        0..=4 => repeated::<4>(places as u64).into(),
        5..=8 => repeated::<8>(places as u64).into(),
        _ => repeated_of_many(places),
    };
    set & all_pawns(pawns)
}

/// The set of all pawns of a colour, one bit each. `pawns` is the number of pawns.
#[inline(always)]
pub(super) fn all_pawns(pawns: u8) -> PawnSet {
    PawnSet::MAX >> (PawnSet::BITS - u32::from(pawns).clamp(1, PawnSet::BITS))
}

#[inline(never)]
fn repeated_of_many(places: u128) -> PawnSet {
    let same_in_half =
        |one: u128, other: u128, half: u32| PawnSet::from(same((one >> half) as u64, (other >> half) as u64));
    let mut again = 0;
    for back in 1..MAX_PAWNS {
        let earlier = places << (8 * back);
        let same = same_in_half(places, earlier, 0) | same_in_half(places, earlier, 64) << 8;
        again |= same & (PawnSet::MAX << back);
    }
    again
}

#[cfg(test)]
mod tests {
    use super::{hidden, lane, repeated, repeated_of, with_lane};

    #[test]
    fn repeated_bytes_of_sixteen_pawns_are_found() {
        let mut places: [u8; 16] = std::array::from_fn(|pawn| pawn as u8 + 1);
        (places[15], places[9]) = (1, 7);
        let word = u128::from_le_bytes(places);
        assert_eq!(repeated_of(word, 16), 1 << 15 | 1 << 9);
        assert_eq!((repeated_of(word, 10), repeated_of(word, 9)), (1 << 9, 0));
        assert_eq!((repeated_of(0, 5), repeated_of(0, 2)), (0b1_1110, 0b10));
    }

    #[test]
    fn repeated_bytes_are_found_whatever_stands_between() {
        assert_eq!(repeated::<4>(0x0c0c_0706), 0b1000);
        assert_eq!(repeated::<4>(0x0606_0706), 0b1100);
        assert_eq!(repeated::<4>(0), 0b1110);
        assert_eq!(repeated::<8>(0x0102_0304_0506_0701), 0b1000_0000);
        assert_eq!(repeated::<4>(hidden(0x0606_0706, 2)), 0b1000, "the hidden pawn is like no other");
    }

    #[test]
    fn a_byte_is_read_and_replaced() {
        assert_eq!((lane(0x0c07, 1), with_lane(0x0c07, 1, 0x11)), (0x0c, 0x1107));
    }
}
