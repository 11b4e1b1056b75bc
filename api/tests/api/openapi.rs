//! Checks that the committed description of the interface is the one that the program writes.

use std::collections::BTreeSet;
use std::path::Path;

use pagade::openapi::{endpoints, text, text_in_lines};
use serde_json::Value;

use crate::harness::resolved;

#[test]
fn the_committed_document_is_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openapi");
    for (name, current) in [("openapi.json", text_in_lines()), ("endpoints.txt", endpoints())] {
        let committed = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(committed == current, "{name} is old: run `cargo run -- openapi --out openapi`");
    }
}

/// Collects every part of the document in `found`, with its path.
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
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                walk(format!("{method} {path}"), resolved(&document, parameter), &mut sent);
            }
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
        // The bounds of an option's value are in its rule set, not in the description.
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
                let response = resolved(&document, response);
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

/// Merges the parts of a schema (`allOf`) into one schema with the properties of all parts.
fn whole(document: &Value, schema: &Value) -> Value {
    let Some(parts) = schema["allOf"].as_array() else { return schema.clone() };
    let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
    for part in parts.iter().map(|part| whole(document, resolved(document, part))) {
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    serde_json::json!({"type": "object", "properties": properties, "required": required})
}

/// Tells whether a value fits a schema. Supports only those keywords of JSON Schema that the document uses.
fn fits(document: &Value, schema: &Value, value: &Value) -> bool {
    let schema = &whole(document, resolved(document, schema));
    let one =
        |name: &str| schema[name].as_array().is_none_or(|all| all.iter().any(|inner| fits(document, inner, value)));
    let is = |kind: &Value| match kind.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        _ => value.is_null(),
    };
    let kinds = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    };
    let listed = schema["enum"].as_array().is_none_or(|words| words.contains(value));
    let bounded = value.as_i64().is_none_or(|number| {
        schema["minimum"].as_i64().is_none_or(|least| number >= least)
            && schema["maximum"].as_i64().is_none_or(|most| number <= most)
    });
    let fields = value.as_object().is_none_or(|fields| {
        let known = |name: &str| schema["properties"].get(name);
        let others = &schema["additionalProperties"];
        fields.iter().all(|(name, inner)| match (known(name), others) {
            (Some(schema), _) => fits(document, schema, inner),
            (None, Value::Bool(false)) => false,
            (None, Value::Object(_)) => fits(document, others, inner),
            // If a schema lists properties, it has to list every property of the value.
            (None, _) => schema["properties"].is_null(),
        }) && schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .all(|name| fields.contains_key(name.as_str().unwrap()))
    });
    let items = value.as_array().is_none_or(|items| items.iter().all(|item| fits(document, &schema["items"], item)));
    one("oneOf") && one("anyOf") && kinds && listed && bounded && fields && (schema["items"].is_null() || items)
}

