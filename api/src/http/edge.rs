//! The code around all routes: request ids, HEAD, CORS, quotas, traces, the access log, the form of errors.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::http::{ConnectionType, Method, Version};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use uuid::Uuid;

use crate::config::Bounds;
use crate::ground::token::{Token, TokenHash};
use crate::http::compression::CompressedAnswers;
use crate::http::errors::REQUEST_ID;
use crate::http::policies::PathPolicies;
use crate::http::{errors, lasting, rates};
use crate::limits::Meter;
use crate::metrics::RequestCounts;
use crate::telemetry::{Current, OpenSpan, Tracer};

/// Headers of answers that scripts in browsers may read.
const EXPOSED: &str = "Date, ETag, Location, Link, Allow, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotency-Replayed, Preference-Applied";
/// Headers of requests that scripts in browsers may send.
const ALLOWED: &str = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id, traceparent";

/// Web origins whose scripts may call the API. If the list is empty, only scripts of the service's own origin may.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origins(pub Vec<String>);

impl Origins {
    /// Returns the value of `Access-Control-Allow-Origin` for this origin; `None` if its scripts may not call the API.
    fn allow(&self, origin: &HeaderValue) -> Option<HeaderValue> {
        if self.0.iter().any(|allowed| allowed == "*") {
            return Some(HeaderValue::from_static("*"));
        }
        self.0.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()).then(|| origin.clone())
    }
}

/// The settings and services that the code around all routes uses.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// Web origins whose scripts may call the API.
    pub origins: Origins,
    /// The tracer; `None` if traces are off.
    pub tracer: Option<Arc<Tracer>>,
    pub meter: Arc<Meter>,
    /// Hash of the admin token; `None` if there is no admin.
    pub admin: Option<TokenHash>,
    /// Limits of the process, such as its number of connections.
    pub bounds: Bounds,
    /// The paths to which special quotas or headers apply.
    pub policies: &'static PathPolicies,
    /// The cache of compressed answers that seldom change.
    pub compressed: Arc<CompressedAnswers>,
}

impl Edge {
    /// Tells whether this is the admin token.
    pub(crate) fn is_admin(&self, token: &Token) -> bool {
        self.admin.as_ref().is_some_and(|admin| *admin == token.hash())
    }

    /// Tells whether few connections are free. If so, every connection is closed after its answer.
    fn is_crowded(&self) -> bool {
        self.meter.connected() > self.bounds.connections - self.bounds.connections / 5
    }
}

/// Passes a request to its handler, and completes the answer with headers and log line.
///
/// The future is boxed: without a box, every connection would hold the memory of the future twice, even while it is
/// idle.
///
/// # Errors
/// A layer between this one and the handlers returned an error instead of an answer.
pub(crate) fn pass(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> LocalBoxFuture<'static, Result<ServiceResponse<BoxBody>, Error>> {
    Box::pin(answer(request, next))
}

