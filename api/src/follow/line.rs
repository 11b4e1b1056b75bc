//! Events as lines of a stream.

use bytes::Bytes;

use crate::error::Problem;
use crate::follow::event::EventHead;
use crate::store::StoredEntity;

/// The part of a feed that depends on the kind of its entity.
pub(crate) trait FeedKind: Send + Sync + 'static {
    /// Whether an event with this word may take the access of followers away.
    fn changes_access(&self, word: &str) -> bool;

    /// The state of the entity in brief, as JSON. `None`: streams of this kind have events only.
    fn state(&self, entity: &StoredEntity) -> impl Future<Output = Result<Option<Bytes>, Problem>> + Send;
}

/// An event in both forms of a stream, written once for all followers.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventLine {
    /// Number of the event.
    pub id: u64,
    /// Whether followers may have lost their access.
    pub changes_access: bool,
    /// The event as a message of Server-Sent Events.
    pub sse: Bytes,
    /// The event as a line of NDJSON.
    pub ndjson: Bytes,
    /// Length of the stored event, in bytes; the state follows it in the line.
    pub(super) length: usize,
}

impl EventLine {
    /// Writes a stored event in both forms. With `state`, the event gets a further field with this name and this JSON.
    ///
    /// # Errors
    /// The bytes are no event.
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

    /// Whether the line was written from this stored event.
    pub(crate) fn is_of(&self, event: &[u8]) -> bool {
        let is_same = |open: &[u8]| self.ndjson.starts_with(open);
        self.length == event.len() && is_same(event.strip_suffix(b"}").unwrap_or(event))
    }
}

/// Writes stored events, which follow the one numbered `after`, as lines. If the last one is the newest event of the
/// entity, its line carries the state of the entity, in a field named after the kind.
///
/// # Errors
/// An event cannot be read.
pub(crate) async fn write_lines(
    kind: &impl FeedKind,
    entity: &StoredEntity,
    after: u64,
    events: &[Vec<u8>],
) -> Result<Vec<EventLine>, Problem> {
    let is_newest = !events.is_empty() && after + events.len() as u64 == entity.events;
    let state = match is_newest {
        // Without the state, followers get the events all the same.
        true => kind.state(entity).await.unwrap_or_else(|problem| {
            tracing::warn!(entity = %entity.id, %problem, "entity state not encoded, streams send the events without it");
            None
        }),
        false => None,
    };
    let lines = (after + 1..).zip(events).map(|(number, event)| {
        let state = state.as_deref().filter(|_| number == entity.events);
        EventLine::new(number, event, state.map(|state| (entity.id.kind.word(), state)), kind)
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::store::{EntityId, Kind};

    /// A kind whose state is how many events it has.
    struct Counted;

    impl FeedKind for Counted {
        fn changes_access(&self, word: &str) -> bool {
            word == "left"
        }

        async fn state(&self, entity: &StoredEntity) -> Result<Option<Bytes>, Problem> {
            Ok(Some(format!("{{\"events\":{}}}", entity.events).into()))
        }
    }

    fn entity(events: u64) -> StoredEntity {
        let id = EntityId::new(Kind::named("lamp"), Uuid::nil());
        StoredEntity { id, version: 1, events, changed_at: 0, is_closed: false, snapshot: Bytes::new() }
    }

    fn lines(entity: &StoredEntity, after: u64, words: &[&str]) -> Vec<EventLine> {
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
