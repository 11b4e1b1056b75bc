//! The subscriber: one connection for each process, which receives the events of all entities that callers wait for.
//!
//! A commit publishes the entity's number of events on a channel, which has the name of the list of events. The process
//! is subscribed to the channel while any caller waits. A caller reads the number after the subscription, so that it
//! misses no event in between. It reads the number again from time to time, because messages that are published while
//! the connection is broken are lost.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use redis::{PushInfo, PushKind, RedisResult, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::address::Reach;
use super::connection::{Connection, connect_subscribed};
use super::keys::Keys;
use crate::store::waiters::Waiters;
use crate::store::{EntityId, StoreError};

/// How often channels that nobody waits for are unsubscribed from.
const SWEEP: Duration = Duration::from_secs(10);
/// Pause before the connection is made again.
const PAUSE: Duration = Duration::from_millis(200);

/// A request to subscribe to an entity's channel; answered when that is done.
type Request = (EntityId, oneshot::Sender<()>);

/// An event that the subscriber waits for.
enum Event {
    Requested(Option<Request>),
    Pushed(Option<PushInfo>),
    Sweep,
}

/// The subscriber, as callers see it.
pub(super) struct Subscriber {
    requests: UnboundedSender<Request>,
}

impl Subscriber {
    /// Starts the subscriber on a thread of its own, which outlives the threads that serve requests.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn start(reach: Reach, keys: Keys, waiters: Arc<Waiters>) -> Result<Self, StoreError> {
        let (requests, requested) = unbounded_channel();
        let failed = |error: std::io::Error| StoreError::Unavailable(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        std::thread::Builder::new()
            .name("store-subscriber".to_owned())
            .spawn(move || {
                runtime.block_on(Subscriptions { reach, keys, waiters, subscribed: HashSet::new() }.run(requested))
            })
            .map_err(failed)?;
        Ok(Self { requests })
    }

    /// Subscribes to an entity's channel, once the connection is there.
    pub(super) async fn subscribe(&self, id: EntityId) {
        let (done, is_done) = oneshot::channel();
        if self.requests.send((id, done)).is_ok() {
            // Dropped unanswered only when the process ends.
            let _ = is_done.await;
        }
    }
}

/// The state of the thread.
struct Subscriptions {
    reach: Reach,
    keys: Keys,
    waiters: Arc<Waiters>,
    /// Entities whose channels are subscribed to.
    subscribed: HashSet<EntityId>,
}

impl Subscriptions {
    /// Runs until the store is dropped.
    async fn run(mut self, mut requested: UnboundedReceiver<Request>) {
        let mut waiting = Vec::new();
        while !requested.is_closed() || !requested.is_empty() {
            match self.listen(&mut requested, &mut waiting).await {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "event subscription lost, events are polled"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Receives messages until the connection breaks. Requests that are not answered yet stay in `waiting`.
    async fn listen(
        &mut self,
        requested: &mut UnboundedReceiver<Request>,
        waiting: &mut Vec<Request>,
    ) -> RedisResult<()> {
        // As long as nobody waits, no connection is needed.
        if waiting.is_empty() && self.subscribed.is_empty() {
            match requested.recv().await {
                Some(request) => waiting.push(request),
                None => return Ok(()),
            }
        }
        let (push, mut pushed) = unbounded_channel();
        let mut connection = connect_subscribed(&self.reach, push).await?;
        let again: Vec<EntityId> = self.subscribed.iter().copied().collect();
        self.subscribe(&mut connection, &again).await?;
        // Messages may have been lost before the subscription, so all callers read the number of events again.
        for id in again {
            self.waiters.wake(id, u64::MAX);
        }
        let mut sweeps = tokio::time::interval(SWEEP);
        loop {
            let new: Vec<EntityId> =
                waiting.iter().map(|(id, _)| *id).filter(|id| !self.subscribed.contains(id)).collect();
            self.subscribe(&mut connection, &new).await?;
            for (_, done) in waiting.drain(..) {
                // The caller may have gone away.
                let _ = done.send(());
            }
            let event = tokio::select! {
                request = requested.recv() => Event::Requested(request),
                push = pushed.recv() => Event::Pushed(push),
                _ = sweeps.tick() => Event::Sweep,
            };
            match event {
                Event::Requested(None) => return Ok(()),
                Event::Requested(Some(request)) => {
                    waiting.push(request);
                    while let Ok(request) = requested.try_recv() {
                        waiting.push(request);
                    }
                }
                Event::Pushed(None) => return Err(gone()),
                Event::Pushed(Some(push)) => self.wake(&push, &connection)?,
                Event::Sweep => self.sweep(&mut connection).await?,
            }
        }
    }

    fn wake(&self, push: &PushInfo, connection: &Connection) -> RedisResult<()> {
        match (&push.kind, push.data.as_slice()) {
            (PushKind::Message | PushKind::SMessage, [Value::BulkString(channel), Value::BulkString(events)]) => {
                let events = std::str::from_utf8(events).ok().and_then(|events| events.parse().ok());
                if let Some(id) = self.keys.entity_of_channel(channel) {
                    self.waiters.wake(id, events.unwrap_or(u64::MAX));
                }
                Ok(())
            }
            // On a cluster the client connects to the node again by itself.
            (PushKind::Disconnection, _) if matches!(connection, Connection::Single(_)) => Err(gone()),
            _ => Ok(()),
        }
    }

    async fn subscribe(&mut self, connection: &mut Connection, ids: &[EntityId]) -> RedisResult<()> {
        for id in ids {
            let channel = self.keys.events(*id);
            match connection {
                Connection::Single(single) => single.subscribe(&channel).await?,
                Connection::Cluster(cluster) => cluster.ssubscribe(&channel).await?,
            }
            self.subscribed.insert(*id);
        }
        Ok(())
    }

    async fn sweep(&mut self, connection: &mut Connection) -> RedisResult<()> {
        let left: Vec<EntityId> = self.subscribed.iter().copied().filter(|id| !self.waiters.has(*id)).collect();
        for id in left {
            let channel = self.keys.events(id);
            match connection {
                Connection::Single(single) => single.unsubscribe(&channel).await?,
                Connection::Cluster(cluster) => cluster.sunsubscribe(&channel).await?,
            }
            self.subscribed.remove(&id);
        }
        Ok(())
    }
}

fn gone() -> redis::RedisError {
    std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()
}
