//! Collects the paths and schemas of all operations.

use actix_web::dev::HttpServiceFactory;
use utoipa::openapi::{Components, OpenApi};
use utoipa_actix_web::OpenApiFactory;

use crate::routes::register::Register;

/// An OpenAPI document, as far as operations were registered in it.
pub(super) struct Collected {
    pub document: OpenApi,
    /// The beginning of the paths of the operations that are registered next.
    prefix: &'static str,
}

impl Collected {
    /// Begins with a document that has no operations.
    pub(super) fn new(document: OpenApi) -> Self {
        Self { document, prefix: "" }
    }
}

impl Register for Collected {
    fn service(&mut self, operation: impl HttpServiceFactory + OpenApiFactory + 'static) -> &mut Self {
        let mut paths = operation.paths();
        if !self.prefix.is_empty() {
            let prefixed = |(path, item)| (format!("{}{path}", self.prefix), item);
            paths.paths = paths.paths.into_iter().map(prefixed).collect();
        }
        self.document.paths.merge(paths);
        let mut schemas = Vec::new();
        operation.schemas(&mut schemas);
        self.document.components.get_or_insert_with(Components::new).schemas.extend(schemas);
        self
    }

    fn scope(&mut self, prefix: &'static str, operations: fn(&mut Self)) -> &mut Self {
        let outer = std::mem::replace(&mut self.prefix, prefix);
        operations(self);
        self.prefix = outer;
        self
    }
}
