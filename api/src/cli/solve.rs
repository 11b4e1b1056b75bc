//! `pagade solve`: computes the exact value of every position of a table for two.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade::ground::cores::cores;
use pagade_robots::solving::{FileError, Progress, Solution, SolveError, SolveSettings, SolveStage, VerifiedValues};
use pagade_rules::play::Engine;
use serde_json::json;

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::progress::{self, ProgressLine};
use super::table::TableArgs;

const EXAMPLES: &str = "\
Examples:
  pagade solve ./ur-three.yaml --out ur-three.solution
  pagade solve royal-game-of-ur --out ur.solution --memory 6000 --verify
  pagade simulate ./ur-three.yaml --robots perfect,learned --solution ur-three.solution

Finds every position that a game can reach, and computes the chance of each seat to win if both play as well as
possible. A position is a state before a throw. If both seats have the same rules, a position with the seats exchanged
has the same value, and only one of the two is kept: --verify proves it for all positions, the search tries many.

Sets of positions that a game never comes back to are solved one after the other, those at the end of the game first.
The chances of a set are computed again and again from those of the positions that follow, until none of them changes by
more than --tolerance. If --memory has no room for the results of all throws of a set, the command plays the
other throws anew each time, which takes longer, and says so.

--out names the file of the positions and values. Before the search, the command checks that it can write the file. It
writes it after the search, every minute and at the end; if the file is there already, it goes on from there, also to a
smaller --tolerance. An empty file counts as missing. The robot `perfect` plays by a finished file that is no coarser
than the default tolerance. A table whose positions need more than --memory is refused, with the number that was found.

Exit codes: 0 solved; 1 --verify found a fault, or a value that is off by more than ten times --tolerance; 2 the table
is too large, is not one for two, or cannot be read, or the file cannot be written.";

/// The default tolerance. It is also the greatest change in the last sweep with which the robot `perfect` accepts a
/// table.
const TOLERANCE: f64 = 1e-9;
/// Smallest tolerance. Below it, values change by the rounding of sums, and the iteration may never end.
const LEAST_TOLERANCE: f64 = 1e-12;
/// `--verify` allows a value to differ by this many tolerances from the value that follows from the positions after it,
/// because those may have changed later in the last sweep.
const RESIDUALS: f64 = 10.0;
/// Interval between two copies of the values on disk.
const SAVED_EVERY: Duration = Duration::from_secs(60);
/// The pause between two copies is at least this many times as long as it took to write the last one.
const SAVING_SHARE: u32 = 20;
/// Size of the buffers of files.
const BUFFER: usize = 1 << 20;

/// Arguments of `pagade solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// File of the positions and values [default: none is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Largest memory for positions, their values, and the positions that throws lead to, in millions of bytes
    #[arg(long, default_value_t = 2_000, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Greatest change of a value at which the iteration ends
    #[arg(long, default_value_t = TOLERANCE, value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: f64,
    /// Number of threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Check the result: play the throws of every position once more, also with the seats exchanged, and compare values
    #[arg(long)]
    verify: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Solves the table, and prints the chances to win by optimal play.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let engine = args.table.load()?;
    let settings = SolveSettings {
        threads: args.threads.map_or_else(cores, NonZero::get),
        memory: usize::try_from(u64::from(args.memory) * 1_000_000).unwrap_or(usize::MAX),
        tolerance: args.tolerance,
        mirror: true,
        in_parts: true,
    };
    let start = Instant::now();
    let mut status = ProgressLine::new();
    let mut solution = match &args.out {
        Some(path) if has_begun(path)? => read(&engine, path)?,
        out => {
            out.as_deref().map_or(Ok(()), check_writable)?;
            find(&engine, &settings, &mut status)?
        }
    };
    solve(&engine, &settings, args.out.as_deref(), &mut solution, &mut status)?;
    let check = args.verify.then(|| solution.verify(&engine, &settings, &mut |progress| status.show(progress, text)));
    status.clear();
    print_solution(args, &engine, &solution, check, start.elapsed())?;
    let is_fine = |check: &VerifiedValues| check.unlike == 0 && check.residual <= RESIDUALS * args.tolerance;
    Ok(CommandEnding::fine_if(check.as_ref().is_none_or(is_fine)))
}

