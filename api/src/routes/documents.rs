//! The OpenAPI document, served by the service.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};

/// The OpenAPI document as text: it is collected from the routes, so it is handed to them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Description(pub fn() -> &'static str);

/// Read the OpenAPI document
///
/// OpenAPI 3.1 of this very program; `/docs` shows it to people.
#[utoipa::path(tag = "service", responses((status = 200, description = "The document", body = serde_json::Value)))]
#[get("/openapi.json")]
pub(crate) async fn read_openapi(description: Data<Description>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body((description.0)())
}
