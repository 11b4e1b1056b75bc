//! `pagade simulate`: plays many random games and prints statistics.

use std::fs::File;
use std::io::BufWriter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use pagade::ground::cores::cores;
use pagade_robots::simulate::{Plan, Robots, Summary, Tally, Times, record, run as play, run_timed as play_timed};
use pagade_rules::play::Engine;

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::table::TableArgs;
use super::{progress, solve, train};

const EXAMPLES: &str = "\
Examples:
  pagade simulate pagade --games 10000
  pagade simulate pagade --players 2 --option min_cuts=0 --seed 7
  pagade simulate ./my-pagade.yaml --games 200 --record games.ndjson
  pagade simulate pagade --players 2 --games 2000 --robots hunter,random
  pagade simulate royal-game-of-ur --robots learned,expectimax-3
  pagade simulate royal-game-of-ur --robots thinker-8,thinker --games 200 --times
  pagade simulate pagade --games 100 --robots seek:landing.pair-by-pair,spend.joint,pair_formed

Random robots choose one of the distinct legal actions, all with the same probability. They take a voluntary action only
if the alternative is to pass. The same seed gives the same games, whatever the number of threads. A turn counts if its
seat throws, also if it then passes. Each action counts as one; a pass is no action.

Named robots (`--robots hunter,runner`) sit at the seats in this order, again from the first name if there are more
seats, and move on by one seat after each game. `runner` moves the pawn that is nearest home. `hunter` captures the pawn
that loses most steps, else wins a throw, else brings a pawn home, else plays as `runner`. `thinker` tries every
way to spend the hand, and values steps, pawns in danger and the gate. `learned` does so by values that self-play has
found (`pagade train`): those that come with the program, or those of --lessons. Two more robots are for comparison:
`expectimax-N` looks N throws ahead and compares how far all pawns have come, and `perfect` plays by the table that
`pagade solve` has written (--solution). The summary says how often each robot won, with the 95 % interval.

`thinker-N` and `learned-N` may do N times the work for each decision, from 1 (`thinker`, the level at which the service
plays) to 1000. They play the next turns on, with all throws and the actions that they would choose, for as many turns
as the work allows, and play better. Work is counted and not timed, so that their games can be repeated, too.

--times tells for each named robot how long its decisions took: those among several legal actions, in time of the
processor, without other threads.

Robots that seek (`--robots seek:..`) choose an action that leads to one of the named events (cut, home, pair_formed, left,
throw_granted, ..: the words of records), or makes one of the named rule lines fire, before the next decision. An earlier
name goes before a later one. If no action does, they choose at random. They bring rare rules into whole games.

A rule line fires each time it has an effect on the game. A `landing` or `passing` line that refuses fires once for each
place and number that it forbids; a `passing` line that lets pass fires when a pawn passes; a `must` line fires when it
removes actions from the choice. A decision is a point with more than one legal action. The first mover's advantage is
the share of games that the beginner wins, minus the fair share.

Exit codes: 0 all games ended; 1 some reached the turn cap; 2 the rule set cannot be read, or the record cannot be written.";

/// With neither `--lines` nor `--count-only`, a simulation prints statistics if it has at most this many games.
const STATISTICS_UP_TO: u64 = 20_000;

/// Arguments of `pagade simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Robots that play: names for the seats, such as `hunter,runner` or `thinker-8,thinker`; or `seek:` with the
    /// events and rule lines that robots try to reach
    #[arg(long, default_value = "random", value_name = "HOW")]
    robots: String,
    /// Solved table by which the robot `perfect` plays: a file of `pagade solve`
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    /// Lessons by which the robot `learned` plays, in place of those of the program: a file of `pagade train`
    #[arg(long, value_name = "FILE")]
    lessons: Option<PathBuf>,
    /// Write a record of every game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print how much time of the processor each named robot took for a decision: the median, 99 of 100, the longest
    #[arg(long, conflicts_with = "record")]
    times: bool,
    /// Print statistics of rule lines, decisions and first movers [default: for up to 20000 games]
    #[arg(long, conflicts_with = "count_only")]
    lines: bool,
    /// Leave out the statistics of rule lines, decisions and first movers, which is faster
    #[arg(long)]
    count_only: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints the summary.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let engine = args.table.load()?;
    let threads = args.threads.map_or_else(cores, NonZero::get);
    if let Some(path) = &args.lessons {
        train::teach(&engine, path)?;
    }
    let solution = args.solution.as_ref().map(|path| solve::load(&engine, path)).transpose()?;
    let robots = Robots::parse_with(&args.robots, &engine, solution);
    let plan = Plan {
        games: args.games,
        seed: args.seed,
        threads,
        robots: robots.map_err(|error| CommandError(error.to_string()))?,
        lines: args.lines || !args.count_only && args.games <= STATISTICS_UP_TO,
    };
    if args.times && plan.robots.lineup.is_empty() {
        let help = "name the robots of the seats, as in `--robots learned`";
        return Err(CommandError(format!("`--times` measures named robots\n  help: {help}")));
    }
    let bar = progress::bar(plan.games, "games");
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let tick = |games| bar.inc(games);
    let (tally, decision_times) = match &args.record {
        Some(path) => (write(&engine, &plan, path, &bar).map_err(|error| CommandError::file(path, error))?, Vec::new()),
        None if args.times => play_timed(&engine, &plan, &tick),
        None => (play(&engine, &plan, &tick), Vec::new()),
    };
    let times = Times::of(&tally, wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    bar.finish_and_clear();
    let summary = Summary::new(&engine, &plan, &tally, times).with_decision_times(&plan, &decision_times);
    if args.json {
        print_json(&summary)?;
    } else {
        print(&summary)?;
        if let Some(number) = summary.stuck_games.first().filter(|_| args.record.is_none()) {
            let (pad, seed, games) = (" ".repeat(17), args.seed, number + 1);
            print(format_args!(
                "{pad}help: `--seed {seed} --games {games} --record games.ndjson` writes these games,"
            ))?;
            print(format_args!("{pad}with every position; those of game {number} have `\"game\":{number}`"))?;
        }
    }
    Ok(CommandEnding::fine_if(summary.stuck == 0))
}

fn write(engine: &Engine, plan: &Plan, path: &Path, bar: &ProgressBar) -> std::io::Result<Tally> {
    let mut out = BufWriter::new(File::create(path)?);
    record(engine, plan, &mut out, &|games| bar.inc(games))
}
