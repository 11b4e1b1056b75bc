//! `pagade verify`: proves that the dice of a recorded game come from its seed.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pagade::{VerifiedRecord, verify};
use serde_json::json;

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::sets::Shelf;

const EXAMPLES: &str = "\
Examples:
  curl -s http://127.0.0.1:8080/v1/games/ID/record | pagade verify -
  pagade verify record.ndjson --hash ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

Proves three things: the seed has the published hash; every throw follows from the seed and the players' contributions;
every action is legal. --hash is the `seed_hash` that the service showed when the game was created. Without it, the hash is
taken from the record, and the proof is only as good as the record. The documentation of `GET /v1/games/{id}/dice` explains
how throws follow from the seed.

Exit codes: 0 the dice are proven; 1 they are not, and the reason is printed; 2 the file cannot be read.";

/// Arguments of `pagade verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Record of a game, NDJSON or text; `-` reads standard input
    file: PathBuf,
    /// Hash of the seed, as the service showed it when the game was created
    #[arg(long, value_name = "SHA-256")]
    hash: Option<String>,
    /// Rule set to use instead of the one that the record names
    #[arg(long, value_name = "FILE|ID")]
    ruleset: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Verifies a record and prints the proof, or the reason why there is none.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let text = read(&args.file)?;
    let shelf = Shelf::default();
    let outcome = verify(
        &text,
        |head| shelf.find(args.ruleset.as_deref().unwrap_or(&head.ruleset), Path::new("")),
        args.hash.as_deref(),
    );
    if args.json {
        print_json(&match &outcome {
            Ok(proven) => json!({
                "proven": true, "rule_set": proven.rule_set, "seed_hash": proven.seed_hash, "first": proven.first,
                "contributions": proven.contributions, "throws": proven.throws, "steps": proven.steps,
            }),
            Err(why) => json!({"proven": false, "why": why.to_string()}),
        })?;
    } else {
        match &outcome {
            Ok(proven) => print_proof(proven, args.hash.is_some())?,
            Err(why) => print(format_args!("not proven: {why}"))?,
        }
    }
    Ok(CommandEnding::fine_if(outcome.is_ok()))
}

fn print_proof(proven: &VerifiedRecord, is_hash_given: bool) -> Result<(), CommandError> {
    let VerifiedRecord { rule_set, seed_hash, first, contributions, throws, steps } = proven;
    let origin = if is_hash_given {
        "that you gave"
    } else {
        "in the record; compare it with the one that you saw when the game was created"
    };
    let chance = match contributions {
        0 => "the seed".to_owned(),
        1 => "the seed and one contribution".to_owned(),
        count => format!("the seed and {count} contributions"),
    };
    print(format_args!("the seed has the hash {origin}: {seed_hash}"))?;
    print(format_args!("the first player ({first}) and all {throws} throws follow from {chance}"))?;
    print(format_args!("all {steps} steps are legal by the rules of {rule_set}"))
}

fn read(path: &Path) -> Result<String, CommandError> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| CommandError::file(path, error))?;
        return Ok(text);
    }
    fs::read_to_string(path).map_err(|error| CommandError::file(path, error))
}
