//! The events of a game, in pages.

use std::time::Duration;

use serde_json::value::RawValue;

use crate::error::Problem;
use crate::game::event::as_written;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::game::{GameId, entity};
use crate::model::event::{EventList, EventsQuery};
use crate::service::call::Call;
use crate::service::games::{presence, reading};
use crate::service::page;
use crate::service::{Service, access};

/// Events of a page, unless the client asks for another number.
const DEFAULT: u32 = 100;
/// Most events of a page.
pub(crate) const MOST: u32 = 1000;
/// Longest wait for an event, in seconds.
pub(crate) const LONGEST_WAIT: u32 = 30;

impl Service {
    /// Lists a page of events. With `wait`, an empty page waits for the first event.
    ///
    /// # Errors
    /// The game does not exist, or a parameter is out of range.
    pub(crate) async fn list_events(&self, call: &Call, id: &str, query: &EventsQuery) -> Result<EventList, Problem> {
        let limit = page::limit(query.limit, MOST, DEFAULT)?;
        let wait = query.wait.unwrap_or(0);
        if wait > LONGEST_WAIT {
            return Err(page::parameter("wait", format!("`{wait}` is more than {LONGEST_WAIT} seconds")));
        }
        let (id, after) = (reading::game_id(id)?, query.after.unwrap_or(0));
        let (mut game, mut events) = self.read_events(id, after, limit).await?;
        let role = access::may_see(&game, call)?;
        self.presence.mark_seen(entity(id), &presence::seats_of(role.as_ref(), &game));
        if events.is_empty() && wait > 0 && game.status != Status::Finished {
            let _place = self.meter.follow(call.caller)?;
            let mut closing = self.closing.clone();
            tokio::select! {
                told = self.store.wait(entity(id), after, Duration::from_secs(wait.into())) => { told?; }
                _ = closing.wait_for(|closing| *closing) => {}
            }
            (game, events) = self.read_events(id, after, limit).await?;
            // The token may have been revoked during the wait.
            access::may_see(&game, call)?;
        }
        let next_after = after + events.len() as u64;
        let complete = game.status == Status::Finished && next_after >= game.events;
        Ok(EventList { events, next_after, complete })
    }

    async fn read_events(&self, id: GameId, after: u64, limit: usize) -> Result<(Game, Vec<Box<RawValue>>), Problem> {
        let (game, events) = self.store.entity_and_events(entity(id), after, limit).await?;
        let game = Game::read(&game.ok_or_else(access::not_found)?.snapshot)?;
        Ok((game, as_written(events)?))
    }
}
