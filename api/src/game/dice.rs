//! The server's dice. Each throw of a game is a fixed function of the game's seed, of the players' contributions, and
//! of the throw's number. With these three, anyone can verify the throw afterwards.
//!
//! 1. The SHA-256 (FIPS 180-4) of the seed is published when the game is created. The seed is a text, used as UTF-8
//!    bytes.
//! 2. A player may contribute a text when joining a seat. The key of the dice is an HMAC-SHA-256 (RFC 2104), with the
//!    seed as its key. Its message has a line `seat=contribution`, with a line feed, for every seat that contributed,
//!    in the order of travel.
//! 3. Throw `n` (from 1) reads the ChaCha20 stream with that key (64-bit block counter from 0, 64-bit nonce `n`) as
//!    32-bit words, least significant byte first. The nonce 0 decides which seat begins, if the rules do not name one.
//! 4. A number below `k` is the next word modulo `k`. Words from the largest multiple of `k` below 2^32 on are skipped,
//!    so that all numbers are equally likely. Each die draws a number below the count of its faces, and shows the face
//!    at this index. Each lot draws a number below 2; 1 means mouth up.
//! 5. When the game is over, the seed is published.

use hmac::{Hmac, KeyInit, Mac};
use pagade_rules::play::{Engine, Seat, Throw};
use pagade_rules::tables::First;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use sha2::{Digest, Sha256};

/// The name, in answers and records, of the scheme by which throws are computed.
pub(crate) const SCHEME: &str = "pagade-dice-1";

/// Maximum number of rounds of a roll-off, in which the seats with the highest sum throw again. If seats are still tied
/// after the last round, the first of them begins.
const ROUNDS: usize = 1000;

#[derive(Clone)]
pub(crate) struct GameDice {
    key: [u8; 32],
}

impl std::fmt::Debug for GameDice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dice").finish_non_exhaustive()
    }
}

/// One round of a roll-off: the seats that throw, in the order of travel, each with its throw.
pub(crate) type RollOffRound = Vec<(Seat, Throw)>;

/// The seat that begins, and how the dice chose it.
#[derive(Debug, Clone)]
pub(crate) struct Beginning {
    /// The seat that begins.
    pub first: Seat,
    /// The rounds of the roll-off: all seats throw, then those that are tied for the highest sum. Empty if the rules
    /// name the seat, or choose it by chance without throws.
    pub roll_off: Vec<RollOffRound>,
}

/// Draws a secret seed: 256 random bits in hexadecimal.
///
/// # Errors
/// The operating system has no random bytes.
pub(crate) fn new_seed() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(const_hex::encode(bytes))
}

/// Computes the hash of a seed: SHA-256 in hexadecimal. It is published when the game is created.
pub fn seed_hash(seed: &str) -> String {
    const_hex::encode(Sha256::digest(seed.as_bytes()))
}

impl GameDice {
    /// Makes the dice for a seed and the players' contributions. Each contribution is a pair of seat and text; the
    /// pairs are in the order of travel.
    pub(crate) fn new<'c>(seed: &str, contributions: impl IntoIterator<Item = (&'c str, &'c str)>) -> Self {
        let mut mixed = Hmac::<Sha256>::new_from_slice(seed.as_bytes()).expect("HMAC takes keys of any length");
        for (seat, text) in contributions {
            mixed.update(format!("{seat}={text}\n").as_bytes());
        }
        Self { key: mixed.finalize().into_bytes().into() }
    }

    /// Draws the throw with this number, from 1.
    pub(crate) fn throw(&self, engine: &Engine, number: u64) -> Throw {
        let mut stream = self.stream(number);
        engine.draw(&mut |below| uniform(&mut stream, below))
    }

    /// Returns the seat that begins: the seat that the rules name, or one that the dice choose.
    pub(crate) fn first(&self, engine: &Engine) -> Seat {
        self.beginning(engine).first
    }

    /// Returns the seat that begins, with the throws that decided it.
    pub(crate) fn beginning(&self, engine: &Engine) -> Beginning {
        let mut stream = self.stream(0);
        match engine.seating.first {
            First::Seat(_) => Beginning { first: engine.first_seat(), roll_off: Vec::new() },
            First::Random => {
                let count = u32::try_from(engine.seating.players.len()).unwrap_or(1);
                let first = engine.seating.players[uniform(&mut stream, count) as usize];
                Beginning { first, roll_off: Vec::new() }
            }
            First::Highest => highest(engine, &mut stream),
        }
    }

    fn stream(&self, number: u64) -> ChaCha20Rng {
        let mut stream = ChaCha20Rng::from_seed(self.key);
        stream.set_stream(number);
        stream
    }
}

