//! Problems: the error answers of the API. All have the same form, and one table has all their codes (`code.rs`).

use std::fmt;
use std::time::Duration;

pub use code::Code;
pub(crate) use detail::{Detail, DetailArgs, detail, value};
pub(crate) use problem::{ProblemBody, ProblemPart};
pub(crate) use readable::{readable, readable_name};
pub(crate) use words::ProblemWords;

use crate::store::StoreError;

mod code;
mod detail;
mod problem;
mod readable;
mod words;

pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// A problem that a request is answered with. The path and the request id are added when the answer is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub code: Code,
    /// The mistake in this request, for the client: lower case, no full stop, input in backticks.
    pub detail: String,
    /// The sentence of `detail` with names in place of its values, by which its translations are found. Empty if the
    /// sentence is never translated.
    pub template: &'static str,
    /// The values in `detail`.
    // Boxed, because most results can be a problem, and a large error would make all results large.
    pub args: Box<DetailArgs>,
    /// The mistakes with their positions; empty if `detail` says everything.
    pub parts: Vec<ProblemPart>,
    /// Time after which the client can try again; `None` if it is unknown.
    pub retry_after: Option<Duration>,
    /// The cause of a failure of the service. It is logged, and never sent to the client.
    pub cause: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<Detail>) -> Self {
        let Detail { text: detail, template, args } = detail.into();
        Self { code, detail, template, args: Box::new(args), parts: Vec::new(), retry_after: None, cause: None }
    }

    /// Makes the problem of a request with one mistake.
    pub(crate) fn one(code: Code, part: ProblemPart) -> Self {
        Self::new(code, part.detail()).with(vec![part])
    }

    /// Returns the sentence that says what is wrong, with its values.
    pub(crate) fn said(&self) -> Detail {
        Detail { text: self.detail.clone(), template: self.template, args: (*self.args).clone() }
    }

    /// Adds the mistakes with their positions.
    #[must_use]
    pub(crate) fn with(mut self, parts: Vec<ProblemPart>) -> Self {
        self.parts = parts;
        self
    }

    /// Adds the time after which the client can try again.
    #[must_use]
    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Adds the cause of the problem, which is logged and not sent to the client.
    #[must_use]
    pub(crate) fn because(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// Makes the problem of a request with one or more mistakes. The detail says the first mistake and the number of
    /// further mistakes.
    pub(crate) fn several(code: Code, parts: Vec<ProblemPart>) -> Self {
        let first = parts.first().map(ProblemPart::detail).unwrap_or_default();
        let detail = match parts.len() {
            0 | 1 => first,
            count => detail!("{first}; {count} more, see `problems`", first = first.text, count = count - 1),
        };
        Self::new(code, detail).with(parts)
    }

    /// Makes the problem of a body with one mistake, at this JSON Pointer.
    pub(crate) fn body(pointer: &str, detail: impl Into<Detail>) -> Self {
        Self::one(Code::BodyInvalid, ProblemPart::at(pointer, detail))
    }

    /// Converts the problem to the body of an answer in the language of `words`. `instance` is the path of the request.
    pub(crate) fn into_body(self, instance: &str, request_id: &str, words: ProblemWords) -> ProblemBody {
        let (code, template) = (self.code, self.template);
        let mut body = ProblemBody {
            kind: format!("/v1/problems/{}", self.code.word()),
            title: self.code.title().to_owned(),
            status: self.code.status(),
            detail: self.detail,
            code: self.code.word().to_owned(),
            args: *self.args,
            instance: instance.to_owned(),
            request_id: request_id.to_owned(),
            problems: self.parts,
        };
        words.say(&mut body, code, template);
        body
    }
}

impl fmt::Display for Problem {
    /// Writes the problem for the log, with its cause.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.word(), self.detail)?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, " ({cause})"))
    }
}

impl std::error::Error for Problem {}

impl From<StoreError> for Problem {
    /// Converts an error of the store. A conflict tells the client the version that is stored. The cause of a failure
    /// of the store is logged, and not sent to the client.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(entity) => {
                let now = entity.map(|entity| {
                    let (kind, version) = (entity.id.kind.to_string(), entity.version);
                    detail!("the {kind} is at version {version} by now", kind, version)
                });
                Self::new(Code::VersionConflict, now.unwrap_or_else(|| detail!("it changed at the same moment")))
            }
            StoreError::NameTaken(name) => {
                Self::new(Code::RuleSetExists, detail!("`{name}` is published already", name))
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
    /// Converts the error of an operating system that has no random bytes: status 500.
    fn from(error: getrandom::Error) -> Self {
        internal(error)
    }
}

/// Makes the problem of a failure of the service itself: status 500. The cause is logged, and not sent to the client.
pub(crate) fn internal(cause: impl fmt::Display) -> Problem {
    Problem::new(Code::Internal, "the cause is in the log of the server").because(cause)
}
