//! Dice: throw `n` of a game is a fixed function of its seed and `n`, so anyone who knows the seed can check it.
//!
//! Key = BLAKE3 `derive_key("pagade dice v1", seed)`; throw `n` (from 1) reads ChaCha20 with that key, stream `n`, from
//! its beginning; a number below `k` is a 32-bit word modulo `k`, words from the last incomplete multiple of `k` on are
//! skipped. Stream 0 decides who begins where the rules leave that to chance.

use pagade_rules::play::{Seat, Throw};
use pagade_rules::tables::{First, Rules};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::error::{Problem, internal};

/// Most rounds of throwing for the highest; then the first of those tied begins.
const ROUNDS: usize = 1000;

/// A seed nobody knows.
///
/// # Errors
/// The operating system gives no randomness.
pub fn new_seed() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(internal)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is published of a seed before the game is over.
pub fn seed_hash(seed: &str) -> String {
    blake3::hash(seed.as_bytes()).to_hex().to_string()
}

/// Throw `number` (from 1) of the game with this seed.
pub fn throw(rules: &Rules, seed: &str, number: u64) -> Throw {
    let mut stream = stream(seed, number);
    rules.draw(&mut |below| uniform(&mut stream, below))
}

/// Who begins.
pub fn first(rules: &Rules, seed: &str) -> Seat {
    let mut stream = stream(seed, 0);
    match rules.first {
        First::Seat(_) => rules.first_seat(),
        First::Random => {
            let count = u32::try_from(rules.players.len()).unwrap_or(1);
            rules.players[uniform(&mut stream, count) as usize]
        }
        First::Highest => highest(rules, &mut stream),
    }
}

/// Everyone throws; those with the most throw again until one is left.
fn highest(rules: &Rules, stream: &mut ChaCha20Rng) -> Seat {
    let mut left = rules.players.clone();
    for _ in 0..ROUNDS {
        let throws = left.iter().map(|seat| {
            let throw = rules.draw(&mut |below| uniform(stream, below));
            (*seat, throw.faces.iter().map(|&face| u32::from(face)).sum::<u32>())
        });
        let throws = throws.collect::<Vec<_>>();
        let most = throws.iter().map(|(_, sum)| *sum).max();
        left = throws.into_iter().filter(|(_, sum)| Some(*sum) == most).map(|(seat, _)| seat).collect();
        if left.len() == 1 {
            break;
        }
    }
    left[0]
}

fn stream(seed: &str, number: u64) -> ChaCha20Rng {
    let mut stream = ChaCha20Rng::from_seed(blake3::derive_key("pagade dice v1", seed.as_bytes()));
    stream.set_stream(number);
    stream
}

fn uniform(stream: &mut ChaCha20Rng, below: u32) -> u32 {
    let below = below.max(1);
    let limit = u32::MAX - u32::MAX % below;
    loop {
        let word = stream.next_u32();
        if word < limit {
            return word % below;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_forever() {
        let mut stream = stream("a seed", 1);
        let numbers: Vec<u32> = (0..12).map(|_| uniform(&mut stream, 4)).collect();
        let mut again = super::stream("a seed", 1);
        assert_eq!(numbers, (0..12).map(|_| uniform(&mut again, 4)).collect::<Vec<_>>());
        assert!(numbers.iter().all(|&number| number < 4));
    }

    #[test]
    fn each_number_is_as_likely_as_another() {
        let mut stream = stream("another seed", 7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[uniform(&mut stream, 6) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
