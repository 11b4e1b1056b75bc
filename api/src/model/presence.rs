//! Presence on the wire.

use serde::Serialize;
use utoipa::ToSchema;

/// Who is there.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "seats": [{"seat": "red", "connected": true, "last_seen": "2026-11-21T09:00:05.123Z"}, {"seat": "yellow", "connected": false}],
    "watchers": 2
}))]
pub(crate) struct Presence {
    /// The seats that play, in the order of travel.
    pub seats: Vec<SeatPresence>,
    /// Streams of events that belong to no seat.
    pub watchers: u32,
}

/// Whether someone is at a seat.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({"seat": "red", "connected": true, "last_seen": "2026-11-21T09:00:05.123Z"}))]
pub(crate) struct SeatPresence {
    /// The seat.
    pub seat: String,
    /// Its token follows a stream of events now.
    pub connected: bool,
    /// When its token was last used; absent where that was long ago, or never.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<String>,
}
