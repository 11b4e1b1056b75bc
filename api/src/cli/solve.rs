//! `pagade solve`: computes the exact value of every position of a table for two.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use pagade::solving::{FileError, Graph, Solution, Values, read, write};
use pagade_rules::play::Engine;
use serde_json::json;

use super::ending::{CommandError, Ending, print, print_json};
use super::progress;
use super::table::TableArgs;

const EXAMPLES: &str = "\
Examples:
  pagade solve ./ur-three.yaml --out ur-three.solution
  pagade solve royal-game-of-ur --option pieces=five --memory 6000 --out ur-five.solution
  pagade simulate ./ur-three.yaml --robots perfect,learned --solution ur-three.solution

Finds every position that a game can reach, and computes the chance of each seat to win if both play as well as
possible. A position is a state before a throw. The chances are computed again and again from those of the positions
that follow, until none of them changes by more than --tolerance.

--out names the file of the values. The command writes it every minute and at the end; if the file is there already, it
goes on from its values. A table whose positions need more than --memory is refused, with the number that was found.

Exit codes: 0 solved; 2 the table is too large, is not one for two, or cannot be read, or the file cannot be written.";

/// Interval between two copies of the values on disk.
const SAVED_EVERY: Duration = Duration::from_secs(60);

/// Arguments of `pagade solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// File of the values [default: none is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Memory for positions and what they lead to, in millions of bytes
    #[arg(long, default_value_t = 2_000, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Greatest change of a value at which the iteration ends
    #[arg(long, default_value_t = 1e-9)]
    tolerance: f64,
    /// Number of threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Solves the table, and prints what optimal play wins.
pub(super) fn run(args: &Args) -> Result<Ending, CommandError> {
    let engine = args.table.load()?;
    let threads = args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZero::get);
    let start = Instant::now();
    let graph = find(&engine, args.memory)?;
    let mut values = match &args.out {
        Some(path) if path.exists() => values_of(&engine, &graph, path)?,
        _ => Values::even(graph.len()),
    };
    let bar = progress::counter(&format!("sweeps over {} positions", graph.len()));
    let (mut saved, mut failed) = (Instant::now(), None);
    values.iterate(&graph, threads, args.tolerance, &mut |values| {
        bar.set_position(values.sweeps.into());
        if let Some(path) = args.out.as_ref().filter(|_| saved.elapsed() >= SAVED_EVERY) {
            failed = save(&engine, values, path).err();
            saved = Instant::now();
        }
        failed.is_none()
    });
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    if let Some(path) = &args.out {
        save(&engine, &values, path)?;
    }
    let (positions, progress) = (graph.len(), values.progress());
    let chances = Solution::new(graph, values).chances_to_begin(&engine);
    if args.json {
        let wins: Vec<_> = chances.iter().map(|(seat, chance)| json!({"begins": seat, "wins": chance})).collect();
        print_json(&json!({
            "ruleset": engine.identity.id, "digest": engine.identity.digest, "positions": positions,
            "sweeps": progress.sweeps, "change": progress.change, "wins": wins,
        }))?;
        return Ok(Ending::Fine);
    }
    print(format_args!(
        "{} {}: {positions} positions, {} sweeps, last change {:.1e}, {:.1} s",
        engine.identity.id,
        engine.identity.version,
        progress.sweeps,
        progress.change,
        start.elapsed().as_secs_f64()
    ))?;
    for (seat, chance) in chances {
        print(format_args!("if {seat} begins and both play perfectly, {seat} wins {:.4} %", 100.0 * chance))?;
    }
    Ok(Ending::Fine)
}

/// Reads a solved table, for the robot that plays by it.
pub(super) fn load(engine: &Engine, path: &Path) -> Result<Arc<Solution>, CommandError> {
    // The positions of a finished file needed no more memory than this when it was written.
    let graph = find(engine, u32::MAX)?;
    let values = values_of(engine, &graph, path)?;
    Ok(Arc::new(Solution::new(graph, values)))
}

fn find(engine: &Engine, megabytes: u32) -> Result<Graph, CommandError> {
    let bar = progress::counter("positions");
    let memory = usize::try_from(u64::from(megabytes) * 1_000_000).unwrap_or(usize::MAX);
    let graph = Graph::find(engine, memory, &mut |found, _| bar.set_position(found as u64));
    bar.finish_and_clear();
    graph.map_err(|error| {
        CommandError(format!("{error}\n  help: `--memory MB` allows more; fewer pawns make a table smaller"))
    })
}

fn values_of(engine: &Engine, graph: &Graph, path: &Path) -> Result<Values, CommandError> {
    let file = File::open(path).map_err(|error| CommandError::file(path, error))?;
    read(engine, graph.len(), &mut BufReader::new(file)).map_err(|error| match error {
        FileError::Io(error) => CommandError::file(path, error),
        error => CommandError(format!("`{}` cannot be used: {error}", path.display())),
    })
}

/// Writes the values to a new file, which then replaces the old one: a command that is stopped leaves one of the two.
fn save(engine: &Engine, values: &Values, path: &Path) -> Result<(), CommandError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let written = File::create(&new).and_then(|file| write(engine, values, &mut BufWriter::new(file)));
    written.and_then(|()| fs::rename(&new, path)).map_err(|error| CommandError::file(path, error))
}
