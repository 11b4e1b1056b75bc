//! Shapes: the JSON Schemas of request values, in a form that checks values. A check finds every mistake, and describes
//! it in the words of the schema.
//!
//! A shape supports only those parts of JSON Schema that request schemas use. Making a shape of any other schema
//! panics.

use std::any::{TypeId, type_name};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use regex_lite::Regex;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::{Detail, ProblemPart, detail};
use crate::ground::pointer::escape;

/// Maximum number of mistakes that one check reports.
const MOST_MISTAKES: usize = 32;
/// Maximum number of characters of a wrong value that a message quotes.
const SHOWN: usize = 40;

/// Schemas by name. Other schemas refer to them by `$ref` with this name.
type NamedSchemas = BTreeMap<String, Value>;

/// The values that a schema allows.
#[derive(Debug)]
pub(crate) struct Shape {
    takes_null: bool,
    kind: ShapeKind,
}

#[derive(Debug)]
enum ShapeKind {
    Object { fields: BTreeMap<String, Shape>, required: Vec<String>, others: Option<Box<Shape>> },
    List { of: Box<Shape>, count: CountRange },
    Text { length: CountRange, form: Option<Regex> },
    Word(Vec<String>),
    Whole { least: i64, most: i64 },
    Truth,
    OneOf(Vec<Shape>),
}

/// How many items a list may have, or how many characters a text.
#[derive(Debug, Clone, Copy)]
struct CountRange {
    least: u64,
    /// `None` if there is no upper bound.
    most: Option<u64>,
}

impl CountRange {
    /// Reads the range from the keywords of a schema that state its bounds.
    fn of(schema: &Value, least: &str, most: &str) -> Self {
        Self { least: schema[least].as_u64().unwrap_or(0), most: schema[most].as_u64() }
    }

    fn contains(self, count: u64) -> bool {
        self.least <= count && self.most.is_none_or(|most| count <= most)
    }
}

