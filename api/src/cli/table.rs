//! Arguments that choose a rule set, the number of players and the options, and the engine for these.

use std::path::Path;

use pagade_rules::document::PlayersSeats;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

use super::ending::CommandError;
use super::sets;

/// Arguments that name a rule set, its options and the number of players.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    /// Id of a rule set, or path of a rule file
    pub ruleset: String,
    /// Number of players [default: the full table]
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
    #[command(flatten)]
    pub options: OptionArgs,
}

/// Arguments that choose options of a rule set.
#[derive(Debug, clap::Args)]
pub(super) struct OptionArgs {
    /// Value of an option, such as `mode=partnership`; may be repeated, or be a list with commas
    #[arg(long = "option", visible_alias = "options", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = parse_option)]
    options: Vec<(String, String)>,
}

impl OptionArgs {
    /// Returns the options by name, as words. If a name is given twice, its last value counts.
    pub(super) fn by_name(&self) -> Options {
        self.options.iter().map(|(name, value)| (name.clone(), OptionValue::Word(value.clone()))).collect()
    }
}

/// Reads an option as `name=value`.
fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl TableArgs {
    /// Loads the rule set, and makes the engine for the options and the number of players.
    ///
    /// # Errors
    /// The rule set cannot be loaded, or the options or the number of players do not suit it.
    pub(super) fn load(&self) -> Result<Engine, CommandError> {
        let set = sets::load(&self.ruleset, Path::new(""))?;
        self.table_of(&set)
    }

    /// Makes the engine of a rule set for the options and the number of players.
    ///
    /// # Errors
    /// The options or the number of players do not suit it.
    pub(super) fn table_of(&self, set: &RuleSet) -> Result<Engine, CommandError> {
        let options = set.typed(&self.options.by_name());
        let full = set.table(&options, None).map_err(|problems| {
            let lines = problems.into_iter().map(|problem| match problem.help {
                Some(help) => format!("{}\n  help: {help}", problem.message),
                None => problem.message.to_string(),
            });
            CommandError(lines.collect::<Vec<_>>().join("\n"))
        })?;
        match self.players {
            Some(count) if count != full.seating.players.len() => table_for_players(set, &options, count),
            _ => Ok(full),
        }
    }
}

/// Makes the engine for `count` players. Uses the first seating of this size that the rule set declares and the options
/// allow.
fn table_for_players(set: &RuleSet, options: &Options, count: usize) -> Result<Engine, CommandError> {
    let document = set.document();
    let tables = document.players.iter().filter_map(|line| match &line.seats {
        PlayersSeats::These(seats) => Some(seats.iter().collect::<Vec<_>>()),
        PlayersSeats::Any(any) => {
            document.board.seats.get(..usize::from(any.value)).map(|seats| seats.iter().collect())
        }
        PlayersSeats::Colours(players) => Some(players.iter().filter_map(|colours| colours.first()).collect()),
    });
    let mut fitting = tables.filter(|seats| seats.len() == count).map(|seats| {
        let names: Vec<String> = seats.iter().map(|seat| seat.value.clone()).collect();
        set.table(options, Some(&names))
    });
    fitting.find_map(Result::ok).ok_or_else(|| {
        let message = format!("`{}` has no table of {count} players with these options", set.id());
        CommandError(match document.players.is_empty() {
            true => {
                let seats = document.board.seats.len();
                format!("{message}\n  help: this file has a table of {seats} only; add lines to `players`")
            }
            false => message,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_names_and_words() {
        assert_eq!(parse_option("a = yes"), Ok(("a".into(), "yes".into())));
        assert!(parse_option("a").is_err());
    }
}
