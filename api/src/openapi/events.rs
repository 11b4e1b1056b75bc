//! Events as a union: one schema for each shape of events, told apart by the field `event`. Events of games and groups
//! get the state that streams and pages send together with the newest event.

use serde_json::{Map, Value, json};

use crate::model::event_kind::game::{CAUSE, CAUSE_MORE, EVENT_SHAPES, EventShape, HEAD, TAIL};

/// Replaces the schema of an event, which has the fields of all shapes, by the union of the shapes. Fields that shapes
/// have in common are written once.
pub(super) fn unite(schemas: &mut Value) {
    let whole = schemas["EventView"].take();
    let part = |required: &[&str], others: &[&str], description: &str| {
        let properties =
            required.iter().chain(others).map(|name| ((*name).to_owned(), whole["properties"][*name].clone()));
        let properties = properties.collect::<Map<_, _>>();
        json!({"type": "object", "description": description, "required": required, "properties": properties})
    };
    let head = HEAD.iter().copied().filter(|name| *name != "event").collect::<Vec<_>>();
    schemas["EventHead"] = part(&head, TAIL, "What events of all words have.");
    for (name, newest) in
        [("EventHead", "The newest event of the game"), ("GroupEventView", "The newest event of a game")]
    {
        let description = format!(
            "The state of the game after the event, with its legal actions. {newest} has it in lists and streams, and no \
             other event; messages to webhooks are without it."
        );
        schemas[name]["properties"]["game"] = reference("BriefGame");
        schemas[name]["properties"]["game"]["description"] = json!(description);
    }
    schemas["EventCause"] = part(&[CAUSE], CAUSE_MORE, "Why an event happened.");
    for shape in EVENT_SHAPES {
        let required = [&["event"][..], shape.has].concat();
        let meanings = shape.words().map(|(word, meaning)| format!("- `{word}`: {meaning}\n")).collect::<String>();
        let mut own = part(&required, shape.may, meanings.trim_end());
        let event = &mut own["properties"]["event"];
        event["enum"] = shape.words().map(|(word, _)| word).collect();
        event["example"] = event["enum"][0].clone();
        let description = own["description"].take();
        let causes = shape.has_cause.then(|| reference("EventCause"));
        let parts = [reference("EventHead")].into_iter().chain(causes).chain([without_description(own)]);
        schemas[shape.name] = json!({"description": description, "allOf": parts.collect::<Vec<_>>()});
    }
    let words = |shape: &'static EventShape| {
        let path = reference(shape.name)["$ref"].clone();
        shape.words().map(|(word, _)| (word.to_owned(), path.clone())).collect::<Vec<_>>()
    };
    schemas["EventView"] = json!({
        "description": whole["description"],
        "oneOf": EVENT_SHAPES.iter().map(|shape| reference(shape.name)).collect::<Vec<_>>(),
        "discriminator": {"propertyName": "event", "mapping": EVENT_SHAPES.iter().flat_map(words).collect::<Map<_, _>>()},
        "example": whole["example"],
    });
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn without_description(mut schema: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("description");
    }
    schema
}
