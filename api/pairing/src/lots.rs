//! Lots, as in drawing lots: random numbers that decide between entrants whom scores leave equal. They follow from the
//! seed of the tournament, so the same seed gives the same pairings.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::format::TournamentSeed;

/// An odd number whose multiples spread over all bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A stream of random numbers.
pub(super) struct Lots(ChaCha20Rng);

impl Lots {
    /// Opens the stream with this number.
    pub(super) fn new(seed: TournamentSeed, stream: u64) -> Self {
        let mut chance = ChaCha20Rng::from_seed(seed.0);
        chance.set_stream(stream);
        Self(chance)
    }

    /// Draws the next random number.
    pub(super) fn draw(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws an index below `n`. The bias is below one in 2^32 for the numbers of entrants that occur.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).expect("an index has at most 64 bits");
        usize::try_from(self.draw() % n.max(1)).expect("the rest is below an index")
    }
}

/// Mixes two random numbers and the number of a round into one random number.
pub(super) fn mix(a: u64, b: u64, round: u64) -> u64 {
    let mixed = (a ^ b ^ round.wrapping_mul(SPREAD)).wrapping_mul(SPREAD);
    (mixed ^ (mixed >> 32)).wrapping_mul(SPREAD)
}
