//! The HTTP application: the routes, the answers to requests without a route, and the edge. The edge is the code that
//! every request passes before its handler.

mod page;
pub(crate) mod server;

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, ALLOW, LOCATION};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use actix_web::{App, Error, HttpRequest, HttpResponse, ResponseError};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::config::ServeConfig;
use crate::error::{Code, Problem, detail};
use crate::http::edge::{self, Edge, Origins};
use crate::http::errors;
use crate::metrics::RequestCounts;
use crate::openapi;
use crate::routes;
use crate::routes::documents::Description;
use crate::routes::policies::POLICIES;
use crate::service::Service;
use crate::telemetry::Tracer;

/// Builds the application. The server calls this once for each of its threads.
pub(crate) fn app(
    service: &Service,
    edge: &Edge,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    App::new()
        .configure(routes::configure)
        .app_data(Data::new(service.clone()))
        .app_data(Data::from(Arc::clone(service.metrics())))
        .app_data(Data::new(edge.clone()))
        .app_data(Data::new(RequestCounts::new(Arc::clone(service.metrics()))))
        .app_data(Data::new(Description(openapi::text)))
        .app_data(web::PathConfig::default().error_handler(errors::path))
        .route("/docs", web::get().to(go_to_docs))
        .route("/guide", web::get().to(read_guide))
        .configure(page::configure)
        .service(SwaggerUi::new("/docs/{_:.*}").config(Config::from(openapi::PATH)))
        .default_service(web::to(refuse_unrouted))
        .wrap(from_fn(edge::pass))
}

/// Builds the edge, which every request passes before its handler: CORS, rate limits, traces and metrics.
pub(crate) fn edge_of(service: &Service, config: &ServeConfig) -> Edge {
    Edge {
        origins: Origins(config.cors_origins.clone()),
        tracer: config.tracing.clone().map(|tracing| Arc::new(Tracer::new(tracing))),
        meter: Arc::clone(service.meter()),
        admin: config.admin.clone(),
        bounds: config.bounds.clone(),
        policies: &POLICIES,
        compressed: Arc::default(),
    }
}

async fn go_to_docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, "/docs/")).finish()
}

/// Answers with the guide for makers of apps, as Markdown.
async fn read_guide() -> HttpResponse {
    HttpResponse::Ok().content_type("text/markdown; charset=utf-8").body(include_str!("../../../openapi/guide.md"))
}

/// Answers a request that matches no route: 404 for an unknown path, 405 for a method that the path does not have. A
/// browser that opens an unknown address gets the page.
async fn refuse_unrouted(request: HttpRequest, service: Data<Service>) -> HttpResponse {
    let methods = openapi::paths().methods(request.path());
    let opens = request.method() == Method::GET && !request.path().starts_with("/v1/");
    if methods.is_empty() && opens && takes_html(&request) {
        return page::read_missing(request, service).await;
    }
    if methods.is_empty() {
        let detail = detail!("nothing is at `{path}`", path = request.path());
        return Problem::new(Code::RouteNotFound, detail).error_response();
    }
    let allowed = methods.join(", ");
    let detail = detail!("`{path}` takes {methods}", path = request.path(), methods);
    let problem = Problem::new(Code::MethodNotAllowed, detail);
    let mut response = problem.error_response();
    if let Ok(value) = allowed.parse() {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}

/// Whether the client names HTML among the media types that it takes, as browsers do that open an address.
fn takes_html(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.split(',').any(|one| one.trim().starts_with("text/html")))
}
