//! Lists the events of an entity in pages.

use std::time::Duration;

use crate::error::{Problem, detail};
use crate::follow::{as_written, write_lines};
use crate::model::event::{EventList, EventsQuery};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::events::followed::FeedOf;
use crate::service::events::waiting::LONGEST_WAIT;
use crate::service::page;
use crate::store::{EntityId, StoredEntity};

/// Number of events on a page if the client names no other number.
const DEFAULT: u32 = 100;
/// Maximum number of events on a page.
pub(crate) const MOST: u32 = 1000;

/// A page of events, and the entity that was read with them.
struct ReadPage<E> {
    stored: StoredEntity,
    entity: E,
    events: Vec<Vec<u8>>,
}

impl Service {
    /// Lists a page of events. With `wait`, waits for an event if there is none yet.
    ///
    /// # Errors
    /// The entity does not exist, or a parameter is out of range.
    pub(crate) async fn page_of_events<E: FollowedEntity>(
        &self,
        call: &Call,
        id: EntityId,
        query: &EventsQuery,
    ) -> Result<EventList, Problem> {
        let limit = page::limit(query.limit, MOST, DEFAULT)?;
        let wait = query.wait.unwrap_or(0);
        if wait > LONGEST_WAIT {
            return Err(page::parameter(
                "wait",
                detail!("`{value}` is more than {most} seconds", value = wait, most = LONGEST_WAIT),
            ));
        }
        let mut after = query.after.unwrap_or(0);
        let mut page = self.read_events::<E>(id, after, limit).await?;
        // A client may have seen more events than there are, if a backup was restored meanwhile.
        after = after.min(page.stored.events);
        let role = page.entity.role(call)?;
        self.presence.mark_seen(id, &page.entity.present_as(&role));
        if page.events.is_empty() && wait > 0 && !page.stored.is_closed {
            let _slot = self.meter.follow(call.caller)?;
            self.wait_for_events(id, after, Duration::from_secs(wait.into())).await?;
            page = self.read_events::<E>(id, after, limit).await?;
            // The token may have been revoked during the wait.
            page.entity.role(call)?;
        }
        let ReadPage { stored, events, .. } = page;
        let next_after = after + events.len() as u64;
        let complete = stored.is_closed && next_after >= stored.events;
        let lines = write_lines(&FeedOf::<E>::new(self), &stored, after, &events).await?;
        let events = as_written(lines.into_iter().map(|line| line.ndjson.into()).collect())?;
        Ok(EventList { events, next_after, complete })
    }

    async fn read_events<E: FollowedEntity>(
        &self,
        id: EntityId,
        after: u64,
        limit: usize,
    ) -> Result<ReadPage<E>, Problem> {
        let (stored, events) = self.store.entity_and_events(id, after, limit).await?;
        let stored = stored.ok_or_else(E::not_found)?;
        Ok(ReadPage { entity: E::read(&stored.snapshot)?, stored, events })
    }
}
