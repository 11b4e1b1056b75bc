//! Request bodies: media type, size, time, and mistakes by JSON Pointer.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{Bytes, BytesMut, Data};
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_path_to_error::{Path, Segment};
use tokio::time::timeout;

use crate::config::Bounds;
use crate::error::{Code, Problem};
use crate::ground::pointer::escape;
use crate::http::edge::Edge;
use crate::http::errors;

/// Most bytes of an ordinary body.
pub(crate) const LIMIT: usize = 64 << 10;
/// Most bytes of a body that carries a rule text or a record.
pub(crate) const LARGE_LIMIT: usize = 4 << 20;

/// A JSON body; an empty one reads as `{}`.
#[derive(Debug)]
pub(crate) struct Body<T, const MOST: usize = LIMIT> {
    /// The parsed value.
    pub value: T,
    /// The bytes of the body, for the idempotency key.
    pub bytes: Bytes,
}

/// A text body, in one of the media types that an operation takes.
#[derive(Debug)]
pub(crate) struct Text {
    /// The text.
    pub text: String,
}

impl<T: DeserializeOwned + 'static, const MOST: usize> FromRequest for Body<T, MOST> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (media, patience) = (media_type(request), patience(request));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = collect(&mut payload, MOST, patience).await?;
            if bytes.is_empty() {
                return Ok(Self { value: read(b"{}")?, bytes });
            }
            if media != "application/json" {
                return Err(Problem::new(
                    Code::MediaTypeUnknown,
                    format!("the body is `{media}`; this operation takes `application/json`"),
                ));
            }
            Ok(Self { value: read(&bytes)?, bytes })
        })
    }
}

impl FromRequest for Text {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (media, patience) = (media_type(request), patience(request));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = collect(&mut payload, LARGE_LIMIT, patience).await?;
            if !["application/x-ndjson", "text/plain"].contains(&media.as_str()) {
                return Err(Problem::new(
                    Code::MediaTypeUnknown,
                    format!("the body is `{media}`; this operation takes `application/x-ndjson` and `text/plain`"),
                ));
            }
            let text = std::str::from_utf8(&bytes)
                .map_err(|error| Problem::body("", format!("the text is not UTF-8: {error}")))?;
            Ok(Self { text: text.to_owned() })
        })
    }
}

fn media_type(request: &HttpRequest) -> String {
    let value = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("nothing");
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn patience(request: &HttpRequest) -> Duration {
    let edge = request.app_data::<Data<Edge>>();
    Duration::from_secs(edge.map_or_else(|| Bounds::default().patience_seconds, |edge| edge.bounds.patience_seconds))
}

async fn collect(payload: &mut Payload, most: usize, patience: Duration) -> Result<Bytes, Problem> {
    let slow =
        || Problem::new(Code::RequestTooSlow, format!("the body was not there after {} seconds", patience.as_secs()));
    timeout(patience, read_all(payload, most)).await.map_err(|_| slow())?
}

async fn read_all(payload: &mut Payload, most: usize) -> Result<Bytes, Problem> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| errors::payload(&error))?;
        if bytes.len() + chunk.len() > most {
            return Err(Problem::new(Code::BodyTooLarge, format!("the body is larger than {most} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// Parses JSON. A mistake is reported with its JSON Pointer.
///
/// # Errors
/// 400 if the text is not JSON, 422 if a value does not fit.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let pointer = pointer(error.path());
        problem(&pointer, error.inner())
    })?;
    json.end().map_err(|error| problem("", &error))?;
    Ok(value)
}

fn problem(pointer: &str, error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    if !error.is_data() {
        return Problem::new(Code::BadJson, text);
    }
    // The pointer is more helpful than line and column.
    let reason = text.split(" at line ").next().unwrap_or(&text);
    let unnamed = ["unknown field", "missing field", "duplicate field"].iter().any(|kind| reason.starts_with(kind));
    match reason.split('`').nth(1).filter(|_| unnamed) {
        Some(field) if !pointer.ends_with(&format!("/{}", escape(field))) => {
            Problem::body(&format!("{pointer}/{}", escape(field)), reason)
        }
        _ => Problem::body(pointer, reason),
    }
}

fn pointer(path: &Path) -> String {
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&format!("/{}", escape(key))),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "read by serde only")]
        list: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[expect(dead_code, reason = "read by serde only")]
        number: u8,
    }

    fn place(text: &str) -> (u16, Option<String>) {
        let problem = read::<Outer>(text.as_bytes()).unwrap_err();
        (problem.code.status(), problem.parts.first().and_then(|part| part.pointer.clone()))
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        assert_eq!(place(r#"{"list": [{"number": 1}, {"number": "x"}]}"#), (422, Some("/list/1/number".into())));
        assert_eq!(place(r#"{"list": [{"number": 1, "no/pe": 2}]}"#), (422, Some("/list/0/no~1pe".into())));
        assert_eq!(place(r#"{"list": [{}]}"#), (422, Some("/list/0/number".into())));
        assert_eq!(place("{}"), (422, Some("/list".into())));
        assert_eq!(place(r#"{"list": []} x"#), (400, None));
        assert_eq!(place(r#"{"list": ["#), (400, None));
    }
}
