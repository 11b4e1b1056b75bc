//! Problems: the error answers of the API, with one table of codes and one form.

use std::fmt;
use std::time::Duration;

pub(crate) use code::Code;
pub(crate) use problem::{ProblemBody, ProblemPart};

use crate::store::StoreError;

mod code;
mod problem;

/// The media type of problems.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// A problem on its way to the client; the path and the request id are added as it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The code of the problem.
    pub code: Code,
    /// The mistake in this request: lower case, no full stop, input in backticks.
    pub detail: String,
    /// The single mistakes.
    pub parts: Vec<ProblemPart>,
    /// Time after which another attempt makes sense, if it is known.
    pub retry_after: Option<Duration>,
    /// The cause of a failure of the service: for the log, never for the client.
    pub cause: Option<String>,
}

impl Problem {
    /// A problem with its detail.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), parts: Vec::new(), retry_after: None, cause: None }
    }

    /// Adds the single mistakes.
    #[must_use]
    pub(crate) fn with(mut self, parts: Vec<ProblemPart>) -> Self {
        self.parts = parts;
        self
    }

    /// Adds the time after which another attempt makes sense.
    #[must_use]
    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub(crate) fn because(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// The problem of a request with these mistakes, of which there is at least one.
    pub(crate) fn several(code: Code, parts: Vec<ProblemPart>) -> Self {
        let first = parts.first().map_or_else(String::new, |part| part.detail.clone());
        let detail = match parts.len() {
            0 | 1 => first,
            count => format!("{first}; {} more, see `problems`", count - 1),
        };
        Self::new(code, detail).with(parts)
    }

    /// The problem of a body with one mistake, at this JSON Pointer.
    pub(crate) fn body(pointer: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::new(Code::BodyInvalid, detail.clone()).with(vec![ProblemPart::at(pointer, detail)])
    }

    /// The body of the answer, for a path and a request id.
    pub(crate) fn into_body(self, instance: &str, request_id: &str) -> ProblemBody {
        ProblemBody {
            kind: format!("/v1/problems/{}", self.code.word()),
            title: self.code.title().to_owned(),
            status: self.code.status(),
            detail: self.detail,
            code: self.code.word().to_owned(),
            instance: instance.to_owned(),
            request_id: request_id.to_owned(),
            problems: self.parts,
        }
    }
}

impl fmt::Display for Problem {
    /// The form for logs, with the cause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.word(), self.detail)?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, " ({cause})"))
    }
}

impl std::error::Error for Problem {}

impl From<StoreError> for Problem {
    /// The client learns only that it may try again; the cause is for the log.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(entity) => {
                let now =
                    entity.map(|entity| format!("the {} is at version {} by now", entity.id.kind, entity.version));
                Self::new(Code::VersionConflict, now.unwrap_or_else(|| "it changed at the same moment".to_owned()))
            }
            StoreError::NameTaken(name) => {
                Self::new(Code::RuleSetExists, format!("`{name}` is published with another text"))
            }
            StoreError::KeyTaken(_) => {
                Self::new(Code::IdempotencyKeyReused, "another request with this key was answered at the same moment")
            }
            StoreError::Unavailable(cause) => {
                Self::new(Code::StoreUnavailable, "nothing was changed as far as is known").because(cause)
            }
            StoreError::Damaged(cause) => internal(cause),
        }
    }
}

impl From<getrandom::Error> for Problem {
    /// The operating system gives no randomness.
    fn from(error: getrandom::Error) -> Self {
        internal(error)
    }
}

/// A failure of the service. The cause goes to the log, not to the client.
pub(crate) fn internal(cause: impl fmt::Display) -> Problem {
    Problem::new(Code::Internal, "the cause is in the log of the server").because(cause)
}
