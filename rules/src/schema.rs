//! Makes the JSON Schema of the rule language from the declarations that the parser uses. Editors use the schema to
//! check rule files while they are written.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::document::FILE;
use crate::language::{Count, Form, MOST_TEXT, MapShape, TextForm, name_pattern};

/// The JSON Schema (draft 2020-12) of a rule file.
pub fn schema() -> Json {
    let mut definitions = BTreeMap::new();
    let Form::Map(file) = FILE else { return Json::Null };
    let file = shape(file, &mut definitions);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of a race game of the cross-shaped board",
    });
    let object = schema.as_object_mut().expect("it is written as an object");
    object.extend(file);
    // A variant needs only these keys; everything else may come from the file that it extends.
    let variant = json!({"required": ["rules", "version", "title", "extends"]});
    if let Some(required) = object.remove("required") {
        object.insert("anyOf".into(), json!([{ "required": required }, variant]));
    }
    object.insert("$defs".into(), json!(definitions));
    schema
}

type Definitions = BTreeMap<String, Json>;

fn shape(shape: &MapShape, definitions: &mut Definitions) -> Map<String, Json> {
    let mut properties = Map::new();
    for key in shape.all_keys() {
        let mut property = value(&key.form, definitions);
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
        // The parser requires all keys of exactly one group. `anyOf` also accepts keys of several groups; it is used
        // because a variant may give some keys of a group and take the others from the file that it extends.
        let groups = shape.one_of.iter();
        let groups: Vec<_> = groups.map(|group| json!({ "required": group })).collect();
        object.insert("anyOf".into(), groups.into());
    }
    object
}

/// Returns a `$ref` to the definition of a map, and adds the definition if it is missing. "the section
/// `texts.counters`" has the definition `the-texts-counters`.
fn reference(inner: &'static MapShape, definitions: &mut Definitions) -> Json {
    let name = inner.name.replace("section ", "").replace('`', "").replace([' ', '.'], "-");
    if !definitions.contains_key(&name) {
        definitions.insert(name.clone(), Json::Null);
        let written = shape(inner, definitions);
        definitions.insert(name.clone(), written.into());
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn value(form: &Form, definitions: &mut Definitions) -> Json {
    match *form {
        Form::Prose => json!({ "type": ["string", "number"], "maxLength": MOST_TEXT }),
        Form::Text(form) => text(form),
        Form::Truth => json!({ "enum": ["yes", "no", true, false] }),
        Form::Expression | Form::Place | Form::Undecided => json!({ "type": ["string", "integer", "boolean"] }),
        Form::Effect => json!({ "type": "string" }),
        Form::Word(words) => json!({ "enum": words }),
        Form::Setting(words) => setting(words),
        Form::WordOr(words, other) => json!({ "anyOf": [{ "enum": words }, value(other, definitions)] }),
        Form::Whole(from, to) => json!({ "type": "integer", "minimum": from, "maximum": to }),
        Form::List(item, count) => list(value(item, definitions), count),
        Form::Map(inner) => reference(inner, definitions),
        Form::Names(names, inner, most) => json!({
            "type": "object",
            "propertyNames": { "pattern": (names.pattern)() },
            "maxProperties": most,
            "additionalProperties": value(inner, definitions),
        }),
        Form::Lines(line) => lines(line, definitions),
        Form::ListOrLines(item, line) => json!({ "anyOf": [value(item, definitions), lines(line, definitions)] }),
    }
}

fn lines(line: &'static MapShape, definitions: &mut Definitions) -> Json {
    json!({ "type": "array", "maxItems": line.most, "items": reference(line, definitions) })
}

/// The schema of a list. A single item may stand without brackets, unless the list needs at least two items.
fn list(item: Json, Count { least, most }: Count) -> Json {
    let mut list = json!({ "type": "array", "maxItems": most, "items": item });
    if least > 0 {
        list["minItems"] = least.into();
    }
    if least > 1 { list } else { json!({ "anyOf": [item, list] }) }
}

/// The schema of a setting: one of these words, or `$` and the name of an option. `yes` and `no` may also be truth
/// values, because some YAML readers convert them.
fn setting(words: &[&str]) -> Json {
    let option = json!({ "type": "string", "pattern": format!("^\\${}$", name_pattern()) });
    match words {
        [] => json!({ "type": "string", "pattern": format!("^\\$?{}$", name_pattern()) }),
        ["yes", "no"] => json!({ "anyOf": [value(&Form::Truth, &mut Definitions::new()), option] }),
        words => json!({ "anyOf": [{ "enum": words }, option] }),
    }
}

fn text(form: &TextForm) -> Json {
    let pattern = (form.pattern)();
    if form.is_number {
        return json!({ "type": ["string", "integer"], "pattern": pattern, "minimum": 0 });
    }
    json!({ "type": "string", "pattern": pattern })
}
