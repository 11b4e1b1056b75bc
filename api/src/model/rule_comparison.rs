//! Comparisons of two rule sets, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::game::RuleSetRef;

/// Two rule sets to compare.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"base": {"rule_set": "pagade"}, "variant": {"rule_set": "pagade-partnership"}}))]
pub(crate) struct CompareRules {
    /// The rule set to compare with.
    pub base: RulesRef,
    /// The rule set whose differences from `base` are listed.
    pub variant: RulesRef,
}

/// A rule set of this server, or a rule text that need not be published.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesRef {
    /// The id of the rule set. Not with `text`.
    #[schema(min_length = 1, max_length = 64)]
    pub rule_set: Option<String>,
    /// The version of the rule set. By default the newest one.
    #[schema(min_length = 1, max_length = 64)]
    pub version: Option<String>,
    /// The text of a rule file (YAML). Not with `rule_set`.
    #[schema(min_length = 1, max_length = 262_144)]
    pub text: Option<String>,
}

/// What differs between two rule sets.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleComparison {
    /// The rule set to compare with.
    pub base: RuleSetRef,
    /// The rule set whose differences from `base` are listed.
    pub variant: RuleSetRef,
    /// What differs, in the order of the base. Empty if both have the same rules.
    pub differences: Vec<RuleDifference>,
}

/// Something that differs between two rule sets. A variant is compared with all that it has from its base, in the
/// normal form of the language, so that comments and spelling make no difference.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleDifference {
    /// Where the difference is: the key, or the section and the name or id of the line. A line without id is named by
    /// its number in the section.
    #[schema(example = "options.min_cuts")]
    pub path: String,
    /// How it differs.
    pub change: RuleChange,
    /// The text in the base (YAML). Absent if it is added; with `reordered`, the names of the lines in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The text in the variant (YAML). Absent if it is removed; with `reordered`, the names of the lines in their
    /// order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

/// How a part of a rule set differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RuleChange {
    /// Only the variant has it.
    Added,
    /// Only the base has it.
    Removed,
    /// Both have it, with other texts.
    Changed,
    /// The lines of the section stand in another order. The first line that fits decides, so the order can matter.
    Reordered,
}
