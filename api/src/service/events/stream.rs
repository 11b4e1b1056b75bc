//! Someone who follows a game.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;

use crate::error::Problem;
use crate::follow::PresentFollower;
use crate::follow::{EventLine, Feed, FeedState};
use crate::game::cache::CachedGame;
use crate::game::terms::Status;
use crate::game::{GameId, entity};
use crate::limits::Slot;
use crate::metrics::Following;
use crate::service::access::Role;
use crate::service::call::Call;
use crate::service::games::presence;
use crate::service::{Service, access};

/// Events given at a time to whoever needs old ones.
const PAGE: usize = 100;
/// How often a silent stream shows that it lives: below the usual patience of proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Events that a slow reader may be behind before it is told to start afresh: about a whole game.
pub const BEHIND: u64 = 1000;

/// A game as it is when a stream begins.
#[derive(Debug, Clone)]
pub struct StreamSnapshot {
    /// Events so far.
    pub events: u64,
    /// The game, as JSON.
    pub game: Bytes,
}

impl StreamSnapshot {
    fn of(cached: &CachedGame) -> Result<Self, Problem> {
        Ok(Self { events: cached.game.events, game: cached.json()? })
    }
}

/// What a stream gives next.
#[derive(Debug, Clone)]
pub enum StreamMessage {
    /// Events, at least one.
    Events(Vec<EventLine>),
    /// The reader is too far behind, or the store has lost what was told: the game as it is now.
    Resync(StreamSnapshot),
    /// Nothing for a while.
    Heartbeat,
    /// The game is over and everything was given.
    End,
    /// The service closes; whoever follows comes back elsewhere.
    Closing,
}

/// Someone who follows a game.
#[derive(Debug)]
pub struct EventStream {
    service: Service,
    id: GameId,
    /// Who asked to follow.
    call: Call,
    /// As what.
    role: Option<Role>,
    /// The last event that was given.
    after: u64,
    feed: Arc<Feed>,
    state: watch::Receiver<FeedState>,
    closing: watch::Receiver<bool>,
    /// It has been given all there was, once: from then on being far behind is being slow.
    is_live: bool,
    /// Losses of the store that it knows of.
    losses: u32,
    /// A slow reader is told to start afresh.
    resyncs: bool,
    /// The client has so many less to open.
    _slot: Option<Slot>,
    /// It is counted as long as it is there.
    _following: Following,
    /// Whoever follows is there as long as the stream is.
    _present: PresentFollower,
    /// The game as it was when the stream began, unless it resumes.
    pub snapshot: Option<StreamSnapshot>,
    /// There is nothing to come: the game is over and everything was given before.
    pub is_exhausted: bool,
}

impl Service {
    /// Follows a game from after an event; from now on, with a snapshot first, where none is named. With `resyncs`, a
    /// reader that falls far behind is given a snapshot in place of what it missed.
    ///
    /// # Errors
    /// The game is unknown.
    pub async fn follow_events(
        &self,
        call: &Call,
        id: &str,
        after: Option<u64>,
        resyncs: bool,
    ) -> Result<EventStream, Problem> {
        let cached = self.visible_game(call, id).await?;
        let (id, game) = (cached.id, &cached.game);
        let role = access::may_see(game, call)?;
        let seats = presence::seats_of(role.as_ref(), game);
        let snapshot = after.is_none().then(|| StreamSnapshot::of(&cached)).transpose()?;
        let slot = self.meter.follow(call.caller)?;
        let feed =
            self.feeds.follow(&self.store, entity(id), FeedState::of(game.events, game.status == Status::Finished));
        let following = self.metrics.follows(if resyncs { "sse" } else { "ndjson" });
        Ok(EventStream {
            is_exhausted: game.status == Status::Finished && after.is_some_and(|after| after >= game.events),
            after: after.unwrap_or(game.events),
            _present: self.presence.add_follower(entity(id), &seats),
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
}

impl EventStream {
    /// What comes next: events as soon as there are some.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn next(&mut self) -> Result<StreamMessage, Problem> {
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

    /// Gives what is there, at least one event.
    async fn next_events(&mut self, state: &FeedState) -> Result<StreamMessage, Problem> {
        if let Some(lines) = state.after(self.after) {
            self.after = state.count;
            return Ok(StreamMessage::Events(lines.to_vec()));
        }
        if self.resyncs && self.is_live && state.count - self.after > BEHIND {
            return self.resync().await;
        }
        let (_, events) = self.service.store.entity_and_events(entity(self.id), self.after, PAGE).await?;
        let lines = (self.after + 1..).zip(&events).map(|(number, event)| EventLine::new(number, event));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        self.after = lines.last().ok_or_else(access::not_found)?.id;
        Ok(StreamMessage::Events(lines))
    }

    /// Where tokens have changed, a stream goes on only with one that is worth what it was.
    async fn check_access(&self, page: StreamMessage) -> Result<StreamMessage, Problem> {
        let is_safe = match &page {
            StreamMessage::Events(lines) => !lines.iter().any(|line| line.changes_tokens),
            _ => !matches!(page, StreamMessage::Resync(_)),
        };
        if is_safe || access::may_see(&self.cached().await?.game, &self.call).is_ok_and(|role| role == self.role) {
            Ok(page)
        } else {
            Ok(StreamMessage::Closing)
        }
    }

    async fn resync(&mut self) -> Result<StreamMessage, Problem> {
        let cached = self.cached().await?;
        self.after = cached.game.events.max(self.state.borrow().count);
        Ok(StreamMessage::Resync(StreamSnapshot::of(&cached)?))
    }

    /// Follows once more, where the thread that read the state has ended.
    async fn follow_again(&mut self) -> Result<(), Problem> {
        let cached = self.cached().await?;
        let cached = FeedState::of(cached.game.events, cached.game.status == Status::Finished);
        self.feed = self.service.feeds.follow(&self.service.store, entity(self.id), cached);
        self.state = self.feed.state();
        self.losses = self.state.borrow().losses;
        Ok(())
    }

    async fn cached(&self) -> Result<Arc<CachedGame>, Problem> {
        let stored = self.service.store.entity(entity(self.id)).await?.ok_or_else(access::not_found)?;
        self.service.games.read(&stored, &self.service.library).await
    }
}
