//! Tickets, as JSON. A ticket opens one stream, in place of a token.

use serde::Serialize;
use utoipa::ToSchema;

/// A ticket that was issued.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "ticket": "pagade_ticket_01992b3e8c5a7d52b3c96f1f0a6f2e14_77aa...",
    "url": "/v1/games/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11/events?ticket=pagade_ticket_01992b3e8c5a7d52b3c96f1f0a6f2e14_77aa...",
    "expires_at": "2026-11-21T09:01:05.000Z"
}))]
pub(crate) struct CreatedTicket<'a> {
    /// The ticket. It opens one stream, once.
    pub ticket: &'a str,
    /// The path of the stream with the ticket, ready for `EventSource`.
    pub url: String,
    /// The time until which the ticket can be used.
    #[schema(format = DateTime)]
    pub expires_at: String,
}
