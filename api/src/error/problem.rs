//! `application/problem+json` (RFC 9457).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(title = "Problem", example = json!({
    "type": "/v1/problems/version_conflict", "title": "The game has moved on since that version", "status": 412,
    "detail": "the game is at version 8, not 7", "code": "version_conflict",
    "instance": "/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11/actions", "request_id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e12"
}))]
pub(crate) struct ProblemBody {
    /// Where the problem is documented: a path on this server.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference")]
    pub kind: String,
    /// The meaning of the code in general.
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The mistake in this request.
    pub detail: String,
    /// The problem's stable word.
    pub code: String,
    /// The path that was asked.
    pub instance: String,
    /// The id of the request, as in the header `X-Request-Id`.
    pub request_id: String,
    /// The single mistakes, if there are several or if their position matters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemPart>,
}

/// One thing that is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(title = "ProblemPart", example = json!({"pointer": "/seats", "detail": "there is no field `seats`"}))]
pub(crate) struct ProblemPart {
    /// JSON Pointer into the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Name of the query parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Name of the request header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// A finer stable word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What is wrong.
    pub detail: String,
    /// What would help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Line of the text, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in that line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl ProblemPart {
    /// Something wrong at a place of the body.
    pub(crate) fn at(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { pointer: Some(pointer.into()), detail: detail.into(), ..Self::default() }
    }
}
