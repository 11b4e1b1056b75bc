//! Sends the answers of use cases over HTTP.

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{ETAG, LINK, LOCATION};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Responder};

use crate::http::media;
use crate::service::call::etag;
use crate::service::reply::Reply;

impl Responder for Reply {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponseBuilder::new(StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK));
        if let Some(version) = self.version {
            response.insert_header((ETAG, etag(version)));
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
        let media = if self.is_brief { media::BRIEF } else { media::JSON };
        if self.body.is_empty() { response.finish() } else { response.content_type(media).body(self.body) }
    }
}
