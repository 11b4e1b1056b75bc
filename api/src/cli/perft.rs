//! `pagade perft`: counts sequences of actions.

use std::time::Instant;

use pagade_rules::perft::perft;
use serde_json::{Value, json};

use super::ending::{Ending, Unreadable, print, print_json};
use super::table::Table;

const EXAMPLES: &str = "\
Example:
  pagade perft pagade --players 4 --depth 3

Counts the sequences of exactly so many actions from the opening position. Every throw opens with all ordered outcomes
(it is no action itself); a throw of which nothing can be played is one action, the pass. Two engines that count alike
agree on the rules that far.

Exit codes: 0 counted; 2 the rule set cannot be read.";

/// Arguments of `pagade perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: Table,
    /// Longest sequences that are counted
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// Print the counts as JSON
    #[arg(long)]
    json: bool,
}

/// Counts.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    let rules = args.table.lay()?;
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
