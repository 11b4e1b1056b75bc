//! Events as JSON. The events of a game are one ordered list.
//!
//! The JSON of an event is its stored form, too: the service sends the bytes that it has stored. So a field of an event
//! must not be renamed, moved or left out, here and in the events of other kinds of entities: stored events would keep
//! the earlier form, and code that changes their text (`game/erasing.rs`) expects the order of the fields. A new field
//! is added at the end and may be missing. `stored_form.rs` compares the fields with those of stored events.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::creation::{OptionValue, Robot};
use super::game::RollOffThrow;
use super::game::{Awaits, Control, PawnView, RankView};
use super::written::PawnId;

/// Something that happened in a game.
///
/// The events alone give the state: `started` has all pawns and counters; after it, each pawn stands at the last `to`
/// of its events, has the marks that `mark_changed` gave it, counters have their last `value`, and the last `next` and
/// `ranking` hold.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": 12, "event": "moved", "at": "2026-11-21T09:00:05.000Z", "version": 5, "step": 4, "seat": "red", "pawn": "red-1",
    "from": "66", "to": "69", "path": ["67", "68", "69"], "number": 3, "action": "66-69:3", "rule": "spend.die",
    "clauses": ["PG-28"], "next": {"awaits": "action", "turn": "red", "throw": "3+4", "hand": ["4"]}
}))]
pub(crate) struct EventView<'a> {
    /// The number of the event in the game, from 1, without gaps.
    pub id: u64,
    /// What happened.
    #[schema(example = "moved")]
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The version of the game after the event.
    pub version: u64,
    /// The number of the step (throw or action) that the event belongs to; 0 before the first step.
    pub step: u64,
    /// The seat of the event: that of the pawn or counter, or the one whose turn it is, or that was joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'a str>,
    /// The name of the player who joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The contribution to the dice of the player who joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contribution: Option<&'a str>,
    /// The id of the player who joined, if a player's token was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// The robot that joined, or that decides for the seat from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Who decides for the seat from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The time until which the player of the seat may come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    pub until: Option<String>,
    /// The id of the pawn that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub pawn: Option<PawnId<'a>>,
    /// The label of the place where the pawn stood, in the numbering of its seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'a str>,
    /// The label of the place where the pawn stands after the event, in the numbering of its seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'a str>,
    /// The labels of the places that the pawn walked over, in order. The last one is `to`. A pawn that was put on a
    /// place has that place only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub path: Vec<&'a str>,
    /// The ids of the pawns that moved together with the pawn. Each of them has an event of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<String>)]
    pub with: Vec<PawnId<'a>>,
    /// The number that was spent, the bonus that was granted, the count of throws granted or numbers lost, or the rank
    /// that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// The throw, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// The name of the counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<&'a str>,
    /// The new value of the counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<OptionValue>,
    /// The name of the mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'a str>,
    /// Whether the pawn has the mark after the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<bool>,
    /// The word of the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<&'a str>,
    /// The action that was played, as text. The first event of an action has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a str>,
    /// For `game_over`, the reason if the rules did not end the game: a value of `ended_by` of the game. For `agreed`,
    /// what the player agrees to: `end`, `abort` or `play`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The pawns that caused the event: those that captured or came home, for example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, value_type = Vec<String>)]
    pub by: Vec<PawnId<'a>>,
    /// The rule line that caused the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'a str>,
    /// The clauses of the sources that the rule line implements.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schema(required = false)]
    pub clauses: &'a [String],
    /// The event in play for which the rule line acts: `cut`, `home`, `throw`, .., as `on` lines name it. It is the
    /// reason why a bonus was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'a str>,
    /// All pawns as they stand at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PawnView<'a>>>)]
    pub pawns: Option<&'a RawValue>,
    /// The throws that decided which seat begins: in each round, the throws of those seats that were tied before.
    /// Absent if no throws decided it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Vec<RollOffThrow<'a>>>>)]
    pub roll_off: Option<&'a RawValue>,
    /// The counters at the start, by seat; those of the game under `game`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<&'a str, BTreeMap<&'a str, OptionValue>>>)]
    pub counters: Option<&'a RawValue>,
    /// The ranking, if the step has changed it. Only the last event of a step has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<RankView<'a>>>)]
    pub ranking: Option<&'a RawValue>,
    /// The decision that the game waits for after this event. Stands in the last event of every throw and action, and
    /// where the game starts or ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<NextDecision<'a>>)]
    pub next: Option<&'a RawValue>,
}

/// The decision that a game waits for.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"awaits": "action", "turn": "red", "throw": "3+4", "hand": ["3", "4"]}))]
pub(crate) struct NextDecision<'a> {
    /// What the game waits for.
    pub awaits: Awaits,
    /// The seat whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<&'a str>,
    /// The seat that has to decide, where the rules ask another seat than the one whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'a str>,
    /// The seat whose pawns move, if they are not the pawns of the seat whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<&'a str>,
    /// The last throw of this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<String>,
    /// The numbers that the turn has still to spend.
    pub hand: Vec<String>,
}

/// A page of events.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventList {
    /// The events in order, without gaps.
    #[schema(value_type = Vec<EventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page: the id of the last event, or the `after` of this request if there is
    /// none.
    pub next_after: u64,
    /// Whether the game is over and this page ends with its last event.
    pub complete: bool,
}

/// The events to list or to follow.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// Only events with numbers above this one. The header `Last-Event-ID` takes precedence over it.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_i64, default = 0)]
    pub after: Option<u64>,
    /// Maximum number of events on a page. Streams ignore it.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    pub limit: Option<u32>,
    /// Seconds to wait for an event if there is none yet. Streams ignore it.
    #[param(minimum = 0, maximum = 30, default = 0)]
    pub wait: Option<u32>,
    /// A ticket, which replaces the token: for `EventSource`, which cannot send a token.
    #[param(max_length = 128, pattern = "^pagade_ticket_[0-9a-f]{32}_[0-9a-f]{64}$")]
    pub ticket: Option<String>,
}

/// The header with which a client resumes a stream.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header that the handler reads by itself")]
pub(crate) struct LastEventId {
    /// The number of the last event that the client has received. Only later events are sent.
    #[param(rename = "Last-Event-ID", minimum = 0, maximum = 9_007_199_254_740_991_i64, example = 12)]
    last_event_id: Option<u64>,
}
