//! The body of error answers: `application/problem+json` (RFC 9457).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::detail::{Detail, DetailArgs};

/// The body of every error answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(title = "Problem", example = json!({
    "type": "/v1/problems/version_conflict", "title": "There is a newer version", "status": 412,
    "detail": "the game is at version 8", "code": "version_conflict", "args": {"kind": "game", "version": 8},
    "instance": "/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11/actions", "request_id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e12"
}))]
pub(crate) struct ProblemBody {
    /// Path on this server of the documentation of the problem.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference")]
    pub kind: String,
    /// The meaning of `code` in general.
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The mistake in this request.
    pub detail: String,
    /// The code of the problem: a word that never changes.
    pub code: String,
    /// The values in `detail` by name, with their types, such as the limit that was met, a field or a seat. With
    /// `code`, a client can say the problem in its own words.
    #[serde(default, skip_serializing_if = "DetailArgs::is_empty")]
    #[schema(value_type = BTreeMap<String, Value>)]
    pub args: DetailArgs,
    /// The path of the request.
    pub instance: String,
    /// The id of the request, as in the header `X-Request-Id`.
    pub request_id: String,
    /// The mistakes of the request, if there are several, or if their positions matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemPart>,
}

/// One mistake in a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(title = "ProblemPart", example = json!({"pointer": "/seats", "detail": "there is no field `seats`"}))]
pub(crate) struct ProblemPart {
    /// JSON Pointer to the mistake in the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Name of the query parameter with the mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// Name of the request header with the mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// A code for this mistake, more precise than the code of the problem: a word that never changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What is wrong.
    pub detail: String,
    /// The values in `detail` by name, with their types.
    #[serde(default, skip_serializing_if = "DetailArgs::is_empty")]
    #[schema(value_type = BTreeMap<String, Value>)]
    pub args: DetailArgs,
    /// The sentence of `detail` without its values.
    #[serde(skip)]
    #[schema(ignore)]
    pub template: &'static str,
    /// Advice: what would correct the mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub help: Option<Detail>,
    /// Line of the mistake in a rule text or record, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column of the mistake in its line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl ProblemPart {
    /// Describes a mistake at this JSON Pointer into the body.
    pub(crate) fn at(pointer: impl Into<String>, detail: impl Into<Detail>) -> Self {
        Self { pointer: Some(pointer.into()), ..Self::of(detail) }
    }

    /// Describes a mistake without its position.
    pub(crate) fn of(detail: impl Into<Detail>) -> Self {
        let Detail { text: detail, template, args } = detail.into();
        Self { detail, template, args, ..Self::default() }
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn helped(self, help: Option<Detail>) -> Self {
        Self { help, ..self }
    }

    /// Returns the sentence that says what is wrong, with its values.
    pub(crate) fn detail(&self) -> Detail {
        Detail { text: self.detail.clone(), template: self.template, args: self.args.clone() }
    }
}
