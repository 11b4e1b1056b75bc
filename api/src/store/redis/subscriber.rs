//! The subscriber: one connection for each process. It receives the numbers of events of all entities that callers wait
//! for.
//!
//! A commit publishes the number of events of its entity on a channel that is named like the list of events. The
//! process is subscribed to the channel while any caller waits for an event of the entity. A caller reads the number of
//! events after it has subscribed, so that it misses no event, and does not read it again while the connection works.
//! Messages that are published while the connection is broken are lost, so all callers read the number when the process
//! has subscribed again. A command every few seconds ([`CHECK`]) finds out whether the connection is broken.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::{PushInfo, PushKind, RedisResult, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::address::RedisServers;
use super::connection::{Connection, connect_subscribed};
use super::keys::Keys;
use crate::store::waiters::Waiters;
use crate::store::{EntityId, StoreError};

/// Time between two sweeps. A sweep unsubscribes from the channels for which no caller waits.
const SWEEP: Duration = Duration::from_secs(10);
/// Time between two checks of the connection: one command for all callers that wait.
const CHECK: Duration = Duration::from_secs(5);
/// Pause before a broken connection is made again.
const PAUSE: Duration = Duration::from_millis(200);

/// A request to subscribe to an entity's channel. The sender is used once the process is subscribed.
type Subscription = (EntityId, oneshot::Sender<()>);

/// The reason why the thread of the subscriber wakes up.
enum Wakeup {
    Requested(Option<Subscription>),
    Pushed(Option<PushInfo>),
    Check,
    Sweep,
}

/// The caller's side of the subscriber.
pub(super) struct Subscriber {
    requests: UnboundedSender<Subscription>,
    holds: Arc<AtomicBool>,
}

impl Subscriber {
    /// Starts the subscriber on a thread of its own, which outlives the threads that serve requests.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn start(reach: RedisServers, keys: Keys, waiters: Arc<Waiters>) -> Result<Self, StoreError> {
        let (requests, requested) = unbounded_channel();
        let failed = |error: std::io::Error| StoreError::Unavailable(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let holds = Arc::new(AtomicBool::new(false));
        let subscriptions =
            Subscriptions { reach, keys, waiters, subscribed: HashSet::new(), holds: Arc::clone(&holds) };
        std::thread::Builder::new()
            .name("store-subscriber".to_owned())
            .spawn(move || runtime.block_on(subscriptions.run(requested)))
            .map_err(failed)?;
        Ok(Self { requests, holds })
    }

    /// Tells whether the connection worked at its last check. While it works, callers are woken for every event.
    pub(super) fn holds(&self) -> bool {
        self.holds.load(Ordering::Relaxed)
    }

    /// Subscribes to an entity's channel. Waits until the connection exists and the subscription is made.
    pub(super) async fn subscribe(&self, id: EntityId) {
        let (done, is_done) = oneshot::channel();
        if self.requests.send((id, done)).is_ok() {
            // An error means that the thread has ended, which happens only at the end of the process.
            let _ = is_done.await;
        }
    }
}

/// The state of the subscriber's thread.
struct Subscriptions {
    reach: RedisServers,
    keys: Keys,
    waiters: Arc<Waiters>,
    /// Entities whose channels are subscribed to.
    subscribed: HashSet<EntityId>,
    /// Whether the connection worked at its last check.
    holds: Arc<AtomicBool>,
}

impl Subscriptions {
    /// Runs until the store is dropped.
    async fn run(mut self, mut requested: UnboundedReceiver<Subscription>) {
        let mut waiting = Vec::new();
        while !requested.is_closed() || !requested.is_empty() {
            let listened = self.listen(&mut requested, &mut waiting).await;
            self.holds.store(false, Ordering::Relaxed);
            match listened {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "event subscription lost, events are polled"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Receives messages until the connection breaks. Requests that are not answered yet stay in `waiting`.
    async fn listen(
        &mut self,
        requested: &mut UnboundedReceiver<Subscription>,
        waiting: &mut Vec<Subscription>,
    ) -> RedisResult<()> {
        // While no caller waits, there is no need for a connection.
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
            self.waiters.wake(id, None);
        }
        let (mut sweeps, mut checks) = (tokio::time::interval(SWEEP), tokio::time::interval(CHECK));
        loop {
            let new: Vec<EntityId> =
                waiting.iter().map(|(id, _)| *id).filter(|id| !self.subscribed.contains(id)).collect();
            self.subscribe(&mut connection, &new).await?;
            for (id, done) in waiting.drain(..) {
                if done.send(()).is_err() {
                    // The caller no longer waits for the subscription, and may have missed an event before it.
                    self.waiters.wake(id, None);
                }
            }
            self.holds.store(true, Ordering::Relaxed);
            let event = tokio::select! {
                request = requested.recv() => Wakeup::Requested(request),
                push = pushed.recv() => Wakeup::Pushed(push),
                _ = checks.tick() => Wakeup::Check,
                _ = sweeps.tick() => Wakeup::Sweep,
            };
            match event {
                Wakeup::Requested(None) => return Ok(()),
                Wakeup::Requested(Some(request)) => {
                    waiting.push(request);
                    while let Ok(request) = requested.try_recv() {
                        waiting.push(request);
                    }
                }
                Wakeup::Pushed(None) => return Err(gone()),
                Wakeup::Pushed(Some(push)) => self.wake(&push, &connection)?,
                Wakeup::Check if self.subscribed.is_empty() => {}
                Wakeup::Check => connection.ping().await?,
                Wakeup::Sweep => self.sweep(&mut connection).await?,
            }
        }
    }

    fn wake(&self, push: &PushInfo, connection: &Connection) -> RedisResult<()> {
        match (&push.kind, push.data.as_slice()) {
            (PushKind::Message | PushKind::SMessage, [Value::BulkString(channel), Value::BulkString(events)]) => {
                let events = std::str::from_utf8(events).ok().and_then(|events| events.parse().ok());
                if let Some(id) = self.keys.entity_of_channel(channel) {
                    self.waiters.wake(id, events);
                }
                Ok(())
            }
            // The cluster has moved the slot of the channel to another node.
            (PushKind::SUnsubscribe, [Value::BulkString(channel), ..])
                if self.keys.entity_of_channel(channel).is_some_and(|id| self.subscribed.contains(&id)) =>
            {
                Err(gone())
            }
            // On a cluster, the client connects to the node again by itself.
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
