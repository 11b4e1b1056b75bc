//! The events of tables, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::Robot;
use super::ending::EndedBy;
use super::event_word::TableEventWord;
use super::game::Control;
use super::table::TableView;
use super::webhook::CreateWebhook;

/// Something that happened at a table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableEventView<'a> {
    /// The number of the event at the table, from 1, without gaps.
    pub id: u64,
    /// What happened: one of the words that `TableEventWord` explains. New words may be added.
    #[schema(example = "seat_taken")]
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The seat that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'a str>,
    /// Always `deleted player`, in place of the id of a player who was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The id of the player that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub player: Option<Uuid>,
    /// The robot that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<Robot>,
    /// Who decides for the seat from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The names of the options that were changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub options: Vec<&'a str>,
    /// The number of the line of the chat. `GET /v1/tables/{id}/chat` has its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Whether the player is muted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub muted: Option<bool>,
    /// What the players vote on: `end` or `next_game`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<&'a str>,
    /// Whether the player agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<bool>,
    /// The result of the vote: `agreed`, `refused`, `expired`, or `dropped` if there is nothing left to vote on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'a str>,
    /// The game that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub game_id: Option<Uuid>,
    /// The reason why the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<EndedBy>,
    /// The code of the problem for which the game does not begin, such as `insufficient_chips` or `table_invalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The present state of the table. The newest event has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TableView<'a>>)]
    pub table: Option<&'a RawValue>,
}

/// A page of the events of a table.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the list that events of every kind come in")]
pub(crate) struct TableEventList {
    /// The events in order, without gaps.
    #[schema(value_type = Vec<TableEventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page.
    pub next_after: u64,
    /// Whether the table is closed and this page ends with its last event.
    pub complete: bool,
}

/// A webhook to register for a table.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://club.example/pagade", "events": ["table_game_started", "table_game_ended"]}))]
pub(crate) struct CreateTableWebhook {
    /// The URL that messages are sent to, as for a webhook of a game.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. By default all events are delivered.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<TableEventWord>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

impl From<CreateTableWebhook> for CreateWebhook {
    fn from(CreateTableWebhook { url, events, secret }: CreateTableWebhook) -> Self {
        Self { url, events, secret }
    }
}
