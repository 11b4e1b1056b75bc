//! `pagade schema`: the JSON Schema of the rule language.

use super::ending::{Ending, Unreadable, print_json};

const EXAMPLES: &str = "\
Example:
  pagade schema > language.schema.json

An editor with a YAML language server completes and checks a rule file that begins with
  # yaml-language-server: $schema=language.schema.json

Exit code: 0.";

/// Arguments of `pagade schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

/// Prints it.
pub fn run(_: &Args) -> Result<Ending, Unreadable> {
    print_json(&pagade_rules::schema::schema())?;
    Ok(Ending::Fine)
}
