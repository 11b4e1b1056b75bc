//! scratch
use pagade_rules::bundled;
use pagade_rules::play::*;
use pagade_rules::ruleset::Options;
use std::time::Instant;
struct Chance(u64);
impl Chance {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ z >> 31) >> 32) * u64::from(n) >> 32) as u32
    }
}
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse::<f64>()
        .unwrap()
        / 1e9
}
fn main() {
    let secs: f64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let ids: Vec<String> = std::env::args().skip(2).collect();
    let all: Vec<String> = bundled::SETS.iter().map(|s| s.0.to_string()).collect();
    for id in if ids.is_empty() { all } else { ids } {
        let rules = bundled::ruleset(&id).unwrap().table(&Options::new(), None).unwrap();
        let mut outcomes = vec![];
        for (t, w) in rules.outcomes() {
            for _ in 0..w {
                outcomes.push(t);
            }
        }
        let mut game = Game::new(&rules, Seat::default());
        let (mut actions, mut throws, mut games, mut open, mut hash) = (0u64, 0u64, 0u64, 0u64, 0u64);
        let start = Instant::now();
        let c0 = cpu();
        // a fixed number of games gives a fingerprint of behaviour
        while start.elapsed().as_secs_f64() < secs || games < 8 {
            let mut chance = Chance(games);
            game.restart(rules.players[games as usize % rules.players.len()]);
            let mut steps = 0u64;
            while !game.is_over() && steps < 20000 {
                steps += 1;
                if game.needs_throw() {
                    throws += 1;
                    let throw = outcomes[chance.below(outcomes.len() as u32) as usize];
                    game.throw_drawn(&throw, &mut Quiet);
                } else {
                    open += game.open() as u64;
                    let i = chance.below(game.open() as u32) as usize;
                    if games < 8 {
                        let a = game.action(i);
                        hash = (hash
                            ^ (a.from as u64) << 8
                            ^ a.to as u64
                            ^ (a.throw as u64) << 16
                            ^ (a.numbers as u64) << 24
                            ^ (game.open() as u64) << 32)
                            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                            .rotate_left(23);
                    }
                    game.play_nth(i, &mut Quiet);
                    actions += 1;
                }
            }
            games += 1;
            if games == 8 {
                hash ^= actions;
            }
        }
        let t = cpu() - c0;
        println!(
            "{id:<20} {:.2} M/s  {:.0} ns/action  {:.2} throws/action {:.2} open  hash {hash:016x}",
            actions as f64 / t / 1e6,
            t * 1e9 / actions as f64,
            throws as f64 / actions as f64,
            open as f64 / actions as f64
        );
    }
}
