//! `pagade simulate`: many games by chance.

use std::fs::File;
use std::io::BufWriter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use pagade::simulate::{Plan, Robots, Summary, Tally, Times, record, run as play};
use pagade_rules::play::Engine;

use super::ending::{Ending, Unreadable, print, print_json};
use super::progress;
use super::table::Table;

const EXAMPLES: &str = "\
Examples:
  pagade simulate pagade --games 10000
  pagade simulate pagade --players 2 --option min_cuts=0 --seed 7
  pagade simulate ./my-pagade.yaml --games 200 --record games.ndjson
  pagade simulate pagade --games 100 --robots seek:landing.pair-by-pair,spend.joint,pair_formed

Every decision takes one of the distinct legal actions, all equally likely; ways that are voluntary only where the
alternative is to pass. The same seed gives the same games, whatever the number of threads. A turn is counted when
something is thrown, passes included; an action is one part-move; a pass is none.

Robots that seek play an action after which one of the events comes (cut, home, pair_formed, left, throw_granted, ..: as
records name them) or one of the rule lines fires, before anybody decides again; of several names the first counts most.
Where nothing can be had, they play at random. So rules that chance seldom comes to are met in whole games.

Rule lines fire when they decide what is played. A line of `landing` or `passing` that refuses fires for each place and
number that it keeps from being a move, a line of `must` where it leaves less to choose from, a line of `passing` that
lets pass where it is passed. A decision is a point with more than one legal action. The first mover's advantage is
its part of the games won, less its fair part.

Exit codes: 0 all games ended; 1 some reached the turn cap; 2 the rule set cannot be read or the record not written.";

/// Up to so many games, the use of rule lines is counted without being asked for.
const LINES_UP_TO: u64 = 20_000;

/// Arguments of `pagade simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: Table,
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Where all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads play [default: one a processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Who decides: `random`, or `seek:` and events or rule lines, apart by commas, that the robots look for
    #[arg(long, default_value = "random", value_name = "HOW")]
    robots: String,
    /// Write every decision of every game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Statistics: how often each rule line fired, what there was to decide, who began [default: up to 20000 games]
    #[arg(long, conflicts_with = "count_only")]
    lines: bool,
    /// No such statistics: as fast as can be
    #[arg(long)]
    count_only: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the games and tells what came of them.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    let rules = args.table.lay()?;
    let threads = args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
    let plan = Plan {
        games: args.games,
        seed: args.seed,
        threads,
        robots: Robots::parse(&args.robots, &rules).map_err(|error| Unreadable(error.to_string()))?,
        lines: args.lines || !args.count_only && args.games <= LINES_UP_TO,
    };
    let bar = progress::bar(plan.games, "games");
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let tally = match &args.record {
        Some(path) => write(&rules, &plan, path, &bar).map_err(|error| Unreadable::file(path, error))?,
        None => play(&rules, &plan, &|games| bar.inc(games)),
    };
    let times = Times::of(&tally, wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    bar.finish_and_clear();
    let summary = Summary::new(&rules, &plan, &tally, times);
    if args.json {
        print_json(&summary)?;
    } else {
        print(&summary)?;
    }
    Ok(Ending::fine_if(summary.stuck == 0))
}

fn write(rules: &Engine, plan: &Plan, path: &Path, bar: &ProgressBar) -> std::io::Result<Tally> {
    let mut out = BufWriter::new(File::create(path)?);
    record(rules, plan, &mut out, &|games| bar.inc(games))
}
