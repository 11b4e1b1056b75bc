//! Rule sets, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::creation::OptionValue;
use super::layout::BoardLayout;

/// A rule set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RuleSetSummary {
    /// The id of the rule set.
    pub id: String,
    /// The version of the rule set.
    pub version: String,
    /// BLAKE3 hash of the rule set's text, in hexadecimal.
    pub digest: String,
    /// The name of the game, for people, in the language of the answer.
    pub title: String,
    /// The language of the title, by its tag.
    pub language: String,
    /// Whether the rule set comes with the program. If not, it was published on this server.
    pub bundled: bool,
}

/// A list of rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RuleSetList {
    /// The rule sets, sorted by id, then by version.
    pub rule_sets: Vec<RuleSetSummary>,
}

/// A rule set with all its details.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct RuleSetView {
    /// The id of the rule set.
    pub id: String,
    /// The version of the rule set.
    pub version: String,
    /// BLAKE3 hash of the rule set's text, in hexadecimal.
    pub digest: String,
    /// The name of the game, for people, in the language of the answer.
    pub title: String,
    /// The language that was chosen, by its tag. Texts without a translation are in the language of the rule file.
    pub language: String,
    /// Texts for people in that language, by path: `title`; `seats.NAME`; `options.NAME` (what the option decides),
    /// `options.NAME.VALUE`; `counters.seat.NAME`, `counters.game.NAME`, `counters.pawn.NAME` (marks); `places.NAME` of
    /// a zone or a single place; `tags.NAME`; `spend.ID` and other lines, as the field `rule` of a legal action names
    /// them; `choices.ID`; `throws.THROW` for throws that have a name; `events.WORD`; `ranks.1`, ..
    pub texts: BTreeMap<String, String>,
    /// Names of the game in other languages, by language tag.
    pub titles: BTreeMap<String, String>,
    /// The region where the game is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The time when the game was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// The sources of the rules.
    pub sources: Vec<String>,
    /// A paragraph about the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Whether the rule set comes with the program. If not, it was published on this server.
    pub bundled: bool,
    /// The seats round the board, in the order of travel.
    pub seats: Vec<String>,
    /// Number of pawns of each seat.
    pub pawns: u8,
    /// How long games last: the robot `runner` has played twenty games at the smallest table, with the default options.
    /// Absent if these games take too long to play, and in the answer that publishes the rule set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<GameLength>,
    /// The options that can be chosen when a game is created.
    pub options: Vec<OptionView>,
    /// For each clause of the sources, the rule lines that implement it.
    pub clauses: BTreeMap<String, Vec<String>>,
    /// The sentences of the sources, or a description of the rule, by the ids of the clauses, in English. A rule set
    /// that extends another has those of the other, too. Empty for a published rule set that extends none that comes
    /// with the program.
    pub clause_texts: BTreeMap<String, String>,
}

/// How long games of a rule set last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct GameLength {
    /// Number of players at the smallest table.
    pub players: u8,
    /// Number of turns in a game, all players together: half of the games have at most as many.
    pub turns: u32,
}

/// An option of a rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OptionView {
    /// The name of the option.
    pub name: String,
    /// A description of what the option decides, in the language of the answer.
    pub text: String,
    /// The default value.
    pub default: OptionValue,
    /// The words that the option can have. Absent if its values are not words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// The smallest number that the option can have. Absent if its values are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// The largest number that the option can have. Absent if its values are not numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
    /// The ids of the clauses from which the option comes.
    pub clauses: Vec<String>,
}

/// A rule text to check or to publish.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "rules: my-pagade\nversion: 1.0.0\ntitle: My Pagade\nextends: pagade\ndice: {count: 3}\n"}))]
pub(crate) struct RuleText {
    /// The text of the rule file (YAML); `extends:` may name any rule set of this server.
    #[schema(min_length = 1, max_length = 262_144)]
    pub text: String,
    /// Translations of the texts of the rule file (YAML), one for each language. They are published with it.
    #[schema(max_items = 16)]
    #[serde(default)]
    pub translations: Vec<String>,
}

/// What the answer to the check of a rule text contains beside the mistakes.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckQuery {
    /// Whether the answer has the board.
    #[serde(default)]
    pub board: bool,
}

/// The result of checking a rule text.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"playable": false, "problems": [{
    "severity": "error", "code": "unknown-square", "message": "no square is named `h8`", "help": "the homeward path ends at `h7`",
    "file": "text", "line": 41, "column": 14, "width": 2, "excerpt": "  squares: [h8]",
    "excerpt_column": 1
}], "missing_texts": [], "translations": []}))]
pub(crate) struct CheckAnswer {
    /// Whether games can be played with the rule text, because it has no errors.
    pub playable: bool,
    /// The rule set that the text defines. Absent if the text has errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<RuleSetSummary>,
    /// The board, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardLayout>,
    /// Every error and warning, in the order of the text.
    pub problems: Vec<RuleProblem>,
    /// Paths of names that have no text for people, such as `counters.seat.cuts`.
    pub missing_texts: Vec<String>,
    /// The result for each translation.
    pub translations: Vec<TranslationCheck>,
}

/// The result of checking a translation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"language": "kn", "checked": "nobody yet", "problems": [], "missing": ["seats.red"]}))]
pub(crate) struct TranslationCheck {
    /// The language; absent if there are errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The name of the translation's checker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// Every error and warning, in order. A warning names a text that the rule set does not have.
    pub problems: Vec<RuleProblem>,
    /// Paths of names whose texts have no translation.
    pub missing: Vec<String>,
}

/// A mistake in a rule text.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct RuleProblem {
    /// `error`: games cannot be played with the text. `warning`: they can, but the rules may differ from what the
    /// author meant.
    pub severity: RuleSeverity,
    /// The code of the problem: a word that never changes.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// Advice how to correct the mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file with the mistake: `text`, or the name of a rule set that the text extends.
    pub file: String,
    /// Line of the mistake, from 1.
    pub line: u32,
    /// Column of the mistake in its line, from 1, in characters.
    pub column: u32,
    /// Number of characters to which the mistake extends.
    pub width: u32,
    /// The text of the line; of a line above 200 characters, the part around the mistake, with `..` where it was
    /// cut.
    pub excerpt: String,
    /// Column at which the excerpt begins, from 1.
    pub excerpt_column: u32,
}

/// The severity of a mistake in a rule text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RuleSeverity {
    /// Games cannot be played with the text.
    Error,
    /// Games can be played with the text, but the rules may differ from what the author meant.
    Warning,
}

/// The query parameter that chooses a version of a rule set.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct VersionQuery {
    /// The version of the rule set. By default the newest one.
    #[param(example = "1.0.0", max_length = 64)]
    pub version: Option<String>,
}
