//! Adds the parts that all operations have to the OpenAPI document: problems with examples, request ids, the token
//! scheme.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::IntoParams;

use crate::error::{Code, MEDIA_TYPE, Problem, ProblemBody, ProblemPart, ProblemWords, detail};
use crate::ground::language::Languages;
use crate::http::language::PreferLanguage;
use crate::openapi::events;
use crate::openapi::lasting;
use crate::openapi::links;
use crate::openapi::share::share;
use crate::openapi::webhooks::{schemas, webhooks};
use crate::routes::policies::POLICIES;

/// The id of a game in examples.
const EXAMPLE_ID: &str = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";

/// Examples of requests and answers by operation, recorded by `api/tests/api/examples.rs`.
const EXAMPLES: &str = include_str!("examples.json");

/// Completes the document that was collected from the handlers.
pub(super) fn complete(mut document: Value) -> Value {
    document["openapi"] = json!("3.1.0");
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of a player, of the owner of a game or group, of a seat or of an invitation; or the admin token of the operator"
        }
    });
    for name in ["ProblemBody", "ProblemPart"] {
        document["components"]["schemas"][name] = schema(name);
    }
    let examples: Value = serde_json::from_str(EXAMPLES).expect("a test writes it as JSON");
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            if operation.is_object() {
                complete_operation(path, operation);
                if method == "get" && POLICIES.is_lasting(path) {
                    lasting::describe(operation);
                }
                show(operation, &examples);
            }
        }
    }
    document["webhooks"] = webhooks();
    for (name, schema) in schemas() {
        document["components"]["schemas"][name.as_str()] = schema;
    }
    never_null_in_answers(&mut document);
    events::unite(&mut document["components"]["schemas"]);
    links::add(&mut document);
    share(&mut document);
    document
}

/// Removes `null` from the types of optional fields in answers. The service leaves such a field out instead.
fn never_null_in_answers(document: &mut Value) {
    let mut sent = BTreeSet::new();
    for (_, item) in document["paths"].as_object().into_iter().flatten() {
        for (_, operation) in item.as_object().into_iter().flatten() {
            named(&operation["responses"], document, &mut sent);
        }
    }
    named(&document["webhooks"], document, &mut sent);
    for name in sent {
        let schema = &mut document["components"]["schemas"][&name];
        never_null_in_properties(schema);
        let parts = schema.get_mut("allOf").and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(never_null_in_properties);
    }
}

fn never_null_in_properties(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, schema)| never_null(schema));
}

/// Adds to `found` the names of all schemas that a part of the document refers to, directly or through other schemas.
fn named(part: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            if let Some(name) = part["$ref"].as_str().and_then(|path| path.strip_prefix("#/components/schemas/"))
                && found.insert(name.to_owned())
            {
                named(&document["components"]["schemas"][name], document, found);
            }
            fields.values().for_each(|inner| named(inner, document, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| named(inner, document, found)),
        _ => {}
    }
}

fn schema(name: &str) -> Value {
    use utoipa::PartialSchema;
    let schema = match name {
        "ProblemBody" => ProblemBody::schema(),
        _ => ProblemPart::schema(),
    };
    serde_json::to_value(schema).expect("a schema is made of text and numbers")
}

fn complete_operation(path: &str, operation: &mut Value) {
    let codes = codes(path, operation);
    take_languages(operation);
    if operation.get("security").is_none() {
        operation["security"] = json!([]);
    }
    if let Some(operation) = operation.as_object_mut() {
        operation.remove("x-problem-codes");
    }
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let is_entity = parameter["name"] == "id" && is_in_entity(path);
        if let Some(schema) = parameter.get_mut("schema") {
            never_null(schema);
            if is_entity {
                // Ids in answers have the format `uuid`, too. So generated clients can send the ids that they have
                // received.
                schema["format"] = json!("uuid");
            }
        }
    }
    // An optional body is left out or is an object. It is never `null`.
    if let Some(schema) = operation.pointer_mut("/requestBody/content/application~1json/schema") {
        let whole = schema["oneOf"].as_array().and_then(|all| all.iter().find(|one| one.get("$ref").is_some()));
        if let Some(whole) = whole.cloned() {
            *schema = whole;
        }
    }
    let takes = |name: &str| {
        operation["parameters"].as_array().is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
    };
    let (has_key, may_wait) = (takes("Idempotency-Key"), takes("Prefer"));
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for code in codes {
        let status = code.status().to_string();
        let response = responses.entry(status).or_insert_with(|| {
            json!({"description": "", "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}, "examples": {}}}})
        });
        let said = response["description"].as_str().unwrap_or_default();
        // The description of an answer lists only the words of its codes. The example of each code shows its title.
        let said = if said.is_empty() { String::new() } else { format!("{said}, ") };
        response["description"] = json!(format!("{said}`{}`", code.word()));
        response["content"][MEDIA_TYPE]["examples"][code.word()] = json!({"value": example(code)});
    }
    for (status, response) in responses.iter_mut() {
        let mut tell = |name: &str, description: &str, kind: &str| {
            response["headers"][name] = json!({"description": description, "schema": {"type": kind}});
        };
        tell("X-Request-Id", "The id of the request", "string");
        // Answers with other problems have the `RateLimit` headers, too; the document leaves them out to stay short.
        if !POLICIES.uncounted.contains(&path) && (status.starts_with('2') || status == "429") {
            tell("RateLimit-Policy", "The quotas of the caller, as in `\"client\";q=12000;w=60`", "string");
            tell("RateLimit", "What is left of the quotas, as in `\"client\";r=11999;t=1`", "string");
        }
        if !status.starts_with(['2', '3']) {
            tell("Content-Language", "The languages of the texts", "string");
        }
        if may_wait && (status.starts_with('2') || status == "304") {
            tell("Preference-Applied", "`wait=30` if the answer waited, or would have waited, for this long", "string");
        }
        if has_key && status.starts_with('2') {
            tell("Idempotency-Replayed", "`true` if this answer was stored for an earlier request", "string");
        }
        if ["429", "503"].contains(&status.as_str()) {
            tell("Retry-After", "Number of seconds to wait before the request is sent again", "integer");
        }
    }
    if let Some(refused) = responses.get_mut("401") {
        refused["headers"]["WWW-Authenticate"] = json!({"description": "`Bearer`", "schema": {"type": "string"}});
    }
    responses.sort_keys();
}

/// Adds the header `Accept-Language`. Every operation takes it, because problems have texts for people.
fn take_languages(operation: &mut Value) {
    let mut parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    if !parameters.iter().any(|parameter| parameter["name"] == "Accept-Language") {
        parameters.extend(PreferLanguage::into_params(|| None).iter().map(|parameter| json!(parameter)));
        operation["parameters"] = json!(parameters);
    }
}

/// Tells whether a path leads to an entity with tokens of its own, or to a part of one.
fn is_in_entity(path: &str) -> bool {
    let collections = ["/v1/games/", "/v1/groups/", "/v1/players/", "/v1/tables/", "/v1/tournaments/"];
    collections.iter().any(|start| path.starts_with(start))
}

/// Adds recorded examples to the bodies of an operation: of its request and of its answers.
fn show(operation: &mut Value, examples: &Value) {
    let told = &examples[operation["operationId"].as_str().unwrap_or_default()];
    let put = |body: &mut Value, examples: &Value| {
        for (media, example) in examples.as_object().into_iter().flatten() {
            if let Some(content) = body["content"].get_mut(media) {
                content["example"] = example.clone();
            }
        }
    };
    if let Some(body) = operation.get_mut("requestBody") {
        put(body, &told["request"]);
    }
    for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
        put(answer, &told["answers"][status]);
    }
}

