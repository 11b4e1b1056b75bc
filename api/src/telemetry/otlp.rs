//! Spans as OTLP has them in JSON: the little of it that is needed, written by hand.
//!
//! The OpenTelemetry crates were measured in November 2026 (0.33, `http-proto` and `reqwest-client`, default features off):
//! 17 crates more, among them second copies of `rand`, `rand_chacha` and `rand_core` and a third `getrandom`, and some 18
//! seconds of processor time more in a first build (release profile, two cores), which has to stay short. Should they come
//! down to a few seconds without second copies, they are the better choice.

use serde_json::{Value as Json, json};

use super::span::{Ended, Value};

/// What a collector is sent.
pub fn request(service: &str, spans: &[Ended]) -> Json {
    let resource = [("service.name", Value::from(service)), ("service.version", Value::from(VERSION))];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(&resource)},
        "scopeSpans": [{
            "scope": {"name": "pagade", "version": VERSION},
            "spans": spans.iter().map(span).collect::<Vec<_>>(),
        }],
    }]})
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn span(span: &Ended) -> Json {
    json!({
        "traceId": const_hex::encode(span.trace),
        "spanId": const_hex::encode(span.id),
        "parentSpanId": span.parent.map(const_hex::encode).unwrap_or_default(),
        "name": span.name,
        "kind": span.kind as u8,
        // Numbers of 64 bits are texts in this JSON.
        "startTimeUnixNano": span.began.to_string(),
        "endTimeUnixNano": span.ended.to_string(),
        "attributes": attributes(&span.attributes),
        "status": if span.is_error { json!({"code": 2}) } else { json!({}) },
    })
}

fn attributes(attributes: &[(&'static str, Value)]) -> Vec<Json> {
    let attribute = |(key, value): &(&'static str, Value)| match value {
        Value::Text(text) => json!({"key": key, "value": {"stringValue": text}}),
        Value::Number(number) => json!({"key": key, "value": {"intValue": number.to_string()}}),
    };
    attributes.iter().map(attribute).collect()
}
