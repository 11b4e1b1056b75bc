//! Requests are counted: `RateLimit-Policy` and `RateLimit` on every answer, 429 where it was too much
//! (draft-ietf-httpapi-ratelimit-headers).

use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpResponse, ResponseError, web};

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

/// Counts a request, and gives where its client stands then.
///
/// # Errors
/// There were too many: the answer.
pub fn count(request: &ServiceRequest) -> Result<Vec<Standing>, Box<HttpResponse>> {
    let meter = request.app_data::<web::Data<Meter>>();
    let Some(meter) = meter.filter(|_| !UNCOUNTED.contains(&request.path())) else { return Ok(Vec::new()) };
    let caller = meter.caller(request.peer_addr(), request.headers());
    let posted = |paths: &[&str]| request.method() == Method::POST && paths.contains(&request.path());
    let (heavy, creating) = (posted(&HEAVY), posted(&CREATING));
    let policies = [(Policy::Client, true), (Policy::Token, true), (Policy::Heavy, heavy), (Policy::Create, creating)];
    let mut standings = Vec::new();
    for (policy, _) in policies.into_iter().filter(|(_, applies)| *applies) {
        match meter.count(policy, caller) {
            Ok(standing) => standings.extend(standing),
            Err(refused) => {
                standings.push(refused.standing);
                let mut response = refused.problem.error_response();
                tell(response.headers_mut(), &standings);
                return Err(Box::new(response));
            }
        }
    }
    request.extensions_mut().insert(caller);
    Ok(standings)
}

/// Tells a client where it stands.
pub fn tell(headers: &mut HeaderMap, standings: &[Standing]) {
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
