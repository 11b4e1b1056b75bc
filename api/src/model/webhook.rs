//! Webhooks, as JSON.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::event_kind::EventKind;
use crate::store::EntityId;

/// A webhook to register for a game.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://club.example/pagade", "events": ["started", "game_over"]}))]
pub(crate) struct CreateWebhook {
    /// The URL that messages are sent to. It must begin with `https` and have a public address, unless the operator of
    /// the service allows others.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. By default all events are delivered.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<EventKind>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

/// A webhook that was registered just now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedWebhook {
    /// The webhook.
    pub webhook: WebhookView,
    /// The secret that signs the messages of the webhook. No other answer shows it.
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
    /// A message was given up. Until a message succeeds, each message gets only one attempt.
    Failing,
}

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WebhookView {
    /// The id of the webhook.
    pub id: String,
    /// The URL that messages are sent to.
    pub url: String,
    /// The words of the events to deliver. If the list is empty, all events are delivered.
    pub events: Vec<String>,
    /// The time of the registration.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The state of the webhook.
    pub state: WebhookState,
    /// Number of the last event that was delivered or given up.
    pub settled: u64,
    /// Number of attempts so far to deliver the message that failed last; 0 if none has to be sent again.
    pub attempts: u32,
    /// The time of the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub next_attempt_at: Option<String>,
    /// The reason why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The messages that were given up, at most the last 100.
    pub given_up: Vec<GivenUpView>,
}

/// A message that was given up.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GivenUpView {
    /// The number of the first event in the message.
    pub first: u64,
    /// The number of the last event in the message.
    pub last: u64,
    /// The time at which the message was given up.
    #[schema(format = DateTime)]
    pub at: String,
    /// Number of attempts.
    pub attempts: u32,
    /// The reason why the last attempt failed.
    pub reason: String,
}

/// The webhooks of an entity.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WebhookList {
    /// The webhooks, oldest first.
    pub webhooks: Vec<WebhookView>,
}

/// The messages to send again, of those that were given up.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"first": 13}))]
pub(crate) struct Redeliver {
    /// The number of the first event of the message to send again. By default all messages that were given up are sent
    /// again.
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

/// A message to a webhook.
#[derive(Debug, Serialize)]
pub(crate) struct WebhookMessage {
    /// The type of the message: `game.events` for games, and a corresponding word for other kinds of entities.
    #[serde(rename = "type")]
    pub kind: String,
    /// The time of the last of the events.
    pub timestamp: String,
    /// The events and their entity.
    pub data: WebhookData,
}

/// The events of an entity in a message to a webhook.
#[derive(Debug)]
pub(crate) struct WebhookData {
    /// The entity. In JSON, the field with its id is named by the kind of the entity, such as `game`.
    pub entity: EntityId,
    /// The id of the webhook.
    pub webhook: String,
    /// The events in order. Events whose words the webhook did not name are left out.
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
