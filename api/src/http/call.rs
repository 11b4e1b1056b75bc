//! Reads the headers of a request into a [`Call`].

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::{Either, LocalBoxFuture};
use utoipa::IntoParams;

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::ground::token::Token;
use crate::http::edge::Edge;
use crate::http::media;
use crate::identity::Identity;
use crate::limits::Caller;
use crate::player::PLAYER;
use crate::service::Service;
use crate::service::call::{Call, ETags};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Name of the header with preferences (RFC 7240).
const PREFER: HeaderName = HeaderName::from_static("prefer");

impl FromRequest for Call {
    type Error = Infallible;
    type Future = Either<Ready<Result<Self, Infallible>>, LocalBoxFuture<'static, Result<Self, Infallible>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let call = read(request);
        let service = request.app_data::<Data<Service>>();
        let is_named = |service: &Data<Service>| match &call.token {
            Some(token) => is_of_player(token) || (!call.is_admin && is_of_issuer(service, token)),
            None => false,
        };
        let service = service.filter(|service| is_named(service));
        match service.cloned() {
            Some(service) => Either::Right(Box::pin(async move { Ok(with_player(&service, call).await) })),
            None => Either::Left(ready(Ok(call))),
        }
    }
}

fn is_of_player(token: &Token) -> bool {
    token.entity().is_some_and(|(kind, _)| kind == PLAYER.word())
}

fn is_of_issuer(service: &Service, token: &Token) -> bool {
    service.identity().is_some() && Identity::is_jwt(token.reveal())
}

/// Adds the player whose token the request has. If the store is not available, or the token of an issuer is not valid,
/// the request is refused.
async fn with_player(service: &Service, call: Call) -> Call {
    let Some(token) = &call.token else { return call };
    if let Some(identity) = service.identity().filter(|_| is_of_issuer(service, token)) {
        return match service.player_of_jwt(identity, token.reveal()).await {
            Ok((token, player)) => Call { token: Some(token), player: Some(player), ..call },
            Err(problem) => Call { broken: Some(problem.into()), ..call },
        };
    }
    match service.player_of(token).await {
        Ok(player) => Call { player, ..call },
        Err(problem) => Call { broken: Some(call.broken.unwrap_or_else(|| problem.into())), ..call },
    }
}

fn read(request: &HttpRequest) -> Call {
    // A token that is sent with another scheme than Bearer counts as an empty token, which gives access to no game.
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
        Err(problem) => Call { token, is_brief, is_admin, caller, broken: Some(problem.into()), ..Call::default() },
    }
}

fn conditions(request: &HttpRequest) -> Result<Call, Problem> {
    let mut mistakes = Vec::new();
    let mut read = |name: &HeaderName, takes: &dyn Fn() -> Detail, is_taken: &dyn Fn(&str) -> bool| {
        let value = request.headers().get(name)?;
        let text = value.to_str().ok().filter(|text| is_taken(text));
        if text.is_none() {
            mistakes.push(ProblemPart { header: Some(name.to_string()), ..ProblemPart::of(takes()) });
        }
        text
    };
    let is_tags = |text: &str| ETags::parse(text).is_some();
    let is_key = |key: &str| (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let tags = |header: &HeaderName| {
        detail!("`{header}` takes entity tags in quotation marks, such as `\"7\"`", header = header.as_str())
    };
    let keys = || detail!("`idempotency-key` takes 1 to {most} printable characters without a space", most = 255);
    let if_match = read(&IF_MATCH, &|| tags(&IF_MATCH), &is_tags);
    let if_none_match = read(&IF_NONE_MATCH, &|| tags(&IF_NONE_MATCH), &is_tags);
    let key = read(&IDEMPOTENCY_KEY, &keys, &is_key);
    if !mistakes.is_empty() {
        return Err(Problem::several(Code::BadHeader, mistakes));
    }
    Ok(Call {
        if_match: if_match.and_then(ETags::parse),
        if_none_match: if_none_match.and_then(ETags::parse),
        key: key.map(str::to_owned),
        wait: preferred_wait(request).filter(|seconds| *seconds > 0),
        ..Call::default()
    })
}

/// Returns the seconds of the header `Prefer: wait=SECONDS`. Other preferences, and values that are not numbers, are
/// ignored, as RFC 7240 demands.
fn preferred_wait(request: &HttpRequest) -> Option<u32> {
    let preferences = request.headers().get_all(PREFER).filter_map(|value| value.to_str().ok());
    let mut waits = preferences.flat_map(|value| value.split(',')).filter_map(|preference| {
        let (name, seconds) = preference.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| seconds.trim().trim_matches('"'))
    });
    let seconds = waits.next()?;
    // A number that is too large is a long wait, and the longest wait is shorter than it.
    let is_number = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| seconds.parse().unwrap_or(u32::MAX))
}

/// The header of operations that change a game only in the version that the client saw.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfMatch {
    /// The version of the game that the client saw, as in its `ETag`.
    #[param(rename = "If-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")$"##)]
    if_match: String,
}

/// The header of operations that change a game in any version, unless the client names one.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfSeen {
    /// The version of the game that the client saw, as in its `ETag`. The game is changed only if this is its current
    /// version. Without this header, the game is changed in any version. An empty header names no version: the answer
    /// is a conflict.
    #[param(rename = "If-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")?$"##)]
    if_match: Option<String>,
}

/// The header of operations that read something with a version.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IfNoneMatch {
    /// The version that the client has already. If it is the current version, the answer is 304.
    #[param(rename = "If-None-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")?$"##)]
    if_none_match: Option<String>,
}

/// The header of operations that can wait for a change.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct PreferWait {
    /// `wait=30`: the answer comes as soon as there is a new version or event, and at the latest after this number of
    /// seconds; 30 is the longest wait (RFC 7240).
    #[param(rename = "Prefer", example = "wait=30")]
    prefer: Option<String>,
}

/// The header of operations that need a token, and whose answer holds no secret.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct IdempotencyKey {
    /// A name that the client gives to this request, best a random UUID. If the client sends the request again within
    /// 24 hours, with the same key, token and body, it gets the same answer, and the request has no second effect.
    /// Different tokens may use the same key without effect on each other.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-turn-1", pattern = "^[!-~]{1,255}$")]
    idempotency_key: Option<String>,
}

/// The header of operations whose answer holds a token or secret, or that need no token.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct SecretIdempotencyKey {
    /// A random UUID, or at least 22 random characters. If the client sends the request again within 24 hours, with the
    /// same key and body, it gets the same answer, and the request has no second effect. The key is a secret: anyone
    /// who sends it gets the answer with the token in it. So use a new random key for every request. A short or
    /// repetitive key is refused.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", pattern = "^[!-~]{22,255}$")]
    idempotency_key: Option<String>,
}

/// The header of operations that refuse a request without a key.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what the extractor of `Call` reads")]
pub(crate) struct NeededIdempotencyKey {
    /// A random UUID, or at least 22 random characters. If the client sends the request again within 24 hours, with the
    /// same key and body, the service completes what the first request began, and gives the same answer. Use a new
    /// random key for every request. The key is a secret like a token: anyone who sends it with the same token gets the
    /// answer.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42", pattern = "^[!-~]{22,255}$")]
    idempotency_key: String,
}
