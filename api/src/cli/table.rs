//! The arguments that lay a table: rule set, options, how many players.

use std::path::Path;

use pagade_rules::document::PlayersSeats;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

use super::ending::Unreadable;
use super::sets;

/// Which table to play at.
#[derive(Debug, clap::Args)]
pub struct Table {
    /// Id of a rule set, or path of a rule file
    pub ruleset: String,
    /// How many play [default: the full table]
    #[arg(long, value_name = "N")]
    pub players: Option<usize>,
    #[command(flatten)]
    pub options: Chosen,
}

/// Table options.
#[derive(Debug, clap::Args)]
pub struct Chosen {
    /// A table option, such as `mode=partnership`; several apart by commas, or given again
    #[arg(long = "option", visible_alias = "options", value_name = "NAME=VALUE", value_delimiter = ',', value_parser = option)]
    options: Vec<(String, OptionValue)>,
}

impl Chosen {
    /// By name; the last one of a name counts.
    pub fn by_name(&self) -> Options {
        self.options.iter().cloned().collect()
    }
}

/// Reads `name=value`.
fn option(text: &str) -> Result<(String, OptionValue), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    let value = match value.trim() {
        "yes" | "true" => OptionValue::Truth(true),
        "no" | "false" => OptionValue::Truth(false),
        word => word.parse().map_or_else(|_| OptionValue::Word(word.to_string()), OptionValue::Number),
    };
    Ok((name.trim().to_string(), value))
}

impl Table {
    /// Loads the rule set and lays the table.
    ///
    /// # Errors
    /// The rule set cannot be loaded, or the options or the number of players do not suit it.
    pub fn lay(&self) -> Result<Engine, Unreadable> {
        let set = sets::load(&self.ruleset, Path::new(""))?;
        self.lay_for(&set)
    }

    /// Lays the table for a rule set.
    ///
    /// # Errors
    /// The options or the number of players do not suit it.
    pub fn lay_for(&self, set: &RuleSet) -> Result<Engine, Unreadable> {
        let options = self.options.by_name();
        let full = set.table(&options, None).map_err(|problems| {
            let lines = problems.into_iter().map(|problem| match problem.help {
                Some(help) => format!("{}\n  help: {help}", problem.message),
                None => problem.message,
            });
            Unreadable(lines.collect::<Vec<_>>().join("\n"))
        })?;
        match self.players {
            Some(count) if count != full.seating.players.len() => seated(set, &options, count),
            _ => Ok(full),
        }
    }
}

/// The first table of so many players that the rule set knows and the options allow.
fn seated(set: &RuleSet, options: &Options, count: usize) -> Result<Engine, Unreadable> {
    let document = set.document();
    let tables = document.players.iter().filter_map(|line| match &line.seats {
        PlayersSeats::These(seats) => Some(seats.as_slice()),
        PlayersSeats::Any(any) => document.board.seats.get(..usize::from(any.value)),
    });
    let mut fitting = tables.filter(|seats| seats.len() == count).map(|seats| {
        let names: Vec<String> = seats.iter().map(|seat| seat.value.clone()).collect();
        set.table(options, Some(&names))
    });
    fitting
        .find_map(Result::ok)
        .ok_or_else(|| Unreadable(format!("`{}` has no table of {count} players with these options", set.id())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_values_are_words_numbers_or_truth() {
        assert_eq!(option("a=yes"), Ok(("a".into(), OptionValue::Truth(true))));
        assert_eq!(option("a = 3"), Ok(("a".into(), OptionValue::Number(3))));
        assert_eq!(option("a=lap"), Ok(("a".into(), OptionValue::Word("lap".into()))));
        assert!(option("a").is_err());
    }
}