/// Reads a solved table, for the robot that plays by it.
///
/// # Errors
/// The file cannot be read or is not of this table, or its values are incomplete or too coarse.
pub(super) fn load(engine: &Engine, path: &Path) -> Result<Arc<Solution>, CommandError> {
    let solution = read(engine, path)?;
    let (done, all) = (solution.done(), solution.len());
    if done < all {
        return Err(CommandError(format!(
            "`{}` is not finished: it has the values of {done} of {all} positions\n  \
             help: `pagade solve` with this file as `--out` goes on",
            path.display()
        )));
    }
    // The file stores no tolerance, but the greatest change of a value in the last sweep, which is at most the
    // tolerance.
    let change = solution.change();
    if change > TOLERANCE {
        return Err(CommandError(format!(
            "`{}` is too coarse: its values still changed by {change:.1e} in the last sweep, and `perfect` needs \
             {TOLERANCE:e} or less\n  help: `pagade solve` with this file as `--out`, without `--tolerance`, goes on",
            path.display()
        )));
    }
    Ok(Arc::new(solution))
}

/// Reads a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (LEAST_TOLERANCE..1.0).contains(number));
    number.ok_or_else(|| format!("a number from {LEAST_TOLERANCE:e} to below 1 is needed"))
}

fn find(engine: &Engine, settings: &SolveSettings, status: &mut ProgressLine) -> Result<Solution, CommandError> {
    let found = Solution::find(engine, settings, &mut |progress| {
        status.show(progress, text);
        true
    });
    found.map_err(|error| {
        let help = match error {
            SolveError::Colours => "choose options with which each player has one colour",
            SolveError::Players(_) => "`--players 2` chooses a table of two",
            SolveError::AskedOthers => "without the choices of other seats (`who`) the rules can be solved",
            SolveError::TooMany { .. } => "fewer pawns, and counters of a smaller range, make a table smaller",
            _ => "`--memory MB` allows more; fewer pawns make a table smaller",
        };
        CommandError(format!("{error}\n  help: {help}"))
    })
}

/// Computes the values, and writes them to the file from time to time and at the end.
fn solve(
    engine: &Engine,
    settings: &SolveSettings,
    out: Option<&Path>,
    solution: &mut Solution,
    status: &mut ProgressLine,
) -> Result<(), CommandError> {
    if solution.change() > settings.tolerance {
        solution.begin_again();
    }
    if solution.done() == solution.len() {
        return Ok(());
    }
    let mut failed = None;
    // The first call writes the positions that the search has found, before any value is computed.
    let (mut saved, mut pause) = (None, SAVED_EVERY);
    let ended = solution.solve(engine, settings, &mut |solution, progress| {
        status.show(progress, text);
        if let Some(path) = out.filter(|_| saved.is_none_or(|at: Instant| at.elapsed() >= pause)) {
            let begin = Instant::now();
            failed = save(engine, solution, path).err();
            pause = SAVED_EVERY.max(SAVING_SHARE * begin.elapsed());
            saved = Some(Instant::now());
        }
        failed.is_none()
    });
    if let Some(error) = failed {
        return Err(error);
    }
    ended.map_err(|error| CommandError(error.to_string()))?;
    out.map_or(Ok(()), |path| save(engine, solution, path))
}

