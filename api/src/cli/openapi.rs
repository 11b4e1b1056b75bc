//! `pagade openapi`: the description of the HTTP interface.

use std::fs;
use std::path::{Path, PathBuf};

use pagade::openapi;

use super::ending::{Ending, Unreadable, print};

const EXAMPLES: &str = "\
Examples:
  pagade openapi > openapi.json
  pagade openapi --out openapi

Exit codes: 0 written; 2 a file cannot be written.";

/// Arguments of `pagade openapi`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write openapi.json and endpoints.txt into this folder instead of printing the document
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints or writes it.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    match &args.out {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| Unreadable::file(folder, error))?;
            write(folder, "openapi.json", openapi::text())?;
            write(folder, "endpoints.txt", &openapi::endpoints())?;
        }
        None => print(openapi::text().trim_end())?,
    }
    Ok(Ending::Fine)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Unreadable> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(|error| Unreadable::file(&path, error))
}
