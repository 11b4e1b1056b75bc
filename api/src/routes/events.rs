//! Events of a game: as pages, as NDJSON, as Server-Sent Events.

use actix_web::web::{Bytes, Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::stream::unfold;

use crate::error::{Code, Problem};
use crate::http::errors;
use crate::http::media;
use crate::http::media::JSON;
use crate::http::query::Query;
use crate::model::event::{EventList, EventsQuery, LastEventId};
use crate::service::call::Call;
use crate::service::page;
use crate::service::{EventStream, Service, StreamMessage, StreamSnapshot};
use crate::telemetry;

const NDJSON: &str = "application/x-ndjson";
const SSE: &str = "text/event-stream";

/// Read or follow the events of a game
///
/// By `Accept`: `application/json` gives a page (with `wait`, a long poll); `text/event-stream` gives a snapshot of the
/// game, then every event, and resumes after `Last-Event-ID`; `application/x-ndjson` gives the events from `after` on, a
/// line each. Streams show that they live every 15 seconds and end when the game is over. A reader of `text/event-stream`
/// that falls more than 1,000 events behind is told `resync`, and then given a snapshot in place of what it missed; so is
/// every reader where a crash of the store has lost events that were told.
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
    let last = last_event(&request)?.or(page::number("after", query.after)?);
    match media::choose(&request, &[JSON, SSE, NDJSON])? {
        SSE => {
            let stream = service.follow_events(&call, &id, last, true).await?;
            Ok(respond(stream, SSE, |page| match page {
                StreamMessage::Events(lines) => join(lines.into_iter().map(|line| line.sse)),
                StreamMessage::Resync(game) => [b"event: resync\ndata: {}\n\n", &snapshot(&game)[..]].concat().into(),
                StreamMessage::Heartbeat => Bytes::from_static(b": alive\n\n"),
                StreamMessage::End => Bytes::from_static(b"event: end\ndata: {}\n\n"),
                StreamMessage::Closing => Bytes::from_static(b"retry: 1000\n\n"),
            }))
        }
        NDJSON => {
            let after = Some(last.unwrap_or(0));
            let stream = service.follow_events(&call, &id, after, false).await?;
            Ok(respond(stream, NDJSON, |page| match page {
                StreamMessage::Events(lines) => join(lines.into_iter().map(|line| line.ndjson)),
                StreamMessage::Heartbeat => Bytes::from_static(b"\n"),
                StreamMessage::Resync(_) | StreamMessage::End | StreamMessage::Closing => Bytes::new(),
            }))
        }
        _ => {
            let query = EventsQuery { after: last, ..query.0 };
            Ok(HttpResponse::Ok().json(service.list_events(&call, &id, &query).await?))
        }
    }
}

fn last_event(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.parse().ok()).filter(|number| *number <= page::GREATEST);
    let number = number.ok_or_else(|| Problem::new(Code::BadHeader, "`last-event-id` is the id of an event, a number"));
    number.map(Some)
}

fn respond(stream: EventStream, media: &'static str, write: fn(StreamMessage) -> Bytes) -> HttpResponse {
    if stream.is_exhausted {
        // 204 stops `EventSource` from connecting again.
        return HttpResponse::NoContent().finish();
    }
    let hello = stream.snapshot.as_ref().filter(|_| media == SSE).map(snapshot);
    // A comment first, so that proxies pass the headers on at once.
    let hello = hello.unwrap_or_else(|| Bytes::from_static(if media == SSE { b": hello\n\n" } else { b"\n" }));
    let body = unfold(Follower::Greets(Box::new(stream), hello), move |follower| follow(follower, write));
    HttpResponse::Ok()
        .content_type(media)
        .insert_header(("Cache-Control", "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body)
}

/// Where a stream is.
enum Follower {
    Greets(Box<EventStream>, Bytes),
    Follows(Box<EventStream>),
    Ends,
}

async fn follow(follower: Follower, write: fn(StreamMessage) -> Bytes) -> Option<(Result<Bytes, Problem>, Follower)> {
    match follower {
        Follower::Greets(stream, hello) => Some((Ok(hello), Follower::Follows(stream))),
        Follower::Follows(mut stream) => match stream.next().await {
            Ok(page) => {
                let ends = matches!(page, StreamMessage::End | StreamMessage::Closing);
                let then = if ends { Follower::Ends } else { Follower::Follows(stream) };
                Some((Ok(write(page)), then))
            }
            // The broken stream makes the client connect again after its last event.
            Err(problem) => {
                errors::log(&problem, &telemetry::request_id().unwrap_or_default());
                Some((Err(problem), Follower::Ends))
            }
        },
        Follower::Ends => None,
    }
}

/// The snapshot message; events follow it.
fn snapshot(snapshot: &StreamSnapshot) -> Bytes {
    let head = format!("id: {}\nevent: snapshot\ndata: ", snapshot.events);
    [head.as_bytes(), &snapshot.game, b"\n\n"].concat().into()
}

/// One event is sent without a copy: all followers share its bytes.
fn join(mut lines: impl ExactSizeIterator<Item = Bytes>) -> Bytes {
    if lines.len() == 1 {
        return lines.next().unwrap_or_default();
    }
    let mut text = Vec::new();
    lines.for_each(|line| text.extend_from_slice(&line));
    text.into()
}
