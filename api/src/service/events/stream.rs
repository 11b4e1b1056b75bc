//! The stream of a follower: events as they happen, with snapshots, resyncs and heartbeats.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::error::Problem;
use crate::follow::{Feed, FeedState, PresentFollower, StreamEvent, write_lines};
use crate::ground::token::Token;
use crate::limits::Slot;
use crate::metrics::Counted;
use crate::service::Service;
use crate::service::call::{Call, CallPlayer};
use crate::service::events::FollowedEntity;
use crate::service::events::followed::FeedOf;
use crate::store::{EntityAnd, EntityId, StoredEntity};

/// Number of events that are read at a time for a follower that needs events older than those of the feed.
const PAGE: usize = 100;
/// Interval between the heartbeats of a stream. It is shorter than the usual timeouts of proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Number of events that a slow follower may fall behind before it gets a snapshot instead. It is about the number of
/// events of a whole game.
pub(crate) const BEHIND: u64 = 1000;

/// The view of an entity that begins a stream, or replaces missed events.
#[derive(Debug, Clone)]
pub(crate) struct StreamSnapshot {
    /// Number of the last event that the view includes.
    pub events: u64,
    /// The view of the entity, as JSON.
    pub view: Bytes,
}

#[derive(Debug, Clone)]
pub(crate) enum StreamMessage {
    /// The state of the entity, as the first message of a stream that does not resume after an event.
    Snapshot(StreamSnapshot),
    /// The next events; at least one.
    Events(Vec<StreamEvent>),
    /// A snapshot in place of events, because the follower has fallen too far behind, or the store has lost events.
    Resync(StreamSnapshot),
    /// A sign that the connection works, sent when there are no events.
    Heartbeat,
    /// The last message: the entity is closed, and all its events were sent.
    End,
    /// The process ends the stream, and the client may connect again.
    Closing,
}

impl StreamMessage {
    /// Tells whether the message can be sent without another check of the follower's role, because none of its events
    /// can have changed the role.
    fn is_open_to_all(&self) -> bool {
        match self {
            Self::Events(lines) => !lines.iter().any(|line| line.changes_access),
            Self::Snapshot(_) | Self::Resync(_) => false,
            Self::Heartbeat | Self::End | Self::Closing => true,
        }
    }
}

#[derive(Debug)]
pub(crate) struct EventStream<E: FollowedEntity> {
    service: Arc<Service>,
    id: EntityId,
    viewer: Viewer,
    role: E::Role,
    /// Number of the last event that was sent.
    after: u64,
    feed: Arc<Feed>,
    state: watch::Receiver<FeedState>,
    /// The timer of the heartbeats. An event does not restart it: a heartbeat that is not needed costs less than a
    /// new timer after every event.
    heartbeat: Interval,
    /// Whether the follower had all events at some time. Until then, a follower that is far behind the newest event
    /// does not count as slow.
    is_live: bool,
    /// The last value of [`FeedState::losses`] that this stream has handled. It grows when the store loses events.
    losses: u32,
    /// Whether a follower that has fallen too far behind gets a resync.
    resyncs: bool,
    /// Holds one of the client's stream slots while the stream is open.
    _slot: Option<Slot>,
    /// Counts the stream in the metrics while it is open.
    _following: Counted,
    /// Counts the follower as present while the stream is open.
    _present: PresentFollower,
    /// The message that begins the stream: a snapshot, or the events that the follower missed; `None` if it missed none.
    /// Boxed, because it is there only until the stream is open.
    pub first: Option<Box<StreamMessage>>,
    /// Whether the entity is closed and the client has all events already.
    pub is_exhausted: bool,
}

/// Who follows: the part of the request on which it depends whether an entity may be seen. A stream has it in memory for
/// hours, and without the rest of the request it needs half as much.
#[derive(Debug)]
struct Viewer {
    token: Option<Token>,
    player: Option<Box<CallPlayer>>,
    is_admin: bool,
}

