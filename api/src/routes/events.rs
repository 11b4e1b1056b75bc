//! Events of a game: as pages, as NDJSON, as Server-Sent Events.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};

use crate::error::Problem;
use crate::game::stored::Game;
use crate::http::media::{self, JSON, NDJSON};
use crate::http::query::Query;
use crate::http::stream::{self, SSE};
use crate::model::event::{EventList, EventsQuery, LastEventId};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::page;

/// Read or follow the events of a game
///
/// The header `Accept` chooses the form:
/// - `application/json` gives a page of events. With `wait`, the answer waits until there is an event (a long poll).
/// - `text/event-stream` gives a stream of messages. The first message is `snapshot`, with the game. Then each event is
///   a message, named by the word of the event. With `Last-Event-ID`, the stream has no snapshot and begins with the
///   event after that one. When the game is over, the last message is `end`. A client that falls more than 1,000 events
///   behind gets the messages `resync` and `snapshot` in place of the events that it missed. All clients get them after
///   a crash of the store has lost events that were sent. The `data` of `end` and `resync` is `{}`. The `data` of
///   `snapshot` is the game as `GET /v1/games/{id}` answers it, and its `id` is the number of the last event.
/// - `application/x-ndjson` gives a stream of the events with numbers above `after`, one a line, until the game is
///   over.
///
/// The newest event of a stream or page has a further field, `game`, with the state of the game after the event, as a
/// brief answer has it (`turn`, `awaits`, `legal`, `deadline`, `seconds_left`, ..). So a client can play on without
/// reading the game. If there is no event for 15 seconds, the stream sends a comment or an empty line.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((EventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a finished game")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "not_acceptable", "ticket_unknown", "too_many_streams"]))))]
#[get("/events")]
pub(crate) fn list_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    answer::<Game>(service, call, request, id, query)
}

/// Answers with the events of an entity, in the form that the client accepts.
///
/// Thousands of followers may open their streams at the same time. So the future has each argument in memory once,
/// which an `async fn` would have twice, and the parts that a stream does not need are boxed.
///
/// # Errors
/// The entity does not exist, a parameter is out of range, or the client has too many streams.
pub(super) fn answer<E: FollowedEntity>(
    service: Data<Service>,
    mut call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> impl Future<Output = Result<HttpResponse, Problem>> {
    let (id, Query(query)) = (E::named(&id).ok(), query);
    async move {
        let id = id.ok_or_else(E::not_found)?;
        service.admit(&mut call, id, query.ticket.as_deref()).await?;
        let last = stream::last_event(&request)?.or(page::number("after", query.after)?);
        match media::choose(&request, &[JSON, SSE, NDJSON])? {
            SSE => Ok(stream::sse(service.follow::<E>(&call, id, last, true).await?)),
            NDJSON => Ok(stream::ndjson(service.follow::<E>(&call, id, Some(last.unwrap_or(0)), false).await?)),
            _ => {
                let query = EventsQuery { after: last, ..query };
                Ok(HttpResponse::Ok().json(Box::pin(service.page_of_events::<E>(&call, id, &query)).await?))
            }
        }
    }
}
