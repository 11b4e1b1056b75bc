//! The trait of entities that can have webhooks.

use uuid::Uuid;

use crate::error::Problem;
use crate::follow::Webhook;
use crate::service::call::Call;
use crate::service::entity::Entity;

/// An entity whose events are delivered to webhooks. Its snapshot contains the webhooks.
pub(crate) trait HookedEntity: Entity {
    /// Tells whether entities of this kind have events with this word.
    fn has_event(word: &str) -> bool;

    fn webhooks(&self) -> &[Webhook];

    /// Returns the webhooks of the entity, to change them.
    fn webhooks_mut(&mut self) -> &mut Vec<Webhook>;

    /// Adds the event which says that the webhooks have changed, if the kind has one.
    ///
    /// # Errors
    /// The event cannot be written.
    fn note_webhooks(edit: &mut Self::Edit) -> Result<(), Problem>;

    /// Checks that the caller may register, see and remove webhooks.
    ///
    /// # Errors
    /// The caller's token is missing, or does not allow it.
    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem>;

    /// Returns the path under which the webhooks of an entity are listed.
    fn webhooks_path(id: Uuid) -> String;
}