impl Viewer {
    fn of(call: &Call) -> Self {
        let Call { token, player, is_admin, .. } = call;
        Self { token: token.clone(), player: player.clone().map(Box::new), is_admin: *is_admin }
    }

    /// Returns a request of the follower.
    fn call(&self) -> Call {
        let player = self.player.as_deref().cloned();
        Call { token: self.token.clone(), player, is_admin: self.is_admin, ..Call::default() }
    }
}

impl Service {
    /// Opens a stream of the events with numbers above `after`. Without `after`, the stream begins with a snapshot.
    /// With `resyncs`, a follower that falls too far behind gets a snapshot instead of the events that it missed.
    ///
    /// # Errors
    /// The entity does not exist, or the client has too many streams.
    pub(crate) async fn follow<E: FollowedEntity>(
        self: &Arc<Self>,
        call: &Call,
        id: EntityId,
        after: Option<u64>,
        resyncs: bool,
    ) -> Result<EventStream<E>, Problem> {
        let (stored, missed) = self.read_from(id, after).await?;
        let stored = stored.ok_or_else(E::not_found)?;
        let entity = E::read(&stored.snapshot)?;
        let role = entity.role(call)?;
        // A client that has seen more events than there are saw a state that is lost, as after a restored backup.
        let is_ahead = after.is_some_and(|after| after > stored.events);
        // The calls are boxed, because a stream that resumes and has missed nothing needs neither.
        let first = match after {
            None => Some(StreamMessage::Snapshot(Box::pin(self.stream_snapshot::<E>(&stored)).await?)),
            Some(after) if !missed.is_empty() => Some(StreamMessage::Events(
                Box::pin(write_lines(&FeedOf::<E>::new(self), &stored, after, &missed)).await?,
            )),
            Some(_) if is_ahead && resyncs => {
                Some(StreamMessage::Resync(Box::pin(self.stream_snapshot::<E>(&stored)).await?))
            }
            Some(_) => None,
        };
        let read = match &first {
            Some(StreamMessage::Events(lines)) => lines.last().map(|line| line.id),
            _ => after.filter(|_| !is_ahead),
        };
        let slot = self.meter.follow(call.caller)?;
        let feed = self.feed::<E>(&stored);
        let mut heartbeat = tokio::time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let following = self.metrics.count_follower(if resyncs { "sse" } else { "ndjson" });
        Ok(EventStream {
            is_exhausted: stored.is_closed && after.is_some_and(|after| after == stored.events),
            after: read.unwrap_or(stored.events),
            _present: self.presence.add_follower(id, &entity.present_as(&role)),
            losses: feed.state().borrow().losses,
            state: feed.state(),
            heartbeat,
            service: Arc::clone(self),
            viewer: Viewer::of(call),
            role,
            is_live: false,
            id,
            feed,
            resyncs,
            _slot: slot,
            _following: following,
            first: first.map(Box::new),
        })
    }

    /// Reads an entity, and the first of its events with numbers above `after`, in one call of the store.
    async fn read_from(&self, id: EntityId, after: Option<u64>) -> Result<EntityAnd<Vec<Vec<u8>>>, Problem> {
        match after {
            None => Ok((self.store.entity(id).await?, Vec::new())),
            Some(after) => Ok(self.store.entity_and_events(id, after, PAGE).await?),
        }
    }

    fn feed<E: FollowedEntity>(&self, stored: &StoredEntity) -> Arc<Feed> {
        let state = FeedState::of(stored.events, stored.is_closed);
        self.feeds.follow(&self.store, &self.closing, stored.id, state, FeedOf::<E>::new(self))
    }

    async fn stream_snapshot<E: FollowedEntity>(&self, stored: &StoredEntity) -> Result<StreamSnapshot, Problem> {
        Ok(StreamSnapshot { events: stored.events, view: E::view(self, stored).await? })
    }
}

