//! Writes events as the lines of a stream.

use bytes::Bytes;

use crate::error::Problem;
use crate::follow::event::EventHead;
use crate::store::{Kind, StoredEntity};

/// The part of a feed that depends on the kind of its entity.
pub(crate) trait FeedKind: Send + Sync + 'static {
    /// Tells whether an event with this word may end the access of followers to the entity.
    fn changes_access(&self, word: &str) -> bool;

    /// Returns the states of the entity to send together with these events, at most one for each event. The first event
    /// has the number `after + 1`.
    fn states(
        &self,
        entity: &StoredEntity,
        after: u64,
        events: &[Vec<u8>],
    ) -> impl Future<Output = Result<Vec<EventState>, Problem>> + Send;
}

/// A state of an entity. The line of one event contains the state as a further field.
#[derive(Debug, Clone)]
pub(crate) struct EventState {
    pub event: u64,
    /// The kind of the entity, which is the name of the field.
    pub kind: Kind,
    /// The brief view of the entity, as JSON.
    pub state: Bytes,
}

/// An event in the two forms of a stream, as SSE and as NDJSON. It is written once, for all followers.
#[derive(Debug, Clone, Default)]
pub(crate) struct StreamEvent {
    pub id: u64,
    /// Whether the event may have ended the access of followers to the entity.
    pub changes_access: bool,
    /// The event as a message of Server-Sent Events.
    pub sse: Bytes,
    /// The event as a line of NDJSON.
    pub ndjson: Bytes,
    /// Length of the stored event in bytes. The lines may be longer, because they may also contain the state of the
    /// entity.
    pub(super) length: usize,
}

impl StreamEvent {
    /// Writes a stored event in the two forms of a stream. With `state`, the event gets a further field with this name
    /// and this JSON.
    ///
    /// # Errors
    /// The bytes are not a stored event.
    fn new(id: u64, event: &[u8], state: Option<(&str, &[u8])>, kind: &impl FeedKind) -> Result<Self, Problem> {
        let length = event.len();
        let EventHead { event: word, .. } = EventHead::read(event)?;
        let ndjson = match (state, event.strip_suffix(b"}")) {
            (Some((name, state)), Some(open)) => [open, b",\"", name.as_bytes(), b"\":", state, b"}\n"].concat(),
            _ => [event, b"\n"].concat(),
        };
        let head = format!("id: {id}\nevent: {word}\ndata: ");
        let sse = [head.as_bytes(), &ndjson, b"\n"].concat().into();
        Ok(Self { id, changes_access: kind.changes_access(&word), sse, ndjson: ndjson.into(), length })
    }

    /// Tells whether these bytes are the stored event from which the line was written.
    pub(crate) fn is_of(&self, event: &[u8]) -> bool {
        let is_same = |open: &[u8]| self.ndjson.starts_with(open);
        self.length == event.len() && is_same(event.strip_suffix(b"}").unwrap_or(event))
    }
}

/// Writes stored events as lines, with the states to send together with them. The first event has the number
/// `after + 1`.
///
/// # Errors
/// An event or a state cannot be read. No line is sent then: a follower that got the newest event without its state
/// would wait for a state that never comes.
pub(crate) async fn write_lines(
    kind: &impl FeedKind,
    entity: &StoredEntity,
    after: u64,
    events: &[Vec<u8>],
) -> Result<Vec<StreamEvent>, Problem> {
    let states = kind.states(entity, after, events).await?;
    let lines = (after + 1..).zip(events).map(|(number, event)| {
        let state = states.iter().find(|state| state.event == number);
        StreamEvent::new(number, event, state.map(|state| (state.kind.word(), &state.state[..])), kind)
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::EntityId;

    /// A kind of entity whose newest event contains the number of events as its state.
    struct Counted;

    impl FeedKind for Counted {
        fn changes_access(&self, word: &str) -> bool {
            word == "left"
        }

        async fn states(&self, entity: &StoredEntity, _: u64, _: &[Vec<u8>]) -> Result<Vec<EventState>, Problem> {
            let state = format!("{{\"events\":{}}}", entity.events).into();
            Ok(vec![EventState { event: entity.events, kind: entity.id.kind, state }])
        }
    }

    fn entity(events: u64) -> StoredEntity {
        let id = EntityId::new(Kind::named("lamp"), Uuid::nil());
        StoredEntity { id, version: 1, events, changed_at: 0, is_closed: false, snapshot: Bytes::new() }
    }

    fn lines(entity: &StoredEntity, after: u64, words: &[&str]) -> Vec<StreamEvent> {
        let events = words.iter().map(|word| format!("{{\"event\":\"{word}\",\"at\":\"now\"}}").into_bytes());
        let events: Vec<_> = events.collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let lines = runtime.block_on(write_lines(&Counted, entity, after, &events)).unwrap();
        assert!(lines.iter().zip(&events).all(|(line, event)| line.is_of(event)));
        lines
    }

    #[test]
    fn an_event_is_written_as_both_kinds_of_line() {
        let lines = lines(&entity(9), 2, &["moved", "left"]);
        assert_eq!(lines[0].sse, "id: 3\nevent: moved\ndata: {\"event\":\"moved\",\"at\":\"now\"}\n\n");
        assert_eq!(lines[0].ndjson, "{\"event\":\"moved\",\"at\":\"now\"}\n");
        assert_eq!(lines.iter().map(|line| line.changes_access).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn the_newest_event_carries_the_state() {
        let lines = lines(&entity(4), 2, &["moved", "turn"]);
        assert!(!lines[0].ndjson.windows(4).any(|part| part == b"lamp"));
        let newest = "{\"event\":\"turn\",\"at\":\"now\",\"lamp\":{\"events\":4}}\n";
        assert_eq!(lines[1].ndjson, newest);
        assert_eq!(lines[1].sse, format!("id: 4\nevent: turn\ndata: {newest}\n"));
    }

    #[test]
    fn a_line_is_known_by_its_event_alone() {
        let line = lines(&entity(1), 0, &["moved"]).remove(0);
        assert!(line.is_of(b"{\"event\":\"moved\",\"at\":\"now\"}"));
        assert!(!line.is_of(b"{\"event\":\"moved\",\"at\":\"new\"}"));
        assert!(!line.is_of(b"{\"event\":\"moved\",\"at\":\"now\",\"lamp\":{\"events\":1}}"));
        assert!(!line.is_of(b""));
    }
}
