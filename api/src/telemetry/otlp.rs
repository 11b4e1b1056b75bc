//! Spans as JSON, in the form of OTLP. The service needs only a small part of OTLP, so this file writes it without a
//! library.
//!
//! The OpenTelemetry crates were measured in November 2026 (0.33, `http-proto` and `reqwest-client`, default features
//! off). They add 17 crates, among them second copies of `rand`, `rand_chacha` and `rand_core` and a third `getrandom`,
//! and some 18 seconds of processor time to the first build (release profile, two cores), which has to stay short. If
//! they add only a few seconds and no second copies, they are the better choice.

use serde_json::{Value as Json, json};

use super::span::{AttributeValue, FinishedSpan};

/// Builds the body of a request to the collector.
pub(super) fn request(service: &str, spans: &[FinishedSpan]) -> Json {
    let resource =
        [("service.name", AttributeValue::from(service)), ("service.version", AttributeValue::from(VERSION))];
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(&resource)},
        "scopeSpans": [{
            "scope": {"name": "pagade", "version": VERSION},
            "spans": spans.iter().map(span).collect::<Vec<_>>(),
        }],
    }]})
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn span(span: &FinishedSpan) -> Json {
    json!({
        "traceId": const_hex::encode(span.trace),
        "spanId": const_hex::encode(span.id),
        "parentSpanId": span.parent.map(const_hex::encode).unwrap_or_default(),
        "name": span.name,
        "kind": span.kind as u8,
        // OTLP writes 64-bit numbers as JSON strings.
        "startTimeUnixNano": span.began.to_string(),
        "endTimeUnixNano": span.ended.to_string(),
        "attributes": attributes(&span.attributes),
        "status": if span.is_error { json!({"code": 2}) } else { json!({}) },
    })
}

fn attributes(attributes: &[(&'static str, AttributeValue)]) -> Vec<Json> {
    let attribute = |(key, value): &(&'static str, AttributeValue)| match value {
        AttributeValue::Text(text) => json!({"key": key, "value": {"stringValue": text}}),
        AttributeValue::Number(number) => json!({"key": key, "value": {"intValue": number.to_string()}}),
    };
    attributes.iter().map(attribute).collect()
}
