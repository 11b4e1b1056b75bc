//! The part of stored events that is the same for every kind of entity. An event is a JSON object. Its field `event`
//! has the word of the event, and `at` the time of the commit in RFC 3339. Each kind of entity writes its own events.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{Problem, internal};

/// The fields that events of every kind of entity have.
#[derive(Debug, Deserialize)]
pub(crate) struct EventHead<'e> {
    /// The word of the event, such as `moved`.
    #[serde(borrow)]
    pub event: Cow<'e, str>,
    /// The time of the commit, in RFC 3339.
    #[serde(borrow)]
    pub at: Cow<'e, str>,
}

impl<'e> EventHead<'e> {
    /// Reads the bytes of a stored event.
    ///
    /// # Errors
    /// The bytes are not a stored event.
    pub(crate) fn read(bytes: &'e [u8]) -> Result<Self, Problem> {
        serde_json::from_slice(bytes).map_err(internal)
    }
}

/// Returns stored events as JSON for clients: the stored text, unchanged.
///
/// # Errors
/// An event is not UTF-8 or not JSON.
pub(crate) fn as_written(events: Vec<Vec<u8>>) -> Result<Vec<Box<RawValue>>, Problem> {
    let written = events.into_iter().map(|event| {
        let text = String::from_utf8(event).map_err(internal)?;
        RawValue::from_string(text).map_err(internal)
    });
    written.collect()
}
