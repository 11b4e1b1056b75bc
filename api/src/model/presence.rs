//! Presence, as JSON.

use serde::Serialize;
use utoipa::ToSchema;

/// The presence of the seats of a game.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "seats": [{"seat": "red", "connected": true, "last_seen": "2026-11-21T09:00:05.123Z"}, {"seat": "yellow", "connected": false}],
    "watchers": 2
}))]
pub(crate) struct Presence {
    /// The seats that play, in the order of travel.
    pub seats: Vec<SeatPresence>,
    /// Number of open streams of clients without a seat.
    pub watchers: u32,
}

/// The presence of a seat.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SeatPresence {
    /// The name of the seat.
    pub seat: String,
    /// Whether a stream with the seat's token is open now.
    pub connected: bool,
    /// The time when the seat's token was last used. Absent if that was long ago, or never.
    #[schema(format = DateTime)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen: Option<String>,
}
