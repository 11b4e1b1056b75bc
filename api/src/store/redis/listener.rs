//! News of games: one connection a process hears them all, whoever waits here is woken by it.
//!
//! A commit publishes the game's number of events on a channel named as the list of them. The channel is listened to as
//! long as anybody waits. Whoever waits looks once the channel is listened to, so nothing between is missed; and again now
//! and then, because what is published while the connection is away is lost.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use redis::{PushInfo, PushKind, RedisResult, Value};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::address::Reach;
use super::keys::Keys;
use super::lines::{Line, connect_listening};
use crate::store::waiters::Waiters;
use crate::store::{GameId, StoreError};

/// How often channels that nobody waits for are left.
const SWEEP: Duration = Duration::from_secs(10);
/// Pause before the connection is made again.
const PAUSE: Duration = Duration::from_millis(200);

/// A request to hear of a game; answered when it is heard.
type Wish = (GameId, oneshot::Sender<()>);

/// What the connection says, and what is wished.
enum Event {
    Wished(Option<Wish>),
    Pushed(Option<PushInfo>),
    Sweep,
}

/// The one who listens.
pub struct Listener {
    wishes: UnboundedSender<Wish>,
}

impl Listener {
    /// Begins to listen, on a thread of its own: it outlives the threads that answer.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(reach: Reach, keys: Keys, waiters: Arc<Waiters>) -> Result<Self, StoreError> {
        let (wishes, wished) = unbounded_channel();
        let failed = |error: std::io::Error| StoreError::Unavailable(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        std::thread::Builder::new()
            .name("store-listener".to_owned())
            .spawn(move || runtime.block_on(Ear { reach, keys, waiters, heard: HashSet::new() }.run(wished)))
            .map_err(failed)?;
        Ok(Self { wishes })
    }

    /// Hears of a game from when this is done; soon, or not before the connection is back.
    pub async fn hear(&self, id: GameId) {
        let (done, told) = oneshot::channel();
        if self.wishes.send((id, done)).is_ok() {
            // Dropped unanswered only when the process ends.
            let _ = told.await;
        }
    }
}

/// What runs on the thread.
struct Ear {
    reach: Reach,
    keys: Keys,
    waiters: Arc<Waiters>,
    /// Games that are listened to.
    heard: HashSet<GameId>,
}

impl Ear {
    /// Until the store is dropped.
    async fn run(mut self, mut wished: UnboundedReceiver<Wish>) {
        let mut waiting = Vec::new();
        while !wished.is_closed() || !wished.is_empty() {
            match self.listen(&mut wished, &mut waiting).await {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "news of games are not heard: those who wait look now and then"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// As long as the connection holds; what was asked for and not answered stays in `waiting`.
    async fn listen(&mut self, wished: &mut UnboundedReceiver<Wish>, waiting: &mut Vec<Wish>) -> RedisResult<()> {
        // Nobody waits: no connection is needed.
        if waiting.is_empty() && self.heard.is_empty() {
            match wished.recv().await {
                Some(wish) => waiting.push(wish),
                None => return Ok(()),
            }
        }
        let (push, mut pushed) = unbounded_channel();
        let mut line = connect_listening(&self.reach, push).await?;
        let again: Vec<GameId> = self.heard.iter().copied().collect();
        self.subscribe(&mut line, &again).await?;
        // Something may have been published meanwhile: everybody looks.
        for id in again {
            self.waiters.tell(id, u64::MAX);
        }
        let mut sweeps = tokio::time::interval(SWEEP);
        loop {
            let new: Vec<GameId> = waiting.iter().map(|(id, _)| *id).filter(|id| !self.heard.contains(id)).collect();
            self.subscribe(&mut line, &new).await?;
            for (_, done) in waiting.drain(..) {
                // Whoever asked may have gone away.
                let _ = done.send(());
            }
            let event = tokio::select! {
                wish = wished.recv() => Event::Wished(wish),
                push = pushed.recv() => Event::Pushed(push),
                _ = sweeps.tick() => Event::Sweep,
            };
            match event {
                Event::Wished(None) => return Ok(()),
                Event::Wished(Some(wish)) => {
                    waiting.push(wish);
                    while let Ok(wish) = wished.try_recv() {
                        waiting.push(wish);
                    }
                }
                Event::Pushed(None) => return Err(gone()),
                Event::Pushed(Some(push)) => self.hear(&push, &line)?,
                Event::Sweep => self.sweep(&mut line).await?,
            }
        }
    }

    fn hear(&self, push: &PushInfo, line: &Line) -> RedisResult<()> {
        match (&push.kind, push.data.as_slice()) {
            (PushKind::Message | PushKind::SMessage, [Value::BulkString(channel), Value::BulkString(events)]) => {
                let events = std::str::from_utf8(events).ok().and_then(|events| events.parse().ok());
                if let Some(id) = self.keys.game_of_news(channel) {
                    self.waiters.tell(id, events.unwrap_or(u64::MAX));
                }
                Ok(())
            }
            // On a cluster the client connects to the node again by itself; meanwhile everybody looks now and then.
            (PushKind::Disconnection, _) if matches!(line, Line::Single(_)) => Err(gone()),
            _ => Ok(()),
        }
    }

    async fn subscribe(&mut self, line: &mut Line, games: &[GameId]) -> RedisResult<()> {
        for id in games {
            let channel = self.keys.events(*id);
            match line {
                Line::Single(line) => line.subscribe(&channel).await?,
                Line::Cluster(line) => line.ssubscribe(&channel).await?,
            }
            self.heard.insert(*id);
        }
        Ok(())
    }

    async fn sweep(&mut self, line: &mut Line) -> RedisResult<()> {
        let left: Vec<GameId> = self.heard.iter().copied().filter(|id| !self.waiters.has(*id)).collect();
        for id in left {
            let channel = self.keys.events(id);
            match line {
                Line::Single(line) => line.unsubscribe(&channel).await?,
                Line::Cluster(line) => line.sunsubscribe(&channel).await?,
            }
            self.heard.remove(&id);
        }
        Ok(())
    }
}

fn gone() -> redis::RedisError {
    std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()
}
