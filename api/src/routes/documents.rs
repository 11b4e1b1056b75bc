//! The OpenAPI document, served by the service.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};

/// The function that writes the OpenAPI document. The routes get this function as data and do not call it by name,
/// because the document is collected from the routes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Description(pub fn() -> &'static str);

/// Read the OpenAPI document
///
/// The OpenAPI 3.1 document of this program. `/docs` shows the same document as a web page.
#[utoipa::path(tag = "service", responses((status = 200, description = "The document", body = serde_json::Value)))]
#[get("/openapi.json")]
pub(crate) async fn read_openapi(description: Data<Description>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body((description.0)())
}
