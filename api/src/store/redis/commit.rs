//! Commits: one script writes a whole commit. All keys of an entity are in one hash slot of a cluster, as a script
//! requires.
//!
//! If Redis made a commit but its answer was lost, the commit is sent again. The script then refuses it, because of its
//! version or its idempotency key, and returns the stored value. Every commit has an id, and an entity contains the ids
//! of its last commits. So the value shows whether this very commit was made.

use std::sync::Arc;

use redis::Value;

use super::schedule::Added;
use super::stored::{COMMIT, CommitId, Done, EntityValue, RedisEntity, commit_id, mark};
use super::tags::Announced;
use super::{Redis, answers};
use crate::store::{AnswerOwner, EntityChange, Key, StoreError, StoredAnswer, Task};

/// Number of bytes at the beginning of a value that distinguish it from all other values of its key. In an entity they
/// are layout, version and last commit; in an answer they are layout, commit, and the next bytes. The script `confirm`
/// returns them.
const HEAD: usize = 1 + 8 + COMMIT;

impl Redis {
    /// Commits the next version of an entity.
    pub(super) fn commit_entity(
        &self,
        change: EntityChange,
        stored: Option<(Key, StoredAnswer)>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        let version = change.expected + 1;
        self.commit_as(change, version, stored)
    }

    /// Commits a change that takes an entity to this version. An import may skip versions.
    pub(super) async fn commit_as(
        &self,
        change: EntityChange,
        version: u64,
        stored: Option<(Key, StoredAnswer)>,
    ) -> Result<(), StoreError> {
        let id = change.id;
        let commit = commit_id();
        // The next value also contains the ids of earlier commits, which are taken from the present value.
        let mut before = self.cache.get(&id).filter(|before| before.entity.version == change.expected);
        if before.is_none() && change.expected > 0 {
            before = Box::pin(self.current(id)).await?.filter(|before| before.entity.version == change.expected);
        }
        let before = before.filter(|_| change.expected > 0);
        let keeps_tags = match &change.tags {
            None => true,
            Some(tags) => before.as_ref().is_some_and(|before| before.tags() == &tags[..]),
        };
        // Most commits change no tags, and have neither a text nor a deadline. Only the script has to run for them.
        let is_plain = keeps_tags && change.text.is_none() && change.deadline.is_none();
        let (announced, added) = match is_plain {
            true => (None, None),
            false => Box::pin(self.prepare(&change, stored.as_ref(), &commit, keeps_tags)).await?,
        };
        let latest = announced.as_ref().map_or(0, |announced| announced.latest);
        let next = RedisEntity::next(before.as_deref(), &change, version, commit);
        let done = self.run_commit(&change, before.as_deref(), next, stored.as_ref(), latest).await;
        // A commit whose answer was lost may have been made nevertheless.
        if let (Some(added), Ok(()) | Err(StoreError::Unavailable(_))) = (added, &done)
            && let Err(error) = Box::pin(self.schedule_again(added)).await
        {
            tracing::warn!(entity = %id, %error, "deadline not scheduled again after the commit, its work may be late");
        }
        if let (Some(announced), Ok(()) | Err(StoreError::Conflict(_) | StoreError::KeyTaken(_))) = (announced, &done) {
            Box::pin(self.settle_or_leave(id, announced)).await;
        }
        done
    }

    /// Writes the data in other hash slots that must exist before the entity is written.
    async fn prepare(
        &self,
        change: &EntityChange,
        stored: Option<&(Key, StoredAnswer)>,
        commit: &CommitId,
        keeps_tags: bool,
    ) -> Result<(Option<Announced>, Option<Added>), StoreError> {
        let id = change.id;
        let renewed = async {
            match stored {
                Some((key, answer)) if change.expected == 0 => self.renew(key, id, answer).await,
                _ => Ok(()),
            }
        };
        let text = async {
            match &change.text {
                Some(text) => self.keep_text(text).await,
                None => Ok(()),
            }
        };
        let announced = async {
            match &change.tags {
                Some(tags) if !keeps_tags => self.announce(id, commit, change.expected, tags).await.map(Some),
                _ => Ok(None),
            }
        };
        let scheduled = async {
            match change.deadline {
                Some(at) => self.schedule_by(Task::entity(id), at).await.map(Some),
                None => Ok(None),
            }
        };
        let ((), (), added, announced) = tokio::try_join!(renewed, text, scheduled, announced)?;
        Ok((announced, added))
    }

