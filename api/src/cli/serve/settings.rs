//! The settings of the service, as the command line defines them: the keys of the configuration file, the list in
//! `deploy/README.md` and what `--check` prints are all made from it.

use std::any::TypeId;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command};
use serde::Serialize;

use super::args::Args;

/// What is printed in place of a value that others must not see.
const HIDDEN: &str = "(hidden)";

/// Where a value comes from; the first that says something decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Flag,
    Variable,
    File,
    Default,
}

impl Origin {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Variable => "variable",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// A setting as it applies.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    /// The flag without its dashes; the key in the file.
    pub name: String,
    /// The variable of the environment.
    pub variable: String,
    /// What applies; hidden where others must not see it.
    pub value: String,
    /// Where that comes from.
    pub from: Origin,
}

/// What values a setting takes in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Truth,
    Number,
    Word,
    Words,
}

/// All settings, in the order of the help.
pub fn all() -> Vec<Arg> {
    let command = Args::augment_args(Command::new("serve"));
    command.get_arguments().filter(|argument| is_setting(argument)).cloned().collect()
}

/// What has a variable is a setting; the file does not name itself.
fn is_setting(argument: &Arg) -> bool {
    argument.get_env().is_some() && argument.get_long() != Some("config")
}

/// The flag without its dashes.
pub fn name(argument: &Arg) -> &str {
    argument.get_long().unwrap_or_default()
}

fn variable(argument: &Arg) -> String {
    argument.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Nobody but the operator may see its value.
pub fn is_secret(argument: &Arg) -> bool {
    argument.is_hide_env_values_set()
}

/// What values it takes.
pub fn kind(argument: &Arg) -> Kind {
    let takes = argument.get_value_parser().type_id();
    let numbers = [TypeId::of::<u8>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    match argument.get_action() {
        ArgAction::SetTrue => Kind::Truth,
        ArgAction::Append => Kind::Words,
        _ if numbers.iter().any(|number| takes == *number) => Kind::Number,
        _ => Kind::Word,
    }
}

/// What applies where nothing is said.
fn default(argument: &Arg) -> String {
    if kind(argument) == Kind::Truth {
        return "off".to_owned();
    }
    let given: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !given.is_empty() {
        return given.join(", ");
    }
    let (_, default) = help(argument);
    default.unwrap_or_else(|| "none".to_owned())
}

/// What it is about; and the default, where the text has to say it.
fn help(argument: &Arg) -> (String, Option<String>) {
    let text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once(" [default: ") {
        Some((before, default)) => (before.to_owned(), Some(default.trim_end_matches(']').to_owned())),
        None => (text, None),
    }
}

/// Every setting as it applies: where it comes from by what was `said`, its value by that `together` with the file.
pub fn applied(said: &ArgMatches, together: &ArgMatches, is_in_file: impl Fn(&str) -> bool) -> Vec<Setting> {
    let all = all();
    let applied = all.iter().map(|argument| {
        let (id, name) = (argument.get_id().as_str(), name(argument));
        let from = match said.value_source(id) {
            _ if is_in_file(name) => Origin::File,
            Some(ValueSource::CommandLine) => Origin::Flag,
            Some(ValueSource::EnvVariable) => Origin::Variable,
            _ => Origin::Default,
        };
        let given = together.get_raw(id).map(|values| values.map(|value| value.to_string_lossy()).collect::<Vec<_>>());
        let value = match (kind(argument), given) {
            (Kind::Truth, _) => if together.get_flag(id) { "on" } else { "off" }.to_owned(),
            (_, Some(_)) if is_secret(argument) => HIDDEN.to_owned(),
            (_, Some(values)) => values.join(", "),
            (_, None) => default(argument),
        };
        Setting { name: name.to_owned(), variable: variable(argument), value, from }
    });
    applied.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 118;
    const MARKS: [&str; 2] = ["<!-- settings -->\n", "<!-- /settings -->\n"];

    /// The list of settings in the documentation, between its marks.
    fn list() -> String {
        let mut list = String::new();
        for argument in all() {
            let (name, variable, default) = (name(&argument), variable(&argument), default(&argument));
            let item = format!("- `--{name}` (`{variable}`, default: {default}). {}.", help(&argument).0);
            let mut column = 0;
            for word in item.split(' ') {
                if column + 1 + word.chars().count() > COLUMNS {
                    list += "\n ";
                    column = 1;
                }
                let gap = if column == 0 { "" } else { " " };
                list += &format!("{gap}{word}");
                column += gap.len() + word.chars().count();
            }
            list += "\n";
        }
        list
    }

    /// `REWRITE=1 cargo test -p pagade --bin pagade settings` writes it anew.
    #[test]
    fn the_list_in_the_documentation_is_that_of_the_command_line() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/README.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (before, rest) = text.split_once(MARKS[0]).unwrap();
        let (committed, after) = rest.split_once(MARKS[1]).unwrap();
        let list = list();
        if std::env::var_os("REWRITE").is_some() {
            std::fs::write(path, [before, MARKS[0], &list, MARKS[1], after].concat()).unwrap();
            return;
        }
        assert!(committed == list, "settings are others now: run this with REWRITE=1");
    }

    #[test]
    fn every_setting_has_a_variable_of_its_own_name() {
        for argument in all() {
            assert!(variable(&argument).starts_with("PAGADE_"), "{}", name(&argument));
        }
    }
}
