//! Makes the OpenAPI document smaller: parts that several operations have are written once, under `components`, and
//! referred to by `$ref`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::error::MEDIA_TYPE;

/// Replaces parameters, headers, examples, and answers that several operations have by references.
pub(super) fn share(document: &mut Value) {
    share_parameters(document);
    let (mut headers, mut examples) = (Map::new(), share_examples(document));
    each_response(document, &mut |_, response| {
        share_parts(&mut response["headers"], "headers", &mut headers);
        for content in response["content"].as_object_mut().into_iter().flatten().map(|(_, content)| content) {
            share_parts(&mut content["examples"], "examples", &mut examples);
        }
        tidy(response);
    });
    let mut seen = BTreeMap::<String, (String, u32)>::new();
    each_response(document, &mut |status, response| {
        seen.entry(response.to_string()).or_insert((status.to_owned(), 0)).1 += 1;
    });
    seen.retain(|_, (_, count)| *count > 1);
    let (mut names, mut responses) = (BTreeMap::new(), Map::new());
    each_response(document, &mut |status, response| {
        let text = response.to_string();
        if seen.contains_key(&text) {
            let name =
                names.entry(text).or_insert_with(|| free_name(name_of_answer(status, response), &responses)).clone();
            let shared = std::mem::replace(response, json!({"$ref": format!("#/components/responses/{name}")}));
            responses.insert(name, shared);
        }
    });
    document["components"]["headers"] = headers.into();
    document["components"]["examples"] = examples.into();
    document["components"]["responses"] = responses.into();
}

/// Replaces parameters that are equal in several operations by references.
fn share_parameters(document: &mut Value) {
    let mut seen = BTreeMap::<String, u32>::new();
    each_parameter(document, &mut |_, parameter| *seen.entry(parameter.to_string()).or_default() += 1);
    let (mut names, mut parameters) = (BTreeMap::new(), Map::new());
    each_parameter(document, &mut |path, parameter| {
        let text = parameter.to_string();
        if seen[&text] > 1 {
            let name = names.entry(text).or_insert_with(|| name_of_parameter(path, parameter, &parameters)).clone();
            let shared = std::mem::replace(parameter, json!({"$ref": format!("#/components/parameters/{name}")}));
            parameters.insert(name, shared);
        }
    });
    document["components"]["parameters"] = parameters.into();
}

/// Replaces the examples of answers with the same schema by references to the first of them. Returns the shared
/// examples. Brief answers keep their own examples, which show what an operation has changed.
fn share_examples(document: &mut Value) -> Map<String, Value> {
    let schema_of = |content: &Value| {
        let name = content["schema"]["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.filter(|_| content.get("example").is_some()).map(str::to_owned)
    };
    let mut seen = BTreeMap::<String, u32>::new();
    each_response(document, &mut |_, response| {
        *seen.entry(schema_of(&response["content"]["application/json"]).unwrap_or_default()).or_default() += 1;
    });
    // The examples of answers are recorded from a running service. A schema whose answers have such an example needs
    // none of its own.
    for name in seen.keys() {
        if let Some(schema) = document["components"]["schemas"].get_mut(name).and_then(Value::as_object_mut) {
            schema.remove("example");
        }
    }
    let mut examples = Map::new();
    each_response(document, &mut |_, response| {
        let Some(name) = schema_of(&response["content"]["application/json"]).filter(|name| seen[name] > 1) else {
            return;
        };
        let content = &mut response["content"]["application/json"];
        let example = content["example"].take();
        content["examples"] = json!({&*name: {"$ref": format!("#/components/examples/{name}")}});
        examples.entry(name).or_insert(json!({"value": example}));
    });
    examples
}

fn each_parameter(document: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            parameters.into_iter().flatten().for_each(|parameter| visit(path, parameter));
        }
    }
}

fn each_response(document: &mut Value, visit: &mut dyn FnMut(&str, &mut Value)) {
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
                visit(status, response);
            }
        }
    }
}

/// Moves each part to the shared parts under its name, and leaves a reference in its place. A part stays if it differs
/// from the shared part with this name.
fn share_parts(parts: &mut Value, kind: &str, shared: &mut Map<String, Value>) {
    for (name, part) in parts.as_object_mut().into_iter().flatten() {
        let shared_part = shared.entry(name.clone()).or_insert_with(|| part.clone());
        // Examples of the same problem differ only by the path, so the first example replaces all of them.
        if shared_part == part || kind == "examples" {
            *part = json!({"$ref": format!("#/components/{kind}/{name}")});
        }
    }
}

