//! What a request says in its headers.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderName, IF_MATCH, IF_NONE_MATCH};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use utoipa::IntoParams;

use super::media;
use super::token::Token;
use crate::error::{Code, Problem};
use crate::rates::Caller;
use crate::service::Service;

/// Name of the header with the idempotency key.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The headers that the conventions speak of.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// Method and path, where an idempotency key is for them.
    pub target: String,
    /// The bearer token.
    pub token: Option<Token>,
    /// The versions that the client accepts as current.
    pub if_match: Option<Tags>,
    /// The versions that the client has already.
    pub if_none_match: Option<Tags>,
    /// The idempotency key.
    pub key: Option<String>,
    /// A brief answer is asked for, where there is one.
    pub is_brief: bool,
    /// The token is that of whoever runs the service.
    pub is_admin: bool,
    /// Who asks, where that is counted.
    pub caller: Option<Caller>,
    /// What is wrong with the headers; told once it is clear that the caller may ask at all.
    pub broken: Option<Problem>,
}

/// Entity tags of a conditional header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tags {
    /// `*`
    Any,
    /// The tags listed, as written.
    Of(Vec<String>),
}

impl Tags {
    /// Whether a version is among them; weak tags never match where `strong` is asked.
    pub fn contain(&self, version: u64, strong: bool) -> bool {
        // Written as by `etag`.
        let is_it = |tag: &str| {
            let number = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            number.is_some_and(|number| number.parse() == Ok(version) && !number.starts_with(['+', '0']))
        };
        match self {
            Self::Any => true,
            Self::Of(tags) => tags.iter().any(|tag| match tag.strip_prefix("W/") {
                Some(weak) => !strong && is_it(weak),
                None => is_it(tag),
            }),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        if text.trim() == "*" {
            return Some(Self::Any);
        }
        let (mut tags, mut rest) = (Vec::new(), text.trim());
        loop {
            // A tag may hold a comma, so it ends at its quotation mark.
            let open = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let inside = open.find('"')?;
            if !open[..inside].bytes().all(|byte| byte == b'!' || (b'#'..=b'~').contains(&byte)) {
                return None;
            }
            let end = rest.len() - open.len() + inside + 1;
            tags.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
            if rest.is_empty() {
                return Some(Self::Of(tags));
            }
            rest = rest.strip_prefix(',')?.trim_start();
        }
    }
}

/// A version as a strong entity tag.
pub fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

impl Call {
    /// Every header can be read.
    ///
    /// # Errors
    /// 400 where one cannot.
    pub fn check(&self) -> Result<(), Problem> {
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// The version that a command is for.
    ///
    /// # Errors
    /// 428 without `If-Match`, 412 where it names other versions.
    pub fn check_version(&self, version: u64) -> Result<(), Problem> {
        match &self.if_match {
            None => Err(Problem::new(
                Code::VersionNeeded,
                format!("the game is at version {version}: send `If-Match: {}` if that is what you saw", etag(version)),
            )),
            Some(tags) if tags.contain(version, true) => Ok(()),
            Some(_) => Err(Problem::new(Code::VersionConflict, format!("the game is at version {version}"))),
        }
    }

    /// Whether the client has this version already.
    pub fn has_seen(&self, version: u64) -> bool {
        self.if_none_match.as_ref().is_some_and(|tags| tags.contain(version, false))
    }

    fn read(request: &HttpRequest) -> Self {
        // Another scheme than Bearer is a token that no game knows.
        let token = request.headers().get(AUTHORIZATION).map(|value| {
            let text = value.to_str().unwrap_or_default();
            let bearer = text.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            Token::sent(bearer.map_or("", |(_, token)| token.trim()))
        });
        let service = request.app_data::<Data<Service>>();
        let is_admin = service.zip(token.as_ref()).is_some_and(|(service, token)| service.is_admin(token));
        let caller = request.extensions().get::<Caller>().copied();
        let is_brief = media::is_brief(request);
        match Self::conditions(request) {
            Ok(call) => {
                let target = call.key.as_ref().map(|_| format!("{} {}", request.method(), request.path()));
                Self { target: target.unwrap_or_default(), token, is_brief, is_admin, caller, ..call }
            }
            Err(problem) => Self { token, is_brief, is_admin, caller, broken: Some(problem), ..Self::default() },
        }
    }

    fn conditions(request: &HttpRequest) -> Result<Self, Problem> {
        let text = |name: &HeaderName| match request.headers().get(name) {
            None => Ok(None),
            Some(value) => match value.to_str() {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err(bad_header(name, "is not ASCII text")),
            },
        };
        let tags = |name: &HeaderName| match text(name)? {
            None => Ok(None),
            Some(text) => match Tags::parse(text) {
                Some(tags) => Ok(Some(tags)),
                None => Err(bad_header(name, "takes entity tags in quotation marks, such as `\"7\"`")),
            },
        };
        let key = text(&IDEMPOTENCY_KEY)?;
        if key.is_some_and(|key| key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| byte.is_ascii_graphic()))
        {
            return Err(bad_header(&IDEMPOTENCY_KEY, "takes 1 to 255 printable characters without a space"));
        }
        Ok(Self {
            if_match: tags(&IF_MATCH)?,
            // An empty one names no version: the answer is sent in full.
            if_none_match: if text(&IF_NONE_MATCH)? == Some("") { None } else { tags(&IF_NONE_MATCH)? },
            key: key.map(str::to_owned),
            ..Self::default()
        })
    }
}

fn bad_header(name: &HeaderName, reason: &str) -> Problem {
    Problem::new(Code::BadHeader, format!("`{name}` {reason}"))
}

impl FromRequest for Call {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::read(request)))
    }
}

/// The header of operations that play.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what `Call` reads")]
pub struct IfMatch {
    /// The version of the game that the client saw, as in its `ETag`.
    #[param(rename = "If-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")$"##)]
    if_match: String,
}

/// The header of operations that read.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what `Call` reads")]
pub struct IfNoneMatch {
    /// The version that the client has already; the answer is 304 where it is the current one.
    #[param(rename = "If-None-Match", example = "\"7\"", pattern = r##"^(\*|"[!#-~]*")?$"##)]
    if_none_match: Option<String>,
}

/// The header of operations that create or play.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what `Call` reads")]
pub struct IdempotencyKey {
    /// A word of the client's own for this request, best a random UUID: sent again within 24 hours with the same body, it
    /// gives the same answer and has no second effect.
    #[param(rename = "Idempotency-Key", example = "5f0a1c8e-turn-1", pattern = "^[!-~]{1,255}$")]
    idempotency_key: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_match_strongly_or_weakly() {
        let tags = Tags::parse(r#""3", W/"4""#).unwrap();
        assert!(tags.contain(3, true) && !tags.contain(4, true) && tags.contain(4, false));
        assert!(Tags::parse("*").unwrap().contain(99, true));
        assert_eq!(Tags::parse(r#""a,b" , "c""#), Some(Tags::Of(vec![r#""a,b""#.into(), r#""c""#.into()])));
        let odd = Tags::parse(r#""+3", "03", "3x", """#);
        assert!(!odd.unwrap().contain(3, false));
        assert_eq!(Tags::parse("3"), None);
        assert_eq!(Tags::parse(r#""3",,"#), None);
    }
}
