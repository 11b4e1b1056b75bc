//! Measures how many requests the service can answer. In the same run it measures the yardstick, which is the smallest
//! possible server.
//!
//! `tests/load` builds and runs this program. Rates depend on the machine and its other work; the ratios do not.

mod client;
mod compare;
mod connection;
mod peer;
mod processes;
mod robots;
mod round;
mod servers;
mod watchers;

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use client::{Player, Reader, YardstickMover, YardstickReader};
use compare::{Pairs, short_of};
use connection::{Connection, LoadError, post};
use round::round;
use servers::{Pagade, Store, Yardstick};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Smallest rate on Redis that is good enough, as a share of the yardstick's rate.
const LEAST_SHARE_ON_REDIS: f64 = 0.9;
/// Smallest rate in the embedded store that is good enough, as a share of the yardstick's rate.
const LEAST_SHARE_EMBEDDED: f64 = 0.95;
/// Largest p99 on Redis that is good enough, as a multiple of the yardstick's p99.
const MOST_P99: f64 = 2.0;
/// Smallest rate of moves that is good enough, as a multiple of the rate of boardgame.io.
const LEAST_OF_PEER: f64 = 5.0;
/// Largest memory of an idle watcher, in KiB.
const MOST_EACH: f64 = 12.0;
/// Longest time until all followers of a game have an event, in milliseconds.
const MOST_SPREAD: f64 = 100.0;
/// Largest p99 of people's moves beside games full of robots, as a multiple of the p99 without these games.
const MOST_BESIDE_ROBOTS: f64 = 1.2;

/// A group of measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Measurement {
    /// Moves and reads, on Redis and in the embedded store
    Requests,
    /// Idle watchers, and the time until all followers of a game have an event
    Watchers,
    /// People's moves with and without games full of robots beside them
    Robots,
    /// The memory of the service during a long run
    Long,
}

