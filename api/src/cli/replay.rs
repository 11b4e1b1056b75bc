//! `pagade replay`: plays recorded games again.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use pagade_rules::bundled::Bundled;
use pagade_rules::record::{Against, Replay};
use pagade_rules::ruleset::RuleFiles;
use serde_json::json;

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::progress;
use super::sets::{Shelf, is_path};
use super::table::OptionArgs;

const EXAMPLES: &str = "\
Examples:
  pagade simulate pagade --games 200 --record games.ndjson && pagade replay games.ndjson
  pagade replay games.ndjson --ruleset ./my-pagade.yaml
  pagade replay from-elsewhere.ndjson --ruleset pagade --option if_closed=wait

A record keeps the id of its rule set. If the rules are in a file of your own, --ruleset names this file.

For every line, the recorded position, hand and legal actions are compared with those of the rules. A record of another
program may have no header lines; --ruleset then names the rule set of its games.

Exit codes: 0 every line agrees with the rules; 1 a line does not, and the first one is printed; 2 the file cannot be read.";

const NAME_THE_FILE: &str = "\
help: a record keeps the id of its rule set, not the file; for rules of a file add `--ruleset FILE`, such as
        `--ruleset ./my-pagade.yaml`; `pagade list` shows the ids that the program knows";

/// Arguments of `pagade replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Record of games, NDJSON; `-` reads standard input
    file: PathBuf,
    /// Rule set to use instead of the one that the header lines of the record name
    #[arg(long, value_name = "FILE|ID")]
    ruleset: Option<String>,
    #[command(flatten)]
    options: OptionArgs,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the recorded games again. Prints the first line that disagrees with the rules, or the number of games.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let shelf = Shelf::default();
    let find = |name: &str| match is_path(name) || Bundled.find(name).is_some() {
        true => shelf.find(name, Path::new("")),
        false => Err(format!("the program has no rule set with this id\n  {NAME_THE_FILE}")),
    };
    if let Some(name) = &args.ruleset {
        find(name).map_err(CommandError)?;
    }
    let against = Against { ruleset: args.ruleset.clone(), options: args.options.by_name() };
    let mut replay = Replay::new(&find, against);
    let bar = progress::counter("decisions");
    let mut failure = None;
    for line in open(&args.file)?.lines() {
        let line = line.map_err(|error| CommandError::file(&args.file, error))?;
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
            None => print(format_args!("{games} games, {decisions} decisions: every line agrees with the rules"))?,
        }
    }
    Ok(CommandEnding::fine_if(failure.is_none()))
}

/// Returns the name of the file with the record, for messages.
fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() }
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, CommandError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|error| CommandError::file(path, error))?;
    Ok(Box::new(BufReader::new(file)))
}