#[test]
fn every_example_fits_its_schema() {
    let document: Value = serde_json::from_str(text()).unwrap();
    let (mut found, mut wrong, mut shown) = (Vec::new(), Vec::new(), 0);
    walk(String::new(), &document, &mut found);
    for (place, part) in found {
        let schema = match (part.get("schema"), part.get("properties").or(part.get("type"))) {
            (Some(schema), _) => schema,
            (None, Some(_)) => part,
            _ => continue,
        };
        let examples = part["examples"].as_object().into_iter().flatten();
        let examples = examples.map(|(_, example)| &resolved(&document, example)["value"]);
        for example in examples.chain(part.get("example")) {
            shown += 1;
            if !fits(&document, schema, example) {
                wrong.push(format!("{place}: {example}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(shown > 300, "{shown}");
}

/// Adds to `found` the names of all schemas that a part of the document refers to, directly or through other parts.
fn schemas_of(document: &Value, part: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            if let Some(path) = part["$ref"].as_str()
                && found.insert(path.to_owned())
            {
                schemas_of(document, document.pointer(path.trim_start_matches('#')).unwrap(), found);
            }
            fields.values().for_each(|inner| schemas_of(document, inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| schemas_of(document, inner, found)),
        _ => {}
    }
}

#[test]
fn what_may_be_absent_from_an_answer_is_never_null() {
    let document: Value = serde_json::from_str(text()).unwrap();
    let mut found = BTreeSet::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            schemas_of(&document, &operation["responses"], &mut found);
        }
    }
    let schemas = found.iter().filter(|path| path.starts_with("#/components/schemas/"));
    let mut wrong = Vec::new();
    for path in schemas {
        let schema = document.pointer(path.trim_start_matches('#')).unwrap();
        let parts = [schema].into_iter().chain(schema["allOf"].as_array().into_iter().flatten());
        let fields = parts.flat_map(|part| part["properties"].as_object().into_iter().flatten());
        let null = Value::from("null");
        let nullable = fields.filter(|(_, field)| {
            field["type"].as_array().is_some_and(|kinds| kinds.contains(&null))
                || field["oneOf"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["type"] == null))
        });
        wrong.extend(nullable.map(|(name, _)| format!("{path}: {name}")));
    }
    assert!(found.len() > 100 && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_operation_says_how_it_chooses_a_language_and_whether_it_has_waited() {
    let document: Value = serde_json::from_str(text()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().unwrap().iter();
            let names: Vec<_> = parameters.map(|parameter| resolved(&document, parameter)["name"].clone()).collect();
            assert!(names.contains(&"Accept-Language".into()), "{method} {path}");
            for (status, answer) in operation["responses"].as_object().unwrap() {
                let headers = &resolved(&document, answer)["headers"];
                let is_problem = status.starts_with(['4', '5']);
                assert!(!is_problem || headers.get("Content-Language").is_some(), "{method} {path} {status}");
                let may_wait = names.contains(&"Prefer".into()) && (status.starts_with('2') || status == "304");
                assert_eq!(headers.get("Preference-Applied").is_some(), may_wait, "{method} {path} {status}");
            }
        }
    }
}

#[test]
fn a_conflict_of_versions_is_described_where_a_version_can_be_sent() {
    let document: Value = serde_json::from_str(text()).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let names = parameters
                .map(|parameter| resolved(&document, parameter)["name"].as_str().unwrap())
                .collect::<Vec<_>>();
            let answers = operation["responses"].as_object().unwrap();
            assert_eq!(answers.contains_key("412"), names.contains(&"If-Match"), "{method} {path}");
            if names.contains(&"Idempotency-Key") {
                let taken = answers.iter().find(|(status, _)| status.starts_with('2')).unwrap().1;
                assert!(resolved(&document, taken)["headers"].get("Idempotency-Replayed").is_some(), "{method} {path}");
            }
        }
    }
}

#[test]
fn the_description_is_short_enough_to_be_read_by_a_phone() {
    let document: Value = serde_json::from_str(text()).unwrap();
    let bytes = document.to_string().len();
    let operations: usize =
        document["paths"].as_object().unwrap().values().map(|item| item.as_object().unwrap().len()).sum();
    // The number of operations grows with the service, so the bound is for the mean size of an operation, with its
    // share of the schemas and examples. Repeated parts in place of references would make this size far larger than the
    // bound.
    assert!(bytes <= 4_450 * operations, "{bytes} bytes for {operations} operations");
    assert!(document["webhooks"]["game.events"]["post"]["requestBody"].is_object());
    let stream = document.pointer("/paths/~1v1~1games~1{id}~1events/get/description").unwrap().as_str().unwrap();
    assert!(["`snapshot`", "`resync`", "`end`"].iter().all(|word| stream.contains(word)), "{stream}");
}

/// Generated clients contain the names of shared parts. A name must not be a number, because another operation would
/// change it.
#[test]
fn shared_parts_have_names_that_say_what_they_are() {
    let document: Value = serde_json::from_str(text()).unwrap();
    for (kind, parts) in document["components"].as_object().unwrap() {
        for name in parts.as_object().unwrap().keys() {
            let is_numbered =
                name.rsplit_once('_').is_some_and(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()));
            assert!(!is_numbered && !name.starts_with("Answer"), "{kind}/{name}: see api/src/openapi/share.rs");
        }
    }
    let answers = &document["components"]["responses"];
    assert_eq!(answers["NotAllowed"]["description"], "`not_allowed`");
    assert_eq!(answers["BadHeaderOrBadPath"]["description"], "`bad_header`, `bad_path`");
    assert_eq!(document["components"]["parameters"]["EventLimit"]["name"], "limit");
}

#[test]
fn links_lead_to_operations_with_the_values_that_they_need() {
    let document: Value = serde_json::from_str(text()).unwrap();
    let operations: Vec<(&String, &Value)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().values().map(move |operation| (path, operation)))
        .collect();
    let find = |id: &Value| operations.iter().find(|(_, operation)| operation["operationId"] == *id).unwrap();
    let mut linked = Vec::new();
    for (path, operation) in &operations {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let response = resolved(&document, response);
            for (name, link) in response["links"].as_object().into_iter().flatten() {
                let from = format!("{} {status} -> {name}", operation["operationId"]);
                let (_, target) = find(&link["operationId"]);
                for (parameter, value) in link["parameters"].as_object().unwrap() {
                    let parameter = parameter.strip_prefix("header.").unwrap_or(parameter);
                    let takes = target["parameters"].as_array().unwrap();
                    assert!(
                        takes.iter().any(|known| resolved(&document, known)["name"] == parameter),
                        "{from}: {parameter}"
                    );
                    match value.as_str().unwrap().split_once('#') {
                        Some(("$response.body", pointer)) => {
                            let content = &response["content"]["application/json"];
                            let examples = content["examples"]
                                .as_object()
                                .into_iter()
                                .flatten()
                                .map(|(_, example)| &resolved(&document, example)["value"]);
                            let example = content.get("example").into_iter().chain(examples).next().unwrap();
                            assert!(example.pointer(pointer).unwrap().is_string(), "{from}: {pointer}");
                        }
                        _ if value == "$request.path.id" => assert!(path.contains("{id}"), "{from}"),
                        _ => {
                            assert_eq!(value, "$response.header.ETag", "{from}");
                            assert!(response["headers"]["ETag"].is_object(), "{from}");
                        }
                    }
                }
                linked.push((operation["operationId"].as_str().unwrap(), name.as_str()));
            }
        }
    }
    for next in ["read_game", "list_legal_actions", "throw_dice", "play_actions", "list_events"] {
        assert!(linked.contains(&("create_game", next)), "{next}");
    }
    assert!(
        linked.contains(&("create_tournament", "read_round")) && linked.contains(&("create_table", "take_table_seat"))
    );
}
