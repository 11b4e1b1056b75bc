//! The layer that counts requests: `RateLimit-Policy` and `RateLimit` on every answer, 429 where it was too much
//! (draft-ietf-httpapi-ratelimit-headers).

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, ResponseError, web};

use crate::error::framework::whole_seconds;
use crate::rates::{Meter, Policy, Standing};

/// What may be asked for.
pub const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// What is left of it.
pub const REMAINING: HeaderName = HeaderName::from_static("ratelimit");

/// What is asked by machines that watch the service, and never refused.
pub const UNCOUNTED: [&str; 3] = ["/livez", "/readyz", "/metrics"];

/// What makes games.
const CREATING: [&str; 2] = ["/v1/games", "/v1/records"];

/// What takes more than a moment.
const HEAVY: [&str; 3] = ["/v1/records", "/v1/rule-checks", "/v1/rule-sets"];

/// Counts a request, and passes it on unless there were too many.
///
/// # Errors
/// Passes on what inner layers could not answer.
pub async fn pass(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let meter = request.app_data::<web::Data<Meter>>().cloned();
    let Some(meter) = meter.filter(|_| !UNCOUNTED.contains(&request.path())) else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    let caller = meter.caller(request.peer_addr(), request.headers());
    let mut policies = vec![Policy::Client, Policy::Token];
    if request.method() == Method::POST && HEAVY.contains(&request.path()) {
        policies.push(Policy::Heavy);
    }
    if request.method() == Method::POST && CREATING.contains(&request.path()) {
        policies.push(Policy::Create);
    }
    let mut standings = Vec::new();
    for policy in policies {
        match meter.count(policy, caller) {
            Ok(standing) => standings.extend(standing),
            Err(refused) => {
                standings.push(refused.standing);
                let mut response = request.into_response(refused.problem.error_response());
                tell(response.headers_mut(), &standings);
                return Ok(response);
            }
        }
    }
    request.extensions_mut().insert(caller);
    let mut response = next.call(request).await?.map_into_boxed_body();
    tell(response.headers_mut(), &standings);
    Ok(response)
}

fn tell(headers: &mut HeaderMap, standings: &[Standing]) {
    let mut list = |name: HeaderName, item: fn(&Standing) -> String| {
        let items = standings.iter().map(item).collect::<Vec<_>>().join(", ");
        if let Ok(value) = HeaderValue::from_str(&items) {
            headers.insert(name, value);
        }
    };
    if standings.is_empty() {
        return;
    }
    list(POLICY, |Standing { policy, quota, .. }| {
        format!("\"{}\";q={};w={}", policy.name(), quota.most, quota.window.as_secs())
    });
    list(REMAINING, |Standing { policy, level, .. }| {
        format!("\"{}\";r={};t={}", policy.name(), level.remaining, whole_seconds(level.reset))
    });
}
