//! `pagade verify`: were the dice of a game what its seed gives?

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pagade::service::{Verified, verify};
use serde_json::json;

use super::ending::{Ending, Unreadable, print, print_json};
use super::sets::Shelf;

const EXAMPLES: &str = "\
Examples:
  curl -s http://127.0.0.1:8080/v1/games/ID/record | pagade verify -
  pagade verify record.ndjson --hash ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

Checks that the seed fits its hash, that every throw is what the seed and the players' contributions give, and that every
decision follows from the rules. --hash is the `seed_hash` that you saw when the game was created: with it, the proof does
not rest on what the record says of it. The scheme stands at `GET /v1/games/{id}/dice` in the documentation.

Exit codes: 0 the dice are proven; 1 they are not, and why; 2 the file cannot be read.";

/// Arguments of `pagade verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The record, NDJSON or text; `-` reads standard input
    file: PathBuf,
    /// The seed's hash as it was published when the game was created
    #[arg(long, value_name = "SHA-256")]
    hash: Option<String>,
    /// The rule set, over what the record says
    #[arg(long, value_name = "FILE|ID")]
    ruleset: Option<String>,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

/// Verifies a record.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
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
            Ok(proven) => tell(proven, args.hash.is_some())?,
            Err(why) => print(format_args!("not proven: {why}"))?,
        }
    }
    Ok(Ending::fine_if(outcome.is_ok()))
}

fn tell(proven: &Verified, is_given: bool) -> Result<(), Unreadable> {
    let Verified { rule_set, seed_hash, first, contributions, throws, steps } = proven;
    let noted = if is_given { "that you noted" } else { "in the record; compare it with what you saw at the start" };
    let mixed = match contributions {
        0 => "says".to_owned(),
        1 => "and one contribution say".to_owned(),
        more => format!("and {more} contributions say"),
    };
    print(format_args!("the seed fits the hash {noted}: {seed_hash}"))?;
    print(format_args!("{first} begins and {throws} throws fell as the seed {mixed}"))?;
    print(format_args!("all {steps} steps follow from the rules of {rule_set}"))
}

fn read(path: &Path) -> Result<String, Unreadable> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| Unreadable::file(path, error))?;
        return Ok(text);
    }
    fs::read_to_string(path).map_err(|error| Unreadable::file(path, error))
}
