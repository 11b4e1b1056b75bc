//! Feeds: one task reads the events of an entity from the store, for all its followers in the process.
//!
//! All followers share the newest events in memory. Nothing is stored for a single follower, so a slow follower costs
//! no memory. A follower that needs older events reads them from the store itself.

use std::collections::HashMap;
use std::future;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::error::Problem;
use crate::follow::line::{FeedKind, StreamEvent, write_lines};
use crate::store::{EntityId, Store, StoredEntity};

/// Number of the newest events that a feed has in memory.
const KEPT: usize = 128;
/// Largest number of events that a feed reads from the store at once.
const READ: usize = 100;
/// Longest wait for an event. After it, the feed checks that the store still has the events that were sent.
const WAIT: Duration = Duration::from_secs(30);
/// A new follower gets lines of a feed only if the newest line is younger than this. Otherwise, the follower reads the
/// events from the store. A line says how much time is left for a decision, which is wrong after a while.
const FRESH: Duration = Duration::from_secs(1);
/// Pause of a feed after an error of the store.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Default)]
pub(crate) struct FeedState {
    /// Number of events of the entity that the feed has read or skipped.
    pub count: u64,
    /// Whether no more events will come: the entity is closed and all its events were read, or the entity was removed.
    pub is_over: bool,
    /// Whether the process closes: it ends all streams.
    pub is_closing: bool,
    /// Number of times that the feed found sent events missing in the store, for example after a failover.
    pub losses: u32,
    /// The newest events, in order, at most [`KEPT`].
    last: Arc<[StreamEvent]>,
    /// When the newest event of `last` was read; `None` if `last` is empty.
    written_at: Option<Instant>,
}

impl FeedState {
    /// Returns the state of a new feed, for an entity with this many events. It has none of them in memory.
    pub(crate) fn of(events: u64, is_closed: bool) -> Self {
        Self { count: events, is_over: is_closed, ..Self::default() }
    }

    /// Returns the events with numbers above `after`; `None` if some of them are no longer in memory.
    pub(crate) fn after(&self, after: u64) -> Option<&[StreamEvent]> {
        let missing = usize::try_from(self.count.saturating_sub(after)).ok()?;
        self.last.get(self.last.len().checked_sub(missing)?..)
    }

    /// Tells whether the newest line was written less than [`FRESH`] ago. The remaining time in the line is then still
    /// right.
    pub(crate) fn is_fresh(&self) -> bool {
        self.written_at.is_some_and(|written_at| written_at.elapsed() < FRESH)
    }

    /// Returns the state after reading more events.
    fn and(&self, more: Vec<StreamEvent>, entity: &StoredEntity) -> Self {
        let count = more.last().map_or(self.count, |line| line.id);
        let all = self.last.len() + more.len();
        let last = self.last.iter().cloned().chain(more).skip(all.saturating_sub(KEPT)).collect();
        let is_over = entity.is_closed && count >= entity.events;
        Self { count, is_over, last, written_at: Some(Instant::now()), ..*self }
    }
}

/// The feeds of a process.
#[derive(Debug, Default)]
pub(crate) struct Feeds {
    entities: Mutex<HashMap<EntityId, Weak<Feed>>>,
}

/// The feed of an entity. Its task runs until the last follower has dropped the feed.
#[derive(Debug)]
pub(crate) struct Feed {
    state: watch::Receiver<FeedState>,
}

impl Feed {
    /// Subscribes to the state of the feed.
    pub(crate) fn state(&self) -> watch::Receiver<FeedState> {
        self.state.clone()
    }
}

