//! Writes presence to the store: which seats follow an entity, and when each was last seen.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::ground::clock;
use crate::service::Service;

/// Pause between two writes of presence to the store.
const TICK: Duration = Duration::from_secs(1);
/// Time after which the notes about presence expire in the store.
const NOTE_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Number of entities whose notes are written at the same time.
const ENTITIES_AT_ONCE: usize = 64;

impl Service {
    /// Writes the presence of followers to the store until the service closes. At the end, removes all followers.
    pub(crate) async fn run_presence_updates(self) {
        let mut closing = self.closing.clone();
        loop {
            let closed = tokio::time::timeout(TICK, closing.wait_for(|closing| *closing)).await.is_ok();
            if closed {
                self.presence.remove_all();
            }
            let notes = self.presence.notes_to_write(clock::milliseconds());
            let noted = iter(notes).for_each_concurrent(ENTITIES_AT_ONCE, async |(id, notes)| {
                if let Err(error) = self.store.note(id, notes, NOTE_LIFETIME).await {
                    tracing::debug!(entity = %id, %error, "presence update failed");
                }
            });
            noted.await;
            if closed {
                return;
            }
        }
    }
}
