//! The tables of the embedded store: all names and keys in one place. The values are in `layout.rs`.

use redb::{
    Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition,
    WriteTransaction,
};

use crate::store::id::ID_BYTES;
use crate::store::schedule::TASK_BYTES;
use crate::store::{EntityId, StoreError, Task};

/// Version of the tables below, and of the values that the service stores in them. A file of another version is
/// refused.
pub(super) const FORMAT: u64 = 7;

/// Name of an entity: kind, filled up with zeros, and id.
pub(super) type IdKey = [u8; ID_BYTES];
/// Name of a task: that of its entity, and the number of the duty.
pub(super) type TaskKey = [u8; TASK_BYTES];

/// `format`, the version of the file.
pub(super) const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
/// Entity -> version, envelope, tags and snapshot.
pub(super) const ENTITIES: TableDefinition<'_, &IdKey, &[u8]> = TableDefinition::new("entities");
/// Tag and entity -> nothing.
pub(super) const TAGS: TableDefinition<'_, (&str, &IdKey), ()> = TableDefinition::new("tags");
/// Entity and number from 1 -> event.
pub(super) const EVENTS: TableDefinition<'_, (&IdKey, u64), &[u8]> = TableDefinition::new("events");
/// Idempotency key -> stored answer.
pub(super) const ANSWERS: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("answers");
/// Expiry of a stored answer, in seconds since 1970, and its key -> nothing.
pub(super) const EXPIRIES: TableDefinition<'_, (u64, &[u8; 32]), ()> = TableDefinition::new("expiries");
/// Digest -> text.
pub(super) const TEXTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("texts");
/// Name of a published text -> digest.
pub(super) const PUBLISHED: TableDefinition<'_, &str, &str> = TableDefinition::new("published");
/// Task -> deadline, in milliseconds since 1970.
pub(super) const DEADLINES: TableDefinition<'_, &TaskKey, u64> = TableDefinition::new("deadlines");
/// Deadline and task -> nothing.
pub(super) const SCHEDULE: TableDefinition<'_, (u64, &TaskKey), ()> = TableDefinition::new("schedule");
/// Entity -> deliveries.
pub(super) const DELIVERIES: TableDefinition<'_, &IdKey, &[u8]> = TableDefinition::new("deliveries");

/// All tables of a write transaction: opened once for all commits in it.
pub(super) struct Tables<'t> {
    pub entities: Table<'t, &'static IdKey, &'static [u8]>,
    pub tags: Table<'t, (&'static str, &'static IdKey), ()>,
    pub events: Table<'t, (&'static IdKey, u64), &'static [u8]>,
    pub answers: Table<'t, &'static [u8; 32], &'static [u8]>,
    pub expiries: Table<'t, (u64, &'static [u8; 32]), ()>,
    pub texts: Table<'t, &'static str, &'static [u8]>,
    pub published: Table<'t, &'static str, &'static str>,
    pub deadlines: Table<'t, &'static TaskKey, u64>,
    pub schedule: Table<'t, (u64, &'static TaskKey), ()>,
    pub deliveries: Table<'t, &'static IdKey, &'static [u8]>,
}

impl<'t> Tables<'t> {
    /// Opens all tables; creates those that are missing.
    pub(super) fn open(write: &'t WriteTransaction) -> Result<Self, StoreError> {
        Ok(Self {
            entities: write.open_table(ENTITIES).map_err(unavailable)?,
            tags: write.open_table(TAGS).map_err(unavailable)?,
            events: write.open_table(EVENTS).map_err(unavailable)?,
            answers: write.open_table(ANSWERS).map_err(unavailable)?,
            expiries: write.open_table(EXPIRIES).map_err(unavailable)?,
            texts: write.open_table(TEXTS).map_err(unavailable)?,
            published: write.open_table(PUBLISHED).map_err(unavailable)?,
            deadlines: write.open_table(DEADLINES).map_err(unavailable)?,
            schedule: write.open_table(SCHEDULE).map_err(unavailable)?,
            deliveries: write.open_table(DELIVERIES).map_err(unavailable)?,
        })
    }
}

/// Creates the tables of a new file, or checks the format of an existing one.
pub(super) fn prepare(database: &Database) -> Result<(), StoreError> {
    let write = database.begin_write().map_err(unavailable)?;
    {
        let mut about = write.open_table(ABOUT).map_err(unavailable)?;
        let found = about.get("format").map_err(unavailable)?.map(|format| format.value());
        match found {
            Some(found) => check_format(found)?,
            None => {
                about.insert("format", FORMAT).map_err(unavailable)?;
            }
        }
        Tables::open(&write)?;
    }
    write.commit().map_err(unavailable)?;
    database.begin_read().map_err(unavailable).map(drop)
}

/// The number of entities in a file, once its format is checked.
pub(super) fn examine(database: &ReadOnlyDatabase) -> Result<u64, StoreError> {
    let read = database.begin_read().map_err(unavailable)?;
    let about = read.open_table(ABOUT).map_err(unavailable)?;
    check_format(about.get("format").map_err(unavailable)?.map_or(0, |format| format.value()))?;
    read.open_table(ENTITIES).map_err(unavailable)?.len().map_err(unavailable)
}

fn check_format(found: u64) -> Result<(), StoreError> {
    match found {
        FORMAT => Ok(()),
        other => Err(StoreError::Damaged(format!("its data format is {other}, this program reads {FORMAT}"))),
    }
}

/// The entity that a key names.
pub(super) fn entity_of(key: &IdKey) -> Result<EntityId, StoreError> {
    EntityId::from_bytes(key).ok_or_else(|| StoreError::Damaged("name of an entity".to_owned()))
}

/// The task that a key names.
pub(super) fn task_of(key: &TaskKey) -> Result<Task, StoreError> {
    Task::from_bytes(key).ok_or_else(|| StoreError::Damaged("name of a task".to_owned()))
}

/// Converts an error of the database to an error of the store.
pub(super) fn unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
