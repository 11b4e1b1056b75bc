//! Describes the headers of answers that seldom change.

use serde_json::{Value, json};

/// Adds `ETag`, `Cache-Control` and the answer 304 to an operation whose answers seldom change.
pub(super) fn describe(operation: &mut Value) {
    let header = |description: &str, example: &str| json!({"description": description, "schema": {"type": "string", "example": example}});
    let headers = &mut operation["responses"]["200"]["headers"];
    headers["ETag"] =
        header("A tag of this answer; another answer has another one", "W/\"9f86d081884c7d659a2feaa0c55ad015\"");
    headers["Cache-Control"] = header("How long the answer may be used without asking again", "public, max-age=60");
    operation["responses"]["304"] = json!({"description": "The client has this answer"});
    let parameter = json!({
        "name": "If-None-Match", "in": "header", "required": false,
        "description": "The tag of the answer that the client has already; the answer is 304 where it is the current one.",
        "schema": {"type": "string"}, "example": "W/\"9f86d081884c7d659a2feaa0c55ad015\""
    });
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}
