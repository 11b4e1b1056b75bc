//! The page on which people play, watch and write rules: the built files of `api/web`, part of the program.
//!
//! The page is one HTML file for all its addresses, and uses the public API only. Names of its other files contain a
//! hash of their content, so browsers keep these files for ever.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use tokio::time::timeout;

use crate::identity::Identity;
use crate::service::Service;

/// Path, media type and content of every file.
static FILES: &[(&str, &str, &[u8])] = &include!("../../web/dist/files.rs");

/// The HTML file, which is the answer at [`ADDRESSES`].
const INDEX: &str = "/index.html";

/// The addresses of the page. The API has no routes there.
const ADDRESSES: &[&str] = &[
    "/",
    "/play/{game}",
    "/watch/{game}",
    "/rules/{rule_set}",
    "/tables",
    "/tables/{table}",
    "/tournaments",
    "/tournaments/{tournament}",
    "/leaderboards",
    "/leaderboards/{rule_set}",
    "/players/{player}",
    "/lab",
    "/signed-in",
];

/// Longest time that the page waits for the description of the identity provider.
const PROVIDER_PATIENCE: Duration = Duration::from_secs(1);

/// Returns the Content-Security-Policy of the page: it loads nothing from elsewhere, runs no inline script or style,
/// and is shown in no frame. If it signs people in at an identity provider, it may send requests to these origins of
/// the provider, too.
fn policy(provider: &[String]) -> String {
    let elsewhere: String = provider.iter().map(|origin| format!(" {origin}")).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// Returns the origins of the identity provider that the page asks: those of the issuer and of the token endpoint. If
/// the provider does not answer in time, the policy leaves out the token endpoint, and people can play as guests.
async fn origins(identity: &Identity) -> Vec<String> {
    let settings = identity.settings();
    if settings.client.is_none() {
        return Vec::new();
    }
    let endpoint = timeout(PROVIDER_PATIENCE, identity.token_endpoint()).await.ok().flatten();
    let exchange = endpoint.map(|endpoint| endpoint.origin().ascii_serialization());
    let mut origins: Vec<_> = settings.origin().into_iter().chain(exchange).collect();
    origins.dedup();
    origins
}

/// Registers the page and its files.
pub(super) fn configure(routes: &mut ServiceConfig) {
    for address in ADDRESSES {
        routes.route(address, web::get().to(read_page));
    }
    for (path, ..) in FILES.iter().filter(|(path, ..)| *path != INDEX) {
        routes.route(path, web::get().to(read_file));
    }
}

async fn read_page(request: HttpRequest, service: Data<Service>) -> HttpResponse {
    let provider = match service.identity() {
        Some(identity) => origins(identity).await,
        None => Vec::new(),
    };
    file(&request, INDEX, "no-cache", &policy(&provider))
}

/// Answers a browser that opens an address which does not exist: the page, which says so, with the status 404.
pub(super) async fn read_missing(request: HttpRequest, service: Data<Service>) -> HttpResponse {
    let mut response = read_page(request, service).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

async fn read_file(request: HttpRequest) -> HttpResponse {
    file(&request, request.path(), "public, max-age=31536000, immutable", &policy(&[]))
}

fn file(request: &HttpRequest, path: &str, lasts: &'static str, policy: &str) -> HttpResponse {
    let Some((_, media_type, content)) = FILES.iter().find(|(known, ..)| *known == path) else {
        return HttpResponse::NotFound().finish();
    };
    // The entity tag is weak, because compressed and uncompressed answers have the same tag. A browser keeps the policy
    // with the file, so another policy makes another tag.
    let mut hasher = blake3::Hasher::new();
    hasher.update(content).update(policy.as_bytes());
    let tag = format!("W/\"{}\"", const_hex::encode(&hasher.finalize().as_bytes()[..16]));
    let seen = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_seen = seen.is_some_and(|seen| seen.split(',').any(|one| one.trim() == tag));
    let mut response = if is_seen { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((ETAG, tag)).insert_header((CACHE_CONTROL, lasts));
    if is_seen {
        return response.finish();
    }
    response
        .insert_header((CONTENT_TYPE, *media_type))
        .insert_header(("Content-Security-Policy", policy))
        .insert_header((REFERRER_POLICY, "no-referrer"))
        .body(*content)
}
