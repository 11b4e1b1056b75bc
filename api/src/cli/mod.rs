//! The command line of `pagade`: one file for each subcommand.

mod archive;
mod check;
mod ending;
mod list;
mod openapi;
mod perft;
mod progress;
mod replay;
mod schema;
mod serve;
mod sets;
mod show;
mod simulate;
mod solve;
mod table;
mod test;
mod texts;
mod tournament;
mod train;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use ending::{CommandEnding, CommandError};
use serve::ServeSetting;

const EXAMPLES: &str = "\
Examples:
  pagade                                   start the service on 127.0.0.1:8080, with its games in ./data
  pagade list                              list the bundled rule sets
  pagade show pagade                       show a rule set: board, dice, options, rule lines
  pagade check my-pagade.yaml              report every problem of a rule file, with line and column
  pagade test my-scenarios.yaml            test whether a rule set does what the scenarios say
  pagade simulate pagade --games 10000     measure how long games last, who wins, which rules are used
  pagade tournament run cup.yaml           run a tournament from a file, on a server

A rule set is named by its id (pagade; `pagade list` shows all) or by the path of a file (./my-pagade.yaml).

Exit codes: 0 success; 1 the input has a fault (errors in a rule file, a failed scenario, a record that breaks the rules,
games without an end); 2 the command could not run (an unreadable file, a wrong command line).";

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
    Serve(Box<serve::Args>),
    /// Export a store to a file, as a backup or for another store
    Export(archive::ExportArgs),
    /// Import an exported file into a store, embedded or Redis
    Import(archive::ImportArgs),
    /// List the bundled rule sets, with their titles
    #[command(visible_alias = "rules")]
    List(list::Args),
    /// Report every problem of rule files
    Check(check::Args),
    /// Run scenario files, which are tests of rule sets
    Test(test::Args),
    /// Play many random games and print statistics
    Simulate(simulate::Args),
    /// Let a robot learn a rule set by playing against itself
    Train(train::Args),
    /// Compute the exact value of every position of a small game for two players
    Solve(solve::Args),
    /// Play recorded games again and compare every line with the rules
    Replay(replay::Args),
    /// Prove that the dice of a recorded game come from its seed
    Verify(verify::Args),
    /// Run a tournament from a file, check the file, or simulate it
    Tournament(tournament::Args),
    /// Count the sequences of actions from the opening position, to compare engines
    Perft(perft::Args),
    /// Show a summary of a rule set, or draw its board
    Show(show::Args),
    /// Print the OpenAPI description of the HTTP interface
    Openapi(openapi::Args),
    /// Print the JSON Schema of the rule language, for editors
    Schema(schema::Args),
}

/// Runs the command that the command line names.
pub(crate) fn run() -> ExitCode {
    match parse_and_run() {
        Ok(ending) => ending.into(),
        Err(CommandError(message)) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn parse_and_run() -> Result<CommandEnding, CommandError> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let command = Cli::command();
    // The command line is parsed twice. The first parse finds the path of the settings file. The settings in this file
    // are then added as arguments, and the second parse checks all arguments together.
    let given = command.clone().get_matches_from(&arguments);
    let Some((settings, configured)) = configured_command(&given, &command) else {
        let cli = Cli::from_arg_matches(&given).unwrap_or_else(|error| error.exit());
        return cli.command.map_or(Ok(CommandEnding::Fine), |command| command.run(&[]));
    };
    let (from_file, file) = serve::complete(settings, configured)?;
    arguments.extend(from_file.into_iter().map(OsString::from));
    let complete = command.clone().get_matches_from(&arguments);
    let cli = Cli::from_arg_matches(&complete).unwrap_or_else(|error| error.exit());
    let serves = matches!(cli.command, None | Some(Command::Serve(_)));
    let applied = match configured_command(&complete, &command) {
        Some((complete, _)) if serves => serve::applied(settings, &file, complete),
        _ => Vec::new(),
    };
    cli.command.unwrap_or(Command::Serve(Box::new(cli.serve))).run(&applied)
}

/// Returns the parsed arguments and the clap definition of the command if it reads settings: `serve`, `export`,
/// `import`, or no subcommand at all, which means `serve`. Returns `None` for all other commands.
fn configured_command<'a>(
    matches: &'a ArgMatches,
    command: &'a clap::Command,
) -> Option<(&'a ArgMatches, &'a clap::Command)> {
    match matches.subcommand() {
        None => Some((matches, command)),
        Some((name @ ("serve" | "export" | "import"), inner)) => Some((inner, command.find_subcommand(name)?)),
        Some(_) => None,
    }
}

impl Command {
    /// Runs the command. `applied` are the settings that `serve --check` prints.
    fn run(self, applied: &[ServeSetting]) -> Result<CommandEnding, CommandError> {
        match self {
            Self::Serve(args) => serve::run(&args, applied),
            Self::Export(args) => archive::export(&args),
            Self::Import(args) => archive::import(&args),
            Self::List(args) => list::run(&args),
            Self::Check(args) => check::run(&args),
            Self::Test(args) => test::run(&args),
            Self::Simulate(args) => simulate::run(&args),
            Self::Train(args) => train::run(&args),
            Self::Solve(args) => solve::run(&args),
            Self::Replay(args) => replay::run(&args),
            Self::Verify(args) => verify::run(&args),
            Self::Tournament(args) => tournament::run(&args),
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
