//! Answers of use cases. An answer is a value that can be stored under an idempotency key, and sent by a handler.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::{Problem, internal};

/// Initial capacity of a body, in bytes. A game with the events of a turn needs less.
const USUAL: usize = 3 << 10;
/// Initial capacity of a brief body, in bytes. Most need less.
const USUAL_BRIEF: usize = 1 << 10;

/// An answer of a use case, with a JSON body.
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
    /// The language of the translated texts in the answer; `None` if no texts are translated. The language is part of
    /// the `ETag`.
    #[serde(skip)]
    pub(crate) tag: Option<String>,
    /// The languages of the texts in the answer, as a header field.
    #[serde(skip)]
    pub(crate) languages: Option<String>,
    /// The seconds for which the answer could wait for a change, as `Prefer: wait` asked for. They are sent as
    /// `Preference-Applied`.
    #[serde(skip)]
    pub(crate) waits: Option<u32>,
}

impl Reply {
    /// Makes an answer with this status and a JSON body.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type makes impossible.
    pub(crate) fn new(status: u16, body: &impl Serialize) -> Result<Self, Problem> {
        Ok(Self { status, body: json(body, USUAL)?, ..Self::default() })
    }

    /// Makes an answer 200 with a JSON body.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type makes impossible.
    pub(crate) fn ok(body: &impl Serialize) -> Result<Self, Problem> {
        Self::new(200, body)
    }

    /// Makes an answer 200 with a body that is written as JSON already.
    pub(crate) fn written(body: Bytes) -> Self {
        Self { status: 200, body, ..Self::default() }
    }

    /// Makes the answer 304: the client has this version already.
    pub(crate) fn not_modified(version: u64) -> Self {
        Self { status: 304, version: Some(version), ..Self::default() }
    }

    /// Makes the answer 204: the command was carried out, and there is no body.
    pub(crate) fn done(version: u64) -> Self {
        Self { status: 204, version: Some(version), ..Self::default() }
    }

    /// Makes the answer 204 for a resource that was removed, and therefore has no `ETag`.
    pub(crate) fn gone() -> Self {
        Self { status: 204, ..Self::default() }
    }

    /// Makes an answer 200 with a brief JSON body.
    ///
    /// # Errors
    /// The body cannot be written as JSON, which its type makes impossible.
    pub(crate) fn brief(body: &impl Serialize) -> Result<Self, Problem> {
        Ok(Self { status: 200, body: json(body, USUAL_BRIEF)?, is_brief: true, ..Self::default() })
    }

    /// Adds the version of the entity, which is sent as `ETag`.
    #[must_use]
    pub(crate) fn at_version(mut self, version: u64) -> Self {
        self.version = Some(version);
        self
    }

    /// Adds the language of the translated texts, if there are any, and the languages of all texts as a header field.
    /// Without `languages`, the header field is `tag`.
    #[must_use]
    pub(crate) fn in_language(mut self, tag: Option<String>, languages: Option<String>) -> Self {
        self.languages = languages.or_else(|| tag.clone());
        self.tag = tag;
        self
    }

    /// Adds the path of the created resource, which is sent in the header `Location`.
    #[must_use]
    pub(crate) fn at_location(mut self, path: String) -> Self {
        self.location = Some(path);
        self
    }

    /// Adds the path of the next page, which is sent in the header `Link`. Does nothing if there is no next page.
    #[must_use]
    pub(crate) fn with_next(mut self, path: Option<String>) -> Self {
        self.link = path.map(|path| format!("<{path}>; rel=\"next\""));
        self
    }

    /// Notes that the answer could wait for a change for this many seconds.
    #[must_use]
    pub(crate) fn after_waiting(mut self, seconds: Option<u32>) -> Self {
        self.waits = seconds;
        self
    }

    /// Marks the answer as the stored answer to an earlier request.
    #[must_use]
    pub(crate) fn into_repeated(mut self) -> Self {
        self.repeated = true;
        self
    }
}

/// An answer with texts for people, and their languages as a header field.
#[derive(Debug)]
pub(crate) struct InLanguage<T> {
    pub(crate) languages: String,
    pub(crate) body: T,
}

/// Writes a body as JSON, into memory of this capacity at first.
fn json(body: &impl Serialize, capacity: usize) -> Result<Bytes, Problem> {
    let mut written = Vec::with_capacity(capacity);
    serde_json::to_writer(&mut written, body).map_err(internal)?;
    Ok(written.into())
}

/// Stores a JSON body as a string.
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
