//! Export, import and removal of entities, replacement of events, and the inventory of the store.

use std::collections::BTreeMap;

use redis::Value;

use super::keys::KeyName;
use super::read::{DecodedRead, pack_deliveries, unpack_deliveries};
use super::stored::commit_id;
use super::{Redis, answers, read_as};
use crate::store::{
    AnswerOwner, CopiedAnswer, EntityChange, EntityCopy, EntityId, Inventory, Key, RewrittenEvent, SharedText,
    StoreError, StoredEntity, Task,
};

/// Number of key names that one `SCAN` reads, roughly.
const PAGE: usize = 1000;

impl Redis {
    /// Lists all ids, keys and digests in the store. If a key is added or removed during the scan, it may be missing.
    pub(super) async fn read_inventory(&self) -> Result<Inventory, StoreError> {
        let mut inventory = Inventory::default();
        let mut answers = BTreeMap::<EntityId, Vec<Key>>::new();
        let pattern = self.keys.all();
        for node in self.client.masters().await? {
            let mut cursor = "0".to_owned();
            loop {
                let mut scan = redis::cmd("SCAN");
                scan.arg(&cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(PAGE);
                let (next, names): (String, Vec<Vec<u8>>) = read_as(self.client.one_at(&node, &scan).await?)?;
                for name in names {
                    match self.keys.read(&name) {
                        Some(KeyName::Entity(id)) => inventory.entities.push(id),
                        Some(KeyName::Answer(AnswerOwner::Entity(id), key)) => answers.entry(id).or_default().push(key),
                        Some(KeyName::Answer(AnswerOwner::Published, key)) => inventory.published_answers.push(key),
                        Some(KeyName::Text(digest)) => inventory.texts.push(digest),
                        None => {}
                    }
                }
                if next == "0" {
                    break;
                }
                cursor = next;
            }
        }
        // A scan may return a name twice.
        answers.values_mut().for_each(sort);
        sort(&mut inventory.published_answers);
        sort(&mut inventory.entities);
        sort(&mut inventory.texts);
        inventory.answers = answers;
        Ok(inventory)
    }

    /// Returns a copy of an entity, with those of its stored answers that have these keys.
    pub(super) async fn read_copy(&self, id: EntityId, keys: &[Key]) -> Result<Option<EntityCopy>, StoreError> {
        let mut all = redis::pipe();
        all.atomic().add_command(self.read_whole(id));
        all.cmd("LRANGE").arg(self.keys.events(id)).arg(0).arg(-1);
        all.cmd("GET").arg(self.keys.deliveries(id));
        for key in keys {
            all.cmd("GET").arg(self.keys.answer(AnswerOwner::Entity(id), key));
        }
        let mut values = self.client.many(&all).await?.into_iter();
        let mut next = || values.next().unwrap_or(Value::Nil);
        let stored = match self.take(id, None, next())? {
            DecodedRead::Entity(Some(stored)) => stored,
            DecodedRead::Entity(None) => return Ok(None),
            DecodedRead::OtherBase => return Err(StoreError::Damaged(format!("base of entity {id}"))),
        };
        let events: Vec<Vec<u8>> = read_as(next())?;
        let missing = stored.entity.missing(0);
        let events = events.iter().take(missing).map(|event| self.phrases.unpack(event)).collect::<Result<_, _>>()?;
        let deliveries = unpack_deliveries(&next())?;
        let mut copied = Vec::new();
        for key in keys {
            let Value::BulkString(bytes) = next() else { continue };
            let created = self.client.one(redis::cmd("GET").arg(self.keys.reserved(id.kind, key))).await?;
            let is_creation = created == Value::BulkString(id.id.to_string().into_bytes());
            copied.push(CopiedAnswer { key: *key, answer: answers::unpack(&bytes)?, is_creation });
        }
        let StoredEntity { version, changed_at, is_closed, snapshot, .. } = stored.entity.clone();
        Ok(Some(EntityCopy {
            id,
            version,
            changed_at,
            is_closed,
            snapshot,
            tags: stored.tags().to_vec(),
            events,
            deliveries,
            deadlines: self.deadlines(Task::both(id)).await?,
            answers: copied,
        }))
    }

    /// Stores texts, and answers that belong to no entity. An answer that a key has already stays.
    pub(super) async fn put_shared(&self, texts: &[SharedText], copied: &[CopiedAnswer]) -> Result<(), StoreError> {
        for text in texts {
            self.keep_text(text).await?;
        }
        for CopiedAnswer { key, answer, .. } in copied {
            let mut set = redis::cmd("SET");
            set.arg(self.keys.answer(AnswerOwner::Published, key)).arg(answers::pack(&answers::IMPORTED, answer));
            self.client.one(set.arg("NX").arg("EXAT").arg(answer.expires)).await?;
        }
        Ok(())
    }

    /// Imports an entity that does not exist yet. Its answers, deliveries and deadlines are written before it, so that
    /// a failed import can be repeated.
    pub(super) async fn put_copy(&self, copy: EntityCopy) -> Result<(), StoreError> {
        let id = copy.id;
        if let Some(stored) = self.current(id).await? {
            return Err(StoreError::Conflict(Some(Box::new(stored.entity.clone()))));
        }
        let mut beside = redis::pipe();
        for CopiedAnswer { key, answer, .. } in &copy.answers {
            let name = self.keys.answer(AnswerOwner::Entity(id), key);
            let value = answers::pack(&answers::IMPORTED, answer);
            beside.cmd("SET").arg(name).arg(value).arg("EXAT").arg(answer.expires);
        }
        let (version, deliveries) = &copy.deliveries;
        if *version > 0 {
            beside.cmd("SET").arg(self.keys.deliveries(id)).arg(pack_deliveries(*version, deliveries));
        }
        if !beside.is_empty() {
            self.client.many(&beside).await?;
        }
        for CopiedAnswer { key, answer, .. } in copy.answers.iter().filter(|copied| copied.is_creation) {
            let mut reserve = redis::cmd("SET");
            reserve.arg(self.keys.reserved(id.kind, key)).arg(id.id.to_string()).arg("EXAT").arg(answer.expires);
            self.client.one(&reserve).await?;
        }
        let deadlines = Task::both(id).into_iter().zip(copy.deadlines);
        let deadlines: Vec<_> = deadlines.filter_map(|(task, at)| Some((task, at?))).collect();
        self.schedule_all_by(&deadlines).await?;
        let change = EntityChange {
            id,
            expected: 0,
            snapshot: copy.snapshot,
            changed_at: copy.changed_at,
            is_closed: copy.is_closed,
            tags: Some(copy.tags),
            events: copy.events,
            text: None,
            deadline: None,
        };
        self.commit_as(change, copy.version, None).await?;
        // A worker may have taken a task before the entity existed, and dropped the task.
        self.schedule_all_by(&deadlines).await
    }

    /// Replaces events of an entity. An event that has changed since the caller read it is not replaced.
    pub(super) async fn rewrite(&self, id: EntityId, events: &[RewrittenEvent]) -> Result<(), StoreError> {
        let index = |event: &RewrittenEvent| event.number.saturating_sub(1).to_string().into_bytes();
        let arguments = events
            .iter()
            .flat_map(|event| [index(event), self.phrases.pack(&event.from), self.phrases.pack(&event.to)]);
        let arguments = arguments.collect::<Vec<_>>();
        let arguments = arguments.iter().map(Vec::as_slice).collect::<Vec<_>>();
        self.client.script(&self.scripts.rewrite, &[self.keys.events(id)], &arguments, self.replicas).await.map(drop)
    }

    /// Removes an entity with its events, deliveries and notes, and updates the lists of entities by tag.
    pub(super) async fn remove(&self, id: EntityId, expected: u64, delivered: u64) -> Result<(), StoreError> {
        let announced = self.announce(id, &commit_id(), expected, &[]).await?;
        let (expected, delivered) = (expected.to_be_bytes(), delivered.to_be_bytes());
        let latest = announced.latest.to_string();
        let arguments = [&expected[..], &delivered, latest.as_bytes()];
        let keys = self.keys.all_of(id);
        let result = self.client.script(&self.scripts.remove, &keys, &arguments, self.replicas).await?;
        self.cache.forget(&id);
        let removed = match result {
            Value::Int(1) => Ok(()),
            Value::Int(0) => {
                let now = self.current(id).await?;
                Err(StoreError::Conflict(now.map(|now| Box::new(now.entity.clone()))))
            }
            _ => return Err(StoreError::Unavailable("the removal came too late to Redis".to_owned())),
        };
        self.settle_or_leave(id, announced).await;
        removed
    }
}

fn sort<T: Ord>(names: &mut Vec<T>) {
    names.sort_unstable();
    names.dedup();
}