/// Removes the `null` values that indexing with `response[..]` has added in [`share`].
fn tidy(response: &mut Value) {
    let remove = |value: &mut Value, name: &str| {
        if value[name].is_null()
            && let Some(fields) = value.as_object_mut()
        {
            fields.remove(name);
        }
    };
    for (_, content) in response["content"].as_object_mut().into_iter().flatten() {
        remove(content, "examples");
        remove(content, "example");
    }
    remove(response, "headers");
    remove(response, "content");
}

/// The shared parameters whose name has several meanings: for each meaning, the name of the parameter, the first words
/// of its description, and its name among the shared parameters of the document.
const PARAMETERS: [(&str, &str, &str); 6] = [
    ("Idempotency-Key", "A random UUID", "SecretIdempotencyKey"),
    ("If-None-Match", "The tag of the answer", "IfNoneMatchOfAnswer"),
    ("limit", "Maximum number of events", "EventLimit"),
    ("limit", "Maximum number of games", "GameLimit"),
    ("limit", "Maximum number of tables", "TableLimit"),
    ("status", "Only games", "GameStatus"),
];

/// Chooses a name for a shared parameter, by that parameter alone. The name of an `id` comes from the word before it in
/// the path (`GameId`), any other from the table above or from the name of the parameter (`IfMatch`).
fn name_of_parameter(path: &str, parameter: &Value, taken: &Map<String, Value>) -> String {
    let own = parameter["name"].as_str().unwrap_or_default();
    let description = parameter["description"].as_str().unwrap_or_default();
    let listed = PARAMETERS.iter().find(|(name, words, _)| *name == own && description.starts_with(words));
    if let Some((_, _, name)) = listed {
        return free_name((*name).to_owned(), taken);
    }
    if own == "If-Match" && parameter["required"] == true {
        return free_name("RequiredIfMatch".to_owned(), taken);
    }
    let before = path.split("/{id}").next().and_then(|start| start.rsplit('/').next());
    let words = match before.filter(|_| own == "id") {
        Some(segment) => format!("{}-id", segment.trim_end_matches('s')),
        None => own.to_owned(),
    };
    free_name(camel(&words), taken)
}

/// Chooses a name for a shared answer, by that answer alone, so that the name stays when operations come and go: the
/// codes of its problems (`BadJsonOrBodyIncomplete`), its schema and status (`GameView200`), or, without a body, the
/// words of its description and its own headers (`ClientHasThisVersion`).
fn name_of_answer(status: &str, response: &Value) -> String {
    if let Some(problems) = response["content"][MEDIA_TYPE]["examples"].as_object() {
        let is_issued = |code: &&String| ISSUED_TOKEN.contains(&code.as_str());
        let has_issued = problems.keys().filter(is_issued).count() == ISSUED_TOKEN.len();
        let own = problems.keys().filter(|code| !(has_issued && is_issued(code))).map(|code| camel(code));
        let names: Vec<String> = own.chain(has_issued.then(|| "IssuedTokenRefused".to_owned())).collect();
        return names.join("Or");
    }
    let schema = response["content"]["application/json"]["schema"]["$ref"].as_str();
    if let Some(name) = schema.and_then(|path| path.rsplit('/').next()) {
        return format!("{name}{status}");
    }
    let description = response["description"].as_str().unwrap_or_default();
    let words = camel(description.strip_prefix("The ").unwrap_or(description));
    let headers = response["headers"].as_object().into_iter().flatten().map(|(name, _)| name);
    let own: Vec<String> = headers.filter(|name| *name != "X-Request-Id").map(|name| camel(name)).collect();
    if own.is_empty() { words } else { format!("{words}With{}", own.join("And")) }
}

/// The codes of a token that an issuer has signed and the service refuses. An operation that names one of them names
/// all.
const ISSUED_TOKEN: [&str; 4] = ["token_audience", "token_expired", "token_invalid", "token_key_unknown"];

/// Writes words as one name: `bad_json` as `BadJson`.
fn camel(words: &str) -> String {
    words.split([' ', '-', '_']).map(capitalized).collect()
}

/// Returns the name, with a number behind it if the name is taken. A test shows that no name is taken.
fn free_name(base: String, taken: &Map<String, Value>) -> String {
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let free = std::iter::once(base.clone()).chain(numbered).find(|name| !taken.contains_key(name));
    free.unwrap_or(base)
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1.min(word.len()));
    first.to_uppercase() + rest
}
