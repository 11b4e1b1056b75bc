//! Webhooks as they are stored in the snapshot of an entity.

use serde::{Deserialize, Serialize};

/// A webhook: a URL that receives the events of an entity. Its progress is not stored here, but beside the snapshot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Webhook {
    pub id: String,
    /// The URL that messages are sent to.
    pub url: String,
    /// The secret that signs messages.
    pub secret: String,
    /// The words of the events to deliver. If the list is empty, all events are delivered.
    pub events: Vec<String>,
    /// Number of the last event before the registration. Only later events are delivered.
    pub after: u64,
    /// Time of the registration.
    pub created_at: String,
    /// Whether the operator of the service has registered the webhook, and not the owner of the entity.
    #[serde(default)]
    pub is_of_operator: bool,
}
