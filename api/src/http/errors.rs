//! Gives errors that arise outside of the handlers the same form as all other problems.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceResponse;
use actix_web::error::{PathError, PayloadError};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CONNECTION, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{Error, HttpRequest, HttpResponseBuilder, ResponseError};
use uuid::Uuid;

use crate::error::{Code, MEDIA_TYPE, Problem, ProblemWords, internal};
use crate::ground::language::Languages;
use crate::http::language;
use crate::telemetry;

/// The header with the id of a request, in requests and in answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Makes an answer without a body. [`shape`] adds the body later, with the path and the request id.
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::new(self.status_code());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        response.extensions_mut().insert(self.clone());
        response
    }
}

/// Logs the cause of a failure of the service. Mistakes of clients are not logged.
pub(crate) fn log(problem: &Problem, request_id: &str) {
    match (problem.code, &problem.cause) {
        (Code::StoreUnavailable, Some(cause)) => telemetry::store_unavailable(cause, request_id),
        (_, Some(cause)) => tracing::error!(cause, request_id, "internal error"),
        (_, None) => {}
    }
}

/// Makes the error of a malformed path.
pub(crate) fn path(_: PathError, _: &HttpRequest) -> Error {
    Problem::new(Code::BadPath, "a part of the path is not UTF-8").into()
}

/// Makes the problem of a body that did not arrive completely.
pub(crate) fn payload(error: &PayloadError) -> Problem {
    match error {
        PayloadError::Overflow => Problem::new(Code::BodyTooLarge, "the body is larger than this operation takes"),
        PayloadError::Incomplete(_) => Problem::new(Code::BodyIncomplete, "the body ended before its Content-Length"),
        _ => Problem::new(Code::BadRequest, "the body is not framed as its headers say"),
    }
}

/// Gives an error answer its final form: a problem with path and request id. Other answers stay as they are, and so does
/// the page that a browser gets at an unknown address.
pub(crate) fn shape(response: ServiceResponse<BoxBody>, request_id: &str) -> ServiceResponse<BoxBody> {
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !is_error || media_type.is_some_and(|media_type| media_type.starts_with("text/html")) {
        return response;
    }
    let problem = response.response().extensions().get::<Problem>().cloned();
    let problem = problem.unwrap_or_else(|| unshaped(&response));
    log(&problem, request_id);
    let (request, old) = response.into_parts();
    let new = answer(&problem, &request, request_id, &old);
    ServiceResponse::new(request, new)
}

fn unshaped(response: &ServiceResponse<BoxBody>) -> Problem {
    let status = response.status();
    let reason = response.response().error().map_or_else(|| status.to_string(), ToString::to_string);
    match status.as_u16() {
        404 => Problem::new(Code::RouteNotFound, "no operation has this path"),
        405 => Problem::new(Code::MethodNotAllowed, "this path does not take this method"),
        413 => Problem::new(Code::BodyTooLarge, "the body is larger than this operation takes"),
        // The reason is a text of the framework, not written for clients, so it is only logged.
        400..500 => {
            tracing::debug!(reason, "request refused by the framework");
            Problem::new(Code::BadRequest, "the server cannot read this request")
        }
        _ => internal(reason),
    }
}

fn answer(problem: &Problem, request: &HttpRequest, request_id: &str, old: &HttpResponse) -> HttpResponse {
    let (path, words) = (request.path(), ProblemWords::in_one_of(&language::languages(request)));
    let mut builder = HttpResponseBuilder::new(actix_web::ResponseError::status_code(problem));
    builder.insert_header((CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE)));
    for (name, value) in old.headers() {
        if *name == ALLOW || ["access-control-", "ratelimit"].iter().any(|kept| name.as_str().starts_with(kept)) {
            builder.append_header((name.clone(), value.clone()));
        }
    }
    let wait = problem.retry_after.or((problem.code.status() == 503).then_some(Duration::from_secs(1)));
    if let Some(wait) = wait {
        builder.insert_header((RETRY_AFTER, whole_seconds(wait)));
    }
    if problem.code.status() == 408 {
        builder.force_close();
    }
    if problem.code.status() == 401 {
        builder.insert_header((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
    }
    let mut response = builder.json(problem.clone().into_body(path, request_id, words));
    language::write_headers(response.headers_mut(), words.language());
    response
}

/// Writes the answer to bytes that are not HTTP, for which there is no request: a problem with the status and the
/// headers of `head`, the answer that the HTTP library would have sent.
pub(crate) fn unreadable(status: u16, head: &str) -> Vec<u8> {
    let problem = match status {
        408 => Problem::new(Code::RequestTooSlow, "the head of the request did not arrive in time"),
        431 => Problem::new(Code::HeadTooLarge, "the head of the request is too long, or has too many headers"),
        _ => Problem::new(Code::BadRequest, "the head of the request is not HTTP/1.1"),
    };
    let request_id = Uuid::now_v7().to_string();
    tracing::info!(status, request_id, "malformed request refused");
    let words = ProblemWords::in_one_of(&Languages::default());
    let body = serde_json::to_vec(&problem.into_body("/", &request_id, words)).unwrap_or_default();
    let replaced = [CONTENT_LENGTH, CONNECTION];
    let kept = head.split("\r\n").filter(|line| !replaced.iter().any(|header| names(line, header.as_str())));
    let mut lines: Vec<_> = kept.map(str::to_owned).collect();
    lines.extend([
        format!("{CONTENT_TYPE}: {MEDIA_TYPE}"),
        format!("{CONTENT_LENGTH}: {}", body.len()),
        format!("{CONTENT_LANGUAGE}: {}", words.language()),
        format!("{X_CONTENT_TYPE_OPTIONS}: nosniff"),
        format!("{REQUEST_ID}: {request_id}"),
        format!("{CONNECTION}: close"),
    ]);
    [lines.join("\r\n").as_bytes(), b"\r\n\r\n", &body].concat()
}

/// Whether a line of a head is the header with this name.
pub(crate) fn names(line: &str, header: &str) -> bool {
    line.split_once(':').is_some_and(|(name, _)| name.eq_ignore_ascii_case(header))
}

/// Rounds a time up to whole seconds.
pub(crate) fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}
