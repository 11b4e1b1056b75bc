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
    /// Where messages are sent; `https`, and a public address, unless whoever runs the service allows others.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The events it is told; all unless given.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<EventWord>)]
    pub events: Vec<String>,
    /// What messages are signed with; drawn unless given.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

/// A webhook that was registered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedWebhook {
    /// The webhook.
    pub webhook: WebhookView,
    /// What its messages are signed with. Shown only here.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    pub secret: String,
}

/// How a webhook fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WebhookState {
    /// Its last message was taken, or there was none.
    Working,
    /// A message was not taken and is tried again; later ones wait.
    Retrying,
    /// A message was given up: until one is taken, each is tried once.
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
    /// The events it is told; empty: all.
    pub events: Vec<String>,
    /// When it was registered.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// How it fares.
    pub state: WebhookState,
    /// Up to this event of the game everything was taken or given up.
    pub settled: u64,
    /// Tries of the message that is tried again.
    pub attempts: u32,
    /// When it is tried again.
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
    /// How often it was tried.
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

/// What to send again.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"first": 13}))]
pub(crate) struct Redeliver {
    /// The dead letter that begins with this event; all unless given.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    pub first: Option<u64>,
}

/// What is sent again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"messages": 1}))]
pub(crate) struct Redelivered {
    /// How many messages.
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
