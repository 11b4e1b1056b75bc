//! `pagade verify`: proves that the dice of recorded games come from their seeds.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pagade::{RecordHeader, Unproven, VerifiedRecord, verify};
use serde_json::{Value, json};

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

A file of several games, such as the export of a tournament, is proven game by game.

Exit codes: 0 the dice of all games are proven; 1 some are not, and the reason is printed; 2 the file cannot be read.";

/// Arguments of `pagade verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Record of a game, NDJSON or text, or of several games, NDJSON; `-` reads standard input
    file: PathBuf,
    /// Hash of the seed, as the service showed it when the game was created; for a record of one game
    #[arg(long, value_name = "SHA-256")]
    hash: Option<String>,
    /// Rule set to use instead of the one that the record names
    #[arg(long, value_name = "FILE|ID")]
    ruleset: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Verifies each game of a record, and prints the proofs, or the reasons why there are none.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let text = read(&args.file)?;
    let shelf = Shelf::default();
    let prove = |record: &str| {
        let find = |head: &RecordHeader| shelf.find(args.ruleset.as_deref().unwrap_or(&head.ruleset), Path::new(""));
        verify(record, find, args.hash.as_deref())
    };
    let games = games_of(&text);
    if let [_, _, ..] = games[..] {
        return if args.hash.is_some() {
            Err(CommandError(format!(
                "the file has {} games, and `--hash` is the hash of one game's seed\n  help: leave `--hash` out, and \
                 compare the hashes that are printed, or give a file of one game",
                games.len()
            )))
        } else {
            prove_each(&games, args.json, &prove)
        };
    }
    let outcome = prove(&text);
    if args.json {
        print_json(&as_json(&outcome))?;
    } else {
        match &outcome {
            Ok(proven) => print_proof(proven, args.hash.is_some())?,
            Err(why) => print(format_args!("not proven: {why}"))?,
        }
    }
    Ok(CommandEnding::fine_if(outcome.is_ok()))
}

/// A game of a record: the number of its first line, from 1, and its text.
type RecordedGame<'t> = (usize, &'t str);

/// Divides a record in NDJSON into its games, each of which begins with a header line. Another text, and lines before
/// the first header, are one game.
fn games_of(text: &str) -> Vec<RecordedGame<'_>> {
    let is_header = |line: &str| line.starts_with('{') && serde_json::from_str::<RecordHeader>(line).is_ok();
    let mut games: Vec<(usize, usize)> = Vec::new(); // of each game, the number and the offset of its first line
    let mut offset = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        if games.is_empty() || is_header(line) {
            games.push((number, offset));
        }
        offset += line.len();
    }
    let ends = games.iter().skip(1).map(|(_, begin)| *begin).chain([text.len()]);
    games.iter().zip(ends).map(|(&(number, begin), end)| (number, &text[begin..end])).collect()
}

/// Verifies the games of a record one by one.
fn prove_each(
    games: &[RecordedGame<'_>],
    is_json: bool,
    prove: &dyn Fn(&str) -> Result<VerifiedRecord, Unproven>,
) -> Result<CommandEnding, CommandError> {
    let outcomes: Vec<_> = games.iter().map(|(line, record)| (line, prove(record))).collect();
    let proven = outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count();
    let is_proven = proven == games.len();
    if is_json {
        let each = outcomes.iter().map(|(line, outcome)| {
            let mut game = as_json(outcome);
            game["line"] = json!(line);
            game
        });
        print_json(&json!({"proven": is_proven, "games": each.collect::<Vec<_>>()}))?;
        return Ok(CommandEnding::fine_if(is_proven));
    }
    for (number, (line, outcome)) in (1..).zip(&outcomes) {
        match outcome {
            Ok(VerifiedRecord { rule_set, seed_hash, throws, .. }) => print(format_args!(
                "game {number}, from line {line}: {rule_set}, all {throws} throws follow from the seed with the hash \
                 {seed_hash}"
            ))?,
            Err(why) => print(format_args!("game {number}, from line {line}: not proven: {why}"))?,
        }
    }
    if is_proven {
        print(format_args!("the dice of all {proven} games are proven; compare the hashes with those that you saw"))?;
    } else {
        print(format_args!("the dice of {proven} of {} games are proven", games.len()))?;
    }
    Ok(CommandEnding::fine_if(is_proven))
}

fn as_json(outcome: &Result<VerifiedRecord, Unproven>) -> Value {
    match outcome {
        Ok(proven) => json!({
            "proven": true, "rule_set": proven.rule_set, "seed_hash": proven.seed_hash, "first": proven.first,
            "contributions": proven.contributions, "throws": proven.throws, "steps": proven.steps,
        }),
        Err(why) => json!({"proven": false, "why": why.to_string()}),
    }
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
