//! The command line, one file a subcommand.

mod archive;
mod check;
mod ending;
mod openapi;
mod perft;
mod progress;
mod replay;
mod schema;
mod serve;
mod sets;
mod show;
mod simulate;
mod table;
mod test;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use ending::{Ending, Unreadable};
use serve::Setting;

const EXAMPLES: &str = "\
Examples:
  pagade                                   start the service on 127.0.0.1:8080, games in ./data
  pagade show pagade                       what the rules of a game are
  pagade check my-pagade.yaml              every problem of a rule file, with its place
  pagade test my-scenarios.yaml            does the rule set do what the scenarios say?
  pagade simulate pagade --games 10000     how long games last, who wins, which rules are used

A rule set is named by its id (pagade) or by the path of a file (./my-pagade.yaml).

Exit codes: 0 all is well; 1 what was asked about is not (problems in a rule file, a scenario that failed, a record that
does not follow, stuck games); 2 a file that cannot be read, or a command line that makes no sense.";

/// Race games of the cross-shaped board, played by rules that are data: a service and the tools around it.
///
/// Without a subcommand the service starts.
#[derive(Debug, Parser)]
#[command(name = "pagade", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true, max_term_width = 120)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Args,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the HTTP service
    Serve(serve::Args),
    /// Write a whole store into a file
    Export(archive::ExportArgs),
    /// Read such a file into a store, of either kind
    Import(archive::ImportArgs),
    /// Check rule files: every problem with its place
    Check(check::Args),
    /// Run scenario files: tests of rule sets in the words of the game
    Test(test::Args),
    /// Play many games by chance and tell what came of them
    Simulate(simulate::Args),
    /// Play recorded games again and compare every line
    Replay(replay::Args),
    /// Draw the dice of a recorded game again: were they what its seed gives?
    Verify(verify::Args),
    /// Count the sequences of actions from the opening position
    Perft(perft::Args),
    /// Tell what a rule set says, or draw its board
    Show(show::Args),
    /// Print the description of the HTTP interface
    Openapi(openapi::Args),
    /// Print the JSON Schema of the rule language, for editors
    Schema(schema::Args),
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    match begin() {
        Ok(ending) => ending.into(),
        Err(Unreadable(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn begin() -> Result<Ending, Unreadable> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let command = Cli::command();
    let said = command.clone().get_matches_from(&arguments);
    let Some((settings, takes)) = configured(&said, &command) else {
        let cli = Cli::from_arg_matches(&said).unwrap_or_else(|error| error.exit());
        return cli.command.map_or(Ok(Ending::Fine), |command| command.run(&[]));
    };
    let (more, file) = serve::complete(settings, takes)?;
    arguments.extend(more.into_iter().map(OsString::from));
    let together = command.clone().get_matches_from(&arguments);
    let cli = Cli::from_arg_matches(&together).unwrap_or_else(|error| error.exit());
    let serves = matches!(cli.command, None | Some(Command::Serve(_)));
    let applied = match configured(&together, &command) {
        Some((together, _)) if serves => serve::applied(settings, &file, together),
        _ => Vec::new(),
    };
    cli.command.unwrap_or(Command::Serve(cli.serve)).run(&applied)
}

/// The arguments that are settings of the service, and who takes them: the service itself, and who reads its store.
fn configured<'a>(matches: &'a ArgMatches, command: &'a clap::Command) -> Option<(&'a ArgMatches, &'a clap::Command)> {
    match matches.subcommand() {
        None => Some((matches, command)),
        Some((name @ ("serve" | "export" | "import"), inner)) => Some((inner, command.find_subcommand(name)?)),
        Some(_) => None,
    }
}

impl Command {
    /// Does it; `applied` are the settings of a service.
    fn run(self, applied: &[Setting]) -> Result<Ending, Unreadable> {
        match self {
            Self::Serve(args) => serve::run(&args, applied),
            Self::Export(args) => archive::export(&args),
            Self::Import(args) => archive::import(&args),
            Self::Check(args) => check::run(&args),
            Self::Test(args) => test::run(&args),
            Self::Simulate(args) => simulate::run(&args),
            Self::Replay(args) => replay::run(&args),
            Self::Verify(args) => verify::run(&args),
            Self::Perft(args) => perft::run(&args),
            Self::Show(args) => show::run(&args),
            Self::Openapi(args) => openapi::run(&args),
            Self::Schema(args) => schema::run(&args),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn without_a_subcommand_it_serves() {
        let cli = Cli::try_parse_from(["pagade"]).unwrap();
        assert!(cli.command.is_none());
        let cli = Cli::try_parse_from(["pagade", "--listen", "127.0.0.1:0"]).unwrap();
        assert_eq!(cli.serve.listen.port(), 0);
    }
}
