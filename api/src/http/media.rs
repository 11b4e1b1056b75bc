//! Chooses the media type of an answer by the header `Accept`.

use actix_web::http::header::ACCEPT;
use actix_web::{HttpRequest, HttpResponse};

use crate::error::{Code, Problem, detail};
use crate::http::quality;

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The media type of brief answers: events, and a game with only the fields that a client needs to play on.
pub(crate) const BRIEF: &str = "application/vnd.pagade.brief+json";

/// The media type of NDJSON: records, and events in a stream.
pub(crate) const NDJSON: &str = "application/x-ndjson";
/// The media type of plain text.
pub(crate) const PLAIN: &str = "text/plain";

/// Picks the offered media type that the client prefers; the first one offered if the client has no preference.
///
/// # Errors
/// 406 if the client accepts none of the offered media types.
pub(crate) fn choose<'a>(request: &HttpRequest, offered: &[&'a str]) -> Result<&'a str, Problem> {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
    // Most clients name one media type.
    if let Some(media) = offered.iter().find(|media| **media == accept) {
        return Ok(media);
    }
    let best = offered.iter().rev().map(|media| (quality(accept, media), *media)).max_by_key(|(quality, _)| *quality);
    match best {
        Some((1.., media)) => Ok(media),
        _ => Err(Problem::new(Code::NotAcceptable, detail!("this operation answers as {offered}", offered))),
    }
}

/// Answers with a text in its own media type, or as plain text if the client prefers that. Some clients accept only
/// plain text.
pub(crate) fn text(request: &HttpRequest, media: &'static str, text: String) -> HttpResponse {
    let chosen = choose(request, &[media, PLAIN]).unwrap_or(media);
    let named = if chosen == PLAIN { "text/plain; charset=utf-8" } else { media };
    HttpResponse::Ok().content_type(named).body(text)
}

/// Tells whether the client prefers brief answers to full ones.
pub(crate) fn is_brief(request: &HttpRequest) -> bool {
    choose(request, &[JSON, BRIEF]).is_ok_and(|media| media == BRIEF)
}

/// Returns the quality that an `Accept` header gives to a media type, from 0 to 1000. The most specific range of the
/// header decides.
fn quality(accept: &str, media: &str) -> u32 {
    let family = media.split('/').next().unwrap_or_default();
    let mut best = (0, 0);
    for range in accept.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let exactness = match name.split_once('/') {
            _ if name.eq_ignore_ascii_case(media) => 3,
            Some((start, "*")) if start.eq_ignore_ascii_case(family) => 2,
            Some(("*", "*")) => 1,
            _ => continue,
        };
        best = best.max((exactness, quality::quality(parts)));
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_exact_range_decides() {
        assert_eq!(quality("text/*;q=0.5, */*;q=0.1", "text/plain"), 500);
        assert_eq!(quality("application/json;q=0, */*", "application/json"), 0);
        assert_eq!(quality("image/png", "image/svg+xml"), 0);
        assert_eq!(quality("*/*", "image/svg+xml"), 1000);
        assert_eq!(quality("text/plain; q=0.251", "text/plain"), 251);
    }
}