impl Shape {
    /// Returns the shape of a type. It is made once and then cached.
    pub(crate) fn of<T: ToSchema + 'static>() -> Arc<Self> {
        static CACHED: LazyLock<RwLock<HashMap<TypeId, Arc<Shape>>>> = LazyLock::new(RwLock::default);
        let cached = CACHED.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<T>()).cloned();
        cached.unwrap_or_else(|| {
            let mut schemas = vec![(String::new(), T::schema())];
            T::schemas(&mut schemas);
            let named = schemas.into_iter().map(|(name, schema)| (name, written(&schema))).collect::<NamedSchemas>();
            let shape = Arc::new(Self::read(&named[""], &named, type_name::<T>()));
            CACHED.write().unwrap_or_else(PoisonError::into_inner).insert(TypeId::of::<T>(), Arc::clone(&shape));
            shape
        })
    }

    /// Makes the shape of a schema that contains no `$ref`.
    pub(crate) fn of_schema(schema: &RefOr<Schema>, name: &str) -> Self {
        Self::read(&written(schema), &NamedSchemas::new(), name)
    }

    fn read(schema: &Value, named: &NamedSchemas, whose: &str) -> Self {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            let schema = named.get(name).unwrap_or_else(|| panic!("`{whose}` refers to `{name}`, which is unknown"));
            return Self::read(schema, named, whose);
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::String(kind) => vec![kind],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let bound = |name: &str, default: i64| schema[name].as_i64().unwrap_or(default);
        let inner = |schema: &Value| Self::read(schema, named, whose);
        let (plain, mut takes_null) = (kinds.iter().find(|kind| **kind != "null"), kinds.contains(&"null"));
        let kind = match (plain.copied(), &schema["enum"], &schema["oneOf"]) {
            (_, Value::Array(words), _) => {
                ShapeKind::Word(words.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            }
            (_, _, Value::Array(all)) => {
                let (null, mut others): (Vec<_>, Vec<_>) = all.iter().partition(|one| one["type"] == "null");
                takes_null |= !null.is_empty();
                match (others.pop(), others.is_empty()) {
                    (Some(only), true) => inner(only).kind,
                    _ => ShapeKind::OneOf(all.iter().filter(|one| one["type"] != "null").map(inner).collect()),
                }
            }
            (Some("object"), ..) => ShapeKind::Object {
                fields: properties(schema).map(|(name, schema)| (name.clone(), inner(schema))).collect(),
                required: schema["required"].as_array().into_iter().flatten().filter_map(text).collect(),
                others: schema["additionalProperties"]
                    .is_object()
                    .then(|| inner(&schema["additionalProperties"]).into()),
            },
            (Some("array"), ..) => ShapeKind::List {
                of: inner(&schema["items"]).into(),
                count: CountRange::of(schema, "minItems", "maxItems"),
            },
            (Some("string"), ..) => ShapeKind::Text {
                length: CountRange::of(schema, "minLength", "maxLength"),
                form: schema["pattern"].as_str().map(|form| Regex::new(form).expect("patterns are tested")),
            },
            (Some("integer"), ..) => {
                ShapeKind::Whole { least: bound("minimum", i64::MIN), most: bound("maximum", i64::MAX) }
            }
            (Some("boolean"), ..) => ShapeKind::Truth,
            _ => panic!("`{whose}` has a schema that is not a shape: {schema}"),
        };
        Self { takes_null, kind }
    }

    /// Checks a value, and adds each of its mistakes to `mistakes`.
    pub(crate) fn check(&self, value: &Value, mistakes: &mut Mistakes) {
        match (&self.kind, value) {
            (_, Value::Null) if self.takes_null => {}
            (ShapeKind::Object { fields, required, others }, Value::Object(given)) => {
                check_object(fields, required, others.as_deref(), given, mistakes);
            }
            (ShapeKind::List { of, count: range }, Value::Array(items)) => {
                let count = items.len() as u64;
                if !range.contains(count) {
                    mistakes.add(item_count(count, *range));
                } else {
                    items.iter().enumerate().for_each(|(at, item)| {
                        mistakes.inside(&at.to_string(), |mistakes| of.check(item, mistakes));
                    });
                }
            }
            (ShapeKind::Text { length: range, form }, Value::String(text)) => {
                let length = text.chars().count() as u64;
                if !range.contains(length) {
                    mistakes.add(text_length(length, *range));
                } else if let Some(form) = form.as_ref().filter(|form| !form.is_match(text)) {
                    mistakes.add(detail!(
                        "{value} does not have the form `{form}`",
                        value = shown(value),
                        form = form.as_str()
                    ));
                }
            }
            (ShapeKind::Word(words), Value::String(word)) => {
                if !words.contains(word) {
                    mistakes.add(detail!("{value} is not one of {words}", value = shown(value), words));
                }
            }
            (ShapeKind::Whole { least, most }, Value::Number(number)) if number.is_i64() || number.is_u64() => {
                // A number that is too large for `i64` is above every range.
                let number = number.as_i64().unwrap_or(i64::MAX);
                if !(*least..=*most).contains(&number) || value.as_i64().is_none() {
                    mistakes.add(detail!(
                        "{value} is not between {least} and {most}",
                        value = shown(value),
                        least,
                        most
                    ));
                }
            }
            (ShapeKind::Truth, Value::Bool(_)) => {}
            (ShapeKind::OneOf(shapes), value) => {
                let fits = |shape: &Shape| {
                    let mut tried = Mistakes::default();
                    shape.check(value, &mut tried);
                    tried.0.is_empty()
                };
                if !shapes.iter().any(fits) {
                    mistakes.add(detail!("{value} is not {wanted}", value = shown(value), wanted = self.wanted()));
                }
            }
            (_, value) => {
                mistakes.add(detail!("{value} is not {wanted}", value = shown(value), wanted = self.wanted()))
            }
        }
    }

    /// Describes the allowed values in words, for error messages.
    fn wanted(&self) -> String {
        let wanted = match &self.kind {
            ShapeKind::Object { .. } => "an object".to_owned(),
            ShapeKind::List { .. } => "a list".to_owned(),
            ShapeKind::Text { .. } | ShapeKind::Word(_) => "a text".to_owned(),
            ShapeKind::Whole { .. } => "a whole number".to_owned(),
            ShapeKind::Truth => "`true` or `false`".to_owned(),
            ShapeKind::OneOf(shapes) => shapes.iter().map(Self::wanted).collect::<Vec<_>>().join(" or "),
        };
        if self.takes_null { format!("{wanted} or `null`") } else { wanted }
    }

    /// Returns the shape of a field of an object, or of the items of a list. Returns `None` if the shape has no such
    /// part.
    pub(crate) fn part(&self, name: &str) -> Option<&Self> {
        match &self.kind {
            ShapeKind::Object { fields, others, .. } => fields.get(name).or(others.as_deref()),
            ShapeKind::List { of, .. } => Some(of),
            _ => None,
        }
    }

    /// Converts a text, such as a query parameter, to a number or truth value if the shape allows one. Otherwise the
    /// result is the text itself.
    pub(crate) fn value_of(&self, text: &str) -> Value {
        let value = match self.kind {
            ShapeKind::Whole { .. } => text.parse::<i64>().ok().map(Value::from),
            ShapeKind::Truth => text.parse::<bool>().ok().map(Value::from),
            _ => None,
        };
        value.unwrap_or_else(|| text.into())
    }
}

