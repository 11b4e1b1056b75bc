//! `pagade schema`: prints the JSON Schema of the rule language.

use super::ending::{CommandEnding, CommandError, print_json};

const EXAMPLES: &str = "\
Example:
  pagade schema > language.schema.json

An editor with a YAML language server completes and checks a rule file with this first line:
  # yaml-language-server: $schema=language.schema.json

Exit code: 0.";

/// Arguments of `pagade schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {}

/// Prints the JSON Schema of rule files.
pub(super) fn run(_: &Args) -> Result<CommandEnding, CommandError> {
    print_json(&pagade_rules::schema::schema())?;
    Ok(CommandEnding::Fine)
}
