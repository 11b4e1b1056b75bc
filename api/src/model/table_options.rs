//! The options of tables, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::creation::OptionValue;

/// The options of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableOptions {
    /// The options: first those of the table itself, then those that choose a variant of its rule set, then those of
    /// the rule set that the next game plays.
    pub options: Vec<TableOption>,
    /// The names of the options that the request has changed. Absent if it only reads them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// An option of a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableOption {
    /// The name of the option.
    pub name: String,
    /// Whether the option belongs to the table itself, chooses a variant, or belongs to the rule set.
    pub group: OptionGroup,
    /// A description of what the option decides, in the language of the answer.
    pub text: String,
    /// The value.
    pub value: OptionValue,
    /// The default value.
    pub default: OptionValue,
    /// The words that the option can have. Absent if its values are not words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub one_of: Vec<String>,
    /// The smallest number that the option can have. Absent if its values are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// The largest number that the option can have. Absent if its values are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
    /// When a change of the option takes effect.
    pub effective: OptionEffect,
    /// The name of the option that has to be on for this one to have an effect. Absent if there is none. The value can
    /// be changed meanwhile, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<&'static str>,
}

/// What an option belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OptionGroup {
    /// The table itself.
    Table,
    /// The variants of the rule set, each with an option of its name, of which one at most is on: the next game then
    /// plays the variant.
    Variants,
    /// The rule set.
    Rules,
}

/// When a change of an option takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OptionEffect {
    /// At once, in the game in play too. A new time limit counts from the next decision.
    Now,
    /// With the next game. The game in play keeps its value.
    NextGame,
}

/// Options to change.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"options": {"time_per_turn": 60, "private": true}}))]
pub(crate) struct ChangeOptions {
    /// The new values, by name. Options that are left out keep their values.
    pub options: BTreeMap<String, OptionValue>,
}
