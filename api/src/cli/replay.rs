//! `pagade replay`: recorded games, played again.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use pagade_rules::record::{Against, Replay};
use serde_json::json;

use super::ending::{Ending, Unreadable, print, print_json};
use super::progress;
use super::sets::Shelf;
use super::table::Chosen;

const EXAMPLES: &str = "\
Examples:
  pagade simulate pagade --games 200 --record games.ndjson && pagade replay games.ndjson
  pagade replay from-elsewhere.ndjson --ruleset pagade --option if_closed=wait

Position, hand and the whole set of legal actions of every line are compared with what the rules give. Records of other
programs may lack the header lines; then --ruleset says by which rules they were played.

Exit codes: 0 every line follows; 1 a line does not, the first is told; 2 the file cannot be read.";

/// Arguments of `pagade replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The record: NDJSON; `-` reads standard input
    file: PathBuf,
    /// The rule set, over what the headers say
    #[arg(long, value_name = "FILE|ID")]
    ruleset: Option<String>,
    #[command(flatten)]
    options: Chosen,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the record again.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    let shelf = Shelf::default();
    let find = |name: &str| shelf.find(name, Path::new(""));
    if let Some(name) = &args.ruleset {
        find(name).map_err(Unreadable)?;
    }
    let against = Against { ruleset: args.ruleset.clone(), options: args.options.by_name() };
    let mut replay = Replay::new(&find, against);
    let bar = progress::counter("decisions");
    let mut failure = None;
    for line in open(&args.file)?.lines() {
        let line = line.map_err(|error| Unreadable::file(&args.file, error))?;
        if let Err(error) = replay.line(&line) {
            failure = Some(error);
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (games, decisions) = (replay.games(), replay.decisions());
    if args.json {
        let failure = failure.as_ref().map(
            |error| json!({"line": error.line, "what": error.what, "recorded": error.recorded, "given": error.given}),
        );
        print_json(&json!({"games": games, "decisions": decisions, "failure": failure}))?;
    } else {
        match &failure {
            Some(error) => print(format_args!("{}: {error}", name(&args.file)))?,
            None => print(format_args!("{games} games, {decisions} decisions: every line follows"))?,
        }
    }
    Ok(Ending::fine_if(failure.is_none()))
}

/// As messages call the record.
fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() }
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Unreadable> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|error| Unreadable::file(path, error))?;
    Ok(Box::new(BufReader::new(file)))
}
