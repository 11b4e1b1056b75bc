//! The stream of a follower: events as they happen, with snapshot, resync and heartbeat.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;

use crate::error::Problem;
use crate::follow::{EventLine, Feed, FeedState, PresentFollower, write_lines};
use crate::limits::Slot;
use crate::metrics::Following;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::events::followed::FeedOf;
use crate::store::{EntityId, StoredEntity};

/// Events read at a time for a follower that needs old ones.
const PAGE: usize = 100;
/// Interval of heartbeats on a silent stream: shorter than the usual timeout of proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events that a slow follower may lag behind before the stream resyncs: about a whole game.
pub(crate) const BEHIND: u64 = 1000;

/// The state of an entity at the beginning of a stream, or at a resync.
#[derive(Debug, Clone)]
pub(crate) struct StreamSnapshot {
    /// Number of the last event that the state includes.
    pub events: u64,
    /// The view of the entity, as JSON.
    pub view: Bytes,
}

/// The next message of a stream.
#[derive(Debug, Clone)]
pub(crate) enum StreamMessage {
    /// One event or more.
    Events(Vec<EventLine>),
    /// The follower is too far behind, or the store has lost events: the present state replaces them.
    Resync(StreamSnapshot),
    /// A sign of life on a silent stream.
    Heartbeat,
    /// The entity is closed, and all events were sent.
    End,
    /// The process closes the stream; the client may connect again.
    Closing,
}

/// The stream of one follower of an entity.
#[derive(Debug)]
pub(crate) struct EventStream<E: FollowedEntity> {
    service: Service,
    id: EntityId,
    /// The request of the follower.
    call: Call,
    /// The role of the follower.
    role: E::Role,
    /// Number of the last event that was sent.
    after: u64,
    feed: Arc<Feed>,
    state: watch::Receiver<FeedState>,
    closing: watch::Receiver<bool>,
    /// Whether the follower was up to date once. Before that, a large distance is not slowness.
    is_live: bool,
    /// The losses of the store that this stream has handled.
    losses: u32,
    /// Whether a slow follower gets a resync.
    resyncs: bool,
    /// Takes up one of the client's stream slots while the stream is open.
    _slot: Option<Slot>,
    /// Counts the stream in the metrics while it is open.
    _following: Following,
    /// Counts the follower as present while the stream is open.
    _present: PresentFollower,
    /// The state at the beginning; `None` if the stream resumes after an event.
    pub snapshot: Option<StreamSnapshot>,
    /// Whether the entity is closed and the client has all events already.
    pub is_exhausted: bool,
}

impl Service {
    /// Opens a stream of the events after `after`; without it, of a snapshot and the events from now on. With
    /// `resyncs`, a follower that falls far behind gets a snapshot instead of the events that it missed.
    ///
    /// # Errors
    /// The entity does not exist, or the client has too many streams.
    pub(in crate::service) async fn follow<E: FollowedEntity>(
        &self,
        call: &Call,
        id: EntityId,
        after: Option<u64>,
        resyncs: bool,
    ) -> Result<EventStream<E>, Problem> {
        let stored = self.store.entity(id).await?.ok_or_else(E::not_found)?;
        let entity = E::read(&stored.snapshot)?;
        let role = entity.role(call)?;
        let snapshot = match after {
            None => Some(self.stream_snapshot::<E>(&stored).await?),
            Some(_) => None,
        };
        let slot = self.meter.follow(call.caller)?;
        let feed = self.feed::<E>(&stored);
        let following = self.metrics.count_follower(if resyncs { "sse" } else { "ndjson" });
        Ok(EventStream {
            is_exhausted: stored.is_closed && after.is_some_and(|after| after >= stored.events),
            after: after.unwrap_or(stored.events),
            _present: self.presence.add_follower(id, &entity.present_as(&role)),
            losses: feed.state().borrow().losses,
            state: feed.state(),
            closing: self.closing.clone(),
            service: self.clone(),
            call: call.clone(),
            role,
            is_live: false,
            id,
            feed,
            resyncs,
            _slot: slot,
            _following: following,
            snapshot,
        })
    }

