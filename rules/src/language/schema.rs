//! The JSON Schema of the language, for editors: written from the same description that the check reads.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::language::{FILE, Form, MOST_ITEMS, Shape, Value};

/// The JSON Schema (draft 2020-12) of a rule file.
pub fn schema() -> Json {
    let mut definitions = BTreeMap::new();
    let file = shape(&FILE, &mut definitions);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of a race game of the cross-shaped board",
    });
    let object = schema.as_object_mut().expect("it is written as an object");
    object.extend(file);
    // A variant says only what differs.
    let variant = json!({"required": ["rules", "version", "title", "extends"]});
    if let Some(required) = object.remove("required") {
        object.insert("anyOf".into(), json!([{ "required": required }, variant]));
    }
    object.insert("$defs".into(), json!(definitions));
    schema
}

type Definitions = BTreeMap<String, Json>;

fn shape(shape: &Shape, definitions: &mut Definitions) -> Map<String, Json> {
    let mut properties = Map::new();
    for key in shape.keys {
        let mut property = value(&key.value, definitions);
        if let Some(object) = property.as_object_mut() {
            object.insert("description".into(), key.doc.into());
        }
        properties.insert(key.name.into(), property);
    }
    let required = shape.keys.iter().filter(|key| key.required);
    let required: Vec<_> = required.map(|key| key.name).collect();
    let mut object = Map::new();
    object.insert("type".into(), "object".into());
    object.insert("description".into(), shape.doc.into());
    object.insert("properties".into(), properties.into());
    object.insert("additionalProperties".into(), false.into());
    if !required.is_empty() {
        object.insert("required".into(), required.into());
    }
    if !shape.one_of.is_empty() {
        // `anyOf`, since a variant may state a part of a group only; the check is stricter.
        let groups = shape.one_of.iter();
        let groups: Vec<_> = groups.map(|group| json!({ "required": group })).collect();
        object.insert("anyOf".into(), groups.into());
    }
    object
}

/// A reference to the definition of a shape.
fn reference(inner: &'static Shape, definitions: &mut Definitions) -> Json {
    let name = inner.name.replace(' ', "-");
    if !definitions.contains_key(&name) {
        definitions.insert(name.clone(), Json::Null);
        let written = shape(inner, definitions);
        definitions.insert(name.clone(), written.into());
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn value(kind: &Value, definitions: &mut Definitions) -> Json {
    match *kind {
        Value::Text => json!({ "type": ["string", "number"] }),
        Value::Texts => list(json!({ "type": ["string", "number"] }), true),
        Value::Form(form) => single(form),
        Value::Forms(form) => list(single(form), true),
        Value::Word(words) => json!({ "enum": words }),
        Value::Setting(words) => setting(words),
        Value::Integer(from, to) => integer(from, to),
        Value::Integers(from, to) => list(integer(from, to), true),
        Value::Expressions => list(single(Form::Expression), true),
        Value::Effects => list(json!({ "type": "string" }), true),
        Value::Map(inner) => reference(inner, definitions),
        Value::Names(form, inner, most) => json!({
            "type": "object",
            "propertyNames": { "pattern": form.pattern() },
            "maxProperties": most,
            "additionalProperties": value(inner, definitions),
        }),
        Value::Lines(line, most) => json!({
            "type": "array",
            "maxItems": most,
            "items": reference(line, definitions),
        }),
        Value::PlacesOrLines(line) => json!({ "anyOf": [
            list(single(Form::Places), true),
            list(reference(line, definitions), false),
        ] }),
        Value::Default => json!({ "type": ["string", "integer", "boolean"] }),
    }
}

fn list(item: Json, or_one: bool) -> Json {
    let list = json!({ "type": "array", "maxItems": MOST_ITEMS, "items": item });
    if or_one { json!({ "anyOf": [item, list] }) } else { list }
}

fn integer(from: i64, to: i64) -> Json {
    json!({ "type": "integer", "minimum": from, "maximum": to })
}

/// Words, or an option; readers of older YAML see `yes` as a truth value.
fn setting(words: &[&str]) -> Json {
    let option = json!({ "type": "string", "pattern": "^\\$[a-z][a-z0-9_]*$" });
    match words {
        [] => json!({ "type": "string", "pattern": "^\\$?[a-z][a-z0-9_]*$" }),
        ["yes", "no"] => json!({ "anyOf": [single(Form::Truth), option] }),
        words => json!({ "anyOf": [{ "enum": words }, option] }),
    }
}

fn single(form: Form) -> Json {
    match (form, form.pattern()) {
        (Form::Truth, _) => json!({ "enum": ["yes", "no", true, false] }),
        (Form::Expression, _) => json!({ "type": ["string", "integer", "boolean"] }),
        // Labels may be bare numbers.
        (Form::Label | Form::Places, Some(pattern)) => json!({
            "type": ["string", "integer"],
            "pattern": pattern,
            "minimum": 0,
        }),
        (_, pattern) => json!({ "type": "string", "pattern": pattern }),
    }
}
