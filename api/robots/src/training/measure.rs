//! Games of one robot against another, to measure how much the training has improved the weights.

use pagade_rules::play::{Engine, Game, Quiet};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::brain::Brain;
use crate::search::winner;

/// Longest game, in throws and actions. A game that is not over by then counts as lost for the first robot.
const MOST_STEPS: u32 = 20_000;

/// Plays games between two robots, and counts those that the first one wins. The robots take every second seat, and
/// change seats after every game.
pub(super) fn wins(engine: &Engine, brains: [&Brain; 2], games: u64, seed: u64) -> u64 {
    (0..games).filter(|number| is_won(engine, brains, seed, *number)).count() as u64
}

fn is_won(engine: &Engine, brains: [&Brain; 2], seed: u64, number: u64) -> bool {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
    random = Xoshiro256PlusPlus::seed_from_u64(random.next_u64() ^ number);
    let mut below = move |n: u32| (((random.next_u64() >> 32) * u64::from(n)) >> 32) as u32;
    let players = &engine.seating.players;
    let sits = |seat| {
        let index = players.iter().position(|player| *player == seat).unwrap_or_default();
        (index + number as usize) % 2
    };
    let mut game = Game::new(engine, players[below(players.len() as u32) as usize]);
    let mut open = Vec::new();
    for _ in 0..MOST_STEPS {
        if game.is_over() {
            break;
        }
        let before = *game.state();
        if game.needs_throw() {
            let throw = engine.draw(&mut below);
            game.throw_drawn(&throw, &mut Quiet);
        } else {
            open.clear();
            open.extend((0..game.open()).map(|index| game.action(index)));
            let index = brains[sits(before.decider())].choose(engine, &before, &open, &mut below);
            game.play_nth(index, &mut Quiet);
        }
        if let Some(winner) = winner(engine, &before, game.state()) {
            return sits(winner) == 0;
        }
    }
    false
}
