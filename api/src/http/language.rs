//! The languages of requests and answers: `Accept-Language`, `Content-Language`, `Vary`.

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{
    ACCEPT_LANGUAGE, AcceptLanguage, CONTENT_LANGUAGE, Header, HeaderMap, HeaderValue, Quality, VARY,
};
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;

use crate::ground::language::Languages;

/// Maximum number of language ranges that are read.
const MOST_RANGES: usize = 32;

impl FromRequest for Languages {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(languages(request)))
    }
}

/// Returns the languages that a request prefers, the best first. A malformed header counts as no preference.
pub(crate) fn languages(request: &HttpRequest) -> Languages {
    if !request.headers().contains_key(ACCEPT_LANGUAGE) {
        return Languages::default();
    }
    let Ok(accepted) = AcceptLanguage::parse(request) else { return Languages::default() };
    let mut ranges = accepted.0;
    ranges.truncate(MOST_RANGES);
    ranges.retain(|range| range.quality > Quality::ZERO);
    ranges.sort_by_key(|range| std::cmp::Reverse(range.quality));
    Languages(ranges.into_iter().map(|range| range.item.to_string()).collect())
}

/// Writes headers that say in which languages an answer is, and that this depends on the request's `Accept-Language`.
pub(crate) fn write_headers(headers: &mut HeaderMap, languages: &str) {
    if let Ok(value) = HeaderValue::from_str(languages) {
        headers.insert(CONTENT_LANGUAGE, value);
    }
    headers.append(VARY, HeaderValue::from_static("Accept-Language"));
}

/// The header of operations whose answers have texts for people.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes what `languages` reads")]
pub(crate) struct PreferLanguage {
    /// The languages that the client prefers for texts, such as those of problems, as browsers send them (RFC 9110).
    /// The answer says by `Content-Language` which it is in: the first preferred one that there is, otherwise English,
    /// or the language of the rule file. It names two languages where some texts are not translated.
    #[param(rename = "Accept-Language", example = "kn-IN, kn;q=0.9, en;q=0.5")]
    accept_language: Option<String>,
}
