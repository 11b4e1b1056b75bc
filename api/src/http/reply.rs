//! Sends the answers of use cases over HTTP.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ETAG, HeaderValue, LINK, LOCATION};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};
use serde::Serialize;

use crate::http::{language, media};
use crate::service::call::etag;
use crate::service::reply::{InLanguage, Reply};

impl<T: Serialize> Responder for InLanguage<T> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok().json(self.body);
        language::write_headers(response.headers_mut(), &self.languages);
        response
    }
}

impl Responder for Reply {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponseBuilder::new(StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK));
        if let Some(version) = self.version {
            response.insert_header((ETAG, etag(version, self.tag.as_deref())));
        }
        if let Some(location) = self.location {
            response.insert_header((LOCATION, location));
        }
        if let Some(link) = self.link {
            response.insert_header((LINK, link));
        }
        if self.repeated {
            response.insert_header(("Idempotency-Replayed", "true"));
        }
        if let Some(seconds) = self.waits {
            response.insert_header(("Preference-Applied", format!("wait={seconds}")));
        }
        let media = if self.is_brief { media::BRIEF } else { media::JSON };
        let mut response = match self.body.is_empty() {
            true => response.finish(),
            false => response.insert_header((CONTENT_TYPE, HeaderValue::from_static(media))).body(self.body),
        };
        if let Some(languages) = self.languages {
            language::write_headers(response.headers_mut(), &languages);
        }
        response
    }
}
