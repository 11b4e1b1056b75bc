//! The keys of a tournament file, and the forms of their values.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::error::ProblemPart;
use crate::http::shape::{Mistakes, Shape};
use crate::model::creation::Robot;
use crate::model::tournament::CreateTournament;

/// The names of the keys of [`OwnKeys`]. No field of the request has one of these names.
pub(super) const OWN_KEYS: [&str; 2] = ["entrants", "pause"];

/// The keys of a tournament file that are no fields of the request.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnKeys {
    /// The entrants.
    #[schema(min_items = 1, max_items = 512)]
    pub entrants: Vec<EntrantLine>,
    /// The pause between two rounds, in seconds.
    #[schema(minimum = 0, maximum = 1_209_600)]
    pub pause: Option<u32>,
}

/// A line of `entrants`: people without accounts, robots, a team, or a number of players who enter by themselves.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EntrantLine {
    /// The names of people without accounts.
    #[schema(min_items = 1, max_items = 512)]
    pub names: Option<Vec<EntrantName>>,
    /// The robot that plays for each entrant of the line.
    pub robots: Option<Robot>,
    /// Number of robots.
    #[schema(minimum = 1, maximum = 512)]
    pub count: Option<u32>,
    /// The name of the robots, in place of the word. Several robots get numbers.
    #[schema(min_length = 1, max_length = 34)]
    pub name: Option<String>,
    /// The name of a team.
    #[schema(min_length = 1, max_length = 40)]
    pub team: Option<String>,
    /// The names of the members of a team.
    #[schema(min_items = 1, max_items = 4)]
    pub members: Option<Vec<EntrantName>>,
    /// The robot that plays for a team.
    pub robot: Option<Robot>,
    /// Number of players who enter by themselves, with their own tokens.
    #[schema(minimum = 1, maximum = 512)]
    pub players: Option<u32>,
    /// The longest time that the start waits for these players, in seconds.
    #[schema(minimum = 1, maximum = 1_209_600)]
    pub wait: Option<u32>,
    /// The robot that takes the place of people in a simulation.
    pub plays_like: Option<Robot>,
}

/// The name of an entrant or a member.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct EntrantName(pub String);

impl utoipa::PartialSchema for EntrantName {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let text = utoipa::openapi::schema::ObjectBuilder::new().schema_type(utoipa::openapi::schema::Type::String);
        text.min_length(Some(1)).max_length(Some(40)).into()
    }
}

impl ToSchema for EntrantName {}

/// The kinds of lines of `entrants`: the key that makes the kind, and the keys that may stand beside it.
pub(super) const LINES: [(&str, &[&str]); 4] = [
    ("names", &["plays_like"]),
    ("robots", &["count", "name"]),
    ("team", &["members", "robot", "plays_like"]),
    ("players", &["wait", "plays_like"]),
];

/// Converts a scalar of a file to the type of its key: a number or a truth value where the key demands one, and
/// otherwise a text.
pub(super) fn typed(path: &[&str], text: &str) -> Value {
    let is_own = path.first().is_some_and(|key| OWN_KEYS.contains(key));
    let whole = if is_own { Shape::of::<OwnKeys>() } else { Shape::of::<CreateTournament>() };
    let Some(shape) = path.iter().try_fold(&*whole, |shape, step| shape.part(step)) else { return text.into() };
    let plain = match text {
        "yes" => "true",
        "no" => "false",
        other => other,
    };
    match shape.value_of(plain) {
        Value::String(_) => text.into(),
        typed => typed,
    }
}

