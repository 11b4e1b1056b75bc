//! Quotas of requests: `RateLimit-Policy` and `RateLimit` on every answer, 429 above a quota
//! (draft-ietf-httpapi-ratelimit-headers).

use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpResponse, ResponseError, web};

use crate::http::client;
use crate::http::edge::Edge;
use crate::http::errors::whole_seconds;
use crate::limits::{Policy, Standing};

/// The header with the quotas of the client.
pub(crate) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// The header with the remaining requests.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("ratelimit");

/// The quotas that paths count for; the data is beside the routes.
#[derive(Debug)]
pub(crate) struct PathPolicies {
    /// Paths for monitoring, which are never refused.
    pub uncounted: &'static [&'static str],
    /// Paths whose POST creates a game.
    pub creating: &'static [&'static str],
    /// Paths whose POST is long work: rule texts and records.
    pub heavy: &'static [&'static str],
}

/// Counts a request. Returns the standing of the client in each quota.
///
/// # Errors
/// The answer 429, if a quota is used up.
pub(crate) fn count(request: &ServiceRequest) -> Result<Vec<Standing>, Box<HttpResponse>> {
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

/// Writes the standings into the headers of an answer.
pub(crate) fn write_headers(headers: &mut HeaderMap, standings: &[Standing]) {
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
