//! Someone who follows a game.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::watch;

use crate::error::Problem;
use crate::follow::Attends;
use crate::follow::{Feed, Line, News};
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
pub struct Snapshot {
    /// Events so far.
    pub events: u64,
    /// The game, as JSON.
    pub game: Bytes,
}

impl Snapshot {
    fn of(known: &CachedGame) -> Result<Self, Problem> {
        Ok(Self { events: known.game.events, game: known.shown()? })
    }
}

/// What a stream gives next.
#[derive(Debug, Clone)]
pub enum Page {
    /// Events, at least one.
    Lines(Vec<Line>),
    /// The reader is too far behind, or the store has lost what was told: the game as it is now.
    Resync(Snapshot),
    /// Nothing for a while.
    Heartbeat,
    /// The game is over and everything was given.
    End,
    /// The service closes; whoever follows comes back elsewhere.
    Closing,
}

/// Someone who follows a game.
#[derive(Debug)]
pub struct Stream {
    service: Service,
    id: GameId,
    /// Who asked to follow.
    call: Call,
    /// As what.
    role: Option<Role>,
    /// The last event that was given.
    after: u64,
    feed: Arc<Feed>,
    news: watch::Receiver<News>,
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
    _attends: Attends,
    /// The game as it was when the stream began, unless it resumes.
    pub snapshot: Option<Snapshot>,
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
    ) -> Result<Stream, Problem> {
        let known = self.open_game(call, id).await?;
        let (id, game) = (known.id, &known.game);
        let role = access::may_see(game, call)?;
        let seats = presence::seats_of(role.as_ref(), game);
        let snapshot = after.is_none().then(|| Snapshot::of(&known)).transpose()?;
        let slot = self.meter.follow(call.caller)?;
        let feed = self.feeds.follow(&self.store, entity(id), News::of(game.events, game.status == Status::Finished));
        let following = self.metrics.count_follower(if resyncs { "sse" } else { "ndjson" });
        Ok(Stream {
            is_exhausted: game.status == Status::Finished && after.is_some_and(|after| after >= game.events),
            after: after.unwrap_or(game.events),
            _attends: self.attendance.attend(entity(id), &seats),
            losses: feed.news().borrow().losses,
            news: feed.news(),
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

impl Stream {
    /// What comes next: events as soon as there are some.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn next(&mut self) -> Result<Page, Problem> {
        loop {
            if *self.closing.borrow() {
                return Ok(Page::Closing);
            }
            let news = self.news.borrow_and_update().clone();
            if news.losses != self.losses {
                self.losses = news.losses;
                if !self.resyncs {
                    return Ok(Page::Closing);
                }
                let page = self.resync().await?;
                return self.unless_shut_out(page).await;
            }
            if news.count > self.after {
                let page = self.give(&news).await?;
                return self.unless_shut_out(page).await;
            }
            self.is_live = true;
            if news.is_over {
                return Ok(Page::End);
            }
            let is_read = tokio::select! {
                told = self.news.changed() => told.is_ok(),
                () = tokio::time::sleep(HEARTBEAT) => return Ok(Page::Heartbeat),
                _ = self.closing.wait_for(|closing| *closing) => return Ok(Page::Closing),
            };
            if !is_read {
                self.follow_again().await?;
            }
        }
    }

    /// Gives what is there, at least one event.
    async fn give(&mut self, news: &News) -> Result<Page, Problem> {
        if let Some(lines) = news.after(self.after) {
            self.after = news.count;
            return Ok(Page::Lines(lines.to_vec()));
        }
        if self.resyncs && self.is_live && news.count - self.after > BEHIND {
            return self.resync().await;
        }
        let (_, events) = self.service.store.entity_and_events(entity(self.id), self.after, PAGE).await?;
        let lines = (self.after + 1..).zip(&events).map(|(number, event)| Line::new(number, event));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        self.after = lines.last().ok_or_else(access::not_found)?.id;
        Ok(Page::Lines(lines))
    }

    /// Where tokens have changed, a stream goes on only with one that is worth what it was.
    async fn unless_shut_out(&self, page: Page) -> Result<Page, Problem> {
        let is_safe = match &page {
            Page::Lines(lines) => !lines.iter().any(|line| line.is_about_tokens),
            _ => !matches!(page, Page::Resync(_)),
        };
        if is_safe || access::may_see(&self.known().await?.game, &self.call).is_ok_and(|role| role == self.role) {
            Ok(page)
        } else {
            Ok(Page::Closing)
        }
    }

    async fn resync(&mut self) -> Result<Page, Problem> {
        let known = self.known().await?;
        self.after = known.game.events.max(self.news.borrow().count);
        Ok(Page::Resync(Snapshot::of(&known)?))
    }

    /// Follows once more, where the thread that read the news has ended.
    async fn follow_again(&mut self) -> Result<(), Problem> {
        let known = self.known().await?;
        let known = News::of(known.game.events, known.game.status == Status::Finished);
        self.feed = self.service.feeds.follow(&self.service.store, entity(self.id), known);
        self.news = self.feed.news();
        self.losses = self.news.borrow().losses;
        Ok(())
    }

    async fn known(&self) -> Result<Arc<CachedGame>, Problem> {
        let stored = self.service.store.entity(entity(self.id)).await?.ok_or_else(access::not_found)?;
        self.service.games.read(&stored, &self.service.library).await
    }
}
