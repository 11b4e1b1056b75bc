//! The state of a game, read from the store once a process, however many follow the game here.
//!
//! Whoever follows looks at the same last events; nothing is kept for each of them, so a slow one costs nothing. One that
//! needs older events reads them from the store by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::watch;

use crate::error::{Problem, internal};
use crate::game::event::EventKind;
use crate::store::{EntityId, Store, StoredEntity};

/// Last events kept of a game that is followed.
const KEPT: usize = 128;
/// Events read at a time.
const READ: usize = 100;
/// How long one wait for state is; then it is looked whether what was told is still so.
const WAIT: Duration = Duration::from_secs(30);
/// Pause after the store did not answer.
const PAUSE: Duration = Duration::from_millis(500);

/// An event, written once for all who follow.
#[derive(Debug, Clone)]
pub struct EventLine {
    /// Its number.
    pub id: u64,
    /// Tokens may be worth nothing since.
    pub changes_tokens: bool,
    /// As a message of Server-Sent Events.
    pub sse: Bytes,
    /// As a line of NDJSON.
    pub ndjson: Bytes,
}

/// What an event is called.
#[derive(Deserialize)]
struct EventName {
    event: String,
}

impl EventLine {
    /// An event as the store has it.
    ///
    /// # Errors
    /// It is none.
    pub fn new(id: u64, event: &[u8]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(event).map_err(internal)?;
        let EventName { event } = serde_json::from_str(text).map_err(internal)?;
        let sse = format!("id: {id}\nevent: {event}\ndata: {text}\n\n");
        let changes_tokens = EventKind::parse(&event).is_some_and(EventKind::changes_tokens);
        Ok(Self { id, changes_tokens, sse: sse.into(), ndjson: format!("{text}\n").into() })
    }
}

/// What is known of a game here.
#[derive(Debug, Clone, Default)]
pub struct FeedState {
    /// Events so far.
    pub count: u64,
    /// The game is over: there will be no more.
    pub is_over: bool,
    /// How often the store turned out to have lost what was told, and to have other events in its place, or none.
    pub losses: u32,
    /// The last of them, in order.
    last: Arc<[EventLine]>,
}

impl FeedState {
    /// What is known of a game whose events nobody has followed yet.
    pub fn of(events: u64, is_closed: bool) -> Self {
        Self { count: events, is_over: is_closed, ..Self::default() }
    }

    /// The events after this one; `None`: they are not at hand.
    pub fn after(&self, after: u64) -> Option<&[EventLine]> {
        let missing = usize::try_from(self.count.saturating_sub(after)).ok()?;
        self.last.get(self.last.len().checked_sub(missing)?..)
    }

    /// With more events.
    fn and(&self, more: Vec<EventLine>, entity: &StoredEntity) -> Self {
        let count = more.last().map_or(self.count, |line| line.id);
        let all = self.last.len() + more.len();
        let last = self.last.iter().cloned().chain(more).skip(all.saturating_sub(KEPT)).collect();
        Self { count, is_over: entity.is_closed && count >= entity.events, last, ..*self }
    }
}

/// The games that are followed here.
#[derive(Debug, Default)]
pub struct Feeds {
    games: Mutex<HashMap<EntityId, Weak<Feed>>>,
}

/// A game that is followed; read as long as anybody holds it.
#[derive(Debug)]
pub struct Feed {
    state: watch::Receiver<FeedState>,
}

impl Feed {
    /// The state, from now on.
    pub fn state(&self) -> watch::Receiver<FeedState> {
        self.state.clone()
    }
}

impl Feeds {
    /// Follows a game, of which so much is known.
    pub fn follow(&self, store: &Arc<dyn Store>, id: EntityId, known: FeedState) -> Arc<Feed> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let held = games.get(&id).and_then(Weak::upgrade);
        // The thread that read it may have ended.
        if let Some(feed) = held.filter(|feed| feed.state.has_changed().is_ok()) {
            return feed;
        }
        games.retain(|_, feed| feed.strong_count() > 0);
        let (sender, state) = watch::channel(known);
        tokio::spawn(read(Arc::clone(store), id, sender));
        let feed = Arc::new(Feed { state });
        games.insert(id, Arc::downgrade(&feed));
        feed
    }
}

/// Reads what happens in a game, until nobody follows it any more or it is over.
async fn read(store: Arc<dyn Store>, id: EntityId, state: watch::Sender<FeedState>) {
    loop {
        let (count, is_over) = (state.borrow().count, state.borrow().is_over);
        if is_over {
            // Whoever comes to it finds that.
            return state.closed().await;
        }
        let told = tokio::select! {
            () = state.closed() => return,
            told = store.wait(id, count, WAIT) => told,
        };
        let read = match told {
            Ok(_) => read_on(&store, id, &state).await,
            Err(error) => Err(error.into()),
        };
        if let Err(problem) = read {
            tracing::debug!(entity = %id, %problem, "feed read failed, retrying");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reads what is new, and the last event that was told once more: after a failover it may be another one.
async fn read_on(store: &Arc<dyn Store>, id: EntityId, state: &watch::Sender<FeedState>) -> Result<(), Problem> {
    let known = state.borrow().clone();
    let after = known.count - known.last.len().min(1) as u64;
    let (entity, events) = store.entity_and_events(id, after, READ).await?;
    let Some(entity) = entity else {
        // It was removed.
        state.send_modify(|state| state.is_over = true);
        return Ok(());
    };
    let lines = (after + 1..).zip(&events).map(|(number, event)| EventLine::new(number, event));
    let mut lines = lines.collect::<Result<Vec<_>, _>>()?;
    let is_lost = known.last.last().is_some_and(|last| lines.first().is_none_or(|line| line.ndjson != last.ndjson));
    if is_lost {
        tracing::warn!(entity = %id, "events lost in the store, followers resync");
        state.send_replace(FeedState { losses: known.losses + 1, ..FeedState::of(entity.events, entity.is_closed) });
        return Ok(());
    }
    let new = lines.split_off(known.last.len().min(1));
    if !new.is_empty() {
        state.send_replace(known.and(new, &entity));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64) -> EventLine {
        EventLine::new(id, br#"{"event": "moved"}"#).unwrap()
    }

    #[test]
    fn what_is_at_hand_is_given_and_what_is_not_is_said() {
        let ids = |lines: Option<&[EventLine]>| lines.map(|lines| lines.iter().map(|line| line.id).collect::<Vec<_>>());
        let state = FeedState { count: 9, last: vec![line(8), line(9)].into(), ..FeedState::default() };
        assert_eq!(ids(state.after(9)), Some(vec![]));
        assert_eq!(ids(state.after(8)), Some(vec![9]));
        assert_eq!(ids(state.after(7)), Some(vec![8, 9]));
        assert_eq!(ids(state.after(6)), None);
        assert_eq!(ids(state.after(12)), Some(vec![]), "it was known elsewhere before it is known here");
    }

    #[test]
    fn an_event_is_written_as_both_kinds_of_line() {
        let line = line(3);
        assert_eq!(line.sse, "id: 3\nevent: moved\ndata: {\"event\": \"moved\"}\n\n");
        assert_eq!(line.ndjson, "{\"event\": \"moved\"}\n");
    }
}
