//! Request bodies: checks media type, size and time of arrival, and reports mistakes with JSON Pointers.

use std::any::type_name;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue};
use actix_web::web::{Bytes, BytesMut, Data};
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::config::Bounds;
use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::http::edge::Edge;
use crate::http::errors;
use crate::http::json::Json;
use crate::http::shape::{Mistakes, Shape};

/// Maximum size of an ordinary body, in bytes.
pub(crate) const LIMIT: usize = 64 << 10;
/// Maximum size of a body with a rule text or a record, in bytes.
pub(crate) const LARGE_LIMIT: usize = 4 << 20;

/// A JSON body. An empty body counts as `{}`.
#[derive(Debug)]
pub(crate) struct Body<T, const MOST_BYTES: usize = LIMIT> {
    /// The parsed value.
    pub value: T,
    /// The bytes of the body. Together with an idempotency key, they identify a repeated request.
    pub bytes: Bytes,
}

/// A text body, in one of the media types that an operation takes.
#[derive(Debug)]
pub(crate) struct TextBody {
    pub text: String,
}

impl<T: DeserializeOwned + ToSchema + 'static, const MOST_BYTES: usize> FromRequest for Body<T, MOST_BYTES> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (media, patience) = (MediaType::of(request), patience(request));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = collect(&mut payload, MOST_BYTES, patience).await?;
            if bytes.is_empty() {
                return Ok(Self { value: read(b"{}")?, bytes });
            }
            media.check(&["application/json"], &bytes)?;
            Ok(Self { value: read(&bytes)?, bytes })
        })
    }
}

impl FromRequest for TextBody {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (media, patience) = (MediaType::of(request), patience(request));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = collect(&mut payload, LARGE_LIMIT, patience).await?;
            media.check(&["application/x-ndjson", "text/plain", "application/octet-stream"], &bytes)?;
            let text = std::str::from_utf8(&bytes).map_err(|error| {
                Problem::body("", detail!("the text is not UTF-8 from byte {byte} on", byte = error.valid_up_to() + 1))
            })?;
            Ok(Self { text: text.to_owned() })
        })
    }
}

/// The headers of a request that describe its body.
struct MediaType {
    /// The header `Content-Type`, if it is there.
    media_type: Option<HeaderValue>,
    /// The header `Content-Encoding`, if it is there.
    encoding: Option<HeaderValue>,
}

impl MediaType {
    fn of(request: &HttpRequest) -> Self {
        let [media_type, encoding] = [CONTENT_TYPE, CONTENT_ENCODING].map(|name| request.headers().get(name).cloned());
        Self { media_type, encoding }
    }

    /// Checks that the body has one of these media types, is UTF-8 text, and is not compressed.
    fn check(&self, taken: &[&str], bytes: &[u8]) -> Result<(), Problem> {
        // Most clients send the media type exactly as it is written in `taken`, and need no further check.
        let is_usual = |value: &HeaderValue| taken.iter().any(|media_type| media_type.as_bytes() == value.as_bytes());
        if !(self.encoding.is_none() && self.media_type.as_ref().is_some_and(is_usual)) {
            self.check_words(taken)?;
        }
        let is_wide = [&b"\xFE\xFF"[..], b"\xFF\xFE", b"\0{", b"{\0"].iter().any(|start| bytes.starts_with(start));
        if !is_wide {
            return Ok(());
        }
        let detail = detail!("the body is in UTF-16 or UTF-32; this operation takes {taken} in UTF-8", taken);
        Err(Problem::new(Code::MediaTypeUnknown, detail))
    }

    /// Checks the media type and the encoding in the headers, in any spelling.
    fn check_words(&self, taken: &[&str]) -> Result<(), Problem> {
        let refuse = |detail: Detail| Err(Problem::new(Code::MediaTypeUnknown, detail));
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase();
        let value = self.media_type.as_ref().map_or_else(|| "nothing".to_owned(), text);
        let mut parts = value.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let charset = parts.find_map(|part| part.strip_prefix("charset=")).map(|word| word.trim_matches('"'));
        let encoding = self.encoding.as_ref().map(text);
        if let Some(encoding) = encoding.as_deref().filter(|encoding| !["", "identity"].contains(encoding)) {
            return refuse(detail!(
                "the body is encoded as `{encoding}`; this operation takes {taken} in UTF-8, as it is",
                encoding,
                taken
            ));
        }
        if !taken.contains(&name) {
            return refuse(detail!(
                "the body is `{media_type}`; this operation takes {taken} in UTF-8",
                media_type = name,
                taken
            ));
        }
        match charset {
            None | Some("utf-8" | "utf8" | "us-ascii") => Ok(()),
            Some(charset) => {
                refuse(detail!("the body is in `{charset}`; this operation takes {taken} in UTF-8", charset, taken))
            }
        }
    }
}