    /// The feed of an entity.
    fn feed<E: FollowedEntity>(&self, stored: &StoredEntity) -> Arc<Feed> {
        let known = FeedState::of(stored.events, stored.is_closed);
        self.feeds.follow(&self.store, stored.id, known, FeedOf::<E>::new(self))
    }

    async fn stream_snapshot<E: FollowedEntity>(&self, stored: &StoredEntity) -> Result<StreamSnapshot, Problem> {
        Ok(StreamSnapshot { events: stored.events, view: E::view(self, stored).await? })
    }
}

impl<E: FollowedEntity> EventStream<E> {
    /// Waits for the next message.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn next(&mut self) -> Result<StreamMessage, Problem> {
        loop {
            if *self.closing.borrow() {
                return Ok(StreamMessage::Closing);
            }
            let state = self.state.borrow_and_update().clone();
            if state.losses != self.losses {
                self.losses = state.losses;
                if !self.resyncs {
                    return Ok(StreamMessage::Closing);
                }
                let page = self.resync().await?;
                return self.check_access(page).await;
            }
            if state.count > self.after {
                let page = self.next_events(&state).await?;
                return self.check_access(page).await;
            }
            self.is_live = true;
            if state.is_over {
                return Ok(StreamMessage::End);
            }
            let is_read = tokio::select! {
                told = self.state.changed() => told.is_ok(),
                () = tokio::time::sleep(HEARTBEAT) => return Ok(StreamMessage::Heartbeat),
                _ = self.closing.wait_for(|closing| *closing) => return Ok(StreamMessage::Closing),
            };
            if !is_read {
                self.follow_again().await?;
            }
        }
    }

    /// Sends the next events, or a resync; there is at least one event to send.
    async fn next_events(&mut self, state: &FeedState) -> Result<StreamMessage, Problem> {
        if (self.is_live || state.is_fresh())
            && let Some(lines) = state.after(self.after)
        {
            self.after = state.count;
            return Ok(StreamMessage::Events(lines.to_vec()));
        }
        if self.resyncs && self.is_live && state.count - self.after > BEHIND {
            return self.resync().await;
        }
        let (stored, events) = self.service.store.entity_and_events(self.id, self.after, PAGE).await?;
        let stored = stored.ok_or_else(E::not_found)?;
        let lines = write_lines(&FeedOf::<E>::new(&self.service), &stored, self.after, &events).await?;
        self.after = lines.last().ok_or_else(E::not_found)?.id;
        Ok(StreamMessage::Events(lines))
    }

    /// Closes the stream if an event changed the follower's role.
    async fn check_access(&self, page: StreamMessage) -> Result<StreamMessage, Problem> {
        let is_safe = match &page {
            StreamMessage::Events(lines) => !lines.iter().any(|line| line.changes_access),
            _ => !matches!(page, StreamMessage::Resync(_)),
        };
        if is_safe || E::read(&self.stored().await?.snapshot)?.role(&self.call).is_ok_and(|role| role == self.role) {
            Ok(page)
        } else {
            Ok(StreamMessage::Closing)
        }
    }

    async fn resync(&mut self) -> Result<StreamMessage, Problem> {
        let stored = self.stored().await?;
        self.after = stored.events.max(self.state.borrow().count);
        Ok(StreamMessage::Resync(self.service.stream_snapshot::<E>(&stored).await?))
    }

    /// Opens the feed again after its task has ended.
    async fn follow_again(&mut self) -> Result<(), Problem> {
        self.feed = self.service.feed::<E>(&self.stored().await?);
        self.state = self.feed.state();
        self.losses = self.state.borrow().losses;
        Ok(())
    }

    async fn stored(&self) -> Result<StoredEntity, Problem> {
        self.service.store.entity(self.id).await?.ok_or_else(E::not_found)
    }
}
