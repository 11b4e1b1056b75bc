//! Rule sets on the wire.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::game::OptionValue;

/// A rule set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({"id": "pagade", "version": "1.0.0", "digest": "5d1f...", "title": "Pagade", "bundled": true}))]
pub(crate) struct RuleSetSummary {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// BLAKE3 of its text, in hexadecimal: what a game is pinned to.
    pub digest: String,
    /// How people call the game.
    pub title: String,
    /// Whether the rule set comes with the program. If not, it was published on this server.
    pub bundled: bool,
}

/// Rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RuleSetList {
    /// Sorted by id, then by version.
    pub rule_sets: Vec<RuleSetSummary>,
}

/// A rule set in full.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct RuleSetView {
    /// Its name.
    pub id: String,
    /// Its version.
    pub version: String,
    /// BLAKE3 of its text, in hexadecimal.
    pub digest: String,
    /// How people call the game.
    pub title: String,
    /// How others call it: language tag to title.
    pub titles: BTreeMap<String, String>,
    /// Where it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// When it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// The sources of the rules.
    pub sources: Vec<String>,
    /// A paragraph about the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Whether the rule set comes with the program.
    pub bundled: bool,
    /// The seats round the board, in the order of travel.
    pub seats: Vec<String>,
    /// Pawns of each colour.
    pub pawns: u8,
    /// The options that can be chosen when a game is created.
    pub options: Vec<OptionView>,
    /// For each clause of the sources, the rule lines that implement it.
    pub clauses: BTreeMap<String, Vec<String>>,
}

/// An option of a rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(example = json!({
    "name": "dice_use", "text": "Whether as many dice as possible must be used",
    "default": "most", "one_of": ["most", "any"], "clauses": ["PG-31"]
}))]
pub(crate) struct OptionView {
    /// Its name.
    pub name: String,
    /// A description of what the option decides.
    pub text: String,
    /// The default value.
    pub default: OptionValue,
    /// The words it takes, where it takes words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// The least number it takes, where it takes numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// The greatest number it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
    /// Clauses it comes from.
    pub clauses: Vec<String>,
}

/// A rule text to check or to publish.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "rules: my-pagade\nversion: 1.0.0\ntitle: My Pagade\nextends: pagade\ndice: {count: 3, faces: [1, 3, 4, 6]}\n"}))]
pub(crate) struct RuleText {
    /// The text of the rule file (YAML); `extends:` may name any rule set of this server.
    #[schema(min_length = 1, max_length = 1_000_000)]
    pub text: String,
}

/// What a check found.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"playable": false, "problems": [{
    "severity": "error", "code": "unknown-square", "message": "no square is named `h8`", "help": "the homeward path ends at `h7`",
    "file": "text", "line": 41, "column": 14, "width": 2, "excerpt": "  squares: [h8]"
}]}))]
pub(crate) struct CheckAnswer {
    /// Games can be played by it.
    pub playable: bool,
    /// The rule set, if it is playable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<RuleSetSummary>,
    /// Every error and warning, by place.
    pub problems: Vec<RuleProblem>,
}

/// Something wrong with a rule text.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleProblem {
    /// `error`: no game can be played by it; `warning`: one can, but perhaps not as meant.
    pub severity: RuleSeverity,
    /// A stable word.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// `text`, or what it extends.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// Number of characters concerned.
    pub width: u32,
    /// The line.
    pub excerpt: String,
}

/// How bad a problem of a rule text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RuleSeverity {
    /// No game can be played by it.
    Error,
    /// One can, but perhaps not as meant.
    Warning,
}

/// Which version of a rule set.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct VersionQuery {
    /// The version; the newest unless given.
    #[param(example = "1.0.0", max_length = 64)]
    pub version: Option<String>,
}