fn check_object(
    fields: &BTreeMap<String, Shape>,
    required: &[String],
    others: Option<&Shape>,
    given: &Map<String, Value>,
    mistakes: &mut Mistakes,
) {
    for (name, value) in given {
        match fields.get(name).or(others) {
            Some(shape) => mistakes.inside(name, |mistakes| shape.check(value, mistakes)),
            None => {
                let (field, known) = (short(name), fields.keys().collect::<Vec<_>>());
                let detail = match known.is_empty() {
                    true => detail!("unknown field `{field}`: none is taken", field),
                    false => detail!("unknown field `{field}`: there are {known}", field, known),
                };
                mistakes.inside(name, |mistakes| mistakes.add(detail));
            }
        }
    }
    for name in required.iter().filter(|name| !given.contains_key(*name)) {
        mistakes.inside(name, |mistakes| mistakes.add(detail!("missing field `{field}`", field = name)));
    }
}

/// The mistakes found so far, each with its JSON Pointer. Only the first [`MOST_MISTAKES`] are stored.
#[derive(Debug, Default)]
pub(crate) struct Mistakes(Vec<ProblemPart>);

impl Mistakes {
    /// Adds a mistake that concerns the checked value as a whole.
    pub(crate) fn add(&mut self, detail: impl Into<Detail>) {
        self.at(String::new(), detail);
    }

    /// Adds a mistake at a JSON Pointer into the checked value.
    pub(crate) fn at(&mut self, pointer: String, detail: impl Into<Detail>) {
        if self.0.len() < MOST_MISTAKES {
            self.0.push(ProblemPart::at(pointer, detail));
        }
    }

    /// Checks a part of the value. The name of the part is put in front of the pointers of its mistakes.
    fn inside(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let before = self.0.len();
        look(self);
        for part in &mut self.0[before..] {
            let inner = part.pointer.take().unwrap_or_default();
            part.pointer = Some(format!("/{}{inner}", escape(name)));
        }
    }

    /// Returns the mistakes in the order in which they were found.
    pub(crate) fn into_parts(self) -> Vec<ProblemPart> {
        self.0
    }
}

