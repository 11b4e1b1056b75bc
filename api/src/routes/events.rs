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
/// By `Accept`: `application/json` gives a page (with `wait`, a long poll); `text/event-stream` gives a snapshot of the
/// game, then every event, and resumes after `Last-Event-ID`; `application/x-ndjson` gives the events from `after` on, a
/// line each. Streams show that they live every 15 seconds and end when the game is over. A reader of `text/event-stream`
/// that falls more than 1,000 events behind is told `resync`, and then given a snapshot in place of what it missed; so is
/// every reader where a crash of the store has lost events that were told.
///
/// The messages of `text/event-stream`, by the word after `event:`
/// - `snapshot`: `data` is the game as `GET /v1/games/{id}` gives it, `id` the number of its last event. It comes first,
///   unless the stream resumes, and after `resync`.
/// - a word of an event, such as `moved`: `data` is that event, `id` its number.
/// - `resync`: `data` is `{}`. Events are left out here; a `snapshot` follows.
/// - `end`: `data` is `{}`. The game is over, and nothing more comes: close the stream.
///
/// Lines that begin with a colon are signs of life.
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
