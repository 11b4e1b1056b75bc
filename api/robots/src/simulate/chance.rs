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

/// Largest number of entries in the table of [`ThrowTable`]. If the dice can fall in more ways, every die is drawn
/// separately.
const MAX_TABLE: u64 = 1 << 16;

/// The possible throws of a rule set, listed so that one random number draws a throw.
#[derive(Debug)]
pub struct ThrowTable<'r> {
    engine: &'r Engine,
    /// Every outcome, as many times as there are ways to throw it; empty if these are more than [`MAX_TABLE`] entries.
    table: Vec<Throw>,
    /// Whether all throws have the same total, so that no throw is the highest.
    is_constant: bool,
}

impl<'r> ThrowTable<'r> {
    /// Lists the throws of this rule set's dice.
    pub fn new(engine: &'r Engine) -> Self {
        let outcomes = engine.outcomes();
        let total = outcomes.iter().map(|(_, ways)| ways).sum::<u64>();
        let repeated = outcomes.iter().flat_map(|&(throw, ways)| (0..ways).map(move |_| throw));
        let table = if total <= MAX_TABLE { repeated.collect() } else { Vec::new() };
        let is_constant = outcomes.windows(2).all(|pair| pair[0].0.total() == pair[1].0.total());
        ThrowTable { engine, table, is_constant }
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
            let totals: Vec<u8> = tied.iter().map(|_| self.draw(chance).total()).collect();
            let best = totals.iter().max().copied().unwrap_or_default();
            let mut totals = totals.into_iter();
            tied.retain(|_| totals.next() == Some(best));
            if self.is_constant {
                tied.truncate(1); // the seats would tie for ever
            }
        }
        tied[0]
    }
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled::Bundled;
    use pagade_rules::ruleset::{Options, RuleSet};
    use pagade_rules::source::Source;

    use super::*;

    /// How often each of two seats begins in 1,000 games, if the highest throw of four dice with these faces decides.
    fn beginners(faces: &str) -> [u32; 2] {
        let head = "rules: dice\nversion: 1.0.0\ntitle: Dice\nextends: ludo\n";
        let text = format!("{head}dice: {{count: 4, faces: [{faces}]}}\nturn: {{first: highest}}\n");
        let checked = RuleSet::check(&Source { name: "dice".to_owned(), text }, &Bundled);
        let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
        let engine = set.table(&Options::new(), Some(&["red".to_owned(), "yellow".to_owned()])).unwrap();
        let throws = ThrowTable::new(&engine);
        let mut begun = [0; 2];
        for game in 0..1000 {
            let first = throws.first(&mut Chance::of_game(1, game));
            begun[engine.seating.players.iter().position(|seat| *seat == first).unwrap()] += 1;
        }
        begun
    }

    #[test]
    fn tied_seats_throw_again_also_with_dice_that_fall_in_very_many_ways() {
        let even = |begun: [u32; 2]| assert!(begun.iter().all(|count| *count > 430), "{begun:?}");
        even(beginners("1, 2"));
        // 160,000 ways, most of which are ties.
        even(beginners(&format!("{}6", "1, ".repeat(19))));
        assert_eq!(beginners(&["1"; 20].join(", ")), [1000, 0], "the seats would tie for ever");
    }

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
