//! Headers of answers that seldom change, such as rule sets and the OpenAPI document. Caches may keep these answers for
//! a while, and a client that already has the current answer gets 304.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, VARY};

use crate::http::policies::PathPolicies;
use crate::service::call::ETags;

/// `Cache-Control` if the query names a digest. Such an answer never changes; a year is the longest time that caches
/// accept.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// `Cache-Control` if the query names a version. The answer changes only with another version of the program.
const PINNED: &str = "public, max-age=86400";
/// `Cache-Control` for other requests. They get the newest version, which may change at any time.
const NEWEST: &str = "public, max-age=60";

/// Adds `ETag` and `Cache-Control` to an answer that seldom changes. The answer becomes 304 if the client already has
/// it.
///
/// The `ETag` is weak, because compressed and uncompressed answers have the same tag.
pub(crate) fn mark(response: ServiceResponse<BoxBody>, paths: &PathPolicies) -> ServiceResponse<BoxBody> {
    if response.status() != StatusCode::OK || !paths.is_lasting(response.request().path()) {
        return response;
    }
    let (request, answer) = response.into_parts();
    let (mut answer, body) = answer.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        // A stream has no `ETag`.
        Err(body) => return ServiceResponse::new(request, answer.set_body(body)),
    };
    let tag = format!("\"{}\"", &blake3::hash(&body).to_hex()[..32]);
    let seen = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok()).and_then(ETags::parse);
    let is_seen = match seen {
        Some(ETags::Any) => true,
        Some(ETags::Of(tags)) => tags.iter().any(|seen| seen.strip_prefix("W/").unwrap_or(seen) == tag),
        None => false,
    };
    // Other operations ignore `digest` and `version` in their query, so there they say nothing about the answer.
    let names = |parameter: &str, operations: &[&str]| {
        let is_named = || request.query_string().split('&').any(|part| part.starts_with(parameter));
        request.match_pattern().is_some_and(|operation| operations.contains(&operation.as_str())) && is_named()
    };
    let lasts = match (names("digest=", paths.by_digest), names("version=", paths.by_version)) {
        (true, _) => FOR_EVER,
        (false, true) => PINNED,
        (false, false) => NEWEST,
    };
    let headers = answer.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&format!("W/{tag}")) {
        headers.insert(ETAG, tag);
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(lasts));
    headers.append(VARY, HeaderValue::from_static("Accept"));
    if is_seen {
        headers.remove(CONTENT_TYPE);
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        return ServiceResponse::new(request, answer.set_body(BoxBody::new(())));
    }
    ServiceResponse::new(request, answer.set_body(BoxBody::new(body)))
}
