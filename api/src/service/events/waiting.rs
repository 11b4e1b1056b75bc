//! Long polls: requests that wait for the next event of an entity.

use std::time::Duration;

use crate::error::Problem;
use crate::service::Service;
use crate::store::EntityId;

/// Longest time that a request waits for an event, in seconds.
pub(crate) const LONGEST_WAIT: u32 = 30;

impl Service {
    /// Waits until the entity has events with numbers above `after`, `at_most` has passed, or the service closes.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn wait_for_events(
        &self,
        id: EntityId,
        after: u64,
        at_most: Duration,
    ) -> Result<(), Problem> {
        let mut closing = self.closing.clone();
        tokio::select! {
            told = self.store.wait(id, after, at_most) => { told?; }
            _ = closing.wait_for(|closing| *closing) => {}
        }
        Ok(())
    }
}