/// Holds a roll-off: all seats throw in the order of travel, and those with the highest sum throw again, until one is
/// left or [`ROUNDS`] rounds have passed.
fn highest(engine: &Engine, stream: &mut ChaCha20Rng) -> Beginning {
    let (mut left, mut roll_off) = (engine.seating.players.clone(), Vec::new());
    for _ in 0..ROUNDS {
        let throws = left.iter().map(|seat| (*seat, engine.draw(&mut |below| uniform(stream, below))));
        let throws = throws.collect::<RollOffRound>();
        let most = throws.iter().map(|(_, throw)| throw.total()).max();
        left = throws.iter().filter(|(_, throw)| Some(throw.total()) == most).map(|(seat, _)| *seat).collect();
        roll_off.push(throws);
        if left.len() == 1 {
            break;
        }
    }
    Beginning { first: left[0], roll_off }
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
    use std::collections::HashMap;

    use foldhash::fast::FixedState;

    use super::*;
    use pagade_robots::simulate::{Chance, ThrowTable};
    use pagade_rules::bundled::{self, SETS};

    /// A table of each bundled rule set.
    fn tables() -> Vec<Engine> {
        let table = |(id, _): &(&str, &str)| bundled::ruleset(id).unwrap().table(&Default::default(), None).unwrap();
        SETS.iter().map(table).collect()
    }

    #[test]
    fn a_seed_gives_the_same_throws_forever() {
        let engine = bundled::ruleset("pagade").unwrap().table(&Default::default(), None).unwrap();
        let texts =
            |dice: GameDice| (1..=6).map(|n| engine.throw_text(&dice.throw(&engine, n))).collect::<Vec<_>>().join(" ");
        assert_eq!(texts(GameDice::new("a seed", [])), "3+4 1+1 4+6 1+1 6+6 4+3");
        assert_eq!(texts(GameDice::new("a seed", [("red", "tea"), ("yellow", "leaves")])), "4+3 3+1 6+6 1+6 1+4 3+1");
        assert_eq!(seed_hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    /// Throws a million times and computes Pearson's chi-squared statistic. Returns by how many standard deviations the
    /// statistic differs from its expected value.
    fn deviation(engine: &Engine, mut throw: impl FnMut(u64) -> Throw) -> f64 {
        const THROWS: u64 = 1_000_000;
        let outcomes = engine.outcomes();
        let all = outcomes.iter().map(|(_, ways)| *ways).sum::<u64>() as f64;
        let mut seen = outcomes.iter().map(|(outcome, _)| (*outcome, 0_u64)).collect::<HashMap<_, _, FixedState>>();
        for number in 1..=THROWS {
            let thrown = throw(number);
            *seen.get_mut(&thrown).unwrap() += 1;
        }
        let expected = |ways: u64| THROWS as f64 * ways as f64 / all;
        let terms =
            outcomes.iter().map(|(outcome, ways)| (seen[outcome] as f64 - expected(*ways)).powi(2) / expected(*ways));
        let freedom = (outcomes.len() - 1) as f64;
        (terms.sum::<f64>() - freedom) / (2.0 * freedom).sqrt()
    }

    #[test]
    fn a_million_throws_of_every_randomiser_are_as_likely_as_they_should_be() {
        let mut looked = Vec::new();
        for engine in tables() {
            let shape = format!("{:?}", engine.throws.dice);
            if looked.contains(&shape) {
                continue;
            }
            let dice = GameDice::new("uniform", [("red", "surely")]);
            let served = deviation(&engine, |number| dice.throw(&engine, number));
            let (throws, mut chance) = (ThrowTable::new(&engine), Chance::of_game(1, 1));
            let simulated = deviation(&engine, |_| throws.draw(&mut chance));
            assert!(served.abs() < 4.0 && simulated.abs() < 4.0, "{shape}: {served} {simulated}");
            looked.push(shape);
        }
        assert!(looked.len() >= 7, "{looked:?}");
    }

    #[test]
    fn only_seats_with_equal_highest_throws_throw_again() {
        let mut rounds = 0;
        for engine in tables().iter().filter(|engine| matches!(engine.seating.first, First::Highest)) {
            for seed in 0..200 {
                let Beginning { first, roll_off } = GameDice::new(&seed.to_string(), []).beginning(engine);
                let throwers = |round: &RollOffRound| round.iter().map(|(seat, _)| *seat).collect::<Vec<_>>();
                assert_eq!(throwers(&roll_off[0]), engine.seating.players, "every seat throws once");
                for (index, round) in roll_off.iter().enumerate() {
                    let most = round.iter().map(|(_, throw)| throw.total()).max().unwrap();
                    let best = round.iter().filter(|(_, throw)| throw.total() == most).map(|(seat, _)| *seat);
                    let next = roll_off.get(index + 1).map_or(vec![first], throwers);
                    assert_eq!(best.collect::<Vec<_>>(), next, "{} {seed}", engine.identity.id);
                }
                rounds = rounds.max(roll_off.len());
            }
        }
        assert!(rounds > 1, "some roll-off had a tie");
    }

    #[test]
    fn any_seat_may_begin_where_chance_decides() {
        for engine in tables().iter().filter(|engine| !matches!(engine.seating.first, First::Seat(_))) {
            let firsts = (0..200).map(|seed: u32| GameDice::new(&seed.to_string(), []).first(engine));
            let mut begun = firsts.collect::<Vec<_>>();
            begun.sort_unstable_by_key(|seat| seat.index());
            begun.dedup();
            assert_eq!(begun.len(), engine.seating.players.len(), "{}", engine.identity.id);
        }
    }
}
