//! `pagade tournament`: runs a tournament from a file, checks the file, and simulates it.

mod answer;
mod api;
mod check;
mod enter;
mod load;
mod outcome;
mod rounds;
mod run;
mod show;
mod simulate;
mod state;

use clap::Subcommand;

use super::ending::{CommandEnding, CommandError};

const EXAMPLES: &str = "\
Examples:
  pagade tournament check cup.yaml                       every mistake with line and column
  pagade tournament simulate swiss.yaml knock-out.yaml   which form finds the strongest, in how many hours?
  pagade tournament run cup.yaml --server https://pagade.example

A tournament file:
  title: Village cup
  rule_set: pagade                  # the id of a rule set, or the path of a rule file
  format: {kind: swiss, rounds: 5}
  turn_timer: {seconds: 60, then: hunter, forfeit_after: 3}
  entrants:
    - {names: [Asha, Ravi, Meera]}  # their tokens are written to cup.tokens.csv
    - {robots: hunter, count: 5}

`openapi/tournaments.md` describes all keys. `pagade help tournament run` and the like show the exit codes.";

/// Arguments of `pagade tournament`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: TournamentCommand,
}

#[derive(Debug, Subcommand)]
enum TournamentCommand {
    /// Run a tournament on a server, from its creation to the final table
    Run(run::Args),
    /// Report every mistake of tournament files
    Check(check::Args),
    /// Play a tournament with robots, many times, and tell who wins and how long it takes
    Simulate(simulate::Args),
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    match &args.command {
        TournamentCommand::Run(args) => run::run(args),
        TournamentCommand::Check(args) => check::run(args),
        TournamentCommand::Simulate(args) => simulate::run(args),
    }
}
