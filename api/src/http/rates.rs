//! Quotas of requests: the answer to a counted request has the headers `RateLimit-Policy` and `RateLimit`
//! (draft-ietf-httpapi-ratelimit-headers). A request beyond a quota is answered 429.

use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpResponse, ResponseError, web};

use crate::http::client;
use crate::http::edge::Edge;
use crate::http::errors::whole_seconds;
use crate::limits::{Policy, QuotaUse};

/// The header that lists the quotas.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The header that lists how many requests remain of each quota.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("ratelimit");

/// Counts a request. Returns how much the caller has used of each quota.
///
/// # Errors
/// The answer 429 if a quota is used up.
pub(crate) fn count(request: &ServiceRequest) -> Result<Vec<QuotaUse>, Box<HttpResponse>> {
    let edge = request.app_data::<web::Data<Edge>>();
    let Some(edge) = edge.filter(|edge| !edge.policies.uncounted.contains(&request.path())) else {
        return Ok(Vec::new());
    };
    let (meter, paths) = (&edge.meter, edge.policies);
    let (proxies, header) = meter.proxies();
    let address = client::address(request.peer_addr(), request.headers(), header, proxies);
    let caller = meter.caller(address, request.headers().get(AUTHORIZATION).map(HeaderValue::as_bytes));
    let posted = |paths: &[&str]| request.method() == Method::POST && paths.contains(&request.path());
    let (heavy, creating) = (posted(paths.heavy), posted(paths.creating));
    let policies = [(Policy::Client, true), (Policy::Token, true), (Policy::Heavy, heavy), (Policy::Create, creating)];
    let mut standings = Vec::new();
    for (policy, _) in policies.into_iter().filter(|(_, applies)| *applies) {
        match meter.count(policy, caller) {
            Ok(standing) => standings.extend(standing),
            Err(refused) => {
                standings.push(refused.standing);
                let mut response = refused.problem.error_response();
                write_headers(response.headers_mut(), &standings);
                return Err(Box::new(response));
            }
        }
    }
    request.extensions_mut().insert(caller);
    Ok(standings)
}

/// Writes the use of the quotas into the headers of an answer.
pub(crate) fn write_headers(headers: &mut HeaderMap, standings: &[QuotaUse]) {
    let mut list = |name: HeaderName, item: fn(&QuotaUse) -> String| {
        let items = standings.iter().map(item).collect::<Vec<_>>().join(", ");
        if let Ok(value) = HeaderValue::from_str(&items) {
            headers.insert(name, value);
        }
    };
    if standings.is_empty() {
        return;
    }
    list(POLICY, |QuotaUse { policy, quota, .. }| {
        format!("\"{}\";q={};w={}", policy.name(), quota.most, quota.window.as_secs())
    });
    list(REMAINING, |QuotaUse { policy, level, .. }| {
        format!("\"{}\";r={};t={}", policy.name(), level.remaining, whole_seconds(level.reset))
    });
}
