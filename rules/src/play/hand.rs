//! The hand: the numbers and bonuses that a turn has still to spend.

use crate::units::{Due, MAX_BANKED, MAX_BONUSES, MAX_NUMBERS, PawnSet, Pips, ThrowIndex};

/// The numbers of one throw in the hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Banked {
    /// The numbers, in the order thrown. They may differ from the faces: a rule may count a 6 as 7, or a doublet as
    /// four. Entries without a number are 0.
    pub numbers: [Pips; MAX_NUMBERS],
    /// Bit `i`: number `i` is not spent yet.
    pub left: u8,
    /// The pawns that a number of this throw has moved. Empty if no rule asks for them.
    pub moved: PawnSet,
    /// The pawns that stood together with a pawn that this throw has moved away. Empty if no rule asks for them.
    pub parted: PawnSet,
    /// [`Banked::ALL_OR_NONE`] and [`Banked::DOUBLET`].
    pub flags: u8,
}

impl Banked {
    /// Flag: either all of the numbers or none must be spent.
    pub const ALL_OR_NONE: u8 = 1;
    /// Flag: the throw was a doublet, with all its faces equal.
    pub const DOUBLET: u8 = 2;

    /// The same throw with all of its numbers unspent.
    pub(super) fn filled(self) -> Banked {
        let left = self.numbers.iter().enumerate().fold(0, |left, (i, number)| left | u8::from(number.0 > 0) << i);
        Banked { left, ..self }
    }

    /// Whether a number with these pips is spent already.
    #[inline(always)]
    pub(crate) fn has_spent(&self, number: Pips) -> bool {
        (0..MAX_NUMBERS).any(|i| self.numbers[i] == number && self.left >> i & 1 == 0)
    }

    /// Whether no number of the throw is spent.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.count_left() == self.count()
    }

    /// The count of numbers that the throw gave.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        // Numbers are below 128. The addition sets the top bit of each byte that is above 0.
        let tops = (self.word() + 0x7f7f_7f7f) & 0x8080_8080;
        (tops >> 7).wrapping_mul(0x0101_0101) >> 24
    }

    /// The count of numbers of the throw that are not spent.
    #[inline(always)]
    pub(crate) fn count_left(&self) -> u32 {
        // The constant is a table: for each of the 16 masks, four bits with the number of bits set. Not every machine
        // has an instruction that counts bits.
        (0x4332_3221_3221_2110u64 >> (4 * (self.left & 15))) as u32 & 7
    }

    /// The sum of the numbers of the throw whose bits are set in `numbers`.
    #[inline(always)]
    pub(crate) fn sum_of(&self, numbers: u8) -> Pips {
        let masks = [0u32, 0xff, 0xff00, 0xffff, 0xff_0000, 0xff_00ff, 0xff_ff00, 0xff_ffff];
        let mask = masks[numbers as usize & 7] | u32::from(numbers >> 3 & 1) * 0xff00_0000;
        Pips(((self.word() & mask).wrapping_mul(0x0101_0101) >> 24) as u8)
    }

    /// The numbers as one word, one byte each.
    #[inline(always)]
    fn word(&self) -> u32 {
        u32::from_le_bytes(self.numbers.map(|number| number.0))
    }
}

/// Steps that an event granted. One pawn takes them all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bonus {
    /// Number of steps.
    pub steps: Pips,
    /// When the bonus may be taken: before the numbers, after them, or after all throws of the turn.
    pub due: Due,
}

/// The numbers and bonuses that are left to spend.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand {
    /// The throws of this turn, in the order thrown.
    pub banked: [Banked; MAX_BANKED],
    /// Number of entries of `banked` in use. The other entries are default values.
    pub throws: u8,
    /// The bonuses that are left, in the order granted.
    pub bonuses: [Bonus; MAX_BONUSES],
    /// Number of entries of `bonuses` in use. The other entries are default values.
    pub granted: u8,
}

impl Hand {
    /// The throw of the hand with this index. `None` without an index, as for a bonus.
    #[inline(always)]
    pub(crate) fn thrown(&self, throw: Option<ThrowIndex>) -> Option<&Banked> {
        self.banked.get(throw?.index())
    }

    /// Removes all bonuses with this due time.
    pub(crate) fn drop_bonuses(&mut self, due: Due) {
        if self.granted == 0 {
            return;
        }
        let mut kept = 0;
        for i in 0..self.granted as usize {
            if self.bonuses[i].due != due {
                self.bonuses[kept] = self.bonuses[i];
                kept += 1;
            }
        }
        self.bonuses[kept..].fill(Default::default());
        self.granted = kept as u8;
    }

    /// Removes all numbers from the hand.
    pub(crate) fn drop_numbers(&mut self) {
        if self.throws == 0 {
            return;
        }
        self.banked[0] = Banked::default();
        if self.throws > 1 {
            self.banked[1..usize::from(self.throws).min(MAX_BANKED)].fill(Banked::default());
        }
        self.throws = 0;
    }
}
