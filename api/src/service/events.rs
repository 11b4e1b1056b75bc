//! Events: one ordered list a game, read in pages or followed as a stream.

use std::time::Duration;

use tokio::sync::watch;

use super::game::Game;
use super::{Service, access, reading, view};
use crate::conventions::call::Call;
use crate::conventions::page;
use crate::error::{Problem, internal};
use crate::model::event::{EventList, EventView, EventsQuery};
use crate::model::game::{GameStatus, GameView};
use crate::store::GameId;

/// Events of a page unless asked otherwise.
const DEFAULT: u32 = 100;
/// Most events of a page.
pub const MOST: u32 = 1000;
/// Longest wait for an event, in seconds.
pub const LONGEST_WAIT: u32 = 30;
/// How often a silent stream shows that it lives: below the usual patience of proxies.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What a stream gives next.
#[derive(Debug, Clone)]
pub enum Page {
    /// Events, at least one.
    Events(Vec<EventView>),
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
    after: u64,
    closing: watch::Receiver<bool>,
    /// The game as it was when the stream began, unless it resumes.
    pub snapshot: Option<Box<GameView>>,
    /// There is nothing to come: the game is over and everything was given before.
    pub is_exhausted: bool,
}

impl Service {
    /// A page of events; waits for the first one where asked.
    ///
    /// # Errors
    /// The game is unknown, or a parameter cannot be taken.
    pub async fn list_events(&self, call: &Call, id: &str, query: &EventsQuery) -> Result<EventList, Problem> {
        let limit = page::limit(query.limit, MOST, DEFAULT)?;
        let wait = query.wait.unwrap_or(0);
        if wait > LONGEST_WAIT {
            return Err(page::parameter("wait", format!("`{wait}` is more than {LONGEST_WAIT} seconds")));
        }
        let (id, after) = (reading::game_id(id)?, query.after.unwrap_or(0));
        let (mut game, mut events) = self.read_events(id, after, limit).await?;
        access::may_see(&game, call)?;
        if events.is_empty() && wait > 0 && game.status != GameStatus::Finished {
            let mut closing = self.closing.clone();
            tokio::select! {
                told = self.store.wait(id, after, Duration::from_secs(wait.into())) => { told?; }
                _ = closing.wait_for(|closing| *closing) => {}
            }
            (game, events) = self.read_events(id, after, limit).await?;
        }
        let next_after = events.last().map_or(after, |event| event.id);
        let complete = game.status == GameStatus::Finished && next_after >= game.events;
        Ok(EventList { events, next_after, complete })
    }

    /// Follows a game from after an event; from now on, with a snapshot first, where none is named.
    ///
    /// # Errors
    /// The game is unknown.
    pub async fn follow_events(&self, call: &Call, id: &str, after: Option<u64>) -> Result<Stream, Problem> {
        let (id, game, rules) = self.open_game(call, id).await?;
        let state = match &game.state {
            Some(text) => Some(super::engine::decode(&rules, text)?),
            None => None,
        };
        let snapshot = after.is_none().then(|| Box::new(view::game(id, &game, &rules, state.as_ref())));
        let is_exhausted = game.status == GameStatus::Finished && after.is_some_and(|after| after >= game.events);
        let after = after.unwrap_or(game.events);
        Ok(Stream { closing: self.closing.clone(), service: self.clone(), id, after, snapshot, is_exhausted })
    }

    async fn read_events(&self, id: GameId, after: u64, limit: usize) -> Result<(Game, Vec<EventView>), Problem> {
        let (game, events) = self.store.game_and_events(id, after, limit).await?;
        let game = Game::read(&game.ok_or_else(access::not_found)?.snapshot)?;
        let events = events.iter().map(|event| serde_json::from_slice(event).map_err(internal));
        Ok((game, events.collect::<Result<_, _>>()?))
    }
}

impl Stream {
    /// What comes next: events as soon as there are some.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn next(&mut self) -> Result<Page, Problem> {
        if *self.closing.borrow() {
            return Ok(Page::Closing);
        }
        let (game, events) = self.service.read_events(self.id, self.after, DEFAULT as usize).await?;
        if let Some(last) = events.last() {
            self.after = last.id;
            return Ok(Page::Events(events));
        }
        if game.status == GameStatus::Finished && self.after >= game.events {
            return Ok(Page::End);
        }
        tokio::select! {
            told = self.service.store.wait(self.id, self.after, HEARTBEAT) => {
                if !told? {
                    return Ok(Page::Heartbeat);
                }
            }
            _ = self.closing.wait_for(|closing| *closing) => return Ok(Page::Closing),
        }
        let (_, events) = self.service.read_events(self.id, self.after, DEFAULT as usize).await?;
        match events.last() {
            Some(last) => {
                self.after = last.id;
                Ok(Page::Events(events))
            }
            None => Ok(Page::Heartbeat),
        }
    }
}
