//! Lists of entities by tag: sorted sets in slots of their own, which the script that writes an entity cannot write.
//!
//! The tags in the entity are decisive, and the lists are updated from them. Before a commit that changes tags, a note
//! about the change is added to the set of unsettled changes. After the commit, the entity is added to or removed from
//! the lists of the tags in the note, until its version is the same before and after the update. Then the note is
//! removed. If a process dies in between, the note stays, and the next reader of a list does the rest.
//!
//! No such commit is without a note: the note is written first, a commit is refused if it comes later than [`WINDOW`]
//! after its note, and notes are taken up only after [`OVERDUE`]. Until a change is settled, readers leave out entities
//! that do not have the tag; an entity whose process died may be missing from lists for some seconds.
//!
//! A commit that changes no tags needs none of this. One script for entities and lists would need all of them in one
//! slot.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::Value;
use uuid::Uuid;

use super::Redis;
use super::record::{COMMIT, CommitId, Record};
use crate::store::id::ID_BYTES;
use crate::store::{EntityId, Kind, StoreError, StoredEntity};

/// How long after its note a commit may come, in milliseconds by the clocks of Redis.
const WINDOW: u64 = 10_000;
/// Age, in milliseconds, from which other processes take up a note. The difference to [`WINDOW`] is larger than that
/// between the clocks of a cluster.
const OVERDUE: u64 = 20_000;
/// How often a process looks for overdue notes.
const SWEEP: Duration = Duration::from_secs(5);
/// Maximum number of overdue notes that one search takes up.
const NOTES: usize = 64;

/// When overdue notes were last looked for.
#[derive(Debug, Default)]
pub(super) struct Sweeps(Mutex<Option<Instant>>);

impl Sweeps {
    /// Whether a search for overdue notes is due. If so, the next one is due after [`SWEEP`].
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= SWEEP);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

/// A change of tags that was noted.
pub(super) struct Announced {
    /// The commit is refused after this moment, in milliseconds since 1970.
    pub latest: u64,
    tags: Vec<String>,
    note: Vec<u8>,
}

impl Redis {
    /// Writes the note that an entity's tags may change to these.
    pub(super) async fn announce(
        &self,
        id: EntityId,
        commit: &CommitId,
        expected: u64,
        new: &[String],
    ) -> Result<Announced, StoreError> {
        let mut tags = new.to_vec();
        if expected > 0 {
            let before = match self.cache.get(&id).filter(|cached| cached.entity.version == expected) {
                Some(cached) => Some(cached),
                None => self.record(id).await?,
            };
            tags.extend(before.iter().flat_map(|before| before.tags.to_vec()).filter(|tag| !new.contains(tag)));
        }
        let note = [&commit[..], &id.to_bytes(), tags.join("\n").as_bytes()].concat();
        let keys = [self.keys.unsettled()];
        let noted = self.client.script(&self.scripts.announce, &keys, &[&note], self.replicas).await?;
        let Value::Int(moment) = noted else { return Err(StoreError::Damaged("no time of a note".to_owned())) };
        Ok(Announced { latest: moment.unsigned_abs() + WINDOW, tags, note })
    }

    /// Settles a change. If that fails, the next reader of a list settles it.
    pub(super) async fn settle_or_leave(&self, id: EntityId, announced: Announced) {
        if let Err(error) = self.settle(id, announced).await {
            tracing::warn!(%error, entity = %id, "list update failed, left to the next reader");
        }
    }

    /// Updates the lists from the tags of the entity, then removes the note.
    async fn settle(&self, id: EntityId, announced: Announced) -> Result<(), StoreError> {
        let mut record = match self.cache.get(&id) {
            Some(cached) => Some(cached),
            None => self.record(id).await?,
        };
        loop {
            self.update_lists(id, &announced.tags, record.as_deref()).await?;
            let now = self.record(id).await?;
            let version = |record: &Option<Arc<Record>>| record.as_ref().map(|record| record.entity.version);
            if version(&now) == version(&record) {
                break;
            }
            record = now;
        }
        self.client.one(redis::cmd("ZREM").arg(self.keys.unsettled()).arg(announced.note)).await.map(drop)
    }

    async fn update_lists(&self, id: EntityId, tags: &[String], record: Option<&Record>) -> Result<(), StoreError> {
        let updates = tags.iter().map(|tag| {
            let has = record.is_some_and(|record| record.tags.contains(tag));
            let mut update = redis::cmd(if has { "ZADD" } else { "ZREM" });
            update.arg(self.keys.tag(id.kind, tag));
            if has {
                update.arg(0);
            }
            update.arg(id.id.as_bytes());
            async move { self.client.write(update, self.replicas).await }
        });
        futures_util::future::try_join_all(updates).await.map(drop)
    }

    /// Settles the changes of processes that died.
    async fn settle_overdue(&self) -> Result<(), StoreError> {
        let (age, most) = (OVERDUE.to_string(), NOTES.to_string());
        let keys = [self.keys.unsettled()];
        let arguments = [age.as_bytes(), most.as_bytes()];
        let Value::Array(notes) = self.client.script(&self.scripts.overdue, &keys, &arguments, 0).await? else {
            return Ok(());
        };
        for note in notes {
            let Value::BulkString(note) = note else { continue };
            let Some((id, tags)) = note.get(COMMIT..).and_then(|rest| rest.split_first_chunk::<ID_BYTES>()) else {
                continue;
            };
            let Some(id) = EntityId::from_bytes(id) else { continue };
            let tags = String::from_utf8_lossy(tags).split('\n').map(str::to_owned).collect();
            self.cache.forget(&id);
            self.settle(id, Announced { latest: 0, tags, note: note.clone() }).await?;
        }
        Ok(())
    }

    /// Entities of a kind with a tag, newest first.
    pub(super) async fn read_list(
        &self,
        kind: Kind,
        tag: String,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredEntity>, StoreError> {
        if self.sweeps.is_due() {
            self.settle_overdue().await?;
        }
        let mut end = before.map_or_else(|| b"+".to_vec(), |id| exclusive(id.as_bytes()));
        let mut entities = Vec::new();
        while entities.len() < limit {
            let missing = limit - entities.len();
            let mut range = redis::cmd("ZRANGE");
            range.arg(self.keys.tag(kind, &tag)).arg(&end[..]).arg("-").arg("BYLEX").arg("REV");
            let Value::Array(ids) = self.client.one(range.arg("LIMIT").arg(0).arg(missing)).await? else { break };
            let ids: Vec<EntityId> = ids.iter().filter_map(|id| member(kind, id)).collect();
            let Some(last) = ids.last() else { break };
            end = exclusive(last.id.as_bytes());
            let records = futures_util::future::try_join_all(ids.iter().map(|id| self.record(*id))).await?;
            let tagged = records.into_iter().flatten().filter(|record| record.tags.contains(&tag));
            entities.extend(tagged.map(|record| record.entity.clone()));
            if ids.len() < missing {
                break;
            }
        }
        Ok(entities)
    }
}

/// The end of a range that does not include this id.
fn exclusive(id: &[u8]) -> Vec<u8> {
    [b"(", id].concat()
}

fn member(kind: Kind, value: &Value) -> Option<EntityId> {
    match value {
        Value::BulkString(bytes) => Uuid::from_slice(bytes).ok().map(|id| EntityId::new(kind, id)),
        _ => None,
    }
}
