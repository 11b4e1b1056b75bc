//! `pagade simulate`: many games by chance.

use std::fs::File;
use std::io::BufWriter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use cpu_time::ProcessTime;
use indicatif::ProgressBar;
use pagade::simulate::{Plan, Summary, Tally, Times, record, run as play};
use pagade_rules::tables::Rules;

use super::ending::{Ending, Unreadable, print, print_json};
use super::progress;
use super::table::Table;

const EXAMPLES: &str = "\
Examples:
  pagade simulate pagade --games 10000
  pagade simulate pagade --players 2 --option min_cuts=0 --seed 7
  pagade simulate ./my-pagade.yaml --games 200 --record games.ndjson

Every decision takes one of the distinct legal actions, all equally likely. The same seed gives the same games, whatever
the number of threads. A turn is counted when something is thrown, passes included; an action is one part-move; a pass
is none. Lines of the rules that only forbid are not counted: what they forbid is not played.

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
    /// Write every decision of every game to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Count how often each rule line was used [default: up to 20000 games]
    #[arg(long, conflicts_with = "count_only")]
    lines: bool,
    /// Do not count how often each rule line was used: as fast as can be
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
    let summary = Summary::new(&rules, plan.seed, &tally, times);
    if args.json {
        print_json(&summary)?;
    } else {
        print(&summary)?;
    }
    Ok(Ending::fine_if(summary.stuck == 0))
}

fn write(rules: &Rules, plan: &Plan, path: &Path, bar: &ProgressBar) -> std::io::Result<Tally> {
    let mut out = BufWriter::new(File::create(path)?);
    record(rules, plan, &mut out, &|games| bar.inc(games))
}
