//! The traits that every kind of entity implements: [`Entity`] to be read, and [`EntityEdit`] to be changed by the
//! commit loop.
//!
//! Further traits are declared where they are used: [`FollowedEntity`] for streams and pages of events,
//! [`HookedEntity`] for webhooks, [`DueEntity`] for deadlines and expiry. The folder of a kind, such as `games`,
//! implements all of them.
//!
//! [`FollowedEntity`]: super::events::FollowedEntity
//! [`HookedEntity`]: super::webhooks::HookedEntity
//! [`DueEntity`]: super::schedule::DueEntity

use uuid::Uuid;
use uuid::fmt::Hyphenated;

use crate::error::Problem;
use crate::service::Service;
use crate::service::call::Call;
use crate::store::{EntityChange, EntityId, Kind, SharedText, StoredEntity};

/// Pause, in milliseconds, after which a worker checks an entity again that a commit in progress may create or start.
/// The commit itself schedules the deadline; the check is needed if the process dies before that.
pub(in crate::service) const NOT_YET: u64 = 10_000;
/// Age of an id, in milliseconds, from which a missing entity counts as removed, so that its tasks are dropped.
///
/// A repeated request may create an entity whose id was reserved longer ago. If its task is dropped while the first
/// commit is in progress, the commit schedules the task again. The task is lost only if the process dies before that.
const REMOVED_AFTER: u64 = 3_600_000;

/// An entity, decoded from its snapshot.
pub(crate) trait Entity: Sized + Send + Sync + 'static {
    const KIND: Kind;

    /// The type of an entity while a command changes it.
    type Edit: EntityEdit<Entity = Self>;

    /// Checks that a request has a token, so that a request without one is refused before the store is read.
    ///
    /// # Errors
    /// 401 if there is no token; 400 if another header is malformed.
    fn check_token(call: &Call) -> Result<(), Problem>;

    /// Reads the id of an entity in a path. Upper-case letters are allowed (RFC 9562).
    ///
    /// # Errors
    /// 404 if the id is malformed, because no entity has such an id.
    fn named(text: &str) -> Result<EntityId, Problem> {
        let id = (text.len() == Hyphenated::LENGTH).then(|| Uuid::try_parse(text).ok()).flatten();
        id.map(|id| EntityId::new(Self::KIND, id)).ok_or_else(Self::not_found)
    }

    /// Makes the problem of an entity that does not exist, or that the caller may not see.
    fn not_found() -> Problem;

    /// Decodes the snapshot of an entity.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    fn read(snapshot: &[u8]) -> Result<Self, Problem>;
}

/// An entity that a command changes, until it is committed as its next version.
pub(crate) trait EntityEdit: Sized + Send {
    /// The type of the entity that is changed.
    type Entity: Entity<Edit = Self>;

    /// The work to do outside of the store after the commit, such as counting metrics or waking webhooks.
    type Effects: Send;

    /// Begins to change a stored entity.
    fn open(service: &Service, stored: &StoredEntity) -> impl Future<Output = Result<Self, Problem>> + Send;

    /// Returns the version of the entity before the command.
    fn version_before(&self) -> u64;

    /// Returns the number of events of the entity, with those of the command.
    fn events(&self) -> u64;

    /// Returns the changed entity.
    fn entity(&mut self) -> &mut Self::Entity;

    /// Makes the change to commit. `text` is stored together with the entity, under its digest.
    ///
    /// # Errors
    /// The entity cannot be encoded, or would become too large.
    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, Self::Effects), Problem>;

    /// Does the work outside of the store after the commit.
    fn apply(service: &Service, effects: Self::Effects);
}

/// Checks that a request with `If-Match` names the current version. A request without this header passes.
///
/// # Errors
/// 412 if the request names only other versions.
pub(crate) fn check_seen<E: EntityEdit>(edit: &E, call: &Call) -> Result<(), Problem> {
    if call.if_match.is_some() { check_version(edit, call) } else { Ok(()) }
}

/// Checks that a request names the current version in `If-Match`.
///
/// # Errors
/// 428 if there is no `If-Match`; 412 if it names only other versions.
pub(crate) fn check_version<E: EntityEdit>(edit: &E, call: &Call) -> Result<(), Problem> {
    call.check_version(E::Entity::KIND, edit.version_before())
}

/// Returns the time of the next check for an entity that does not exist, in milliseconds since 1970, because a commit
/// in progress may still create it. Returns `None` if the id is too old for such a commit.
pub(in crate::service) fn may_yet_exist(id: EntityId, now: u64) -> Option<u64> {
    created(id).is_some_and(|created| now < created + REMOVED_AFTER).then_some(now + NOT_YET)
}

/// Returns the time, in milliseconds since 1970, that an entity's id (UUIDv7) contains. The entity was created at this
/// time or later. Returns `None` if the id contains no time.
pub(in crate::service) fn created(id: EntityId) -> Option<u64> {
    let (seconds, nanoseconds) = id.id.get_timestamp()?.to_unix();
    Some(seconds * 1000 + u64::from(nanoseconds) / 1_000_000)
}