fn patience(request: &HttpRequest) -> Duration {
    let edge = request.app_data::<Data<Edge>>();
    Duration::from_secs(edge.map_or_else(|| Bounds::default().patience_seconds, |edge| edge.bounds.patience_seconds))
}

async fn collect(payload: &mut Payload, most: usize, patience: Duration) -> Result<Bytes, Problem> {
    let slow = || detail!("the body did not arrive within {seconds} seconds", seconds = patience.as_secs());
    timeout(patience, read_all(payload, most)).await.map_err(|_| Problem::new(Code::RequestTooSlow, slow()))?
}

async fn read_all(payload: &mut Payload, most: usize) -> Result<Bytes, Problem> {
    // Most bodies come in one piece, which is not copied.
    let (mut first, mut joined) = (Bytes::new(), BytesMut::new());
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| errors::payload(&error))?;
        if first.len().max(joined.len()) + chunk.len() > most {
            return Err(Problem::new(Code::BodyTooLarge, detail!("the body is larger than {most} bytes", most)));
        }
        if first.is_empty() {
            first = chunk;
        } else {
            if joined.is_empty() {
                joined.extend_from_slice(&first);
            }
            joined.extend_from_slice(&chunk);
        }
    }
    Ok(if joined.is_empty() { first } else { joined.freeze() })
}

/// Reads a JSON body.
///
/// # Errors
/// 400 if the text is not JSON, 422 with every mistake if a value does not fit the description.
pub(crate) fn read<T: DeserializeOwned + ToSchema + 'static>(bytes: &[u8]) -> Result<T, Problem> {
    // A byte order mark is not part of the text (RFC 8259, section 8.1).
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Json { value, doubled } = Json::read(text).map_err(|error| not_json(&error))?;
    let mut mistakes = Mistakes::default();
    for pointer in doubled {
        mistakes.at(pointer, detail!("the field is there more than once"));
    }
    Shape::of::<T>().check(&value, &mut mistakes);
    let parts = mistakes.into_parts();
    if !parts.is_empty() {
        return Err(Problem::several(Code::BodyInvalid, parts));
    }
    serde_json::from_value(value).map_err(|error| {
        tracing::debug!(%error, body = type_name::<T>(), "body fits its schema, but not the type that reads it");
        Problem::body("", detail!("the body does not fit the description"))
    })
}

fn not_json(error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let detail = if error.is_eof() {
        detail!("the body ends before its JSON does")
    } else {
        detail!("the body is not JSON from line {line}, column {column} on", line, column)
    };
    let [line, column] = [line, column].map(|place| u32::try_from(place).ok());
    Problem::one(Code::BadJson, ProblemPart { line, column, ..ProblemPart::of(detail) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::creation::CreateGame;
    use crate::model::turn::PlayActions;

    fn status_and_pointers<T: DeserializeOwned + ToSchema + 'static>(text: &str) -> (u16, Vec<String>) {
        let problem = read::<T>(text.as_bytes()).err().unwrap();
        (problem.code.status(), problem.parts.into_iter().filter_map(|part| part.pointer).collect())
    }

    #[test]
    fn every_mistake_is_told_by_its_place() {
        assert_eq!(
            status_and_pointers::<PlayActions>(r#"{"actions": ["a", 7, null], "no/pe": 1}"#).1,
            ["/actions/1", "/actions/2", "/no~1pe"]
        );
        assert_eq!(
            status_and_pointers::<PlayActions>(r#"{"actions": ["a"], "actions": []}"#),
            (422, vec!["/actions".to_owned()])
        );
        assert_eq!(status_and_pointers::<PlayActions>(r#"[["a"]]"#), (422, vec![String::new()]));
        assert_eq!(status_and_pointers::<PlayActions>("{}"), (422, vec!["/actions".to_owned()]));
        for text in [r#"{"actions": []} x"#, r#"{"actions": ["#, "", "\u{0}{}"] {
            assert_eq!(status_and_pointers::<PlayActions>(text), (400, vec![]), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_read_however_they_are_written() {
        for seconds in ["60", "60.0", "6e1"] {
            let text = format!(r#"{{"rule_set": "pagade", "turn_timer": {{"seconds": {seconds}}}}}"#);
            let wish = read::<CreateGame>([b"\xEF\xBB\xBF", text.as_bytes()].concat().as_slice()).unwrap();
            assert_eq!(wish.turn_timer.unwrap().seconds, 60);
        }
    }
}
