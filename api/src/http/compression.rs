//! Compresses long texts in answers to GET requests. Answers to moves are short, and compression would only make them
//! slower. Streams are not compressed, so that every event is sent at once.

use std::io::Write;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue, VARY};
use actix_web::web;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::ground::recent::Recent;
use crate::http::quality;

/// Length of the shortest body that is compressed, in bytes. A shorter body fits into few packets without compression.
const LEAST: u64 = 4 << 10;
/// Bodies with at least this many bytes are compressed on another thread, so that other requests on this thread do not
/// wait.
const LARGE: usize = 64 << 10;
/// Quality and window of Brotli. With these, it is about as fast as gzip, and its output is shorter.
const BROTLI: (u32, u32) = (5, 20);

/// Media types of texts. The service has no pictures but SVG, which is a text.
const TEXTS: [&str; 9] = [
    "application/json",
    "application/schema+json",
    "application/x-ndjson",
    "application/yaml",
    "application/javascript",
    "application/openmetrics-text",
    "application/vnd.pagade",
    "image/svg+xml",
    "text/",
];

/// A compression, as `Accept-Encoding` and `Content-Encoding` name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Returns the coding that a client prefers: Brotli if both have the same quality, `None` if it accepts neither.
    fn preferred(accepted: &str) -> Option<Self> {
        let codings = [Self::Gzip, Self::Brotli].map(|coding| (quality(accepted, coding.name()), coding));
        codings.into_iter().filter(|(quality, _)| *quality > 0).max_by_key(|(quality, _)| *quality).map(|(_, it)| it)
    }

    fn compress(self, body: &[u8]) -> std::io::Result<Bytes> {
        match self {
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::default());
                encoder.write_all(body)?;
                encoder.finish().map(Bytes::from)
            }
            Self::Brotli => {
                let (quality, window) = BROTLI;
                let mut encoder =
                    brotli::CompressorWriter::new(Vec::with_capacity(body.len() / 4), 4096, quality, window);
                encoder.write_all(body)?;
                encoder.flush()?;
                Ok(encoder.into_inner().into())
            }
        }
    }
}

/// Returns the quality (`q`) that `Accept-Encoding` gives to a coding, in thousandths.
fn quality(accepted: &str, name: &str) -> u32 {
    let quality_of = |wanted: &str| {
        accepted.split(',').find_map(|part| {
            let mut parts = part.split(';').map(str::trim);
            let is_it = parts.next()?.eq_ignore_ascii_case(wanted);
            is_it.then(|| quality::quality(parts))
        })
    };
    quality_of(name).or_else(|| quality_of("*")).unwrap_or(0)
}

/// A cache of compressed answers that seldom change, by their `ETag`.
#[derive(Default)]
pub(crate) struct CompressedAnswers(Recent<(HeaderValue, Coding), Bytes, 64>);

impl std::fmt::Debug for CompressedAnswers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompressedAnswers").finish_non_exhaustive()
    }
}

impl CompressedAnswers {
    /// Compresses the answer to a GET request if it is a long text, and the client accepts a coding.
    pub(crate) async fn compress(&self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        if !is_worth_it(&response) {
            return response;
        }
        // The future is boxed, so that the futures of all other requests stay small.
        Box::pin(self.compress_long(response)).await
    }

    async fn compress_long(&self, mut response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
        let accepted = response.request().headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
        let Some(coding) = accepted.and_then(Coding::preferred) else { return response };
        let (request, answer) = response.into_parts();
        let (mut answer, body) = answer.into_parts();
        let body = match body.try_into_bytes() {
            Ok(bytes) => bytes,
            Err(body) => return ServiceResponse::new(request, answer.set_body(body)),
        };
        // Only answers that seldom change have a weak `ETag`, and only these answers are cached.
        let tag = answer.headers().get(ETAG).filter(|tag| tag.as_bytes().starts_with(b"W/")).cloned();
        let body = match self.compressed(tag, coding, &body).await {
            Some(compressed) => {
                answer.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
                compressed
            }
            None => body,
        };
        ServiceResponse::new(request, answer.set_body(BoxBody::new(body)))
    }

    /// Compresses a body; `None` if this fails.
    async fn compressed(&self, tag: Option<HeaderValue>, coding: Coding, body: &Bytes) -> Option<Bytes> {
        let key = tag.map(|tag| (tag, coding));
        if let Some(cached) = key.as_ref().and_then(|key| self.0.get(key)) {
            return Some(cached);
        }
        let compressed = if body.len() < LARGE {
            coding.compress(body)
        } else {
            let body = body.clone();
            web::block(move || coding.compress(&body)).await.ok()?
        };
        let compressed = compressed.ok()?;
        if let Some(key) = key {
            self.0.keep(key, compressed.clone());
        }
        Some(compressed)
    }
}

/// Tells whether an answer is worth compressing: status 200, a long text of known length, not yet compressed.
fn is_worth_it(response: &ServiceResponse<BoxBody>) -> bool {
    let media = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_long = matches!(response.response().body().size(), BodySize::Sized(size) if size >= LEAST);
    is_long
        && response.status() == StatusCode::OK
        && !response.headers().contains_key(CONTENT_ENCODING)
        && TEXTS.iter().any(|text| media.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_says_which_coding_it_prefers() {
        assert_eq!(Coding::preferred("gzip, deflate, br, zstd"), Some(Coding::Brotli));
        assert_eq!(Coding::preferred("gzip"), Some(Coding::Gzip));
        assert_eq!(Coding::preferred("br;q=0.5, gzip;q=0.8"), Some(Coding::Gzip));
        assert_eq!(Coding::preferred("br;q=0.250, gzip;q=0.251"), Some(Coding::Gzip));
        assert_eq!(Coding::preferred("*;q=0.1, br;q=0"), Some(Coding::Gzip));
        for none in ["", "identity", "deflate", "gzip;q=0, br;q=0", "gzip;q=x"] {
            assert_eq!(Coding::preferred(none), None, "{none}");
        }
    }
}
