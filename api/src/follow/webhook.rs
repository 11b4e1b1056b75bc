//! Webhooks as an entity's snapshot keeps them.

use serde::{Deserialize, Serialize};

/// A webhook: a URL that receives the events of an entity. Its progress is stored beside the entity.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Webhook {
    /// The id of the webhook.
    pub id: String,
    /// The URL.
    pub url: String,
    /// The secret that signs messages.
    pub secret: String,
    /// The words of the events to deliver; empty: all.
    pub events: Vec<String>,
    /// Number of the last event before the registration: later ones are delivered.
    pub after: u64,
    /// Time of the registration.
    pub created_at: String,
}