impl Feeds {
    /// Returns the feed of an entity. If there is none, starts one with the state `first`. It tells its followers when
    /// `closing` becomes true.
    pub(crate) fn follow(
        &self,
        store: &Arc<dyn Store>,
        closing: &watch::Receiver<bool>,
        id: EntityId,
        first: FeedState,
        kind: impl FeedKind,
    ) -> Arc<Feed> {
        let mut entities = self.entities.lock().unwrap_or_else(PoisonError::into_inner);
        let held = entities.get(&id).and_then(Weak::upgrade);
        // If the task of a feed has ended, the feed is replaced.
        if let Some(feed) = held.filter(|feed| feed.state.has_changed().is_ok()) {
            return feed;
        }
        entities.retain(|_, feed| feed.strong_count() > 0);
        let (sender, state) = watch::channel(first);
        tokio::spawn(run(Arc::clone(store), closing.clone(), id, sender, kind));
        let feed = Arc::new(Feed { state });
        entities.insert(id, Arc::downgrade(&feed));
        feed
    }
}

/// The task of a feed. It runs until the last follower has dropped the feed.
async fn run(
    store: Arc<dyn Store>,
    mut closing: watch::Receiver<bool>,
    id: EntityId,
    state: watch::Sender<FeedState>,
    kind: impl FeedKind,
) {
    tokio::select! {
        () = state.closed() => return,
        _ = closing.wait_for(|closing| *closing) => state.send_modify(|state| state.is_closing = true),
        // A feed that has read everything stays, so that later followers find its last state.
        () = async { read(&store, id, &state, &kind).await; future::pending().await } => {}
    }
    state.closed().await;
}

/// Reads events until the entity is closed or removed. It has no further events then.
async fn read(store: &Arc<dyn Store>, id: EntityId, state: &watch::Sender<FeedState>, kind: &impl FeedKind) {
    while !state.borrow().is_over {
        let count = state.borrow().count;
        let read = match store.wait(id, count, WAIT).await {
            Ok(_) => read_on(store, id, state, kind).await,
            Err(error) => Err(error.into()),
        };
        if let Err(problem) = read {
            tracing::debug!(entity = %id, %problem, "events for followers not read, retrying");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reads the new events, and once more the last event that was sent. If the store has lost the sent event, or has
/// another event with the same number, for example after a failover, followers have to start again from the snapshot.
async fn read_on(
    store: &Arc<dyn Store>,
    id: EntityId,
    state: &watch::Sender<FeedState>,
    kind: &impl FeedKind,
) -> Result<(), Problem> {
    let before = state.borrow().clone();
    let last = before.last.last();
    let after = before.count - u64::from(last.is_some());
    let (entity, mut events) = store.entity_and_events(id, after, READ).await?;
    let Some(entity) = entity else {
        state.send_modify(|state| state.is_over = true);
        return Ok(());
    };
    if last.is_some_and(|last| events.first().is_none_or(|event| !last.is_of(event))) {
        tracing::warn!(entity = %id, "events lost in the store, followers must read the entity again");
        state.send_replace(FeedState { losses: before.losses + 1, ..FeedState::of(entity.events, entity.is_closed) });
        return Ok(());
    }
    let new = events.split_off(usize::from(last.is_some()));
    if !new.is_empty() {
        let lines = write_lines(kind, &entity, before.count, &new).await?;
        state.send_replace(before.and(lines, &entity));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: u64) -> StreamEvent {
        StreamEvent { id, ..StreamEvent::default() }
    }

    #[test]
    fn what_is_at_hand_is_given_and_what_is_not_is_said() {
        let ids =
            |lines: Option<&[StreamEvent]>| lines.map(|lines| lines.iter().map(|line| line.id).collect::<Vec<_>>());
        let state = FeedState { count: 9, last: vec![line(8), line(9)].into(), ..FeedState::default() };
        assert_eq!(ids(state.after(9)), Some(vec![]));
        assert_eq!(ids(state.after(8)), Some(vec![9]));
        assert_eq!(ids(state.after(7)), Some(vec![8, 9]));
        assert_eq!(ids(state.after(6)), None);
        assert_eq!(ids(state.after(12)), Some(vec![]), "it was known elsewhere before it is known here");
    }
}
