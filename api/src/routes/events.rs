//! Events of a game: as pages, as NDJSON, as Server-Sent Events.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};

use crate::error::Problem;
use crate::http::media::{self, JSON};
use crate::http::query::Query;
use crate::http::stream::{self, NDJSON, SSE};
use crate::model::event::{EventList, EventsQuery, LastEventId};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::page;

/// Read or follow the events of a game
///
/// By `Accept`:
/// - `application/json` gives a page; with `wait`, a long poll.
/// - `text/event-stream` gives the message `snapshot` with the game, then a message for each event, named by its word; with
///   `Last-Event-ID`, the events after that one. The last message is `end`, once the game is over. A client that falls more
///   than 1,000 events behind gets the messages `resync` and `snapshot` in place of what it missed; so does every client
///   where a crash of the store has lost events that were sent. The `data` of `end` and `resync` is `{}`; that of `snapshot`
///   is the game as `GET /v1/games/{id}` gives it, and its `id` the number of the last event.
/// - `application/x-ndjson` gives the events from `after` on, a line each, until the game is over.
///
/// The newest event of a stream has one field more, `game`: the state after it, as a brief answer has it (`turn`, `awaits`,
/// `legal`, `deadline`, `seconds_left`, ..). So a client plays on without reading the game. A stream sends a comment or an empty line every 15
/// seconds.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((EventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a finished game")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "not_acceptable", "too_many_streams"]))))]
#[get("/events")]
pub(crate) async fn list_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> Result<HttpResponse, Problem> {
    let last = stream::last_event(&request)?.or(page::number("after", query.after)?);
    match media::choose(&request, &[JSON, SSE, NDJSON])? {
        SSE => Ok(stream::sse(service.follow_game(&call, &id, last, true).await?)),
        NDJSON => Ok(stream::ndjson(service.follow_game(&call, &id, Some(last.unwrap_or(0)), false).await?)),
        _ => {
            let query = EventsQuery { after: last, ..query.0 };
            Ok(HttpResponse::Ok().json(service.list_events(&call, &id, &query).await?))
        }
    }
}
