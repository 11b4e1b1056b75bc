//! Lists of games by tag: sorted sets in slots of their own, so not written by the script that writes the game.
//!
//! The game says which tags it has; the sets are made to follow. Before a commit that changes tags, the change is noted
//! in the set of unsettled changes. After it, the tags in question are entered or removed as the game has them, the game
//! is read again, and that is repeated until it was the same before and after; then the note is removed. A process that
//! dies in between leaves its note, and whoever next reads a list does the rest. The note comes first, the commit is
//! refused when it comes later than [`WINDOW`] after it, and notes are taken up only after [`OVERDUE`], so no commit
//! goes without its note. Until then a reader leaves out games that do not have the tag; it may miss a game of a process
//! that died, for some seconds.
//!
//! Moves change no tags and pay nothing. One script for games and lists would need all games in one slot.

use std::time::{Duration, Instant};

use redis::Value;

use super::Redis;
use super::layout::{COMMIT, CommitId};
use crate::store::{GameId, StoreError, StoredGame};

/// How long after its note a commit may come, in milliseconds by the clocks of Redis.
const WINDOW: u64 = 10_000;
/// How old a note is taken up by others, in milliseconds: what differs between the clocks of a cluster fits in between.
const OVERDUE: u64 = 20_000;
/// How often a process looks for overdue notes.
const LOOK: Duration = Duration::from_secs(5);
/// How many notes it takes up at a time.
const NOTES: usize = 64;

/// A change of tags that was noted.
pub struct Announced {
    /// The commit is refused after this moment.
    pub latest: u64,
    tags: Vec<String>,
    note: Vec<u8>,
}

impl Redis {
    /// Notes that a game's tags may change to these.
    pub(super) async fn announce(
        &self,
        id: GameId,
        commit: &CommitId,
        expected: u64,
        new: &[String],
    ) -> Result<Announced, StoreError> {
        let mut tags = new.to_vec();
        if expected > 0 {
            let known = match self.recent.get(id).filter(|known| known.game.version == expected) {
                Some(known) => Some(known),
                None => self.record(id).await?,
            };
            tags.extend(known.iter().flat_map(|known| known.tags.to_vec()).filter(|tag| !new.contains(tag)));
        }
        let note = [&commit[..], id.as_bytes(), tags.join("\n").as_bytes()].concat();
        let keys = [self.keys.unsettled()];
        let answered = self.asked.script(&self.scripts.announce, &keys, &[&note], self.replicas).await?;
        let Value::Int(moment) = answered else { return Err(StoreError::Damaged("no moment".to_owned())) };
        Ok(Announced { latest: moment.unsigned_abs() + WINDOW, tags, note })
    }

    /// Makes the lists follow the game, then removes the note.
    pub(super) async fn settle(&self, id: GameId, announced: Announced) -> Result<(), StoreError> {
        let mut record = match self.recent.get(id) {
            Some(copy) => Some(copy),
            None => self.record(id).await?,
        };
        loop {
            let has = |tag: &String| record.as_ref().is_some_and(|record| record.tags.contains(tag));
            let changes = announced.tags.iter().map(|tag| {
                let mut change = redis::cmd(if has(tag) { "ZADD" } else { "ZREM" });
                change.arg(self.keys.tag(tag));
                if has(tag) {
                    change.arg(0);
                }
                change.arg(id.as_bytes());
                async move { self.asked.write(change, self.replicas).await }
            });
            futures_util::future::try_join_all(changes).await?;
            let now = self.record(id).await?;
            if now.as_ref().map(|now| now.game.version) == record.as_ref().map(|record| record.game.version) {
                break;
            }
            record = now;
        }
        self.asked.one(redis::cmd("ZREM").arg(self.keys.unsettled()).arg(announced.note)).await.map(drop)
    }

    /// Does what processes that died have left undone.
    async fn settle_overdue(&self) -> Result<(), StoreError> {
        let (age, most) = (OVERDUE.to_string(), NOTES.to_string());
        let keys = [self.keys.unsettled()];
        let arguments = [age.as_bytes(), most.as_bytes()];
        let Value::Array(notes) = self.asked.script(&self.scripts.overdue, &keys, &arguments, 0).await? else {
            return Ok(());
        };
        for note in notes {
            let Value::BulkString(note) = note else { continue };
            let Some((id, tags)) = note.get(COMMIT..).and_then(|rest| rest.split_first_chunk::<16>()) else { continue };
            let tags = String::from_utf8_lossy(tags).split('\n').map(str::to_owned).collect();
            let id = GameId::from_bytes(*id);
            self.recent.forget(id);
            self.settle(id, Announced { latest: 0, tags, note: note.clone() }).await?;
        }
        Ok(())
    }

    /// Games with a tag, newest first.
    pub(super) async fn list(
        &self,
        tag: String,
        before: Option<GameId>,
        limit: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        if self.may_look() {
            self.settle_overdue().await?;
        }
        let mut end = before.map_or_else(|| b"+".to_vec(), |id| exclusive(id.as_bytes()));
        let mut games = Vec::new();
        while games.len() < limit {
            let missing = limit - games.len();
            let mut range = redis::cmd("ZRANGE");
            range.arg(self.keys.tag(&tag)).arg(&end[..]).arg("-").arg("BYLEX").arg("REV");
            let Value::Array(ids) = self.asked.one(range.arg("LIMIT").arg(0).arg(missing)).await? else { break };
            let ids: Vec<GameId> = ids.iter().filter_map(member).collect();
            let Some(last) = ids.last() else { break };
            end = exclusive(last.as_bytes());
            let records = futures_util::future::try_join_all(ids.iter().map(|id| self.record(*id))).await?;
            let tagged = records.into_iter().flatten().filter(|record| record.tags.contains(&tag));
            games.extend(tagged.map(|record| record.game.clone()));
            if ids.len() < missing {
                break;
            }
        }
        Ok(games)
    }

    /// Whether it is time to look for overdue notes.
    fn may_look(&self) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let due = looked.is_none_or(|looked| looked.elapsed() >= LOOK);
        if due {
            *looked = Some(Instant::now());
        }
        due
    }
}

fn exclusive(id: &[u8]) -> Vec<u8> {
    [b"(", id].concat()
}

fn member(value: &Value) -> Option<GameId> {
    match value {
        Value::BulkString(bytes) => GameId::from_slice(bytes).ok(),
        _ => None,
    }
}