/// Describes a value for an error message. A long text is shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "`null`".to_owned(),
        Value::Bool(truth) => format!("`{truth}`"),
        Value::Number(number) => format!("`{number}`"),
        Value::String(text) => format!("`{}`", short(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn short(text: &str) -> String {
    let mut characters = text.chars();
    let start = characters.by_ref().take(SHOWN).flat_map(char::escape_debug).collect::<String>();
    if characters.next().is_some() { start + "…" } else { start }
}

/// Describes a count of items that is out of range.
fn item_count(count: u64, range: CountRange) -> Detail {
    match (range.least, range.most) {
        (least, None) => detail!("there are {count}, at least {least} are allowed", count, least),
        (0, Some(most)) => detail!("there are {count}, at most {most} are allowed", count, most),
        (least, Some(most)) => detail!("there are {count}, {least} to {most} are allowed", count, least, most),
    }
}

/// Describes a number of characters that is out of range.
fn text_length(count: u64, range: CountRange) -> Detail {
    match (range.least, range.most) {
        (least, None) => detail!("it has {count} characters, at least {least} are allowed", count, least),
        (0, Some(most)) => detail!("it has {count} characters, at most {most} are allowed", count, most),
        (least, Some(most)) => detail!("it has {count} characters, {least} to {most} are allowed", count, least, most),
    }
}

fn written(schema: &RefOr<Schema>) -> Value {
    serde_json::to_value(schema).expect("a schema is made of text and numbers")
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::creation::{CreateGame, JoinSeat};

    fn mistakes<T: ToSchema + 'static>(value: &Value) -> Vec<(String, String)> {
        let mut mistakes = Mistakes::default();
        Shape::of::<T>().check(value, &mut mistakes);
        mistakes.into_parts().into_iter().map(|part| (part.pointer.unwrap_or_default(), part.detail)).collect()
    }

    #[test]
    fn every_mistake_is_named_by_its_place_and_in_plain_words() {
        let body = json!({"players": ["red", 7], "dice": "mine", "hot_seat": null, "title": "", "options": {"a/b": [1]},
            "turn_timer": ["60", "first"], "colour": "\u{202e}red", "seed": " x"});
        let told = mistakes::<CreateGame>(&body);
        let told = told.iter().map(|(pointer, detail)| format!("{pointer} {detail}")).collect::<Vec<_>>();
        for expected in [
            "/players/1 `7` is not a text",
            "/dice `mine` is not one of `server`, `players`",
            "/hot_seat `null` is not `true` or `false`",
            "/title it has 0 characters, 1 to 80 are allowed",
            "/options/a~1b a list is not `true` or `false` or a whole number or a text",
            "/turn_timer a list is not an object or `null`",
            "/rule_set missing field `rule_set`",
        ] {
            assert!(told.iter().any(|told| told == expected), "{expected}: {told:#?}");
        }
        let begins = |start: &str| told.iter().any(|told| told.starts_with(start));
        assert!(begins("/colour unknown field `colour`: there are `dice`, `hot_seat`"), "{told:#?}");
        assert!(begins("/seed ` x` does not have the form"), "{told:#?}");
        assert_eq!(told.len(), 9);
    }

    #[test]
    fn null_is_taken_where_the_description_says_so_and_lists_are_no_objects() {
        assert_eq!(mistakes::<JoinSeat>(&json!({"name": null})), []);
        assert_eq!(mistakes::<JoinSeat>(&json!(["Asha"]))[0].1, "a list is not an object");
        assert_eq!(mistakes::<CreateGame>(&json!({"rule_set": "ur", "turn_timer": {"seconds": 0}})).len(), 1);
        assert_eq!(mistakes::<CreateGame>(&json!({"rule_set": "ur", "turn_timer": {"seconds": 60}})), []);
    }

    #[test]
    fn an_answer_to_many_mistakes_is_short() {
        let body = json!({"players": vec!["x".repeat(1000); 3], "options": (0..1000).map(|n| (n.to_string(), json!([]))).collect::<Map<_, _>>()});
        let told = mistakes::<CreateGame>(&body);
        assert_eq!(told.len(), MOST_MISTAKES);
        assert!(told.iter().all(|(_, detail)| detail.len() < 200));
    }
}