    async fn run_commit(
        &self,
        change: &EntityChange,
        before: Option<&RedisEntity>,
        next: RedisEntity,
        stored: Option<&(Key, StoredAnswer)>,
        latest: u64,
    ) -> Result<(), StoreError> {
        let id = change.id;
        let (commit, version) = (next.made_by(), next.entity.version);
        // If the expected version was not found, the id of the commit is zeros, which no entity has. The script then
        // refuses the commit and returns the entity.
        let expected = match (before, change.expected) {
            (Some(before), _) => Some(before.mark()),
            (None, 0) => None,
            (None, version) => Some(mark(version, &CommitId::default())),
        };
        let answer = stored.map(|(_, answer)| answers::pack(&commit, answer)).unwrap_or_default();
        let (value, latest, base) = (next.write(), latest.to_string(), next.new_base());
        let mut arguments = Vec::<&[u8]>::with_capacity(6 + change.events.len());
        arguments.extend([expected.as_ref().map_or(&[][..], |mark| mark), &value, latest.as_bytes()]);
        arguments.push(base.as_deref().unwrap_or_default());
        let mut keys = vec![self.keys.entity(id), self.keys.events(id)];
        keys.extend(base.is_some().then(|| self.keys.base(id)));
        let expires;
        if let Some((key, stored)) = stored {
            keys.push(self.keys.answer(AnswerOwner::Entity(id), key));
            expires = stored.expires.to_string();
            arguments.extend([&answer, expires.as_bytes()]);
        }
        let events: Vec<_> = change.events.iter().map(|event| self.phrases.pack(event)).collect();
        arguments.extend(events.iter().map(Vec::as_slice));
        let result = self.client.script(&self.scripts.commit, &keys, &arguments, self.replicas).await?;
        let done = match ScriptResult::read(result)? {
            ScriptResult::Done => Ok(()),
            ScriptResult::Answered(there) => {
                Box::pin(self.confirm(keys.pop().unwrap_or_default(), &there)).await?;
                if there == answer { Ok(()) } else { Err(StoreError::KeyTaken(Box::new(answers::unpack(&there)?))) }
            }
            ScriptResult::Conflict(None) => Err(StoreError::Conflict(None)),
            ScriptResult::Conflict(Some(bytes)) => match EntityValue::read(id, bytes.clone())?.has(&commit, version) {
                Done::Yes => Box::pin(self.confirm(self.keys.entity(id), &bytes)).await,
                Done::No => {
                    let now = Box::pin(self.present(id, bytes)).await?;
                    return Err(StoreError::Conflict(now.map(|now| Box::new(now.entity.clone()))));
                }
                Done::Unknown => Err(StoreError::Unavailable("it is not known whether the commit was made".to_owned())),
            },
            ScriptResult::Late => Err(StoreError::Unavailable("the commit came too late to Redis".to_owned())),
        };
        match &done {
            // The call of the script has waited until enough Redis replicas have the commit.
            Ok(()) => self.keep(Arc::new(next.confirmed())),
            Err(_) => self.cache.forget(&id),
        }
        done
    }

    /// Waits until enough Redis replicas have the value `read` of a key. After a failover, another master may answer
    /// than the one that the value was read from, so the value is compared with the stored one.
    pub(super) async fn confirm(&self, key: String, read: &[u8]) -> Result<(), StoreError> {
        if self.replicas == 0 || read.get(..HEAD) == Some(&Box::pin(self.confirmed_head(&[key])).await?[..]) {
            return Ok(());
        }
        Err(StoreError::Unavailable("the value that was read is no longer in the store".to_owned()))
    }

    /// Waits until enough Redis replicas have the value of a key. Returns the first bytes of the value.
    pub(super) async fn confirmed_head(&self, key: &[String; 1]) -> Result<Vec<u8>, StoreError> {
        match self.client.script(&self.scripts.confirm, key, &[], self.replicas).await? {
            Value::BulkString(head) => Ok(head),
            _ => Err(unexpected()),
        }
    }

    /// Tells whether a client may see an entity that was read from Redis. Waits until enough Redis replicas have the
    /// entity, so that no failover undoes it, but only once for each version that another process has committed.
    /// Returns `false` if the entity has changed since it was read.
    pub(super) async fn may_be_shown(&self, stored: &Arc<RedisEntity>) -> Result<bool, StoreError> {
        if self.replicas == 0 || stored.is_confirmed {
            return Ok(true);
        }
        let key = [self.keys.entity(stored.entity.id)];
        let is_there = stored.is_in(&Box::pin(self.confirmed_head(&key)).await?);
        if is_there {
            self.keep(Arc::new(RedisEntity::clone(stored).confirmed()));
        }
        Ok(is_there)
    }
}

/// The result of a script that commits.
pub(super) enum ScriptResult {
    Done,
    /// There is a stored answer for the idempotency key already. The bytes are the stored answer.
    Answered(Vec<u8>),
    /// The stored value is not the expected one. The bytes are the stored value; `None` if there is none.
    Conflict(Option<Vec<u8>>),
    /// The commit reached Redis after the latest time that it allows.
    Late,
}

impl ScriptResult {
    /// Reads the result.
    ///
    /// # Errors
    /// The script returned an unknown result.
    pub(super) fn read(value: Value) -> Result<Self, StoreError> {
        if value == Value::Int(1) {
            return Ok(Self::Done);
        }
        let Value::Array(items) = value else { return Err(unexpected()) };
        let mut items = items.into_iter();
        let (word, bytes) = (items.next(), items.next());
        let bytes = match bytes {
            Some(Value::BulkString(bytes)) => Some(bytes),
            _ => None,
        };
        match word {
            Some(Value::BulkString(word)) => match word.as_slice() {
                b"answered" => bytes.map(Self::Answered).ok_or_else(unexpected),
                b"conflict" | b"taken" => Ok(Self::Conflict(bytes)),
                b"late" => Ok(Self::Late),
                _ => Err(unexpected()),
            },
            _ => Err(unexpected()),
        }
    }
}

fn unexpected() -> StoreError {
    StoreError::Damaged("unexpected result of a script".to_owned())
}
