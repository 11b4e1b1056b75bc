//! Answers of use cases, as values: they can be stored under an idempotency key and sent by a handler.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::{Problem, internal};

/// Initial capacity of a body, in bytes: enough for a game with the events of a turn.
const USUAL: usize = 3 << 10;

/// An answer with a JSON body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) version: Option<u64>,
    pub(crate) location: Option<String>,
    pub(crate) link: Option<String>,
    #[serde(with = "text")]
    pub(crate) body: Bytes,
    #[serde(default)]
    pub(crate) is_brief: bool,
    #[serde(skip)]
    pub(crate) repeated: bool,
}

impl Reply {
    /// An answer with this status.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type rules out.
    pub(crate) fn new(status: u16, body: &impl Serialize) -> Result<Self, Problem> {
        let mut written = Vec::with_capacity(USUAL);
        serde_json::to_writer(&mut written, body).map_err(internal)?;
        Ok(Self { status, body: written.into(), ..Self::default() })
    }

    /// 200 with a body.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type rules out.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, Problem> {
        Self::new(200, body)
    }

    /// 200 with a body that is JSON already.
    pub(crate) fn written(body: Bytes) -> Self {
        Self { status: 200, body, ..Self::default() }
    }

    /// 304: the client has this version.
    pub(crate) fn not_modified(version: u64) -> Self {
        Self { status: 304, version: Some(version), ..Self::default() }
    }

    /// 204: done, without a body.
    pub(crate) fn done(version: u64) -> Self {
        Self { status: 204, version: Some(version), ..Self::default() }
    }

    /// 204: the resource was removed, so the answer has no `ETag`.
    pub(crate) fn gone() -> Self {
        Self { status: 204, ..Self::default() }
    }

    /// 200 with the brief form of a body.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type rules out.
    pub(crate) fn brief(body: &impl Serialize) -> Result<Self, Problem> {
        Ok(Self { is_brief: true, ..Self::ok(body)? })
    }

    /// Adds the version as `ETag`.
    #[must_use]
    pub(crate) fn at_version(mut self, version: u64) -> Self {
        self.version = Some(version);
        self
    }

    /// Adds the path of the created resource.
    #[must_use]
    pub(crate) fn at_location(mut self, path: String) -> Self {
        self.location = Some(path);
        self
    }

    /// Adds the path of the next page, if there is one.
    #[must_use]
    pub(crate) fn with_next(mut self, path: Option<String>) -> Self {
        self.link = path.map(|path| format!("<{path}>; rel=\"next\""));
        self
    }

    /// Marks the answer as a repetition of a stored one.
    #[must_use]
    pub(crate) fn into_repeated(mut self) -> Self {
        self.repeated = true;
        self
    }
}

/// Writes a JSON body as a string, for stored answers.
mod text {
    use bytes::Bytes;
    use serde::{Deserialize, Deserializer, Serializer, ser};

    pub(super) fn serialize<S: Serializer>(body: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(std::str::from_utf8(body).map_err(ser::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        String::deserialize(deserializer).map(Bytes::from)
    }
}
