//! The commit loop: a command takes effect once, even if it is sent again or other commands arrive at the same moment.
//!
//! It serves every kind of entity that implements [`EntityEdit`].

use std::sync::Arc;

use uuid::Uuid;

use crate::error::{Code, Problem};
use crate::service::Service;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::uncancelled::Uncancelled;
use crate::store::{Change, Commit, EntityId, SharedText, StoreError, StoredEntity};

/// Attempts to commit a command. Each conflict means that another command succeeded.
const TRIES: usize = 32;

impl Service {
    /// Changes an entity once. After a conflict `work` runs again on the new version, and may refuse it.
    ///
    /// The first attempt uses the cached copy: if it is current, the commit is the only call to the store. A refusal by
    /// `work` counts only if the copy was current.
    pub(in crate::service) async fn change<E, F>(
        &self,
        idempotency: Option<IdempotentRequest>,
        id: EntityId,
        work: F,
    ) -> Result<Reply, Problem>
    where
        E: EntityEdit,
        F: Fn(&mut E) -> Result<Reply, Problem>,
    {
        let mut candidate = self.store.cached(id).map(|entity| (entity, false));
        let mut refused = None;
        for _ in 0..TRIES {
            let (stored, is_current) = match candidate.take() {
                Some(candidate) => candidate,
                None => match self.read::<E>(id, idempotency.as_ref()).await? {
                    Lookup::Answer(reply) => return Ok(reply),
                    Lookup::Entity(entity) => (entity, true),
                },
            };
            if let Some((version, problem)) = refused.take()
                && version == stored.version
            {
                return Err(problem);
            }
            let worked = async {
                let mut edit = E::open(self, &stored).await?;
                let reply = work(&mut edit)?;
                let (change, effects) = edit.finish(self, None)?;
                Ok((change, effects, reply))
            };
            let (change, effects, reply) = match worked.await {
                Ok(worked) => worked,
                Err(problem) if is_current => return Err(problem),
                Err(problem) => {
                    refused = Some((stored.version, problem));
                    continue;
                }
            };
            match self.commit(Change::Entity(change), idempotency.as_ref(), &reply).await {
                Ok(()) => {
                    E::apply(self, effects);
                    return Ok(reply);
                }
                Err(CommitFailure::Answered(reply)) => return Ok(reply),
                Err(CommitFailure::Conflict(now)) => candidate = Some((*now.ok_or_else(E::Entity::not_found)?, true)),
                Err(CommitFailure::Problem(problem)) => return Err(problem),
            }
        }
        Err(too_many_conflicts(E::Entity::KIND.word()))
    }

    /// Creates an entity once, with the id that `work` receives.
    pub(in crate::service) async fn create<E, F>(
        &self,
        idempotency: Option<IdempotentRequest>,
        work: F,
    ) -> Result<Reply, Problem>
    where
        E: EntityEdit,
        F: AsyncFn(Uuid) -> Result<(E, Option<SharedText>, Reply), Problem>,
    {
        for _ in 0..TRIES {
            let mut id = Uuid::now_v7();
            if let Some(idempotency) = &idempotency {
                let (reserved, answer) =
                    self.store.reserve(idempotency.key, EntityId::new(E::Entity::KIND, id)).await?;
                if let Some(answer) = answer {
                    return idempotency.open(answer);
                }
                id = reserved.id;
            }
            let (edit, text, reply) = work(id).await?;
            let (change, effects) = edit.finish(self, text)?;
            match self.commit(Change::Entity(change), idempotency.as_ref(), &reply).await {
                Ok(()) => {
                    E::apply(self, effects);
                    return Ok(reply);
                }
                Err(CommitFailure::Answered(reply)) => return Ok(reply),
                Err(CommitFailure::Conflict(_)) => {}
                Err(CommitFailure::Problem(problem)) => return Err(problem),
            }
        }
        Err(too_many_conflicts(E::Entity::KIND.word()))
    }

    async fn read<E: EntityEdit>(
        &self,
        id: EntityId,
        idempotency: Option<&IdempotentRequest>,
    ) -> Result<Lookup, Problem> {
        let entity = match idempotency {
            None => self.store.entity(id).await?,
            Some(idempotency) => match self.store.entity_and_answer(id, idempotency.key).await? {
                (_, Some(answer)) => return idempotency.open(answer).map(Lookup::Answer),
                (entity, None) => entity,
            },
        };
        entity.map(Lookup::Entity).ok_or_else(E::Entity::not_found)
    }

    /// Commits a change, with the stored answer for its idempotency key.
    ///
    /// # Errors
    /// The command was committed before, conflicts with another commit, or fails.
    pub(in crate::service) async fn commit(
        &self,
        change: Change,
        idempotency: Option<&IdempotentRequest>,
        reply: &Reply,
    ) -> Result<(), CommitFailure> {
        let answer = match idempotency {
            Some(idempotency) => {
                Some((idempotency.key, idempotency.seal(reply, self.store.now()).map_err(CommitFailure::Problem)?))
            }
            None => None,
        };
        // The client may disconnect during the commit: the commit is finished all the same.
        let store = Arc::clone(&self.store);
        let work = async move { store.commit(Commit { change, answer }).await };
        match (Uncancelled::new(work).await, idempotency) {
            (Ok(()), _) => Ok(()),
            (Err(StoreError::KeyTaken(answer)), Some(idempotency)) => {
                Err(idempotency.open(*answer).map_or_else(CommitFailure::Problem, CommitFailure::Answered))
            }
            (Err(StoreError::Conflict(now)), _) => Err(CommitFailure::Conflict(now)),
            (Err(error), _) => Err(CommitFailure::Problem(error.into())),
        }
    }
}

/// The result of the lookup in the store with which a command begins.
enum Lookup {
    /// The stored answer of the same command, committed before.
    Answer(Reply),
    /// The entity at its current version.
    Entity(StoredEntity),
}

/// Why a commit had no effect.
pub(in crate::service) enum CommitFailure {
    /// The stored answer of the same command, committed before.
    Answered(Reply),
    /// The entity is at another version, given here; `None`: it does not exist.
    Conflict(Option<Box<StoredEntity>>),
    /// Any other problem.
    Problem(Problem),
}

/// The problem after too many conflicts in a row. `thing` names what the commands change.
pub(in crate::service) fn too_many_conflicts(thing: &str) -> Problem {
    Problem::new(Code::StoreUnavailable, format!("too many commands for this {thing} at the same moment"))
}
