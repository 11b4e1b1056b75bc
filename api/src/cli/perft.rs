//! `pagade perft`: counts action sequences.

use std::time::{Duration, Instant};

use pagade_rules::perft::perft_while;
use serde_json::{Value, json};

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::progress;
use super::table::TableArgs;

const EXAMPLES: &str = "\
Examples:
  pagade perft pagade --players 4 --depth 3
  pagade perft chaukabara-7 --depth 2 --throws 2

For each depth up to --depth, counts the sequences of that many actions from the opening position. A throw is no action:
all ordered outcomes of the dice are followed. A throw without a legal action counts as one action, the pass. Two engines
with equal counts agree on the rules up to that depth.

Where a throw grants the next one at once, a turn has more sequences than anybody can count. --throws leaves out the
sequences with more throws in a turn. A depth that is not counted within --seconds ends the command.

Exit codes: 0 success; 1 a depth was not counted in time; 2 the rule set cannot be read.";

/// Arguments of `pagade perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Length of the longest sequences to count
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Leave out sequences with more throws than this in one turn [default: all are counted]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    throws: Option<u8>,
    /// Longest time to count the sequences of one depth, in seconds
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Counts the action sequences of each depth from 1 to `--depth`, and prints each count.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let rules = args.table.load()?;
    let opening = rules.opening(rules.first_seat());
    let longest = Duration::from_secs(args.seconds);
    let mut counts: Vec<Value> = Vec::new();
    let mut ending = CommandEnding::Fine;
    for depth in 1..=args.depth {
        let start = Instant::now();
        let bar = progress::counter(&format!("positions, depth {depth}"));
        let mut positions = 0;
        let count = perft_while(&rules, &opening, depth, args.throws.unwrap_or(u8::MAX), &mut |followed| {
            positions = followed;
            bar.set_position(followed);
            start.elapsed() < longest
        });
        bar.finish_and_clear();
        counts.push(json!({"depth": depth, "sequences": count, "positions": positions}));
        match count {
            Some(count) if !args.json => {
                print(format_args!("perft {depth} = {count}  ({:.2} s)", start.elapsed().as_secs_f64()))?;
            }
            None if !args.json => print(not_counted(depth, args, positions))?,
            _ => {}
        }
        if count.is_none() {
            ending = CommandEnding::Failed;
            break;
        }
    }
    if args.json {
        print_json(&counts)?;
    }
    Ok(ending)
}

/// Returns the message for a depth whose sequences could not be counted within `--seconds`.
fn not_counted(depth: u32, args: &Args, positions: u64) -> String {
    let fewer = args.throws.map_or(2, |throws| throws.saturating_sub(1).max(1));
    format!(
        "perft {depth} is not counted: {positions} positions in {} s were not all.\n\
         Leave out turns of many throws (--throws {fewer}), or give it more time (--seconds).",
        args.seconds
    )
}
