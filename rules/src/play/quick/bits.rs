//! Bits of a set of actions counted and found by table, without a branch.

/// How many bits are set in a byte, by table: the instruction for it is not on every machine.
static COUNT: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
};

/// The position of the n-th bit set in a byte.
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

/// How many bits are set in each byte and before.
#[inline(always)]
fn counts(bits: u32) -> [u32; 4] {
    let [a, b, c, d] = bits.to_le_bytes().map(|byte| u32::from(COUNT[byte as usize]));
    [a, a + b, a + b + c, a + b + c + d]
}

/// How many bits are set.
#[inline(always)]
pub(super) fn count(bits: u32) -> u32 {
    counts(bits)[3]
}

/// The position of the n-th bit that is set, without a branch.
#[inline(always)]
pub(super) fn nth(bits: u32, n: u32) -> u32 {
    let [a, b, c, _] = counts(bits);
    let byte = u32::from(n >= a) + u32::from(n >= b) + u32::from(n >= c);
    let before = [0, a, b, c][byte as usize & 3];
    byte * 8 + u32::from(NTH[(bits >> (8 * byte)) as usize & 255][(n - before) as usize & 7])
}

#[cfg(test)]
mod tests {
    use super::{count, nth};

    #[test]
    fn bits_are_counted_and_found() {
        for bits in [1u32, 0x8000_0000, 0x0f0f_0102, 0xffff_ffff, 0x0100_0080] {
            assert_eq!(count(bits), bits.count_ones());
            let set: Vec<u32> = (0..32).filter(|bit| bits >> bit & 1 == 1).collect();
            assert!(set.iter().enumerate().all(|(n, &bit)| nth(bits, n as u32) == bit));
        }
    }
}
