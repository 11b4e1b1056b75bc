//! Random numbers for simulations: repeatable, fast, and the same on every machine.

use pagade_rules::play::{Engine, Seat, Throw};
use pagade_rules::tables::First;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The random numbers of one game of a simulation (xoshiro256++).
///
/// Each game has a stream of random numbers of its own, so that it depends neither on its thread nor on earlier games.
/// The generator is good enough for statistics, but players could predict its throws.
#[derive(Debug, Clone)]
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// Makes the random numbers of the game with the number `game`, in the simulation with this seed.
    pub fn of_game(seed: u64, game: u64) -> Chance {
        let key = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        Chance(Xoshiro256PlusPlus::seed_from_u64(key ^ game))
    }

    /// Draws a number from 0 to n - 1. The probability of each differs from 1/n by less than 2^-32.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.0.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Largest number of entries in the table of [`Throws`]. If the dice can fall in more ways, every die is drawn
/// separately.
const MAX_TABLE: u64 = 1 << 16;

/// The possible throws of a rule set, listed so that one random number draws a throw.
#[derive(Debug)]
pub struct Throws<'r> {
    engine: &'r Engine,
    /// Every outcome, as many times as there are ways to throw it; empty if these are more than [`MAX_TABLE`] entries.
    table: Vec<Throw>,
}

impl<'r> Throws<'r> {
    /// Lists the throws of this rule set's dice.
    pub fn new(engine: &'r Engine) -> Self {
        let outcomes = engine.outcomes();
        let total = outcomes.iter().map(|(_, ways)| ways).sum::<u64>();
        let repeated = outcomes.iter().flat_map(|&(throw, ways)| (0..ways).map(move |_| throw));
        Throws { engine, table: if total <= MAX_TABLE { repeated.collect() } else { Vec::new() } }
    }

    /// Draws one throw.
    #[inline(always)]
    pub fn draw(&self, chance: &mut Chance) -> Throw {
        match self.table.get(chance.below(self.table.len() as u32) as usize) {
            Some(throw) => *throw,
            None => self.engine.draw(&mut |n| chance.below(n)),
        }
    }

    /// Chooses the seat that begins: the seat that the rules name, a random seat, or the one with the highest throw
    /// (tied seats throw again).
    pub fn first(&self, chance: &mut Chance) -> Seat {
        let players = &self.engine.seating.players;
        match self.engine.seating.first {
            First::Seat(seat) if players.contains(&seat) => seat,
            First::Seat(_) => players[0],
            First::Random => players[chance.below(players.len() as u32) as usize],
            First::Highest => self.highest(chance),
        }
    }

    fn highest(&self, chance: &mut Chance) -> Seat {
        let mut tied = self.engine.seating.players.clone();
        while tied.len() > 1 {
            let totals: Vec<u32> =
                tied.iter().map(|_| self.draw(chance).faces.iter().map(|&face| u32::from(face)).sum()).collect();
            let best = totals.iter().max().copied().unwrap_or_default();
            let mut totals = totals.into_iter();
            tied.retain(|_| totals.next() == Some(best));
            if self.table.iter().all(|throw| throw.faces == self.table[0].faces) {
                tied.truncate(1); // dice with only one outcome would tie for ever
            }
        }
        tied[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_seed_have_streams_of_their_own() {
        let mut draws: Vec<u32> = (0..1000).map(|game| Chance::of_game(1, game).below(u32::MAX)).collect();
        draws.sort_unstable();
        draws.dedup();
        assert!(draws.len() > 990, "{} different first numbers", draws.len());
    }

    #[test]
    fn a_stream_is_the_same_for_ever() {
        let mut chance = Chance::of_game(7, 3);
        let drawn: Vec<u32> = (0..8).map(|_| chance.below(100)).collect();
        assert_eq!(drawn, [71, 49, 35, 98, 69, 36, 81, 49], "records name their seed: its games must not change");
    }
}
