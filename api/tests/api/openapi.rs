//! The committed description is the one that the program writes.

use std::path::Path;

use pagade::openapi::{endpoints, text};
use serde_json::Value;

#[test]
fn the_committed_document_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi");
    for (name, current) in [("openapi.json", text().to_owned()), ("endpoints.txt", endpoints())] {
        let committed = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(committed == current, "{name} is old: run `cargo run -- openapi --out openapi`");
    }
}

/// Every schema in the document, with its place.
fn walk<'d>(place: String, value: &'d Value, found: &mut Vec<(String, &'d Value)>) {
    found.push((place.clone(), value));
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| walk(format!("{place}/{name}"), inner, found)),
        Value::Array(items) => {
            items.iter().zip(0..).for_each(|(inner, at)| walk(format!("{place}/{at}"), inner, found))
        }
        _ => {}
    }
}

#[test]
fn every_number_that_a_client_sends_has_bounds() {
    let document: Value = serde_json::from_str(text()).unwrap();
    let mut sent = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            walk(format!("{method} {path}"), &operation["parameters"], &mut sent);
            walk(format!("{method} {path}"), &operation["requestBody"], &mut sent);
        }
    }
    let mut at = 0;
    while at < sent.len() {
        let (place, schema) = sent[at].clone();
        at += 1;
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            walk(format!("{place} {name}"), &document["components"]["schemas"][name], &mut sent);
        }
        let is_integer = schema["type"] == "integer" || schema["type"] == serde_json::json!(["integer", "null"]);
        // An option of a rule set has bounds of its own.
        if is_integer && !place.contains("OptionValue") {
            assert!(schema["minimum"].is_i64() && schema["maximum"].is_i64(), "{place}: {schema}");
        }
    }
    assert!(at > 100, "{at}");
}

#[test]
fn every_operation_is_described() {
    let document: Value = serde_json::from_str(text()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = format!("{method} {path}");
            for field in ["operationId", "summary", "description"] {
                assert!(operation[field].as_str().is_some_and(|text| !text.is_empty()), "{name}: {field}");
            }
            assert!(operation["security"].is_array(), "{name}: security");
            let mut bodies = vec![("request", &operation["requestBody"])];
            for (status, response) in operation["responses"].as_object().unwrap() {
                assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {status}");
                bodies.push((status.as_str(), response));
            }
            for (place, body) in bodies {
                for (media, content) in body["content"].as_object().into_iter().flatten() {
                    let several = content["examples"].as_object().is_some_and(|shown| !shown.is_empty());
                    assert!(several || content.get("example").is_some(), "{name}: {place} {media} has no example");
                }
            }
        }
    }
}
