//! How a command ends.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The answer to what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All is well: exit code 0.
    Fine,
    /// What was asked about is not as it should be: exit code 1.
    Failed,
}

impl Ending {
    /// Fine where the condition holds.
    pub fn fine_if(condition: bool) -> Ending {
        if condition { Ending::Fine } else { Ending::Failed }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        match ending {
            Ending::Fine => ExitCode::SUCCESS,
            Ending::Failed => ExitCode::FAILURE,
        }
    }
}

/// Nothing can be answered: a file cannot be read, an argument makes no sense. Exit code 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Unreadable {
    /// Of a file.
    pub fn file(path: &Path, why: impl Display) -> Unreadable {
        Unreadable(format!("{}: {why}", path.display()))
    }
}

/// Prints to standard output; a reader that went away (`| head`) is no error.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(text: impl Display) -> Result<(), Unreadable> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Unreadable(format!("standard output: {error}"))),
        _ => Ok(()),
    }
}

/// Prints a value as JSON.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Unreadable> {
    print(serde_json::to_string_pretty(value).map_err(|error| Unreadable(error.to_string()))?)
}
