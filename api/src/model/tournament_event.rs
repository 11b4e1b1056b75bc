//! The events of tournaments, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::tournament::SeatResultView;
use super::webhook::CreateWebhook;

/// The words of the events of a tournament, each with its meaning.
pub(crate) const TOURNAMENT_EVENT_WORDS: &[(&str, &str)] = &[
    ("tournament_created", "the tournament was created"),
    ("entrant_entered", "`entrant` has a place; after the start, for `round` and later"),
    ("entrant_waiting", "`entrant` waits for a place; `entrant_entered` follows when there is one"),
    ("entrant_withdrawn", "`entrant` has left, or did not come too often; after the start, before `round`"),
    ("entrant_absent", "`entrant` is not paired in `round`"),
    ("entrant_returned", "`entrant`, who had left, is paired again, from `round` on"),
    ("tournament_started", "the tournament has started"),
    ("round_paired", "`round` was paired; its games are created in a moment"),
    ("table_game_created", "`game_id` of `table` in `round` can be played by `entrants`; a series has several games"),
    ("table_game_void", "`game_id` of `table` in `round` ended without a result; an arbiter decides the table"),
    (
        "table_result",
        "`table` in `round` has its `result`; `reason` is there if an arbiter decided, whose result aborts a game in play",
    ),
    ("table_result_corrected", "the result of `table` in `round` was changed for this `reason`"),
    ("round_over", "all tables of `round` have results"),
    ("round_taken_back", "`round` was taken back for this `reason`: its games are aborted, and it is paired anew"),
    ("tournament_over", "the tournament is over; `reason` is there if it has as many rounds or tables as one may have"),
    ("tournament_token_changed", "the token of the organiser or of the arbiters, or the invitation, was renewed"),
    ("tournament_webhooks_changed", "a webhook of the tournament was registered or removed"),
];

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

/// The word of an event that a client names in a request about a tournament.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TournamentEventWord;

impl PartialSchema for TournamentEventWord {
    fn schema() -> RefOr<Schema> {
        let meanings = TOURNAMENT_EVENT_WORDS.iter().map(|(word, meaning)| format!("- `{word}`: {meaning}\n"));
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(format!("The word of an event.\n\n{}", meanings.collect::<String>())))
            .enum_values(Some(TOURNAMENT_EVENT_WORDS.iter().map(|(word, _)| *word)))
            .examples(TOURNAMENT_EVENT_WORDS.first().map(|&(word, _)| word))
            .into()
    }
}

impl ToSchema for TournamentEventWord {}

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
    #[schema(max_items = 32, value_type = Vec<TournamentEventWord>)]
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