/// Removes `null` from the types that a schema allows.
fn never_null(schema: &mut Value) {
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [only] = &kinds[..] {
            schema["type"] = only.clone();
        }
    }
    let whole = schema["oneOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null")).cloned();
    if let Some(whole) = whole {
        *schema = whole;
    }
}

/// Lists the problem codes that an operation names, and those that follow from its parameters and its body.
fn codes(path: &str, operation: &Value) -> Vec<Code> {
    let named = operation["x-problem-codes"].as_array().into_iter().flatten();
    let mut codes: Vec<Code> = named
        .map(|word| {
            let word = word.as_str().unwrap_or_default();
            Code::of_word(word).unwrap_or_else(|| panic!("`{word}` is not a problem code"))
        })
        .collect();
    let takes = |place: &str| {
        operation["parameters"].as_array().is_some_and(|all| all.iter().any(|parameter| parameter["in"] == place))
    };
    if takes("query") {
        codes.push(Code::BadQuery);
    }
    if takes("path") {
        codes.push(Code::BadPath);
    }
    if takes("header") {
        codes.push(Code::BadHeader);
    }
    if operation["requestBody"]["content"].get("application/json").is_some() {
        codes.extend([
            Code::BadJson,
            Code::BodyIncomplete,
            Code::RequestTooSlow,
            Code::BodyTooLarge,
            Code::MediaTypeUnknown,
            Code::BodyInvalid,
        ]);
    }
    if operation["security"] == json!([{"token": []}]) {
        codes.extend([Code::TokenMissing, Code::TokenUnknown]);
    }
    if operation["security"].as_array().is_some_and(|ways| ways.contains(&json!({"token": []}))) && is_in_entity(path) {
        codes.push(Code::TokenRevoked);
        if path.starts_with("/v1/games/{") {
            codes.push(Code::NotAllowed); // for a player who may no longer watch the game
        }
    }
    if operation["security"].as_array().is_some_and(|ways| ways.contains(&json!({"token": []}))) {
        codes.extend([
            Code::TokenExpired,
            Code::TokenAudience,
            Code::TokenKeyUnknown,
            Code::TokenInvalid,
            Code::IssuerUnreachable,
        ]);
    }
    if !POLICIES.uncounted.contains(&path) {
        codes.push(Code::TooManyRequests);
    }
    codes.extend([Code::Internal, Code::StoreUnavailable]);
    codes.sort_by_key(|code| Code::ALL.iter().position(|known| known == code));
    codes.dedup();
    codes
}

fn example(code: Code) -> Value {
    let mut problem = Problem::new(code, "what is wrong this time");
    match code {
        Code::BodyInvalid => {
            problem = Problem::body("/colour", detail!("unknown field `{field}`: none is taken", field = "colour"))
        }
        Code::ActionNotLegal => {
            let detail = detail!("`{action}` is not legal here", action = "66-69:4");
            problem = Problem::one(code, ProblemPart::at("/actions/0", detail));
        }
        Code::VersionConflict => {
            problem = Problem::new(code, detail!("the {kind} is at version {version}", kind = "game", version = 8));
        }
        _ => problem.detail = code.title().to_lowercase(),
    }
    let body = problem.into_body("/v1/games", EXAMPLE_ID, ProblemWords::in_one_of(&Languages::default()));
    serde_json::to_value(body).unwrap_or_else(|_| Value::Object(Map::new()))
}