fn print_solution(
    args: &Args,
    engine: &Engine,
    solution: &Solution,
    check: Option<VerifiedValues>,
    time: Duration,
) -> Result<(), CommandError> {
    let (positions, sweeps, change) = (solution.len(), solution.sweeps(), solution.change());
    let (chances, mirrored) = (solution.chances_to_begin(engine), solution.is_mirrored());
    if args.json {
        let wins: Vec<_> = chances.iter().map(|(seat, chance)| json!({"begins": seat, "wins": chance})).collect();
        let check = check.map(|check| json!({"residual": check.residual, "unlike": check.unlike}));
        return print_json(&json!({
            "ruleset": engine.identity.id, "digest": engine.identity.digest, "positions": positions,
            "mirrored": mirrored, "sweeps": sweeps, "change": change, "check": check, "wins": wins,
        }));
    }
    print(format_args!(
        "{} {}: {positions} positions{}, {sweeps} sweeps, last change {change:.1e}, {:.1} s",
        engine.identity.id,
        engine.identity.version,
        if mirrored { ", each for both seats" } else { "" },
        time.as_secs_f64()
    ))?;
    for (seat, chance) in chances {
        print(format_args!("if {seat} begins and both play perfectly, {seat} wins {:.4} %", 100.0 * chance))?;
    }
    let Some(VerifiedValues { residual, unlike }) = check else { return Ok(()) };
    print(format_args!("check of all positions: no value is off by more than {residual:.1e} from those that follow"))?;
    match (mirrored, unlike) {
        (false, _) => Ok(()),
        (true, 0) => print("in all of them, both seats have the same actions"),
        _ => print(format_args!("in {unlike} of them, the seats do not have the same actions: the values are wrong")),
    }
}

/// One line about the work. `left` is an estimate of the time that it still takes.
fn text(progress: &Progress, left: Option<Duration>) -> String {
    let Progress { positions, done, sweeps, change, anew, .. } = *progress;
    let left = left.map_or(String::new(), |left| format!(", {} left", progress::clock(left)));
    let sweep = if sweeps == 0 { String::new() } else { format!(", sweep {}, change {change:.1e}", sweeps + 1) };
    let anew = match anew {
        0 => String::new(),
        anew => format!(", {anew} of them played anew in every sweep: more --memory would save time"),
    };
    match progress.stage {
        SolveStage::Search => format!("{positions} positions found, {done} of them played"),
        SolveStage::Values => format!("{done} of {positions} positions computed{sweep}{anew}{left}"),
        SolveStage::Check => format!("{done} of {positions} positions checked{left}"),
    }
}

fn read(engine: &Engine, path: &Path) -> Result<Solution, CommandError> {
    let file = File::open(path).map_err(|error| CommandError::file(path, error))?;
    Solution::read(engine, &mut BufReader::with_capacity(BUFFER, file)).map_err(|error| match error {
        FileError::Io(error) => CommandError::file(path, error),
        error => CommandError(format!("`{}` cannot be used: {error}", path.display())),
    })
}

/// Whether an earlier run has written positions to the file. A missing or empty file has none.
///
/// # Errors
/// The path names something else than a file, which the values would replace.
fn has_begun(path: &Path) -> Result<bool, CommandError> {
    match fs::metadata(path) {
        Ok(known) if known.is_file() => Ok(known.len() > 0),
        Ok(_) => Err(not_written(path, "it is no file")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(CommandError::file(path, error)),
    }
}

/// Checks that the values can be written, before a search that may take hours. Leaves no file behind.
fn check_writable(path: &Path) -> Result<(), CommandError> {
    let new = new_file(path);
    let written = File::create(&new).and_then(|_| fs::remove_file(&new));
    written.map_err(|error| not_written(path, error))
}

fn not_written(path: &Path, cause: impl Display) -> CommandError {
    CommandError::file(path, format!("the values cannot be written: {cause}"))
}

/// The path of the new file, which replaces the file at `path` when it is complete.
fn new_file(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Writes the values to a new file, which then replaces the old one. If the command is stopped meanwhile, the old file
/// stays as it is.
fn save(engine: &Engine, solution: &Solution, path: &Path) -> Result<(), CommandError> {
    let new = new_file(path);
    let file = File::create(&new);
    let written = file.and_then(|file| solution.write(engine, &mut BufWriter::with_capacity(BUFFER, file)));
    written.and_then(|()| fs::rename(&new, path)).map_err(|error| CommandError::file(path, error))
}
