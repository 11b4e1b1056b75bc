//! The events of an entity, in pages.

use std::time::Duration;

use serde_json::value::RawValue;

use crate::error::Problem;
use crate::follow::as_written;
use crate::model::event::{EventList, EventsQuery};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::events::waiting::LONGEST_WAIT;
use crate::service::page;
use crate::store::{EntityId, StoredEntity};

/// Events of a page, unless the client asks for another number.
const DEFAULT: u32 = 100;
/// Maximum number of events on a page.
pub(crate) const MOST: u32 = 1000;

/// A page as it was read: the entity beside its events.
struct ReadPage<E> {
    stored: StoredEntity,
    entity: E,
    events: Vec<Box<RawValue>>,
}

impl Service {
    /// Lists a page of events. With `wait`, an empty page waits for the first event.
    ///
    /// # Errors
    /// The entity does not exist, or a parameter is out of range.
    pub(in crate::service) async fn page_of_events<E: FollowedEntity>(
        &self,
        call: &Call,
        id: EntityId,
        query: &EventsQuery,
    ) -> Result<EventList, Problem> {
        let limit = page::limit(query.limit, MOST, DEFAULT)?;
        let wait = query.wait.unwrap_or(0);
        if wait > LONGEST_WAIT {
            return Err(page::parameter("wait", format!("`{wait}` is more than {LONGEST_WAIT} seconds")));
        }
        let after = query.after.unwrap_or(0);
        let mut page = self.read_events::<E>(id, after, limit).await?;
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
        Ok(ReadPage { entity: E::read(&stored.snapshot)?, stored, events: as_written(events)? })
    }
}
