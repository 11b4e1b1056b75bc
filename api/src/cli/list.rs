//! `pagade list`: lists the rule sets that come with the program.

use pagade_rules::bundled::{self, SETS};
use serde_json::{Value, json};

use super::ending::{CommandEnding, CommandError, print, print_json};

const EXAMPLES: &str = "\
Examples:
  pagade list
  pagade list --json

Commands that need a rule set take such an id, or the path of a rule file. `pagade show ID` describes a rule set.

Exit code: 0.";

/// Arguments of `pagade list`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// Prints id and title of every bundled rule set.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let sets: Vec<_> = SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)).collect();
    if args.json {
        let sets = sets.iter().map(|set| json!({"ruleset": set.id(), "title": set.title(), "version": set.version()}));
        print_json(&sets.collect::<Vec<Value>>())?;
        return Ok(CommandEnding::Fine);
    }
    let width = sets.iter().map(|set| set.id().len()).max().unwrap_or_default();
    sets.iter().try_for_each(|set| print(format_args!("{:<width$}  {}", set.id(), set.title())))?;
    Ok(CommandEnding::Fine)
}
