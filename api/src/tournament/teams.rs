//! Teams as entrants: their members have to be partners on the board.

use pagade_rules::document::OptionKind;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

use crate::error::{Detail, ProblemPart, detail};

/// Checks that the members of a team are partners on the board of a full table. Otherwise the rules would know no team
/// that wins, only its members.
pub(crate) fn check_partners(
    team_size: usize,
    table: &Engine,
    set: &RuleSet,
    options: &Options,
    mistakes: &mut Vec<ProblemPart>,
) {
    if team_size > 1 && !table.seating.teams {
        let detail = detail!("with these options `{rule_set}` has no partners", rule_set = set.id());
        mistakes.push(ProblemPart::at("/team_size", detail).helped(help(set, options)));
    }
}

/// Advises an option with the first of its values by which seats become partners. `None` if there is no such option.
fn help(set: &RuleSet, options: &Options) -> Option<Detail> {
    let has_teams = |name: &str, value: OptionValue| {
        let mut changed = options.clone();
        changed.insert(name.to_owned(), value);
        let tables = set.playable_tables(&changed).unwrap_or_default();
        tables.iter().any(|table| !table.teams.is_empty())
    };
    set.options().iter().find_map(|option| {
        let name = option.name.value.as_str();
        match &option.kind {
            OptionKind::OneOf { words, .. } => {
                let word = words.iter().find(|word| has_teams(name, OptionValue::Word(word.value.to_string())))?;
                Some(choose(name, word.value.as_ref()))
            }
            OptionKind::Truth { .. } => [true, false]
                .into_iter()
                .find(|value| has_teams(name, OptionValue::Truth(*value)))
                .map(|value| choose(name, if value { "yes" } else { "no" })),
            OptionKind::Range { .. } => None,
        }
    })
}

fn choose(option: &str, value: &str) -> Detail {
    detail!("choose `{value}` for the option `{option}`", value, option)
}
