//! `pagade serve`: the HTTP service.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Command};
use pagade::serve::{block_on, greeting, serve};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::ending::{Ending, Unreadable, print};
pub use args::Args;
use args::{config, filter};
use file::File;
pub use settings::Setting;

mod args;
mod check;
mod file;
mod settings;

/// What the command line leaves open, the configuration file says: more arguments, and where each setting comes from.
///
/// # Errors
/// The file cannot be read, or something in it is wrong.
pub fn complete(matches: &ArgMatches, command: &Command) -> Result<(Vec<String>, File), Unreadable> {
    let file = match matches.get_one::<PathBuf>("config") {
        Some(path) => File::read(path)?,
        None => File::default(),
    };
    Ok((file.arguments(matches, command), file))
}

/// Every setting as it applies, and where it comes from: by what the command line said, the file, and both together.
pub fn applied(said: &ArgMatches, file: &File, together: &ArgMatches) -> Vec<Setting> {
    settings::applied(said, together, |name| file.decides(said, name))
}

/// Serves until a signal ends it; or tells what it would do.
pub fn run(args: &Args, applied: &[Setting]) -> Result<Ending, Unreadable> {
    if args.check {
        return check::run(args, applied);
    }
    let config = config(args)?;
    log(args)?;
    let greet = |addresses: &[SocketAddr]| {
        for address in addresses {
            // Nobody reads it: nothing lost.
            let _ = print(greeting(*address));
        }
    };
    let served = block_on(serve(config, greet));
    served.map_err(|error| Unreadable(error.to_string()))?;
    Ok(Ending::Fine)
}

fn log(args: &Args) -> Result<(), Unreadable> {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines =
        if args.log_json { lines.json().boxed() } else { lines.with_ansi(std::io::stderr().is_terminal()).boxed() };
    tracing_subscriber::registry().with(lines.with_filter(filter(args)?)).init();
    Ok(())
}
