//! Webhooks on the wire.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::event_word::EventWord;
use crate::store::EntityId;

/// A webhook to register.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://club.example/pagade", "events": ["started", "game_over"]}))]
pub(crate) struct CreateWebhook {
    /// The URL that messages are sent to: `https`, and a public address, unless the operator of the service allows
    /// others.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. All events by default.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<EventWord>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

/// A webhook that was registered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedWebhook {
    /// The webhook.
    pub webhook: WebhookView,
    /// The secret that signs its messages. Shown only in this answer.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    pub secret: String,
}

/// The state of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WebhookState {
    /// The receiver accepted the last message, or there was none yet.
    Working,
    /// A message failed and will be sent again. Later messages wait.
    Retrying,
    /// A message was given up. Until a message succeeds, each gets one attempt only.
    Failing,
}

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "01992b3e8c5a7d52b3c96f1f0a6f2e11", "url": "https://club.example/pagade", "events": ["started", "game_over"],
    "created_at": "2026-11-21T09:00:00.000Z", "state": "working", "settled": 12, "attempts": 0, "dead_letters": []
}))]
pub(crate) struct WebhookView {
    /// Its id.
    pub id: String,
    /// Where messages are sent.
    pub url: String,
    /// The words of the events to deliver. Empty: all events.
    pub events: Vec<String>,
    /// When it was registered.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Its state.
    pub state: WebhookState,
    /// Number of the last event that was delivered or given up.
    pub settled: u64,
    /// Attempts so far to send the message that will be sent again.
    pub attempts: u32,
    /// The time of the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub next_attempt_at: Option<String>,
    /// Why it was not taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Messages that were given up, the last 100.
    pub dead_letters: Vec<DeadLetter>,
}

/// A message that was given up.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"first": 13, "last": 15, "at": "2026-11-21T09:00:00.000Z", "attempts": 9, "reason": "it was answered 500"}))]
pub(crate) struct DeadLetter {
    /// The first event in question.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// When it was given up.
    #[schema(format = DateTime)]
    pub at: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Why it was not taken.
    pub reason: String,
}

/// The webhooks of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WebhookList {
    /// Oldest first.
    pub webhooks: Vec<WebhookView>,
}

/// The dead letters to send again.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"first": 13}))]
pub(crate) struct Redeliver {
    /// The first event of the dead letter to send again. All dead letters by default.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub first: Option<u64>,
}

/// The messages that will be sent again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"messages": 1}))]
pub(crate) struct Redelivered {
    /// Number of messages.
    pub messages: u64,
}

/// What a webhook is sent.
#[derive(Debug, Serialize)]
pub(crate) struct WebhookMessage {
    /// `game.events`, and the like for other kinds of entity.
    #[serde(rename = "type")]
    pub kind: String,
    /// When the last of the events happened.
    pub timestamp: String,
    /// What happened.
    pub data: WebhookData,
}

/// What happened to an entity.
#[derive(Debug)]
pub(crate) struct WebhookData {
    /// The entity; the field with its id has the word of its kind, such as `game`.
    pub entity: EntityId,
    /// The webhook's id.
    pub webhook: String,
    /// The events, in order; those that the webhook did not ask for are left out.
    pub events: Vec<Box<RawValue>>,
}

impl Serialize for WebhookData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { entity, webhook, events } = self;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry(entity.kind.word(), &entity.id)?;
        map.serialize_entry("webhook", webhook)?;
        map.serialize_entry("events", events)?;
        map.end()
    }
}
