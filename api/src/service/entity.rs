//! The traits that every kind of entity implements: [`Entity`] to be read, [`EntityEdit`] to be changed by the commit
//! loop.
//!
//! Further traits are declared where they are used: [`FollowedEntity`] for streams and pages, [`HookedEntity`] for
//! webhooks, [`DueEntity`] for deadlines and expiry. The folder of a kind, such as `games`, implements all of them.
//!
//! [`FollowedEntity`]: super::events::FollowedEntity
//! [`HookedEntity`]: super::webhooks::HookedEntity
//! [`DueEntity`]: super::schedule::DueEntity

use crate::error::Problem;
use crate::service::Service;
use crate::service::call::Call;
use crate::store::{EntityChange, EntityId, Kind, SharedText, StoredEntity};

/// Pause, in milliseconds, before an entity is checked again if a commit in progress may create or start it.
pub(in crate::service) const NOT_YET: u64 = 10_000;
/// Age, in milliseconds, from which an id without an entity is given up.
const NEVER: u64 = 3_600_000;

/// An entity, decoded from its snapshot.
pub(crate) trait Entity: Sized + Send + Sync + 'static {
    /// The kind of entity.
    const KIND: Kind;

    /// The entity while a command changes it.
    type Edit: EntityEdit<Entity = Self>;

    /// The problem for an entity that does not exist, or that this caller may not see.
    fn not_found() -> Problem;

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    fn read(snapshot: &[u8]) -> Result<Self, Problem>;
}

/// An entity on its way to its next version.
pub(crate) trait EntityEdit: Sized + Send {
    /// The entity that is changed.
    type Entity: Entity<Edit = Self>;

    /// The effects outside the store, such as metrics and wake-ups: they happen after the commit.
    type Effects: Send;

    /// Begins to change a stored entity.
    fn open(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Self, Problem>> + Send;

    /// The version before the command.
    fn version_before(&self) -> u64;

    /// Events of the entity so far, those of the command included.
    fn events(&self) -> u64;

    /// The next version of the entity.
    fn entity(&mut self) -> &mut Self::Entity;

    /// The change to commit. `text` is stored under its digest, for the entity to use.
    ///
    /// # Errors
    /// The entity cannot be written, or would become too large.
    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, Self::Effects), Problem>;

    /// Carries out the effects.
    fn apply(service: &Service, effects: Self::Effects);
}

/// Checks that the version in a request is current, if there is one.
///
/// # Errors
/// 412 if the request names other versions.
pub(crate) fn check_seen<E: EntityEdit>(edit: &E, call: &Call) -> Result<(), Problem> {
    if call.if_match.is_some() { check_version(edit, call) } else { Ok(()) }
}

/// Checks that a request names the current version.
///
/// # Errors
/// 428 without `If-Match`; 412 if it names other versions.
pub(crate) fn check_version<E: EntityEdit>(edit: &E, call: &Call) -> Result<(), Problem> {
    call.check_version(E::Entity::KIND, edit.version_before())
}

/// When to look again for an entity that does not exist, in milliseconds since 1970: the commit that creates it may be
/// on its way. `None` once its id is too old for that.
pub(in crate::service) fn may_yet_exist(id: EntityId, now: u64) -> Option<u64> {
    (now < created(id) + NEVER).then_some(now + NOT_YET)
}

/// When an entity was created, in milliseconds since 1970: read from its UUIDv7.
pub(in crate::service) fn created(id: EntityId) -> u64 {
    let (seconds, nanoseconds) = id.id.get_timestamp().map_or((0, 0), |timestamp| timestamp.to_unix());
    seconds * 1000 + u64::from(nanoseconds) / 1_000_000
}