/// Checks the keys and values of a file. Unknown keys at its top are removed.
pub(super) fn check(file: &mut Map<String, Value>) -> Vec<ProblemPart> {
    let (request, own) = (Shape::of::<CreateTournament>(), Shape::of::<OwnKeys>());
    let mut mistakes = Mistakes::default();
    // A key without a value has no meaning, though the request takes `null` for some fields.
    for (key, _) in file.iter().filter(|(_, value)| value.is_null()) {
        mistakes.at(format!("/{key}"), mistake!("`{key}` has no value", key));
    }
    file.retain(|_, value| !value.is_null());
    let is_own = |key: &str| OWN_KEYS.contains(&key);
    let unknown: Vec<String> = file.keys().filter(|key| !is_own(key) && request.part(key).is_none()).cloned().collect();
    let keys: BTreeSet<String> = fields().into_iter().chain(OWN_KEYS.map(str::to_owned)).collect();
    for key in unknown {
        let detail = mistake!("unknown field `{field}`: there are {known}", field = key, known = keys);
        mistakes.at(format!("/{}", crate::ground::pointer::escape(&key)), detail);
        file.remove(&key);
    }
    let (own_part, rest): (Map<_, _>, Map<_, _>) = file.clone().into_iter().partition(|(key, _)| is_own(key));
    request.check(&Value::Object(rest), &mut mistakes);
    own.check(&Value::Object(own_part), &mut mistakes);
    for (at, line) in file.get("entrants").and_then(Value::as_array).into_iter().flatten().enumerate() {
        if let Some(line) = line.as_object() {
            check_line(at, line, &mut mistakes);
        }
    }
    mistakes.into_parts()
}

/// Removes the values that have mistakes: lines of entrants, or else whole keys. Returns the keys that then do not have
/// all of their values, and those that are missing.
pub(super) fn leave_out(file: &mut Map<String, Value>, mistakes: &[ProblemPart]) -> BTreeSet<String> {
    let (mut lacking, mut lines) = (BTreeSet::new(), BTreeSet::new());
    for mistake in mistakes {
        let mut steps = mistake.pointer.as_deref().unwrap_or_default().split('/').skip(1);
        let key = match steps.next() {
            Some(key) => key,
            None => mistake.args.get("field").and_then(Value::as_str).unwrap_or_default(),
        };
        lacking.insert(key.to_owned());
        match steps.next().and_then(|line| line.parse::<usize>().ok()).filter(|_| key == "entrants") {
            Some(line) => drop(lines.insert(line)),
            None => drop(file.remove(key)),
        }
    }
    if let Some(Value::Array(entrants)) = file.get_mut("entrants") {
        // A wrong line becomes an empty one, so that the other lines keep their indexes, by which mistakes name them.
        for line in lines {
            if let Some(line) = entrants.get_mut(line) {
                *line = Value::Object(Map::new());
            }
        }
    }
    lacking
}

/// The names of the fields of the request.
fn fields() -> Vec<String> {
    let schema = serde_json::to_value(<CreateTournament as utoipa::PartialSchema>::schema()).unwrap_or_default();
    schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect()
}

/// Checks that a line of `entrants` has the keys of one kind.
fn check_line(at: usize, line: &Map<String, Value>, mistakes: &mut Mistakes) {
    let pointer = format!("/entrants/{at}");
    let kinds: Vec<_> = LINES.iter().filter(|(kind, _)| line.contains_key(*kind)).collect();
    match kinds.as_slice() {
        [] => {
            let kinds = LINES.map(|(kind, _)| kind);
            mistakes.at(pointer, mistake!("a line of entrants has one of the keys {kinds}", kinds));
        }
        [(kind, beside)] => {
            for key in line.keys().filter(|key| *key != kind && !beside.contains(&key.as_str())) {
                // Unknown keys are reported by the check of the form.
                if LINES.iter().any(|(_, keys)| keys.contains(&key.as_str())) {
                    let detail = mistake!("`{key}` does not go with `{kind}`", key, kind);
                    mistakes.at(format!("{pointer}/{key}"), detail);
                }
            }
            if *kind == "team" && !line.contains_key("members") {
                mistakes.at(pointer, mistake!("a team has `members`"));
            }
        }
        [(first, _), (second, _), ..] => {
            let detail = mistake!("a line of entrants has `{first}` or `{second}`, not both", first, second);
            mistakes.at(format!("{pointer}/{second}"), detail);
        }
    }
}
