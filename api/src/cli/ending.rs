//! The results of commands, their exit codes, and output to standard output.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The result of a command that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnding {
    /// Everything is in order: exit code 0.
    Fine,
    /// The command found a fault in its input, such as a failed scenario: exit code 1.
    Failed,
}

impl CommandEnding {
    /// Returns `Fine` if the condition holds, else `Failed`.
    pub fn fine_if(condition: bool) -> CommandEnding {
        if condition { CommandEnding::Fine } else { CommandEnding::Failed }
    }
}

impl From<CommandEnding> for ExitCode {
    fn from(ending: CommandEnding) -> ExitCode {
        match ending {
            CommandEnding::Fine => ExitCode::SUCCESS,
            CommandEnding::Failed => ExitCode::FAILURE,
        }
    }
}

/// The error message of a command that could not do its work, for example because a file is unreadable. The program
/// then ends with exit code 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandError(pub String);

impl CommandError {
    /// Makes an error about a file: its path, a colon and the cause.
    pub(super) fn file(path: &Path, cause: impl Display) -> CommandError {
        CommandError(format!("{}: {cause}", path.display()))
    }
}

/// Prints a line to standard output. A closed pipe is not an error: in `pagade show pagade | head`, `head` closes the
/// pipe before `pagade` has written everything.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn print(text: impl Display) -> Result<(), CommandError> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError(format!("standard output: {error}"))),
        _ => Ok(()),
    }
}

/// Prints a value as JSON to standard output.
///
/// # Errors
/// Standard output cannot be written.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<(), CommandError> {
    print(serde_json::to_string_pretty(value).map_err(|error| CommandError(error.to_string()))?)
}
