//! Where operations are registered: at the server, or in the OpenAPI document.

use actix_web::dev::HttpServiceFactory;
use actix_web::web::{self, ServiceConfig};
use utoipa_actix_web::OpenApiFactory;

/// Receives all operations of the API, with their paths.
///
/// Descriptions and schemas of all operations take much longer to make than their routes, so that a server registers
/// the routes only.
pub(crate) trait Register {
    fn service(&mut self, operation: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self;
    /// Registers operations whose paths begin with `prefix`.
    fn scope(&mut self, prefix: &'static str, operations: fn(&mut Self)) -> &mut Self;
}

impl Register for ServiceConfig {
    fn service(&mut self, operation: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        ServiceConfig::service(self, operation)
    }

    fn scope(&mut self, prefix: &'static str, operations: fn(&mut Self)) -> &mut Self {
        ServiceConfig::service(self, web::scope(prefix).configure(operations))
    }
}
