//! `pagade perft`: counts action sequences.

use std::time::Instant;

use pagade_rules::perft::perft;
use serde_json::{Value, json};

use super::ending::{CommandError, Ending, print, print_json};
use super::table::TableArgs;

const EXAMPLES: &str = "\
Example:
  pagade perft pagade --players 4 --depth 3

For each depth up to --depth, counts the sequences of that many actions from the opening position. A throw is no action:
all ordered outcomes of the dice are followed. A throw without a legal action counts as one action, the pass. Two engines
with equal counts agree on the rules up to that depth.

Exit codes: 0 success; 2 the rule set cannot be read.";

/// Arguments of `pagade perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Length of the longest sequences to count
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Counts and prints, depth by depth.
pub(super) fn run(args: &Args) -> Result<Ending, CommandError> {
    let rules = args.table.load()?;
    let opening = rules.opening(rules.first_seat());
    let mut counts: Vec<Value> = Vec::new();
    for depth in 1..=args.depth {
        let start = Instant::now();
        let count = perft(&rules, &opening, depth);
        if args.json {
            counts.push(json!({"depth": depth, "sequences": count}));
        } else {
            print(format_args!("perft {depth} = {count}  ({:.2} s)", start.elapsed().as_secs_f64()))?;
        }
    }
    if args.json {
        print_json(&counts)?;
    }
    Ok(Ending::Fine)
}
