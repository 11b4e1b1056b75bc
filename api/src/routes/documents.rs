//! The description of the API, served by itself.

use actix_web::{HttpResponse, get};

use crate::openapi;

/// Read the OpenAPI document
///
/// OpenAPI 3.1 of this very program; `/docs` shows it to people.
#[utoipa::path(tag = "service", responses((status = 200, description = "The document", body = serde_json::Value)))]
#[get("/openapi.json")]
pub async fn read_openapi() -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(openapi::text())
}
