//! The list of all settings, derived from the flags in [`Args`]. It is the source for the keys of the settings file,
//! for the list in `deploy/README.md` and for the output of `--check`.

use std::any::TypeId;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command};
use serde::Serialize;

use super::args::Args;

/// Text that is printed instead of the value of a secret.
const HIDDEN: &str = "(hidden)";

/// The origin of a setting's value. If several origins give a value, the first one in this order wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SettingOrigin {
    Flag,
    Variable,
    File,
    Default,
}

impl SettingOrigin {
    /// Returns the origin as a word for the output of `--check`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Variable => "variable",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// A setting with its value.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ServeSetting {
    /// The flag without its dashes, which is also the key in the settings file.
    pub name: String,
    /// The name of the environment variable that can give the value.
    pub variable: String,
    /// The value as text, or [`HIDDEN`] if the value is a secret.
    pub value: String,
    pub from: SettingOrigin,
}

/// The type of a setting's value in the settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingType {
    Truth,
    Number,
    Word,
    Words,
}

/// Lists all settings, in the order of `pagade help serve`.
pub(super) fn all() -> Vec<Arg> {
    let command = Args::augment_args(Command::new("serve"));
    command.get_arguments().filter(|argument| is_setting(argument)).cloned().collect()
}

/// Tells whether an argument is a setting, that is, whether an environment variable can give it. `--config` is not a
/// setting, because it names the file with the settings.
fn is_setting(argument: &Arg) -> bool {
    argument.get_env().is_some() && argument.get_long() != Some("config")
}

/// Returns the name of a setting: the flag without its dashes.
pub(super) fn name(argument: &Arg) -> &str {
    argument.get_long().unwrap_or_default()
}

fn variable(argument: &Arg) -> String {
    argument.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Tells whether a setting is a secret, whose value must not be printed.
pub(super) fn is_secret(argument: &Arg) -> bool {
    argument.is_hide_env_values_set()
}

/// Returns the type of a setting's value.
pub(super) fn value_type(argument: &Arg) -> SettingType {
    let parsed = argument.get_value_parser().type_id();
    let numbers = [TypeId::of::<u8>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    match argument.get_action() {
        ArgAction::SetTrue => SettingType::Truth,
        ArgAction::Append => SettingType::Words,
        _ if numbers.iter().any(|number| parsed == *number) => SettingType::Number,
        _ => SettingType::Word,
    }
}

/// Returns the default of a setting as text.
fn default(argument: &Arg) -> String {
    if value_type(argument) == SettingType::Truth {
        return "off".to_owned();
    }
    let given: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !given.is_empty() {
        return given.join(", ");
    }
    let (_, default) = help(argument);
    default.unwrap_or_else(|| "none".to_owned())
}

/// Splits the help text of a setting into description and default. The default stands at the end of the text, as in `..
/// [default: none]`; it is `None` for a text without such an end.
fn help(argument: &Arg) -> (String, Option<String>) {
    let text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once(" [default: ") {
        Some((before, default)) => (before.to_owned(), Some(default.trim_end_matches(']').to_owned())),
        None => (text, None),
    }
}

/// Lists every setting with its value and origin.
///
/// `given` are the arguments without those from the settings file; they show the origin. `complete` are the arguments
/// with those from the file; they show the value.
pub(super) fn applied(
    given: &ArgMatches,
    complete: &ArgMatches,
    is_in_file: impl Fn(&str) -> bool,
) -> Vec<ServeSetting> {
    let all = all();
    let applied = all.iter().map(|argument| {
        let (id, name) = (argument.get_id().as_str(), name(argument));
        let from = match given.value_source(id) {
            _ if is_in_file(name) => SettingOrigin::File,
            Some(ValueSource::CommandLine) => SettingOrigin::Flag,
            Some(ValueSource::EnvVariable) => SettingOrigin::Variable,
            _ => SettingOrigin::Default,
        };
        let values = complete.get_raw(id).map(|values| values.map(|value| value.to_string_lossy()).collect::<Vec<_>>());
        let value = match (value_type(argument), values) {
            (SettingType::Truth, _) => if complete.get_flag(id) { "on" } else { "off" }.to_owned(),
            (_, Some(_)) if is_secret(argument) => HIDDEN.to_owned(),
            (_, Some(values)) => values.join(", "),
            (_, None) => default(argument),
        };
        ServeSetting { name: name.to_owned(), variable: variable(argument), value, from }
    });
    applied.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: usize = 118;
    const MARKS: [&str; 2] = ["<!-- settings -->\n", "<!-- /settings -->\n"];

    /// Writes the list of settings as `deploy/README.md` contains it.
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

    /// Compares the list in `deploy/README.md` with the flags. `REWRITE=1 cargo test -p pagade --bin pagade settings`
    /// updates the list.
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
        assert!(committed == list, "the settings have changed: run this test with REWRITE=1");
    }

    #[test]
    fn every_setting_has_a_variable_of_its_own_name() {
        for argument in all() {
            assert!(variable(&argument).starts_with("PAGADE_"), "{}", name(&argument));
        }
    }
}
