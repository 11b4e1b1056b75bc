//! Events: as pages, as NDJSON, as Server-Sent Events. It is the same list.

use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::stream::unfold;

use crate::conventions::call::Call;
use crate::conventions::{media, page};
use crate::error::{Code, Problem};
use crate::model::event::{EventList, EventView, EventsQuery, LastEventId};
use crate::service::{EventPage, EventStream, Service};

const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";
const SSE: &str = "text/event-stream";

/// Read or follow the events of a game
///
/// By `Accept`: `application/json` gives a page (with `wait`, a long poll); `text/event-stream` gives a snapshot of the
/// game, then every event, and resumes after `Last-Event-ID`; `application/x-ndjson` gives the events from `after` on, a
/// line each. Streams show that they live every 15 seconds and end when the game is over.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), EventsQuery, LastEventId),
    responses((status = 200, description = "Events", content((EventList = "application/json"), (String = "text/event-stream"), (String = "application/x-ndjson"))),
        (status = 204, description = "A stream that would resume after the last event of a finished game")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "not_acceptable"]))))]
#[get("/v1/games/{id}/events")]
pub async fn list_events(
    service: Data<Service>,
    call: Call,
    request: HttpRequest,
    id: Path<String>,
    query: Query<EventsQuery>,
) -> Result<HttpResponse, Problem> {
    let last = last_event(&request)?.or(page::number("after", query.after)?);
    match media::choose(&request, &[JSON, SSE, NDJSON])? {
        SSE => {
            let stream = service.follow_events(&call, &id, last).await?;
            Ok(respond(stream, SSE, |page| match page {
                EventPage::Events(events) => events.iter().map(sse).collect(),
                EventPage::Heartbeat => ": alive\n\n".to_owned(),
                EventPage::End => "event: end\ndata: {}\n\n".to_owned(),
                EventPage::Closing => "retry: 1000\n\n".to_owned(),
            }))
        }
        NDJSON => {
            let after = Some(last.unwrap_or(0));
            let stream = service.follow_events(&call, &id, after).await?;
            Ok(respond(stream, NDJSON, |page| match page {
                EventPage::Events(events) => events.iter().map(|event| format!("{}\n", json(event))).collect(),
                EventPage::Heartbeat => "\n".to_owned(),
                EventPage::End | EventPage::Closing => String::new(),
            }))
        }
        _ => {
            let query = EventsQuery { after: last, ..query.into_inner() };
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

fn respond(stream: EventStream, media: &'static str, write: fn(&EventPage) -> String) -> HttpResponse {
    if stream.is_exhausted {
        // Tells `EventSource` not to come back.
        return HttpResponse::NoContent().finish();
    }
    let hello = stream.snapshot.as_ref().filter(|_| media == SSE).map(|game| {
        format!("id: {}\nevent: snapshot\ndata: {}\n\n", game.events, serde_json::to_string(game).unwrap_or_default())
    });
    // A comment first, so that proxies pass the headers on at once.
    let hello = hello.unwrap_or_else(|| if media == SSE { ": hello\n\n".to_owned() } else { "\n".to_owned() });
    let body = unfold(Follower::Greets(Box::new(stream), hello), move |follower| follow(follower, write));
    HttpResponse::Ok()
        .content_type(media)
        .insert_header(("Cache-Control", "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body)
}

/// Where a stream is.
enum Follower {
    Greets(Box<EventStream>, String),
    Follows(Box<EventStream>),
    Ends,
}

async fn follow(follower: Follower, write: fn(&EventPage) -> String) -> Option<(Result<Bytes, Problem>, Follower)> {
    match follower {
        Follower::Greets(stream, hello) => Some((Ok(Bytes::from(hello)), Follower::Follows(stream))),
        Follower::Follows(mut stream) => match stream.next().await {
            Ok(page) => {
                let ends = matches!(page, EventPage::End | EventPage::Closing);
                let then = if ends { Follower::Ends } else { Follower::Follows(stream) };
                Some((Ok(Bytes::from(write(&page))), then))
            }
            // The client sees the stream break and comes back after the last event it has.
            Err(problem) => Some((Err(problem), Follower::Ends)),
        },
        Follower::Ends => None,
    }
}

fn sse(event: &EventView) -> String {
    format!("id: {}\nevent: {}\ndata: {}\n\n", event.id, event.event, json(event))
}

fn json(event: &EventView) -> String {
    serde_json::to_string(event).unwrap_or_default()
}
