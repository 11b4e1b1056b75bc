//! Events on the wire: one ordered list a game.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::written::PawnId;

/// Something that happened in a game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": 12, "event": "moved", "at": "2026-11-21T09:00:05.000Z", "version": 5, "step": 4,
    "seat": "red", "pawn": "red-1", "from": "66", "to": "69", "number": 3
}))]
pub(crate) struct EventView<'a> {
    /// Its number in the game, from 1, without gaps.
    pub id: u64,
    /// What happened: one of the words of `EventWord`, where each is explained. New words may be added.
    #[schema(example = "moved")]
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The game's version after it.
    pub version: u64,
    /// The step (throw or action) that it belongs to; 0 before the first.
    pub step: u64,
    /// The seat concerned: that of the pawn, that of the turn, or the seat that was joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'a str>,
    /// The pawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub pawn: Option<PawnId<'a>>,
    /// Where it stood, in its colour's numbering.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'a str>,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'a str>,
    /// The number spent, the bonus granted, the place reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// What was thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// What was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a str>,
    /// Why the game is over, where its rules did not end it: as `ended_by` of the game. What a player agrees to: `end`,
    /// `abort` or `play`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventList {
    /// In order, without gaps.
    #[schema(value_type = Vec<EventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page: the id of the last event, or the `after` of this request if there is
    /// none.
    pub next_after: u64,
    /// Whether the game is over and this page ends with its last event.
    pub complete: bool,
}

/// The events to list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// Only events after this one. `Last-Event-ID` says the same and wins.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64, default = 0)]
    pub after: Option<u64>,
    /// Maximum number of events on a page (pages only).
    #[param(minimum = 1, maximum = 1000, default = 100)]
    pub limit: Option<u32>,
    /// Seconds to wait for the first event where there is none yet (pages only).
    #[param(minimum = 0, maximum = 30, default = 0)]
    pub wait: Option<u32>,
}

/// The header by which streams resume.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header that the handler reads by itself")]
pub(crate) struct LastEventId {
    /// The last event that the client has; only those after it are sent.
    #[param(rename = "Last-Event-ID", minimum = 0, maximum = 9_007_199_254_740_991_i64, example = 12)]
    last_event_id: Option<u64>,
}
