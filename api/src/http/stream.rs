//! Streams of events: Server-Sent Events and NDJSON.

use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;

use crate::error::{Code, Problem};
use crate::http::errors;
use crate::http::media::NDJSON;
use crate::service::page;
use crate::service::{EventStream, FollowedEntity, StreamMessage, StreamSnapshot};
use crate::telemetry;

/// The media type of Server-Sent Events.
pub(crate) const SSE: &str = "text/event-stream";

/// Answers with a stream of events, as Server-Sent Events.
pub(crate) fn sse<E: FollowedEntity>(stream: EventStream<E>) -> HttpResponse {
    respond(stream, SSE, |page| match page {
        StreamMessage::Snapshot(state) => snapshot(&state),
        StreamMessage::Events(lines) => join(lines.into_iter().map(|line| line.sse)),
        StreamMessage::Resync(state) => [b"event: resync\ndata: {}\n\n", &snapshot(&state)[..]].concat().into(),
        StreamMessage::Heartbeat => Bytes::from_static(b": alive\n\n"),
        StreamMessage::End => Bytes::from_static(b"event: end\ndata: {}\n\n"),
        StreamMessage::Closing => Bytes::from_static(b"retry: 1000\n\n"),
    })
}

/// Answers with a stream of events, as NDJSON.
pub(crate) fn ndjson<E: FollowedEntity>(stream: EventStream<E>) -> HttpResponse {
    respond(stream, NDJSON, |page| match page {
        StreamMessage::Events(lines) => join(lines.into_iter().map(|line| line.ndjson)),
        StreamMessage::Heartbeat => Bytes::from_static(b"\n"),
        StreamMessage::Snapshot(_) | StreamMessage::Resync(_) | StreamMessage::End | StreamMessage::Closing => {
            Bytes::new()
        }
    })
}

/// Returns the number of the last event that the client has received, from the header `Last-Event-ID`.
///
/// # Errors
/// 400 if the header is not the number of an event.
pub(crate) fn last_event(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let number = value.to_str().ok().and_then(|text| text.parse().ok()).filter(|number| *number <= page::GREATEST);
    let number = number.ok_or_else(|| Problem::new(Code::BadHeader, "`last-event-id` is the id of an event, a number"));
    number.map(Some)
}

fn respond<E: FollowedEntity>(
    mut stream: EventStream<E>,
    media: &'static str,
    write: fn(StreamMessage) -> Bytes,
) -> HttpResponse {
    if stream.is_exhausted {
        // The browser API `EventSource` connects again after an answer ends, unless the answer is 204.
        return HttpResponse::NoContent().finish();
    }
    // A stream whose first message is still to come begins with a comment or an empty line, so that proxies pass the
    // headers on at once.
    let hello = || Bytes::from_static(if media == SSE { b": hello\n\n" } else { b"\n" });
    let hello = stream.first.take().map_or_else(hello, |first| write(*first));
    let body = unfold(Follower::Greets(Box::new(stream), hello), move |follower| follow(follower, write));
    HttpResponse::Ok()
        .content_type(media)
        .insert_header(("Cache-Control", "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body)
}

/// The progress of an answer that is a stream of events.
enum Follower<E: FollowedEntity> {
    Greets(Box<EventStream<E>>, Bytes),
    Follows(Box<EventStream<E>>),
    Ends,
}

async fn follow<E: FollowedEntity>(
    follower: Follower<E>,
    write: fn(StreamMessage) -> Bytes,
) -> Option<(Result<Bytes, Problem>, Follower<E>)> {
    match follower {
        Follower::Greets(stream, hello) => Some((Ok(hello), Follower::Follows(stream))),
        Follower::Follows(mut stream) => match stream.next().await {
            Ok(page) => {
                let ends = matches!(page, StreamMessage::End | StreamMessage::Closing);
                let then = if ends { Follower::Ends } else { Follower::Follows(stream) };
                Some((Ok(write(page)), then))
            }
            // The error ends the connection without an `end` message. The client then connects again, and resumes after
            // its last event.
            Err(problem) => {
                errors::log(&problem, &telemetry::request_id().unwrap_or_default());
                Some((Err(problem), Follower::Ends))
            }
        },
        Follower::Ends => None,
    }
}

/// Writes the snapshot of an entity as the first message of a stream.
fn snapshot(snapshot: &StreamSnapshot) -> Bytes {
    let head = format!("id: {}\nevent: snapshot\ndata: ", snapshot.events);
    [head.as_bytes(), &snapshot.view, b"\n\n"].concat().into()
}

/// Joins lines of a stream. A single line is returned without a copy, because all followers share its bytes.
fn join(mut lines: impl ExactSizeIterator<Item = Bytes>) -> Bytes {
    if lines.len() == 1 {
        return lines.next().unwrap_or_default();
    }
    let mut text = Vec::new();
    lines.for_each(|line| text.extend_from_slice(&line));
    text.into()
}
