//! Sets of pawns as bits. Bits are counted and found by table and without a branch, because not every processor has an
//! instruction for it.

/// For each byte, the number of bits set.
static COUNT: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
};

/// For each byte, the position of its n-th set bit.
static NTH: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// For each byte, a mask of the positions for which the byte has a bit set at some *other* position.
static BESIDE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match (byte as u8).count_ones() {
            0 => 0,
            1 => !(byte as u8),
            _ => 255,
        };
        byte += 1;
    }
    table
};

/// The pawns for which the set contains at least one *other* pawn, one bit each. They need not be in the set
/// themselves.
#[inline(always)]
pub(super) fn beside(set: u8) -> u8 {
    BESIDE[set as usize]
}

/// Counts the pawns of a set.
#[inline(always)]
pub(super) fn count(set: u8) -> u32 {
    u32::from(COUNT[set as usize])
}

/// The n-th pawn of a set.
#[inline(always)]
pub(super) fn nth(set: u8, n: u32) -> u8 {
    NTH[set as usize][n as usize & 7]
}

/// Packs four sets of pawns into one number. The bit of a pawn is `N * set + pawn`.
#[inline(always)]
pub(super) fn packed<const N: usize>(sets: [u8; 4]) -> u32 {
    let [a, b, c, d] = sets.map(u32::from);
    a | b << N | c << (2 * N) | d << (3 * N)
}

/// Counts the pawns in four sets that [`packed`] has packed into one number.
#[inline(always)]
pub(super) fn count_all<const N: usize>(packed: u32) -> u32 {
    let [a, b, c, d] = packed.to_le_bytes().map(count);
    if N == 4 { a + b } else { a + b + c + d }
}

/// The n-th pawn in four sets that [`packed`] has packed into one number: the index of its set, and the pawn's index in
/// that set.
#[inline(always)]
pub(super) fn nth_of_all<const N: usize>(packed: u32, n: u32) -> (usize, u8) {
    let bytes = packed.to_le_bytes();
    let [a, b, c, _] = bytes.map(count);
    let (byte, before) = if N == 4 {
        let upper = u32::from(n >= a);
        (upper, a * upper)
    } else {
        let byte = u32::from(n >= a) + u32::from(n >= a + b) + u32::from(n >= a + b + c);
        (byte, [0, a, a + b, a + b + c][byte as usize & 3])
    };
    let bit = 8 * byte as usize + nth((packed >> (8 * byte)) as u8, n - before) as usize;
    (bit / N & 3, (bit % N) as u8)
}

#[cfg(test)]
mod tests {
    use super::{beside, count_all, nth_of_all, packed};

    fn all<const N: usize>(sets: [u8; 4]) -> Vec<(usize, u8)> {
        let sets = packed::<N>(sets);
        (0..count_all::<N>(sets)).map(|n| nth_of_all::<N>(sets, n)).collect()
    }

    #[test]
    fn bits_are_counted_and_found() {
        for sets in [[1, 0, 0, 0], [0, 0, 0, 8], [9, 15, 2, 0], [15, 15, 15, 15], [0, 6, 1, 4]] {
            let bits = |set: usize| (0..8).filter(move |bit| sets[set] >> bit & 1 == 1).map(move |bit| (set, bit));
            let set: Vec<_> = (0..4).flat_map(bits).collect();
            assert_eq!(all::<4>(sets), set);
            assert_eq!(all::<8>(sets), set);
        }
        assert_eq!(all::<8>([0x80, 0, 0x41, 0]), [(0, 7), (2, 0), (2, 6)]);
    }

    #[test]
    fn beside_means_another_one() {
        assert_eq!((beside(0), beside(0b100), beside(0b101)), (0, !0b100, 0xff));
    }
}
