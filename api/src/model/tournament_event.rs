//! The events of tournaments, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::event_kind::TournamentEventKind;
use super::tournament::SeatResultView;
use super::webhook::CreateWebhook;

/// Something that happened in a tournament.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentEventView<'a> {
    /// The number of the event in the tournament, from 1, without gaps.
    pub id: u64,
    /// What happened: one of the words that `TournamentEventWord` explains. New words may be added.
    #[schema(example = "table_result")]
    pub event: &'a str,
    /// The time of the event.
    #[schema(format = DateTime)]
    pub at: &'a str,
    /// The number of an entrant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrant: Option<u32>,
    /// The number of a round, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<usize>,
    /// The number of a table, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<usize>,
    /// A game of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = "uuid")]
    pub game_id: Option<Uuid>,
    /// The numbers of the entrants of the table, in the order of play.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub entrants: Vec<u32>,
    /// The result of the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub result: Vec<SeatResultView>,
    /// The reason that an arbiter gave, or why the tournament ended before its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

/// A page of the events of a tournament.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the list that events of every kind come in")]
pub(crate) struct TournamentEventList {
    /// The events in order, without gaps.
    #[schema(value_type = Vec<TournamentEventView>)]
    pub events: Vec<Box<RawValue>>,
    /// The value of `after` for the next page: the id of the last event, or the `after` of this request if there is
    /// none.
    pub next_after: u64,
    /// Whether the tournament is over, and this page ends with the last event.
    pub complete: bool,
}

/// A webhook to register for a tournament.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://club.example/pagade", "events": ["round_paired", "tournament_over"]}))]
pub(crate) struct CreateTournamentWebhook {
    /// The URL that messages are sent to, as for a webhook of a game.
    #[schema(min_length = 1, max_length = 1000)]
    pub url: String,
    /// The words of the events to deliver. By default all events are delivered.
    #[serde(default)]
    #[schema(max_items = 32, value_type = Vec<TournamentEventKind>)]
    pub events: Vec<String>,
    /// The secret that signs the messages. By default the service draws one.
    #[schema(pattern = "^whsec_[A-Za-z0-9+/]{32,86}={0,2}$")]
    pub secret: Option<String>,
}

impl From<CreateTournamentWebhook> for CreateWebhook {
    fn from(CreateTournamentWebhook { url, events, secret }: CreateTournamentWebhook) -> Self {
        Self { url, events, secret }
    }
}
