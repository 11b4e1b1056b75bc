//! Export, import and removal of entities, and the inventory of the store.

use std::collections::BTreeMap;

use redb::{ReadTransaction, ReadableTable};

use super::apply::{append, delivered};
use super::layout::{AnswerValue, EntityValue, join_tags, pack_deliveries, split_tags, unpack_deliveries};
use super::tables::{ANSWERS, DEADLINES, DELIVERIES, ENTITIES, EVENTS, IdKey, TEXTS, Tables, entity_of, unavailable};
use super::{answers, boards, schedule};
use crate::store::packing::Phrases;
use crate::store::{AnswerOwner, CopiedAnswer, EntityCopy, EntityId, Inventory, Key, StoreError, StoredEntity, Task};

/// Lists all ids, keys and digests in the store, without the keys of answers that have expired by `now`.
pub(super) fn inventory(read: &ReadTransaction, now: u64) -> Result<Inventory, StoreError> {
    let mut inventory = Inventory::default();
    for entry in read.open_table(ENTITIES).map_err(unavailable)?.range::<&IdKey>(..).map_err(unavailable)? {
        inventory.entities.push(entity_of(entry.map_err(unavailable)?.0.value())?);
    }
    let mut answers = BTreeMap::<EntityId, Vec<Key>>::new();
    for entry in read.open_table(ANSWERS).map_err(unavailable)?.range::<&Key>(..).map_err(unavailable)? {
        let (key, stored) = entry.map_err(unavailable)?;
        let stored = AnswerValue::read(stored.value())?;
        if stored.answer.expires > now {
            match stored.owner {
                AnswerOwner::Entity(id) => answers.entry(id).or_default().push(*key.value()),
                AnswerOwner::Published => inventory.published_answers.push(*key.value()),
            }
        }
    }
    inventory.answers = answers;
    for entry in read.open_table(TEXTS).map_err(unavailable)?.range::<&str>(..).map_err(unavailable)? {
        inventory.texts.push(entry.map_err(unavailable)?.0.value().to_owned());
    }
    Ok(inventory)
}

/// Returns a copy of an entity, with those of its stored answers that have these keys.
pub(super) fn copy(
    read: &ReadTransaction,
    phrases: &Phrases,
    id: EntityId,
    keys: &[Key],
) -> Result<Option<EntityCopy>, StoreError> {
    let name = &id.to_bytes();
    let entities = read.open_table(ENTITIES).map_err(unavailable)?;
    let Some(stored) = entities.get(name).map_err(unavailable)? else { return Ok(None) };
    let value = EntityValue::read(id, stored.value())?;
    let mut events = Vec::new();
    let all = (name, 0)..=(name, u64::MAX);
    for entry in read.open_table(EVENTS).map_err(unavailable)?.range(all).map_err(unavailable)? {
        events.push(phrases.unpack(entry.map_err(unavailable)?.1.value())?);
    }
    let deliveries = read.open_table(DELIVERIES).map_err(unavailable)?;
    let deliveries = deliveries.get(name).map_err(unavailable)?;
    let mut deadlines = [None; 2];
    let times = read.open_table(DEADLINES).map_err(unavailable)?;
    for (deadline, task) in deadlines.iter_mut().zip(Task::both(id)) {
        *deadline = times.get(&task.to_bytes()).map_err(unavailable)?.map(|at| at.value());
    }
    let stored_answers = read.open_table(ANSWERS).map_err(unavailable)?;
    let mut answers = Vec::new();
    for key in keys {
        if let Some(stored) = stored_answers.get(key).map_err(unavailable)? {
            let AnswerValue { answer, is_creation, .. } = AnswerValue::read(stored.value())?;
            answers.push(CopiedAnswer { key: *key, answer, is_creation });
        }
    }
    let StoredEntity { version, changed_at, is_closed, snapshot, .. } = value.to_entity(id);
    Ok(Some(EntityCopy {
        id,
        version,
        changed_at,
        is_closed,
        snapshot,
        tags: split_tags(value.tags).map(str::to_owned).collect(),
        events,
        deliveries: unpack_deliveries(deliveries.as_ref().map(|stored| stored.value())),
        deadlines,
        answers,
    }))
}

/// Imports an entity that does not exist yet. Returns its number of events.
pub(super) fn put(tables: &mut Tables<'_>, phrases: &Phrases, copy: &EntityCopy) -> Result<u64, StoreError> {
    let name = &copy.id.to_bytes();
    if let Some(stored) = tables.entities.get(name).map_err(unavailable)? {
        return Err(EntityValue::read(copy.id, stored.value())?.conflict(copy.id));
    }
    let value = EntityValue {
        version: copy.version,
        events: copy.events.len() as u64,
        changed_at: copy.changed_at,
        is_closed: copy.is_closed,
        tags: &join_tags(&copy.tags),
        snapshot: &copy.snapshot,
    };
    tables.entities.insert(name, value.write().as_slice()).map_err(unavailable)?;
    for tag in &copy.tags {
        boards::enter(tables, tag, name)?;
    }
    let (version, deliveries) = &copy.deliveries;
    if *version > 0 {
        let packed = pack_deliveries(*version, deliveries);
        tables.deliveries.insert(name, packed.as_slice()).map_err(unavailable)?;
    }
    for (task, at) in Task::both(copy.id).into_iter().zip(copy.deadlines) {
        schedule::set(tables, task, at)?;
    }
    for CopiedAnswer { key, answer, is_creation } in &copy.answers {
        answers::put(tables, key, answer, AnswerOwner::Entity(copy.id), *is_creation)?;
    }
    append(tables, phrases, name, 0, &copy.events)?;
    Ok(value.events)
}

/// Removes an entity with its events, tags, deliveries and tasks. Stored answers about it stay until they expire.
pub(super) fn remove(
    tables: &mut Tables<'_>,
    id: EntityId,
    expected: u64,
    expected_deliveries: u64,
) -> Result<(), StoreError> {
    let name = &id.to_bytes();
    let tags = match tables.entities.get(name).map_err(unavailable)? {
        None => return Ok(()),
        Some(stored) => {
            let value = EntityValue::read(id, stored.value())?;
            if value.version != expected {
                return Err(value.conflict(id));
            }
            value.tags.to_owned()
        }
    };
    if delivered(tables, name)? != expected_deliveries {
        return Err(StoreError::Conflict(None));
    }
    tables.deliveries.remove(name).map_err(unavailable)?;
    tables.entities.remove(name).map_err(unavailable)?;
    for tag in split_tags(&tags) {
        boards::leave(tables, tag, name)?;
    }
    tables.events.retain_in((name, 0)..=(name, u64::MAX), |_, _| false).map_err(unavailable)?;
    Task::both(id).into_iter().try_for_each(|task| schedule::set(tables, task, None))
}
