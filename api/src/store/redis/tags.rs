//! Lists of entities by tag, and boards. Each of them is a sorted set in a hash slot of its own, so the script that
//! writes an entity cannot write the lists.
//!
//! The tags in the entity are decisive, and the lists are updated from them. Before a commit that changes tags, a note
//! about the change is added to the set of unsettled changes. After the commit, the entity is added to the lists of its
//! tags, and removed from the lists of its former tags. The update is repeated if the version of the entity has changed
//! in the meantime. Then the note is removed. If a process dies before that, the note stays, and a later reader of a
//! list does the remaining work. (These notes are not the notes of an entity, which may be lost.)
//!
//! A commit cannot be made after its note was removed: Redis refuses a commit that comes later than [`WINDOW`] after
//! its note, and other processes use a note only after [`OVERDUE`]. A reader of a list leaves out entities that do not
//! have the tag. If a process died, the entity that it changed may be missing from lists for about half a minute.
//!
//! A commit that changes no tags writes no note and no list. To write entities and lists with one script, all of them
//! would have to be in one hash slot.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use redis::Value;
use uuid::Uuid;

use super::Redis;
use super::stored::{COMMIT, CommitId, RedisEntity};
use crate::store::id::ID_BYTES;
use crate::store::{BoardLine, EntityId, Kind, StoreError, StoredEntity};

/// Longest time between a note and its commit, in milliseconds by the clocks of Redis.
const WINDOW: u64 = 10_000;
/// Age, in milliseconds, at which other processes may use a note. The difference to [`WINDOW`] is larger than the
/// difference between the clocks of a cluster's servers.
const OVERDUE: u64 = 20_000;
/// Time after which a process searches for overdue notes again.
const SWEEP: Duration = Duration::from_secs(5);
/// Largest number of overdue notes that one search finds.
const NOTES: usize = 64;

/// The time of the last search for overdue notes.
#[derive(Debug, Default)]
pub(super) struct Sweeps(Mutex<Option<Instant>>);

impl Sweeps {
    /// Tells whether a search for overdue notes is due. If so, marks it as done, so that the next one is due after
    /// [`SWEEP`].
    fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= SWEEP);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}

/// A change of tags that has a note in Redis.
pub(super) struct Announced {
    /// The latest time of the commit, in milliseconds since 1970: Redis refuses a later commit.
    pub latest: u64,
    tags: Vec<String>,
    note: Vec<u8>,
}

impl Redis {
    /// Writes the note before a commit that changes an entity's tags. `new` are the tags after the commit.
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
                None => self.current(id).await?,
            };
            let before = before.map(|before| before.tags().to_vec()).unwrap_or_default();
            // A player may be on many boards. Only the lines that have changed are written.
            tags.retain(|tag| BoardLine::of_tag(tag).is_none() || !before.contains(tag));
            tags.extend(before.into_iter().filter(|tag| !new.contains(tag)));
        }
        let note = [&commit[..], &id.to_bytes(), tags.join("\n").as_bytes()].concat();
        let keys = [self.keys.unsettled()];
        let noted = self.client.script(&self.scripts.announce, &keys, &[&note], self.replicas).await?;
        let Value::Int(moment) = noted else { return Err(StoreError::Damaged("no time of a note".to_owned())) };
        Ok(Announced { latest: moment.unsigned_abs() + WINDOW, tags, note })
    }

    /// Updates the lists after a change of tags. If that fails, a later reader of a list updates them.
    pub(super) async fn settle_or_leave(&self, id: EntityId, announced: Announced) {
        if let Err(error) = self.settle(id, announced).await {
            tracing::warn!(%error, entity = %id, "list update failed, retrying when the list is read");
        }
    }

    /// Updates the lists from the tags in the entity, then removes the note.
    async fn settle(&self, id: EntityId, announced: Announced) -> Result<(), StoreError> {
        let mut stored = match self.cache.get(&id) {
            Some(cached) => Some(cached),
            None => self.current(id).await?,
        };
        loop {
            self.update_lists(id, &announced.tags, stored.as_deref()).await?;
            let now = self.current(id).await?;
            let version = |stored: &Option<Arc<RedisEntity>>| stored.as_ref().map(|stored| stored.entity.version);
            if version(&now) == version(&stored) {
                break;
            }
            stored = now;
        }
        self.client.one(redis::cmd("ZREM").arg(self.keys.unsettled()).arg(announced.note)).await.map(drop)
    }

    async fn update_lists(
        &self,
        id: EntityId,
        tags: &[String],
        stored: Option<&RedisEntity>,
    ) -> Result<(), StoreError> {
        let (lines, plain): (Vec<_>, Vec<_>) = tags.iter().partition(|tag| BoardLine::of_tag(tag).is_some());
        let updates = plain.into_iter().map(|tag| {
            let has = stored.is_some_and(|stored| stored.tags().contains(tag));
            let mut update = redis::cmd(if has { "ZADD" } else { "ZREM" });
            update.arg(self.keys.tag(id.kind, tag));
            if has {
                update.arg(0);
            }
            update.arg(id.id.as_bytes());
            async move { self.client.write(update, self.replicas).await }
        });
        let boards: BTreeSet<_> =
            lines.into_iter().filter_map(|tag| BoardLine::of_tag(tag)).map(|line| line.board).collect();
        let own: Vec<_> =
            stored.iter().flat_map(|stored| stored.tags()).filter_map(|tag| BoardLine::of_tag(tag)).collect();
        let own = &own;
        let lines = boards.into_iter().map(|board| async move {
            let line = own.iter().find(|line| line.board == board);
            self.write_line(id, &board, line).await
        });
        tokio::try_join!(try_join_all(updates), try_join_all(lines)).map(drop)
    }

    /// Updates the lists for changes of tags by processes that died.
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

    /// Updates lists and boards for changes of tags by processes that died, at most once in [`SWEEP`].
    pub(super) async fn settle_overdue_lists(&self) -> Result<(), StoreError> {
        if self.sweeps.is_due() { self.settle_overdue().await } else { Ok(()) }
    }

    /// Returns entities of a kind that have a tag, newest first, at most `limit`. All of them are older than `before`.
    pub(super) async fn read_list(
        &self,
        kind: Kind,
        tag: String,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<StoredEntity>, StoreError> {
        self.settle_overdue_lists().await?;
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
            let stored = try_join_all(ids.iter().map(|id| self.shown_entity(*id))).await?;
            let tagged = stored.into_iter().flatten().filter(|stored| stored.tags().contains(&tag));
            entities.extend(tagged.map(|stored| stored.entity.clone()));
            if ids.len() < missing {
                break;
            }
        }
        Ok(entities)
    }
}

/// Returns the end of a range of ids (`ZRANGE` with `BYLEX`). The range does not contain this id.
fn exclusive(id: &[u8]) -> Vec<u8> {
    [b"(", id].concat()
}

fn member(kind: Kind, value: &Value) -> Option<EntityId> {
    match value {
        Value::BulkString(bytes) => Uuid::from_slice(bytes).ok().map(|id| EntityId::new(kind, id)),
        _ => None,
    }
}