async fn answer(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let id = request_id(request.headers());
    let method = request.method().clone();
    let is_old = request.version() < Version::HTTP_11;
    let edge = request.app_data::<web::Data<Edge>>().cloned();
    let allow_origin = request
        .headers()
        .get(header::ORIGIN)
        .and_then(|origin| edge.as_ref().and_then(|edge| edge.origins.allow(origin)));
    let traceparent = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
    let span = edge.as_ref().and_then(|edge| edge.tracer.as_ref()?.begin(traceparent));
    let current = Current::new(id, span);
    let preflight = method == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if method == Method::HEAD {
        // The HTTP server sends no body in answer to HEAD, so handlers need not distinguish HEAD from GET.
        request.head_mut().method = Method::GET;
    }
    let mut response = if preflight && allow_origin.is_some() {
        request.into_response(HttpResponse::NoContent().finish())
    } else {
        let answered = async {
            let response = match rates::count(&request) {
                Ok(standings) => {
                    let mut response = next.call(request).await?.map_into_boxed_body();
                    rates::write_headers(response.headers_mut(), &standings);
                    response
                }
                Err(refusal) => request.into_response(*refusal),
            };
            Ok::<_, Error>(complete(errors::shape(response, current.id()), &method, edge.as_ref()).await)
        };
        current.clone().within(answered).await?.map_body(|_, body| follow(&current, body))
    };
    let is_old_stream = is_old && response.response().body().size() == BodySize::Stream;
    if is_old_stream {
        // Before HTTP/1.1 there are no chunks: the end of the connection is the end of the stream (RFC 9112, section 6.1).
        response.response_mut().head_mut().no_chunking(true);
    }
    if is_old_stream || edge.as_ref().is_some_and(|edge| edge.is_crowded()) {
        // If few connections are free, one that stays open without requests would keep other clients out.
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(current.id()) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.append(header::VARY, HeaderValue::from_static("Accept, Origin"));
    if let Some(origin) = allow_origin {
        share(headers, origin, preflight);
    }
    let (status, took) = (response.status().as_u16(), started.elapsed());
    let operation = response.request().match_pattern();
    let trace = current.span().map(|span| {
        end(span, method.as_str(), operation.as_deref(), status, current.id());
        span.trace()
    });
    let secrets = edge.as_ref().map_or(&[][..], |edge| edge.policies.secret);
    let secret = operation.as_deref().filter(|operation| secrets.contains(operation));
    tracing::info!(
        %method, path = secret.unwrap_or_else(|| response.request().path()), route = operation.as_deref(), status,
        took_us = took.as_micros() as u64, request_id = current.id(), trace_id = trace,
        "request answered"
    );
    if let Some(counts) = response.request().app_data::<web::Data<RequestCounts>>() {
        counts.count(method.as_str(), operation.as_deref(), status, took);
    }
    Ok(response)
}

/// Completes the answer to GET or HEAD: adds an `ETag` if the answer seldom changes, compresses a long text, and drops
/// the stream if the request is HEAD.
async fn complete(
    response: ServiceResponse<BoxBody>,
    method: &Method,
    edge: Option<&web::Data<Edge>>,
) -> ServiceResponse<BoxBody> {
    let Some(edge) = edge else { return response };
    match *method {
        Method::GET => edge.compressed.compress(lasting::mark(response, edge.policies)).await,
        Method::HEAD => lasting::mark(response, edge.policies).map_body(|_, body| match body.size() {
            BodySize::Stream => BoxBody::new(()),
            _ => body,
        }),
        _ => response,
    }
}

/// Wraps a body that is a stream, so that store calls and log lines during the stream belong to this request.
fn follow(current: &Current, body: BoxBody) -> BoxBody {
    match body.size() {
        BodySize::Stream => BoxBody::new(Following { current: current.clone(), body }),
        _ => body,
    }
}

struct Following {
    current: Current,
    body: BoxBody,
}

impl MessageBody for Following {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Self { current, body } = self.get_mut();
        current.within_poll(|| Pin::new(body).poll_next(context))
    }
}

/// Ends the span of a request when its answer begins.
fn end(span: &OpenSpan, method: &str, operation: Option<&str>, status: u16, id: &str) {
    let name = operation.map_or_else(|| method.to_owned(), |operation| format!("{method} {operation}"));
    let mut attributes = vec![
        ("http.request.method", method.into()),
        ("http.response.status_code", u64::from(status).into()),
        ("pagade.request_id", id.into()),
    ];
    attributes.extend(operation.map(|operation| ("http.route", operation.into())));
    span.end(Some(name), attributes, status >= 500);
}

fn share(headers: &mut HeaderMap, origin: HeaderValue, preflight: bool) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, PATCH, DELETE"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
}

/// Returns the request id that the client sent, if it is well-formed; otherwise a new one.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(&REQUEST_ID).and_then(|value| value.to_str().ok());
    let sane = |id: &&str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    given.filter(sane).map_or_else(|| Uuid::now_v7().to_string(), str::to_owned)
}
