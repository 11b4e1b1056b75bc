//! The commit loop. A command takes effect exactly once, even if it is sent again, or if other commands arrive at the
//! same moment.
//!
//! The loop serves every kind of entity that implements [`EntityEdit`].

use std::sync::Arc;

use uuid::Uuid;

use crate::error::{Code, Problem, detail};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::uncancelled::Uncancelled;
use crate::store::{Change, Commit, EntityId, SharedText, StoreError, StoredEntity};

/// Maximum number of attempts to commit a command. An attempt fails only if another command was committed first.
const COMMIT_TRIES: usize = 32;

impl Service {
    /// Changes an entity by `work`, and commits the change at most once. If another command was committed first, `work`
    /// runs again on the new version of the entity, and may refuse to change it.
    ///
    /// The first attempt uses the cached entity. If the cached version is current, the commit is the only call to the
    /// store. If `work` refuses the cached entity, the refusal counts only if the cached version was current.
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
        for _ in 0..COMMIT_TRIES {
            let (stored, is_current) = match candidate.take() {
                Some(candidate) => candidate,
                None => match Box::pin(self.read::<E>(id, idempotency.as_ref())).await? {
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

    /// Creates an entity by `work`, only once even if the request is sent again. `work` gets the id of the new entity.
    pub(in crate::service) async fn create<E, F>(
        &self,
        idempotency: Option<IdempotentRequest>,
        work: F,
    ) -> Result<Reply, Problem>
    where
        E: EntityEdit,
        F: AsyncFn(Uuid) -> Result<(E, Option<SharedText>, Reply), Problem>,
    {
        for _ in 0..COMMIT_TRIES {
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

    /// Reads an entity, and the answer to this very request if it was answered before.
    ///
    /// # Errors
    /// 400 or 422 if the idempotency key is malformed, or belongs to another request.
    pub(in crate::service) async fn entity_and_reply(
        &self,
        id: EntityId,
        call: &Call,
        body: &[u8],
    ) -> Result<(Option<StoredEntity>, Option<Reply>), Problem> {
        let Some(request) = IdempotentRequest::of(call, body)? else {
            return Ok((self.store.entity(id).await?, None));
        };
        let (stored, answer) = self.store.entity_and_answer(id, request.key).await?;
        Ok((stored, answer.map(|answer| request.open(answer)).transpose()?))
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

    /// Commits a change, together with the answer that repetitions of the request get.
    ///
    /// # Errors
    /// The same command was committed before, another commit came first, or the commit failed.
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
        // The client may disconnect during the commit. The commit is finished even then.
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

/// The result of the first read of a command.
enum Lookup {
    /// The stored answer, because the same command was committed before.
    Answer(Reply),
    /// The entity at its current version.
    Entity(StoredEntity),
}

/// The reason why a commit had no effect.
pub(in crate::service) enum CommitFailure {
    /// The same command was committed before. The value is the stored answer.
    Answered(Reply),
    /// The entity is at another version, which is the value; `None` if the entity does not exist.
    Conflict(Option<Box<StoredEntity>>),
    /// The commit failed for another reason.
    Problem(Problem),
}

/// Makes the problem of a command that lost too many conflicts in a row. `thing` is the word for the thing that the
/// command changes, such as `game`.
pub(in crate::service) fn too_many_conflicts(thing: &str) -> Problem {
    Problem::new(Code::StoreUnavailable, detail!("too many commands for this {kind} at the same moment", kind = thing))
}
