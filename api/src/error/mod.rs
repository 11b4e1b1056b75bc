//! What the API answers when something is wrong: one table of codes, one shape.

use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, ResponseError};

pub use code::Code;
pub use problem::{ProblemBody, ProblemPart};

use crate::store::StoreError;
use crate::telemetry;

mod code;
pub mod framework;
mod problem;

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem on its way to the client; the path and the request id are added as it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which.
    pub code: Code,
    /// What is wrong this time: lower case, no full stop, input in backticks.
    pub detail: String,
    /// Each thing that is wrong.
    pub parts: Vec<ProblemPart>,
    /// After how long it is worth trying again, where that is known.
    pub retry_after: Option<Duration>,
}

impl Problem {
    /// A problem with its detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), parts: Vec::new(), retry_after: None }
    }

    /// Adds what exactly is wrong.
    #[must_use]
    pub fn with(mut self, parts: Vec<ProblemPart>) -> Self {
        self.parts = parts;
        self
    }

    /// Says after how long it is worth trying again.
    #[must_use]
    pub fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// A body that does not fit, at one place.
    pub fn body(pointer: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::new(Code::BodyInvalid, detail.clone()).with(vec![ProblemPart::at(pointer, detail)])
    }

    /// The answer, for a path and a request id.
    pub fn into_body(self, instance: &str, request_id: &str) -> ProblemBody {
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.word(), self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        // The outermost layer knows path and request id and writes the body; see `framework::shape`.
        let mut response = HttpResponse::new(self.status_code());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        response.extensions_mut().insert(self.clone());
        response
    }
}

impl From<StoreError> for Problem {
    /// The client is told that it may try again; the log is told why.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stale(game) => {
                let version = game.map_or(0, |game| game.version);
                Self::new(Code::VersionConflict, format!("the game is at version {version} by now"))
            }
            StoreError::Taken(name) => {
                Self::new(Code::RuleSetExists, format!("`{name}` is published with another text"))
            }
            StoreError::KeyTaken(_) => {
                Self::new(Code::IdempotencyKeyReused, "another request with this key was answered at the same moment")
            }
            StoreError::Unavailable(cause) => {
                telemetry::refused(cause);
                Self::new(Code::StoreUnavailable, "nothing was changed as far as is known")
            }
            StoreError::Damaged(cause) => internal(cause),
        }
    }
}

/// Something that must not happen did: logged here, told to the client without the cause.
pub fn internal(cause: impl fmt::Display) -> Problem {
    tracing::error!(%cause, request_id = telemetry::request_id(), "internal error");
    Problem::new(Code::Internal, "the cause is in the log of the server")
}
