//! The media type that a client prefers.

use actix_web::http::header::ACCEPT;
use actix_web::{HttpRequest, HttpResponse};

use crate::error::{Code, Problem};

/// JSON.
pub(crate) const JSON: &str = "application/json";
/// The brief form of an answer: events, legal actions, and little else.
pub(crate) const BRIEF: &str = "application/vnd.pagade.brief+json";

/// Plain text.
const PLAIN: &str = "text/plain";

/// Picks the media type that the client prefers; the first one if it has no preference.
///
/// # Errors
/// 406 if the client accepts none of them.
pub(crate) fn choose<'a>(request: &HttpRequest, offered: &[&'a str]) -> Result<&'a str, Problem> {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
    let best = offered.iter().rev().map(|media| (quality(accept, media), *media)).max_by_key(|(quality, _)| *quality);
    match best {
        Some((1.., media)) => Ok(media),
        _ => Err(Problem::new(Code::NotAcceptable, format!("this operation answers as {}", offered.join(", ")))),
    }
}

/// Answers with a text in its media type, or as plain text where the client prefers that: some take no other type.
pub(crate) fn text(request: &HttpRequest, media: &'static str, text: String) -> HttpResponse {
    let chosen = choose(request, &[media, PLAIN]).unwrap_or(media);
    let named = if chosen == PLAIN { "text/plain; charset=utf-8" } else { media };
    HttpResponse::Ok().content_type(named).body(text)
}

/// Whether the client prefers the brief form to JSON.
pub(crate) fn is_brief(request: &HttpRequest) -> bool {
    choose(request, &[JSON, BRIEF]).is_ok_and(|media| media == BRIEF)
}

/// The quality that `Accept` gives to a media type, in thousandths: that of the most specific range.
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
        let q = parts.find_map(|part| part.strip_prefix("q=")).map_or(1.0, |q| q.parse::<f32>().unwrap_or(0.0));
        // RFC 9110 allows three decimals.
        best = best.max((exactness, (q.clamp(0.0, 1.0) * 1000.0) as u32));
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
    }
}
