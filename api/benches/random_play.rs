//! Measures the speed of random games, and compares it with a program that has the same game written in Rust.
//!
//! `cargo bench -p pagade` plays random games of the rule set `pagade` on one thread, in short rounds that alternate
//! with rounds of the yardstick: a program that plays the same game by rules written in Rust. `PAGADE_YARDSTICK` names
//! its folder (default: `../shared/yardsticks/limit-pagade`); without this folder, only the rates of this engine are
//! printed. Then every bundled rule set is measured in rounds that alternate with `pagade`. Rates are per second of
//! processor time, so that other programs on the machine change them little.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fmt};

use cpu_time::{ProcessTime, ThreadTime};
use pagade_robots::simulate::{Chance, NoRecording, Random, ThrowTable, play};
use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::play::{Counts, Engine, Game, Seat, State};
use pagade_rules::ruleset::{Options, RuleFiles, RuleSet};

/// The rule set that the yardstick plays.
const MEASURED: &str = "pagade";
/// Number of rounds of each program. It is odd, so that the median is the rate of one round.
const ROUNDS: usize = 5;
/// Length of a round.
const ROUND: Duration = Duration::from_millis(1200);
/// Number of rounds of every bundled rule set.
const SHORT_ROUNDS: u64 = 3;
/// Length of a round of every bundled rule set, in which it alternates with `pagade`.
const SHORT_ROUND: Duration = Duration::from_millis(400);

fn main() {
    let set = rule_set(MEASURED);
    let engine = set.table(&Options::new(), None).expect("the defaults of a bundled rule set make a table");
    let yardstick = Yardstick::build();
    let (mut own, mut hand) = (Vec::new(), Vec::new());
    round(&engine, 0, ROUND); // warm up
    for number in 1..=ROUNDS {
        own.push(round(&engine, number as u64, ROUND));
        if let Some(yardstick) = &yardstick {
            hand.extend(yardstick.round(number));
        }
    }
    println!(
        "random {MEASURED}, {} players, one thread; actions a CPU second, median of {ROUNDS} rounds",
        engine.seating.players.len()
    );
    let own = median(own);
    println!("  rules from the file    {}", Millions(own));
    if hand.is_empty() {
        println!("  no yardstick: set PAGADE_YARDSTICK to the folder of limit-pagade to measure it in the same run");
    } else {
        let hand = median(hand);
        println!("  rules by hand          {}", Millions(hand));
        println!("  ratio                  {:.2}", own / hand);
    }
    every_set(&engine);
    sizes(&engine);
    loading();
}

/// Measures every bundled rule set, in short rounds that alternate with rounds of `measured`.
fn every_set(measured: &Engine) {
    println!("every bundled rule set, its full table; beside {MEASURED} in the same minute");
    for (id, _) in SETS {
        let engine =
            rule_set(id).table(&Options::new(), None).expect("the defaults of a bundled rule set make a table");
        let pairs =
            (1..=SHORT_ROUNDS).map(|seed| (round(&engine, seed, SHORT_ROUND), round(measured, seed, SHORT_ROUND)));
        let (rates, shares) = pairs.map(|(own, beside)| (own, own / beside)).unzip();
        println!("  {id:<20} {}, {:.2} of {MEASURED}", Millions(median(rates)), median(shares));
    }
}

fn rule_set(id: &str) -> RuleSet {
    let source = Bundled.find(id).expect("the rule set is bundled");
    RuleSet::check(&source, &Bundled).ruleset.expect("bundled rule sets have no errors")
}

/// Plays random games for a round and returns the actions a CPU second.
fn round(engine: &Engine, seed: u64, length: Duration) -> f64 {
    let throws = ThrowTable::new(engine);
    let mut game = Game::new(engine, Seat::default());
    let mut counts = Counts::default();
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let (mut actions, mut number) = (0, 0);
    while wall.elapsed() < length {
        let mut chance = Chance::of_game(seed, number);
        actions += play(&mut game, &throws, &mut chance, &mut Random, &mut counts, &mut NoRecording).actions;
        number += 1;
    }
    black_box(&counts);
    actions as f64 / cpu.elapsed().as_secs_f64()
}

/// The yardstick program, by its path.
struct Yardstick(PathBuf);

impl Yardstick {
    /// Builds the yardstick, if its folder exists. The build output goes into `target/` of this project.
    fn build() -> Option<Yardstick> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        let folder = env::var_os("PAGADE_YARDSTICK")
            .map_or_else(|| root.join("../shared/yardsticks/limit-pagade"), PathBuf::from);
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            return None;
        }
        let target = root.join("target/yardstick");
        let built = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--release", "--quiet", "--locked", "--manifest-path"])
            .arg(&manifest)
            .arg("--target-dir")
            .arg(&target)
            .status();
        let is_built = built.is_ok_and(|status| status.success());
        is_built.then(|| Yardstick(target.join("release").join("limit-pagade")))
    }

    /// Runs the yardstick for a round and reads the actions a CPU second from its output.
    fn round(&self, seed: usize) -> Option<f64> {
        let seconds = ROUND.as_secs_f64().to_string();
        let output = Command::new(&self.0)
            .args(["--players", "4", "--seconds", &seconds, "--seed", &seed.to_string()])
            .stderr(Stdio::inherit())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let line = text.lines().find(|line| line.starts_with("per CPU second"))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let rate = words.iter().position(|word| *word == "actions/s")?.checked_sub(1)?;
        words[rate].parse().ok()
    }
}

/// Measures the size of a state, and the time to encode and decode it.
fn sizes(engine: &Engine) {
    let state = engine.opening(engine.first_seat());
    let bytes = engine.encode(&state);
    println!("a state of {MEASURED}: {} bytes in memory, {} encoded", size_of::<State>(), bytes.len());
    println!("  encode {:?}, decode {:?}", each(|| engine.encode(&state)), each(|| engine.decode(&bytes)));
}

/// Measures how long every bundled rule set takes from its text to a table.
fn loading() {
    println!("from the text of a rule set to a table (read, checked, built)");
    for (id, _) in SETS {
        println!("  {id:<20} {:?}", each(|| rule_set(id).table(&Options::new(), None)));
    }
}

/// Measures the processor time of one call, as the mean of the calls in a fifth of a second.
fn each<T>(mut call: impl FnMut() -> T) -> Duration {
    let cpu = ProcessTime::now();
    let mut calls = 0;
    loop {
        black_box(call());
        calls += 1;
        let spent = cpu.elapsed();
        if spent > Duration::from_millis(200) {
            return spent / calls;
        }
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Prints a rate in millions.
struct Millions(f64);

impl fmt::Display for Millions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} million", self.0 / 1e6)
    }
}