impl<E: FollowedEntity> EventStream<E> {
    /// Waits for the next message of the stream.
    ///
    /// Each waiting follower has a future of this function in memory, and there may be ten thousand of them. So calls
    /// that are rare are boxed, which keeps the future small.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn next(&mut self) -> Result<StreamMessage, Problem> {
        loop {
            let state = self.state.borrow_and_update().clone();
            if state.is_closing {
                return Ok(StreamMessage::Closing);
            }
            if state.losses != self.losses {
                self.losses = state.losses;
                if !self.resyncs {
                    return Ok(StreamMessage::Closing);
                }
                let page = Box::pin(self.resync()).await?;
                return Box::pin(self.check_access(page)).await;
            }
            if state.count > self.after {
                let page = match self.events_at_hand(&state) {
                    Some(lines) => StreamMessage::Events(lines),
                    None => Box::pin(self.read_events(&state)).await?,
                };
                return if page.is_open_to_all() { Ok(page) } else { Box::pin(self.check_access(page)).await };
            }
            self.is_live = true;
            if state.is_over {
                return Ok(StreamMessage::End);
            }
            // The state has events in memory, and is dropped before the wait, which may be long.
            drop(state);
            let is_read = tokio::select! {
                told = self.state.changed() => Some(told.is_ok()),
                _ = self.heartbeat.tick() => None,
            };
            match is_read {
                Some(true) => {}
                Some(false) => Box::pin(self.follow_again()).await?,
                None => return Box::pin(self.beat()).await,
            }
        }
    }

    /// Returns a heartbeat, or `Closing` if the follower's token was that of a player and was renewed. The followed
    /// entity, such as a game, has no event about the renewal.
    async fn beat(&self) -> Result<StreamMessage, Problem> {
        if let (Some(_), Some(token)) = (&self.viewer.player, &self.viewer.token)
            && self.service.player_of(token).await?.is_none()
        {
            return Ok(StreamMessage::Closing);
        }
        Ok(StreamMessage::Heartbeat)
    }

    /// Returns the next events if the feed still has them in memory. A new follower gets lines of the feed only while
    /// they are fresh, because the remaining time in older lines is wrong.
    fn events_at_hand(&mut self, state: &FeedState) -> Option<Vec<StreamEvent>> {
        let lines = state.after(self.after).filter(|_| self.is_live || state.is_fresh())?;
        self.after = state.count;
        Some(lines.to_vec())
    }

    /// Reads the next events from the store, or the view for a resync. There is at least one event that the follower
    /// does not have.
    async fn read_events(&mut self, state: &FeedState) -> Result<StreamMessage, Problem> {
        if self.resyncs && self.is_live && state.count - self.after > BEHIND {
            return self.resync().await;
        }
        let (stored, events) = self.service.store.entity_and_events(self.id, self.after, PAGE).await?;
        let stored = stored.ok_or_else(E::not_found)?;
        let lines = write_lines(&FeedOf::<E>::new(&self.service), &stored, self.after, &events).await?;
        self.after = lines.last().ok_or_else(E::not_found)?.id;
        Ok(StreamMessage::Events(lines))
    }

    /// Returns the message, or `Closing` if one of its events has changed the follower's role.
    async fn check_access(&self, page: StreamMessage) -> Result<StreamMessage, Problem> {
        let entity = E::read(&self.stored().await?.snapshot)?;
        if entity.role(&self.viewer.call()).is_ok_and(|role| role == self.role) {
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

    /// Opens the feed of the entity again, after the task of the feed has ended.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::stored::Game;

    fn size_of_future<'s, F>(_: impl Fn(&'s mut EventStream<Game>) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn a_waiting_follower_needs_little_memory() {
        assert!(size_of::<EventStream<Game>>() <= 320, "the stream: {} bytes", size_of::<EventStream<Game>>());
        let next = size_of_future(EventStream::<Game>::next);
        assert!(next <= 320, "the wait for the next message: {next} bytes");
    }
}
