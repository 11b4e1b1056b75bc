//! The chat of tables, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A line to say.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "Well thrown!"}))]
pub(crate) struct SayLine {
    /// The text: not blank, on one line, without characters that change the direction of text. It is stored in
    /// Unicode's composed form (NFC), and is plain text: an app that shows it has to escape it.
    #[schema(min_length = 1, max_length = 300)]
    pub text: String,
}

/// A line of a chat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChatLineView<'a> {
    /// The number of the line at the table, from 1.
    pub line: u64,
    /// The time at which it was said.
    #[schema(format = DateTime)]
    pub at: String,
    /// The player who said it.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The name of the player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// What was said, as plain text. Absent if the line was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// Number of players who have reported the line, at most 20. Only the master sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reports: Option<u64>,
}

/// A page of a chat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChatPage<'a> {
    /// The lines in order. Only the newest 200 lines are kept, so older lines may be missing.
    pub lines: Vec<ChatLineView<'a>>,
    /// The value of `after` for the next page.
    pub next_after: u64,
}

/// The lines to read.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChatQuery {
    /// Only lines with numbers above this one.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64, default = 0)]
    pub after: Option<u64>,
    /// Maximum number of lines on the page.
    #[param(minimum = 1, maximum = 200, default = 100)]
    pub limit: Option<u32>,
}

/// A player to mute, or to let speak again.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"muted": true}))]
pub(crate) struct MutePlayer {
    /// Whether the player may say nothing.
    pub muted: bool,
}
