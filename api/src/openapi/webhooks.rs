//! Describes the messages to webhooks: the section `webhooks` of the OpenAPI document.

use serde_json::{Map, Value, json};

/// A kind of entity that has webhooks.
struct Hooked {
    /// The word of the kind, which is also the name of the field with the id.
    word: &'static str,
    /// Name of the schema of the kind's events.
    event: &'static str,
    /// An id and an event for the example of a message.
    example: fn() -> (&'static str, Value),
}

const KINDS: [Hooked; 5] = [
    Hooked {
        word: "game",
        event: "EventView",
        example: || {
            let at = "2026-11-21T09:00:05.000Z";
            let event = json!({"id": 2, "event": "turn", "at": at, "version": 3, "step": 2, "seat": "red"});
            ("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", event)
        },
    },
    Hooked {
        word: "group",
        event: "GroupEventView",
        example: || {
            let at = "2026-11-21T09:00:05.000Z";
            let game = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";
            let event = json!({"id": 2, "event": "turn", "at": at, "version": 3, "step": 2, "seat": "red"});
            let event = json!({"id": 9, "event": "turn", "at": at, "game_id": game, "game_event": event});
            ("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e13", event)
        },
    },
    Hooked {
        word: "player",
        event: "PlayerEventView",
        example: || {
            let at = "2026-11-21T09:00:05.000Z";
            let game = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";
            let event = json!({"id": 9, "event": "turn_due", "at": at, "game_id": game, "seat": "red"});
            ("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e15", event)
        },
    },
    Hooked {
        word: "table",
        event: "TableEventView",
        example: || {
            let at = "2026-11-21T09:00:05.000Z";
            let game = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";
            let event = json!({"id": 7, "event": "table_game_started", "at": at, "game_id": game});
            ("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e16", event)
        },
    },
    Hooked {
        word: "tournament",
        event: "TournamentEventView",
        example: || {
            let event = json!({"id": 9, "event": "round_paired", "at": "2026-11-21T09:00:05.000Z", "round": 2});
            ("01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17", event)
        },
    },
];

impl Hooked {
    /// Returns the word with which the names of the kind's schemas begin.
    fn name(&self) -> String {
        let (first, rest) = self.word.split_at(1);
        format!("{}{rest}Events", first.to_uppercase())
    }

    fn schemas(&self) -> [(String, Value); 2] {
        let (name, word) = (self.name(), self.word);
        let text = |description: &str| json!({"type": "string", "description": description});
        let message = json!({
            "type": "object", "description": format!("The message that a webhook of a {word} receives."),
            "required": ["type", "timestamp", "data"],
            "properties": {
                "type": {"type": "string", "description": "The kind of message.", "enum": [format!("{word}.events")]},
                "timestamp": {"type": "string", "format": "date-time", "description": "When the last of the events happened."},
                "data": {"$ref": format!("#/components/schemas/{name}Data")}
            }
        });
        let data = json!({
            "type": "object", "description": format!("What happened in a {word}."), "required": [word, "webhook", "events"],
            "properties": {
                word: {"type": "string", "format": "uuid", "description": format!("The {word}'s id.")},
                "webhook": text("The webhook's id."),
                "events": {
                    "type": "array", "items": {"$ref": format!("#/components/schemas/{}", self.event)},
                    "description": "The events, in order; events that the webhook did not ask for are left out."
                }
            }
        });
        [(format!("{name}Message"), message), (format!("{name}Data"), data)]
    }

    fn description(&self) -> String {
        let word = self.word;
        if word != "game" {
            return format!("Like the message `game.events`, with the events of a {word}.");
        }
        format!(
            "The service sends this message to every webhook of the {word} that asked for one of these \
                events. Messages come in order; a message may come twice. The signature is `v1,` and the base64 of the HMAC-SHA-256, with the webhook's \
                secret as key, of `webhook-id`, `webhook-timestamp` and the body, joined by full stops (Standard \
                Webhooks). The events do not contain the state of the {word}: read the {word} to get it."
        )
    }

    fn operation(&self) -> Value {
        let (name, word) = (self.name(), self.word);
        let header = |name: &str, description: &str, example: Value| json!({"name": name, "in": "header", "required": true, "description": description, "schema": {"type": "string"}, "example": example});
        let (id, event) = (self.example)();
        json!({"post": {
            "tags": ["messages"],
            "operationId": format!("receive_{word}_events"),
            "summary": format!("Events of a {word}"),
            "description": self.description(),
            "security": [],
            "parameters": [
                header("webhook-id", "The id of the message. A message that is sent again has the same id", json!("msg_01992b3e8c5a7d52b3c96f1f0a6f2e11_12")),
                header("webhook-timestamp", "When it is sent, in seconds since 1970", json!("1763715605")),
                header("webhook-signature", "One or more signatures, separated by spaces. The message is genuine if one of them is right", json!("v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")),
            ],
            "requestBody": {"required": true, "description": "What happened", "content": {"application/json": {
                "schema": {"$ref": format!("#/components/schemas/{name}Message")},
                "example": {"type": format!("{word}.events"), "timestamp": "2026-11-21T09:00:05.000Z", "data": {
                    word: id, "webhook": "01992b3e8c5a7d52b3c96f1f0a6f2e12", "events": [event]
                }}
            }}},
            "responses": {
                "204": {"description": "The message has arrived. Every other 2xx status means the same. The answer has to come within ten seconds"},
                "500": {"description": "Any other status: the service sends the message again later, after longer and longer pauses"}
            }
        }})
    }
}

/// Returns the schemas of the messages, by name.
pub(super) fn schemas() -> Vec<(String, Value)> {
    KINDS.iter().flat_map(Hooked::schemas).collect()
}

/// Returns the section `webhooks`, with one entry for each type of message.
pub(super) fn webhooks() -> Value {
    let messages = KINDS.iter().map(|kind| (format!("{}.events", kind.word), kind.operation()));
    Value::Object(messages.collect::<Map<_, _>>())
}
