//! The trait of entities that can have webhooks.

use uuid::Uuid;

use crate::error::Problem;
use crate::follow::Webhook;
use crate::service::call::Call;
use crate::service::entity::Entity;

/// An entity whose events are delivered to webhooks. Its snapshot holds the webhooks.
pub(crate) trait HookedEntity: Entity {
    /// Whether the entity's events may have this word.
    fn has_event(word: &str) -> bool;

    /// The webhooks.
    fn webhooks(&self) -> &[Webhook];

    /// The webhooks, to change.
    fn webhooks_mut(&mut self) -> &mut Vec<Webhook>;

    /// Checks that the caller may register, see and remove webhooks.
    ///
    /// # Errors
    /// The caller's token is missing, or does not allow it.
    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem>;

    /// The path under which the webhooks of an entity are listed.
    fn webhooks_path(id: Uuid) -> String;
}
