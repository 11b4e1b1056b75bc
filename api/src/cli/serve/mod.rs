//! `pagade serve`: reads the settings and runs the HTTP service.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Command};
use pagade::serve::{block_on, greeting, serve};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::ending::{CommandEnding, CommandError, print};
pub(super) use args::Args;
use args::{config, filter};
use file::SettingsFile;
pub(super) use settings::ServeSetting;

mod args;
mod check;
mod file;
mod settings;

/// Reads the settings file if the arguments name one.
///
/// Returns those settings of the file that neither a flag nor a variable sets, as further arguments for the command.
/// Also returns the file.
///
/// # Errors
/// The file cannot be read, or it has a wrong setting.
pub(super) fn complete(matches: &ArgMatches, command: &Command) -> Result<(Vec<String>, SettingsFile), CommandError> {
    let file = match matches.get_one::<PathBuf>("config") {
        Some(path) => SettingsFile::read(path)?,
        None => SettingsFile::default(),
    };
    Ok((file.arguments(matches, command), file))
}

/// Lists every setting with its value and origin. `given` are the arguments without those from the settings file;
/// `complete` are the arguments with them.
pub(super) fn applied(given: &ArgMatches, file: &SettingsFile, complete: &ArgMatches) -> Vec<ServeSetting> {
    settings::applied(given, complete, |name| file.decides(given, name))
}

/// Serves until a signal ends the service; with `--check`, only checks the settings.
pub(super) fn run(args: &Args, applied: &[ServeSetting]) -> Result<CommandEnding, CommandError> {
    if args.check {
        return check::run(args, applied);
    }
    let config = config(args)?;
    init_log(args)?;
    let greet = |addresses: &[SocketAddr]| {
        for address in addresses {
            // The service runs even if standard output cannot be written.
            let _ = print(greeting(*address));
        }
    };
    let served = block_on(serve(config, greet));
    served.map_err(|error| CommandError(error.to_string()))?;
    Ok(CommandEnding::Fine)
}

fn init_log(args: &Args) -> Result<(), CommandError> {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines =
        if args.log_json { lines.json().boxed() } else { lines.with_ansi(std::io::stderr().is_terminal()).boxed() };
    tracing_subscriber::registry().with(lines.with_filter(filter(args)?)).init();
    Ok(())
}
