//! Reads the headers of a request into a [`Call`].

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use utoipa::IntoParams;

use crate::error::{Code, Problem, ProblemPart};
use crate::ground::token::Token;
use crate::http::edge::Edge;
use crate::http::media;
use crate::limits::Caller;
use crate::service::call::{Call, ETags};

/// Name of the header with the idempotency key.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Name of the header with preferences (RFC 7240).
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The values of conditional headers, for messages.
const TAGS: &str = "entity tags in quotation marks, such as `\"7\"`";

impl FromRequest for Call {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(read(request)))
    }
}

fn read(request: &HttpRequest) -> Call {
    // A token of another scheme than Bearer has a role in no game.
    let token = request.headers().get(AUTHORIZATION).map(|value| {
        let text = value.to_str().unwrap_or_default();
        let bearer = text.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        Token::sent(bearer.map_or("", |(_, token)| token.trim()))
    });
    let edge = request.app_data::<Data<Edge>>();
    let is_admin = edge.zip(token.as_ref()).is_some_and(|(edge, token)| edge.is_admin(token));
    let caller = request.extensions().get::<Caller>().copied();
    let is_brief = media::is_brief(request);
    match conditions(request) {
        Ok(call) => {
            let target = call.key.as_ref().map(|_| format!("{} {}", request.method(), request.path()));
            Call { target: target.unwrap_or_default(), token, is_brief, is_admin, caller, ..call }
        }
        Err(problem) => Call { token, is_brief, is_admin, caller, broken: Some(problem), ..Call::default() },
    }
}

fn conditions(request: &HttpRequest) -> Result<Call, Problem> {
    let mut mistakes = Vec::new();
    let mut read = |name: &HeaderName, takes: &str, is_taken: &dyn Fn(&str) -> bool| {
        let value = request.headers().get(name)?;
        let text = value.to_str().ok().filter(|text| is_taken(text));
        if text.is_none() {
            let detail = format!("`{name}` takes {takes}");
            mistakes.push(ProblemPart { header: Some(name.to_string()), detail, ..ProblemPart::default() });
        }
        text
    };
    let is_tags = |text: &str| ETags::parse(text).is_some();
    let is_key = |key: &str| (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let if_match = read(&IF_MATCH, TAGS, &is_tags);
    let if_none_match = read(&IF_NONE_MATCH, TAGS, &is_tags);
    let key = read(&IDEMPOTENCY_KEY, "1 to 255 printable characters without a space", &is_key);
    if !mistakes.is_empty() {
        return Err(Problem::several(Code::BadHeader, mistakes));
    }
    Ok(Call {
        if_match: if_match.and_then(ETags::parse),
        if_none_match: if_none_match.and_then(ETags::parse),
        key: key.map(str::to_owned),
        wait: preferred_wait(request).unwrap_or(0),
        ..Call::default()
    })
}

/// The seconds of `Prefer: wait`. Other preferences, and what is not a number, are ignored, as RFC 7240 demands.
fn preferred_wait(request: &HttpRequest) -> Option<u32> {
    let preferences = request.headers().get_all(PREFER).filter_map(|value| value.to_str().ok());
    let mut waits = preferences.flat_map(|value| value.split(',')).filter_map(|preference| {
        let (name, seconds) = preference.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| seconds.trim().trim_matches('"'))
    });
    waits.next()?.parse().ok()
}

/// The header of operations that play.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfMatch {
    /// The version of the game that the client saw, as in its `ETag`.
    #[param(rename = "If-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")$"##)]
    if_match: String,
}

/// The header of operations that change a game in any version.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfSeen {
    /// The version that the client saw, as in the game's `ETag`: the game is changed only if that is its present one.
    /// Without this header the game is changed at any version; an empty one lists no version, and conflicts.
    #[param(rename = "If-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")?$"##)]
    if_match: Option<String>,
}

/// The header of operations that read.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfNoneMatch {
    /// The version that the client has already; the answer is 304 where it is the current one.
    #[param(rename = "If-None-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")?$"##)]
    if_none_match: Option<String>,
}

/// The header of operations that can wait.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct PreferWait {
    /// `wait=30`: the answer comes when there is news, and after so many seconds at the latest; 30 at most (RFC 7240).
    #[param(rename = "Prefer", example = "wait=30")]
    prefer: Option<String>,
}

/// The header of operations that play, with the token of a player.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IdempotencyKey {
    /// A word of the client's own for this request, best a random UUID: sent again within 24 hours with the same token and
    /// body, it gives the same answer and has no second effect. The keys of different tokens have nothing to do with each
    /// other.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-turn-1", pattern = "^[!-~]{1,255}$")]
    idempotency_key: Option<String>,
}

/// The header of operations whose answer holds a token or secret, or that need no token.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct SecretIdempotencyKey {
    /// A random UUID, or at least 22 random characters: sent again within 24 hours with the same body, it gives the same
    /// answer and has no second effect. Whoever sends this key gets the answer, with any token in it, so the key is a secret
    /// like the token itself: draw it anew for every request. A key that is short or repetitive is refused.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", pattern = "^[!-~]{22,255}$")]
    idempotency_key: Option<String>,
}
