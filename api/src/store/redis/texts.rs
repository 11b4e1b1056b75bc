//! Texts by digest, and the names under which they are published.

use redis::Value;

use super::commit::ScriptResult;
use super::stored::{CommitId, commit_id};
use super::{Redis, answers};
use crate::store::{AnswerOwner, Key, SharedText, StoreError, StoredAnswer};

impl Redis {
    pub(super) async fn read_text(&self, digest: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.client.one(redis::cmd("GET").arg(self.keys.text(digest))).await? {
            Value::BulkString(bytes) => Ok(Some(bytes)),
            _ => Ok(None),
        }
    }

    /// Stores a text, unless it is stored already. Checks this first, because texts are long and nearly always stored.
    /// If Redis replicas are required, waits for them even if the text is stored, because the process that wrote the
    /// text may not have waited.
    pub(super) async fn keep_text(&self, text: &SharedText) -> Result<(), StoreError> {
        let key = [self.keys.text(&text.digest)];
        let is_there = match self.replicas {
            0 => self.client.one(redis::cmd("EXISTS").arg(&key)).await? == Value::Int(1),
            _ => !self.confirmed_head(&key).await?.is_empty(),
        };
        if is_there {
            return Ok(());
        }
        let mut set = redis::cmd("SET");
        set.arg(&key).arg(&text.bytes);
        self.client.write(set, self.replicas).await.map(drop)
    }

    /// Publishes a text under a name.
    pub(super) async fn publish(
        &self,
        name: &str,
        text: &SharedText,
        stored: Option<(Key, StoredAnswer)>,
    ) -> Result<(), StoreError> {
        let commit = commit_id();
        self.keep_text(text).await?;
        let names = self.keys.published();
        let answer_name = |(key, _): &(Key, StoredAnswer)| self.keys.answer(AnswerOwner::Published, key);
        let answer_name = stored.as_ref().map_or_else(|| names.clone(), answer_name);
        let answer = stored.as_ref().map(|(_, answer)| answers::pack(&commit, answer)).unwrap_or_default();
        let expires = stored.map_or(0, |(_, answer)| answer.expires).to_string();
        let entry = pack_published(&commit, &text.digest);
        let arguments: [&[u8]; 4] = [name.as_bytes(), entry.as_bytes(), &answer, expires.as_bytes()];
        let keys = [names, answer_name];
        match ScriptResult::read(self.client.script(&self.scripts.publish, &keys, &arguments, self.replicas).await?)? {
            ScriptResult::Done => Ok(()),
            ScriptResult::Answered(there) if there == answer => Ok(()),
            ScriptResult::Answered(there) => Err(StoreError::KeyTaken(Box::new(answers::unpack(&there)?))),
            ScriptResult::Conflict(Some(there)) if there == entry.as_bytes() => Ok(()),
            ScriptResult::Conflict(_) | ScriptResult::Late => Err(StoreError::NameTaken(name.to_owned())),
        }
    }

    /// Returns the names of published texts with their digests, sorted by name.
    pub(super) async fn read_published(&self) -> Result<Vec<(String, String)>, StoreError> {
        let all = self.client.one(redis::cmd("HGETALL").arg(self.keys.published())).await?;
        let mut all: Vec<(String, String)> = super::read_as(all)?;
        all.sort();
        Ok(all.into_iter().map(|(name, entry)| (name, digest_of_published(&entry).to_owned())).collect())
    }
}

/// Encodes the entry of a published name: the digest, and the id of the commit that published it.
fn pack_published(commit: &CommitId, digest: &str) -> String {
    format!("{digest} {}", const_hex::encode(commit))
}

/// Returns the digest in an entry that [`pack_published`] has encoded.
fn digest_of_published(entry: &str) -> &str {
    entry.split(' ').next().unwrap_or_default()
}
