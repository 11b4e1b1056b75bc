//! Makes the document small: what many operations share is written once, under `components`, and referred to.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Shares headers, examples of problems, and answers that are equal in several operations.
pub(super) fn share(document: &mut Value) {
    let (mut headers, mut examples) = (Map::new(), Map::new());
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
            let name = names.entry(text).or_insert_with(|| name_of(status, response, &responses)).clone();
            let shared = std::mem::replace(response, json!({"$ref": format!("#/components/responses/{name}")}));
            responses.insert(name, shared);
        }
    });
    document["components"]["headers"] = headers.into();
    document["components"]["examples"] = examples.into();
    document["components"]["responses"] = responses.into();
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

/// Replaces each part by a reference to the shared one of its name, unless that is another one.
fn share_parts(parts: &mut Value, kind: &str, shared: &mut Map<String, Value>) {
    for (name, part) in parts.as_object_mut().into_iter().flatten() {
        let known = shared.entry(name.clone()).or_insert_with(|| part.clone());
        // The examples of a problem differ by the path only.
        if known == part || kind == "examples" {
            *part = json!({"$ref": format!("#/components/{kind}/{name}")});
        }
    }
}

/// Removes what looking for it has added.
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
    }
    remove(response, "headers");
    remove(response, "content");
}

/// A name for a shared answer: of its first problem, or of its status.
fn name_of(status: &str, response: &Value, taken: &Map<String, Value>) -> String {
    let content = &response["content"]["application/problem+json"]["examples"];
    let first = content.as_object().and_then(|examples| examples.keys().next());
    let words = first.map_or_else(|| format!("answer_{status}"), Clone::clone);
    let base = words.split('_').map(capitalized).collect::<String>();
    let more = content.as_object().map_or(0, |examples| examples.len().saturating_sub(1));
    let base = if more > 0 { format!("{base}OrOther") } else { base };
    let letters = ('B'..='Z').map(|letter| format!("{base}{letter}"));
    let free = std::iter::once(base.clone()).chain(letters).find(|name| !taken.contains_key(name));
    free.unwrap_or(base)
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1.min(word.len()));
    first.to_uppercase() + rest
}
