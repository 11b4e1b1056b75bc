//! Applies commits to the tables.

use redb::ReadableTable;

use super::layout::{EntityValue, join_tags, pack_deliveries, split_tags, unpack_deliveries};
use super::schedule::Leases;
use super::tables::{IdKey, Tables, unavailable};
use super::{answers, boards, schedule, transfer};
use crate::store::packing::Phrases;
use crate::store::{
    AnswerOwner, Change, Commit, CopiedAnswer, EntityChange, EntityId, RewrittenEvent, SharedText, StoreError, Task,
};

/// The result of a commit: the number of events of the changed entity; `None` if no entity was changed.
pub(super) type Applied = Result<Option<u64>, StoreError>;

/// Applies a commit to the tables. A commit that is refused has written nothing.
pub(super) fn apply(tables: &mut Tables<'_>, phrases: &Phrases, leases: &Leases, commit: &Commit, now: u64) -> Applied {
    if let Some((key, _)) = &commit.answer {
        answers::check_free(tables, key, now)?;
    }
    let events = match &commit.change {
        Change::Entity(change) => Some(apply_entity(tables, phrases, leases, change)?),
        Change::Import(copy) => Some(transfer::put(tables, phrases, copy)?),
        change => apply_other(tables, phrases, leases, change, now).map(|()| None)?,
    };
    if let Some((key, answer)) = &commit.answer {
        let (owner, is_creation) = match &commit.change {
            Change::Entity(change) => (AnswerOwner::Entity(change.id), change.expected == 0),
            _ => (AnswerOwner::Published, false),
        };
        answers::put(tables, key, answer, owner, is_creation)?;
    }
    Ok(events)
}

fn apply_other(
    tables: &mut Tables<'_>,
    phrases: &Phrases,
    leases: &Leases,
    change: &Change,
    now: u64,
) -> Result<(), StoreError> {
    match change {
        Change::Entity(_) | Change::Import(_) => Ok(()),
        Change::Publish { name, text } => publish(tables, name, text),
        Change::Deliveries { id, expected, value } => deliver(tables, *id, *expected, value),
        Change::EndLease { leased, at } => schedule::end_lease(tables, leases, *leased, *at),
        Change::ExtendLease { leased, until } => {
            leases.extend(*leased, *until);
            Ok(())
        }
        Change::ScheduleBy(tasks) => {
            tasks.iter().try_for_each(|(task, at)| schedule::set_by(tables, leases, *task, *at))
        }
        Change::Shared { texts, answers } => {
            texts.iter().try_for_each(|text| put_text(tables, text))?;
            for CopiedAnswer { key, answer, .. } in answers {
                match answers::check_free(tables, key, now) {
                    Ok(()) => answers::put(tables, key, answer, AnswerOwner::Published, false)?,
                    Err(StoreError::KeyTaken(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }
        Change::Rewrite { id, events } => rewrite(tables, phrases, &id.to_bytes(), events),
        Change::Remove { id, expected, delivered } => transfer::remove(tables, *id, *expected, *delivered),
    }
}

/// Writes the next version of an entity. Returns its number of events.
fn apply_entity(
    tables: &mut Tables<'_>,
    phrases: &Phrases,
    leases: &Leases,
    change: &EntityChange,
) -> Result<u64, StoreError> {
    let key = &change.id.to_bytes();
    let (events, old_tags) = match tables.entities.get(key).map_err(unavailable)? {
        Some(stored) => {
            let found = EntityValue::read(change.id, stored.value())?;
            if found.version != change.expected {
                return Err(found.conflict(change.id));
            }
            (found.events, found.tags.to_owned())
        }
        None if change.expected > 0 => return Err(StoreError::Conflict(None)),
        None => (0, String::new()),
    };
    let new_tags = change.tags.as_deref().map(join_tags);
    let next = EntityValue {
        version: change.expected + 1,
        events: events + change.events.len() as u64,
        changed_at: change.changed_at,
        is_closed: change.is_closed,
        tags: new_tags.as_deref().unwrap_or(&old_tags),
        snapshot: &change.snapshot,
    };
    tables.entities.insert(key, next.write().as_slice()).map_err(unavailable)?;
    if let Some(new_tags) = new_tags.as_ref().filter(|new_tags| **new_tags != old_tags) {
        for tag in split_tags(&old_tags) {
            boards::leave(tables, tag, key)?;
        }
        for tag in split_tags(new_tags) {
            boards::enter(tables, tag, key)?;
        }
    }
    if let Some(text) = &change.text {
        put_text(tables, text)?;
    }
    if let Some(at) = change.deadline {
        schedule::set_by(tables, leases, Task::entity(change.id), at)?;
    }
    append(tables, phrases, key, events, &change.events)?;
    Ok(next.events)
}

/// Appends events to an entity that has `there` events already.
pub(super) fn append(
    tables: &mut Tables<'_>,
    phrases: &Phrases,
    key: &IdKey,
    there: u64,
    events: &[Vec<u8>],
) -> Result<(), StoreError> {
    for (number, event) in (there + 1..).zip(events) {
        tables.events.insert((key, number), phrases.pack(event).as_slice()).map_err(unavailable)?;
    }
    Ok(())
}

/// Replaces events of an entity. An event that has changed since the caller read it is not replaced.
fn rewrite(
    tables: &mut Tables<'_>,
    phrases: &Phrases,
    key: &IdKey,
    events: &[RewrittenEvent],
) -> Result<(), StoreError> {
    for RewrittenEvent { number, from, to } in events {
        let stored = tables.events.get((key, *number)).map_err(unavailable)?;
        if stored.is_some_and(|stored| stored.value() == phrases.pack(from)) {
            tables.events.insert((key, *number), phrases.pack(to).as_slice()).map_err(unavailable)?;
        }
    }
    Ok(())
}

fn deliver(tables: &mut Tables<'_>, id: EntityId, expected: u64, value: &[u8]) -> Result<(), StoreError> {
    let key = &id.to_bytes();
    if tables.entities.get(key).map_err(unavailable)?.is_none() || delivered(tables, key)? != expected {
        return Err(StoreError::Conflict(None));
    }
    tables.deliveries.insert(key, pack_deliveries(expected + 1, value).as_slice()).map_err(unavailable)?;
    Ok(())
}

/// Returns the version of an entity's deliveries; 0 if it has none.
pub(super) fn delivered(tables: &Tables<'_>, key: &IdKey) -> Result<u64, StoreError> {
    let stored = tables.deliveries.get(key).map_err(unavailable)?;
    Ok(unpack_deliveries(stored.as_ref().map(|stored| stored.value())).0)
}

fn publish(tables: &mut Tables<'_>, name: &str, text: &SharedText) -> Result<(), StoreError> {
    if tables.published.get(name).map_err(unavailable)?.is_some() {
        return Err(StoreError::NameTaken(name.to_owned()));
    }
    tables.published.insert(name, text.digest.as_str()).map_err(unavailable)?;
    put_text(tables, text)
}

fn put_text(tables: &mut Tables<'_>, text: &SharedText) -> Result<(), StoreError> {
    let is_there = tables.texts.get(text.digest.as_str()).map_err(unavailable)?.is_some();
    if !is_there {
        tables.texts.insert(text.digest.as_str(), text.bytes.as_slice()).map_err(unavailable)?;
    }
    Ok(())
}
