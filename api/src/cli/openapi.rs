//! `pagade openapi`: prints the OpenAPI description of the HTTP interface.

use std::path::PathBuf;

use pagade::openapi;

use super::ending::{CommandEnding, CommandError, print};

const EXAMPLES: &str = "\
Examples:
  pagade openapi > openapi.json
  pagade openapi --out openapi/                 writes openapi.json and endpoints.txt

Exit codes: 0 success; 2 the files cannot be written.";

/// Arguments of `pagade openapi`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Directory for openapi.json and endpoints.txt [default: openapi.json on standard output]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Prints the OpenAPI description. With `--out`, writes it and the list of endpoints into a directory instead.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let Some(directory) = &args.out else {
        print(openapi::text_in_lines().trim_end())?;
        return Ok(CommandEnding::Fine);
    };
    std::fs::create_dir_all(directory).map_err(|error| CommandError::file(directory, error))?;
    for (name, text) in [("openapi.json", openapi::text_in_lines()), ("endpoints.txt", openapi::endpoints())] {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|error| CommandError::file(&path, error))?;
    }
    Ok(CommandEnding::Fine)
}
