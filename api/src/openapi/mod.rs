//! The OpenAPI document. It is collected from the handlers. Then the parts that all operations have are
//! added.

use std::sync::OnceLock;

use serde_json::Value;
use utoipa::OpenApi;

use crate::openapi::collected::Collected;
use crate::openapi::paths::Paths;
use crate::routes;

mod collected;
mod complete;
mod events;
mod lasting;
mod links;
mod paths;
mod share;
mod webhooks;

/// The path at which the service answers with the OpenAPI document.
pub(crate) const PATH: &str = "/openapi.json";

/// The title, servers and tags of the OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Pagade",
        description = "Race games of the cross-shaped board, by rules that are data. Create a game, throw, and play legal actions: a client need not know the rules.",
        contact(name = "Pagade", url = "https://github.com/pagade/pagade"),
        license(name = "MIT OR Apache-2.0", url = "https://github.com/pagade/pagade/blob/main/LICENSE")
    ),
    servers((url = "/", description = "This server")),
    tags(
        (name = "rule sets", description = "Rules as data: read, checked, published"),
        (name = "games", description = "Games, their seats, events and pictures"),
        (name = "groups", description = "Games that are created, listed and followed together, such as a round of a tournament"),
        (name = "tournaments", description = "Tournaments: entrants, rounds, results, standings"),
        (name = "players", description = "People with one token for many games"),
        (name = "tables", description = "Where players sit down, choose options, and play one game after another"),
        (name = "turns", description = "Throws and actions"),
        (name = "records", description = "Games as text"),
        (name = "webhooks", description = "URLs that receive the events of a game, group, player or table"),
        (name = "messages", description = "What the service sends to webhooks"),
        (name = "service", description = "Health, limits, problem codes")
    )
)]
struct About;

/// Returns the OpenAPI document as JSON, in one line.
pub fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
}

/// Returns the OpenAPI document as JSON in lines, for people.
pub fn text_in_lines() -> String {
    format!("{:#}\n", document())
}

/// Returns the paths of the API, each with its methods.
pub(crate) fn paths() -> &'static Paths {
    static PATHS: OnceLock<Paths> = OnceLock::new();
    PATHS.get_or_init(|| Paths::of(&collected()))
}

fn document() -> Value {
    complete::complete(serde_json::to_value(collected()).expect("a document is made of text and numbers"))
}

/// Collects the paths and schemas of all operations.
fn collected() -> utoipa::openapi::OpenApi {
    let mut collected = Collected::new(About::openapi());
    routes::configure(&mut collected);
    collected.document
}

/// Lists all operations, one a line, with id, method and path.
pub fn endpoints() -> String {
    let document: Value = serde_json::from_str(text()).expect("the document was written as JSON");
    let mut lines = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            if let Some(id) = operation["operationId"].as_str() {
                lines.push(format!("{id:<28} {:<6} {path}\n", method.to_uppercase()));
            }
        }
    }
    lines.concat()
}
