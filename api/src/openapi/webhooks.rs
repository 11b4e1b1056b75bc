//! What the service sends to webhooks, as the section `webhooks` of the document.

use serde_json::{Value, json};

/// The schemas of the messages, by name.
pub(super) fn schemas() -> [(&'static str, Value); 2] {
    let text = |description: &str| json!({"type": "string", "description": description});
    let message = json!({
        "type": "object", "description": "What a webhook of a game is sent.", "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"type": "string", "description": "The kind of message.", "enum": ["game.events"]},
            "timestamp": {"type": "string", "format": "date-time", "description": "When the last of the events happened."},
            "data": {"$ref": "#/components/schemas/GameEventsData"}
        }
    });
    let data = json!({
        "type": "object", "description": "What happened in a game.", "required": ["game", "webhook", "events"],
        "properties": {
            "game": {"type": "string", "format": "uuid", "description": "The game's id."},
            "webhook": text("The webhook's id."),
            "events": {
                "type": "array", "items": {"$ref": "#/components/schemas/EventView"},
                "description": "The events, in order; those that the webhook did not ask for are left out."
            }
        }
    });
    [("GameEventsMessage", message), ("GameEventsData", data)]
}

/// The messages that are sent.
pub(super) fn webhooks() -> Value {
    let header = |name: &str, description: &str, example: Value| json!({"name": name, "in": "header", "required": true, "description": description, "schema": {"type": "string"}, "example": example});
    json!({"game.events": {"post": {
        "tags": ["messages"],
        "operationId": "receive_game_events",
        "summary": "Events of a game",
        "description": "Sent to every webhook of the game that asked for one of these events, in order; a message may come \
            twice. The signature is `v1,` and the base64 of the HMAC-SHA-256, with the webhook's secret as key, of \
            `webhook-id`, `webhook-timestamp` and the body, joined by full stops (Standard Webhooks).",
        "security": [],
        "parameters": [
            header("webhook-id", "The id of the message: the same when it is sent again", json!("msg_01992b3e8c5a7d52b3c96f1f0a6f2e11_12")),
            header("webhook-timestamp", "When it is sent, in seconds since 1970", json!("1763715605")),
            header("webhook-signature", "Signatures, separated by spaces: one of them is right", json!("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")),
        ],
        "requestBody": {"required": true, "description": "What happened", "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/GameEventsMessage"},
            "example": {"type": "game.events", "timestamp": "2026-11-21T09:00:05.000Z", "data": {
                "game": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "webhook": "01992b3e8c5a7d52b3c96f1f0a6f2e12",
                "events": [{"id": 2, "event": "started", "at": "2026-11-21T09:00:05.000Z", "version": 1, "step": 0, "seat": "red"}]
            }}
        }}},
        "responses": {
            "204": {"description": "It is taken; any other 2xx will do as well. It has to come within ten seconds"},
            "500": {"description": "Any other status: it is sent again later, with longer and longer pauses"}
        }
    }}})
}