/// Measures the service and a yardstick in turns, and prints the ratios
#[derive(Debug, Parser)]
#[command(name = "tests/load", max_term_width = 120)]
struct Arguments {
    /// What to measure [default: requests and watchers]
    #[arg(value_enum)]
    measurements: Vec<Measurement>,
    /// Connections; each one sends its next request as soon as the previous one is answered
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Seconds that each round takes
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Rounds of each kind, each followed by a round of the yardstick; the median counts
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Ask for the whole game after every move, instead of the brief answers that robots ask for
    #[arg(long)]
    whole: bool,
    /// Idle watchers
    #[arg(long, default_value_t = 10_000)]
    watchers: usize,
    /// Watchers that follow one game
    #[arg(long, default_value_t = 10_000)]
    followers: usize,
    /// Games full of robots
    #[arg(long, default_value_t = 1_000)]
    robot_games: usize,
    /// Minutes of the long run
    #[arg(long, default_value_t = 30)]
    minutes: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    match runtime.block_on(measure(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(broken) => {
            eprintln!("tests/load: {broken}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &Arguments) -> Result<(), LoadError> {
    let measurements = match arguments.measurements.as_slice() {
        [] => &[Measurement::Requests, Measurement::Watchers],
        chosen => chosen,
    };
    let is_compared = measurements.contains(&Measurement::Requests);
    let yardstick = if is_compared { Yardstick::build() } else { None };
    if is_compared && yardstick.is_none() {
        println!(
            "no yardstick: set PAGADE_YARDSTICK_SERVER to the folder of limit-server to measure it in the same run"
        );
    }
    for measurement in measurements {
        match measurement {
            Measurement::Requests => {
                for store in [Store::Redis, Store::Embedded] {
                    requests(arguments, store, yardstick.as_deref()).await?;
                }
            }
            Measurement::Watchers => watchers(arguments).await?,
            Measurement::Robots => beside_robots(arguments).await?,
            Measurement::Long => long(arguments).await?,
        }
    }
    Ok(())
}

/// Runs rounds of moves and of reads, each followed by a round of the yardstick.
async fn requests(arguments: &Arguments, store: Store, yardstick: Option<&Path>) -> Result<(), LoadError> {
    let pagade = Pagade::start(store);
    let yardstick = yardstick.map(|program| Yardstick::start(program, store)).transpose()?;
    let (clients, length) = (arguments.connections, Duration::from_secs(arguments.seconds));
    let (mut moves, mut reads) = (Pairs::default(), Pairs::default());
    let (own, is_brief) = (pagade.address(), !arguments.whole);
    let has_peer = peer::is_installed();
    for _ in 0..arguments.rounds {
        moves.own.push(round(own, clients, length, &pagade.processes(), |_| Player::new(is_brief)).await?);
        if let Some(yardstick) = &yardstick {
            seed(yardstick.address, clients).await?;
            let processes = yardstick.processes();
            moves.beside.push(round(yardstick.address, clients, length, &processes, YardstickMover::new).await?);
        }
        if has_peer {
            moves.peer.push(peer::moves(arguments.seconds)?);
        }
        reads.own.push(round(own, clients, length, &pagade.processes(), |_| Reader::default()).await?);
        if let Some(yardstick) = &yardstick {
            let processes = yardstick.processes();
            reads.beside.push(round(yardstick.address, clients, length, &processes, YardstickReader::new).await?);
        }
    }
    let (durable, aim) = match store {
        Store::Redis => ("on Redis, its log on disk every second", LEAST_SHARE_ON_REDIS),
        Store::Embedded => ("in the embedded store, on disk before the answer", LEAST_SHARE_EMBEDDED),
    };
    println!("\nmoves {durable}, {clients} connections");
    moves.print(aim);
    if let (Store::Redis, Some(times)) = (store, moves.ratio(|round| round.within(0.99))) {
        println!("  p99 {times:.2} times the yardstick's{}", short_of(times <= MOST_P99, MOST_P99));
    }
    if let Some((peer, times)) = moves.of_peer() {
        let short = short_of(times >= LEAST_OF_PEER, LEAST_OF_PEER);
        println!("  boardgame.io, in memory {peer:>9.0} a second; {times:.2} times{short}");
    }
    println!("reads {durable}, {clients} connections");
    reads.print(aim);
    Ok(())
}

/// Resets this number of games of the yardstick to their beginning.
async fn seed(address: SocketAddr, games: usize) -> Result<(), LoadError> {
    let mut connection = Connection::open(address).await?;
    match connection.ask_soon(&post(&format!("/seed/{games}"), "")).await? {
        (204, _) => Ok(()),
        (status, _) => Err(format!("the yardstick's games could not be begun: {status}").into()),
    }
}

async fn watchers(arguments: &Arguments) -> Result<(), LoadError> {
    let (idle, followers) = (arguments.watchers, arguments.followers);
    for store in [Store::Redis, Store::Embedded] {
        let pagade = Pagade::start(store);
        let watched = watchers::watch(pagade.address(), idle, followers, || pagade.memory_kib()).await?;
        let [least, half, most] = watched.spread;
        let name = if store == Store::Redis { "on Redis" } else { "in the embedded store" };
        println!("\n{idle} watchers of one process {name}");
        println!("  {:.1} KiB each{}", watched.each, short_of(watched.each <= MOST_EACH, MOST_EACH));
        println!(
            "  an event came to {followers} within {half:.0} ms ({least:.0} to {most:.0}){}",
            short_of(half <= MOST_SPREAD, MOST_SPREAD)
        );
    }
    Ok(())
}

/// Measures people's moves before and during many games full of robots.
async fn beside_robots(arguments: &Arguments) -> Result<(), LoadError> {
    let mut longest = 0.0_f64;
    for store in [Store::Redis, Store::Embedded] {
        let pagade = Pagade::start(store);
        let found = robots::measure(pagade.address(), arguments.robot_games).await?;
        let name = if store == Store::Redis { "on Redis" } else { "in the embedded store" };
        println!("\npeople's moves beside {} games full of robots {name}", arguments.robot_games);
        for (when, round) in [("without robots", &found.before), ("with robots", &found.beside)] {
            let [half, most] = [0.5, 0.99].map(|share| round.within(share));
            println!("  {when:<14} {:>5.0} moves a second, p50 {half:.2} ms, p99 {most:.2} ms", round.rate());
        }
        println!("  robots         {:>5.0} moves a second", found.robot_moves);
        let times = found.beside.within(0.99) / found.before.within(0.99);
        println!(
            "  p99 {times:.2} times that without robots{}",
            short_of(times <= MOST_BESIDE_ROBOTS, MOST_BESIDE_ROBOTS)
        );
        longest = longest.max(times);
    }
    if longest > MOST_BESIDE_ROBOTS {
        return Err(format!("people waited {longest:.2} times as long beside robots").into());
    }
    Ok(())
}

/// Makes moves for a long time. No request may fail, and memory must not keep growing.
async fn long(arguments: &Arguments) -> Result<(), LoadError> {
    let pagade = Pagade::start(Store::Embedded);
    let begun = Instant::now();
    let parts = 6;
    let length = Duration::from_secs(arguments.minutes * 60) / parts;
    println!("\n{} minutes of moves in the embedded store", arguments.minutes);
    let mut taken = Vec::new();
    for _ in 0..parts {
        let processes = pagade.processes();
        let round =
            round(pagade.address(), arguments.connections, length, &processes, |_| Player::new(!arguments.whole))
                .await?;
        taken.push(pagade.memory_kib());
        let minutes = begun.elapsed().as_secs_f64() / 60.0;
        println!("  {minutes:>5.1} minutes: {:>7.0} moves a second, {:>6} KiB", round.rate(), pagade.memory_kib());
        if round.failed > 0 {
            return Err(format!("{} requests failed", round.failed).into());
        }
    }
    // The memory after the second part is compared with that after the last. The first part is left out, because the
    // caches fill during it.
    let [_, early, .., last] = taken[..] else { return Ok(()) };
    if last > early + early / 10 {
        return Err(format!("memory grew from {early} to {last} KiB").into());
    }
    Ok(())
}
