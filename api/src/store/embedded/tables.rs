//! The tables of the embedded store: all names and keys in one place. The values are in `layout.rs`.

use redb::{
    Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition,
    WriteTransaction,
};

use crate::store::id::ID_BYTES;
use crate::store::schedule::TASK_BYTES;
use crate::store::{EntityId, StoreError, Task};

/// Version of the tables below, and of the values that the service stores in them. The program refuses a file with
/// another version.
pub(super) const FORMAT: u64 = 10;

/// The key of an entity: its kind, filled up with zeros, and its id.
pub(super) type IdKey = [u8; ID_BYTES];
/// The key of a task: the key of its entity, and the number of its duty.
pub(super) type TaskKey = [u8; TASK_BYTES];

/// Table with one entry: under the key `format`, the version of the tables in this file.
pub(super) const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
/// Table from entity to its stored form: version, tags, snapshot and more.
pub(super) const ENTITIES: TableDefinition<'_, &IdKey, &[u8]> = TableDefinition::new("entities");
/// Table of pairs (tag, entity), without values: it lists the entities that have a tag.
pub(super) const TAGS: TableDefinition<'_, (&str, &IdKey), ()> = TableDefinition::new("tags");
/// Table from (board, inverted score, inverted id of an entity) to the label of the line. Inverted numbers make the
/// highest score come first.
pub(super) const BOARDS: TableDefinition<'_, (&str, u32, &[u8; 16]), &str> = TableDefinition::new("boards");
/// Table from (board, size of a range of scores as a power of two, number of the range) to its number of lines.
pub(super) const BOARD_COUNTS: TableDefinition<'_, (&str, u8, u32), u64> = TableDefinition::new("board_counts");
/// Table from (entity, number of the event, from 1) to the event, packed as `packing.rs` describes.
pub(super) const EVENTS: TableDefinition<'_, (&IdKey, u64), &[u8]> = TableDefinition::new("events");
/// Table from idempotency key to stored answer.
pub(super) const ANSWERS: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("answers");
/// Table of pairs (expiry in seconds since 1970, idempotency key), without values: it lists stored answers by expiry.
pub(super) const EXPIRIES: TableDefinition<'_, (u64, &[u8; 32]), ()> = TableDefinition::new("expiries");
/// Table from digest to text.
pub(super) const TEXTS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("texts");
/// Table from the name of a published text to its digest.
pub(super) const PUBLISHED: TableDefinition<'_, &str, &str> = TableDefinition::new("published");
/// Table from task to its deadline, in milliseconds since 1970.
pub(super) const DEADLINES: TableDefinition<'_, &TaskKey, u64> = TableDefinition::new("deadlines");
/// Table of pairs (deadline, task), without values: it lists tasks by deadline.
pub(super) const SCHEDULE: TableDefinition<'_, (u64, &TaskKey), ()> = TableDefinition::new("schedule");
/// Table from entity to the stored form of its deliveries.
pub(super) const DELIVERIES: TableDefinition<'_, &IdKey, &[u8]> = TableDefinition::new("deliveries");

/// All tables except [`ABOUT`], opened in one write transaction. All commits of the transaction use them.
pub(super) struct Tables<'t> {
    pub entities: Table<'t, &'static IdKey, &'static [u8]>,
    pub tags: Table<'t, (&'static str, &'static IdKey), ()>,
    pub boards: Table<'t, (&'static str, u32, &'static [u8; 16]), &'static str>,
    pub board_counts: Table<'t, (&'static str, u8, u32), u64>,
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
            boards: write.open_table(BOARDS).map_err(unavailable)?,
            board_counts: write.open_table(BOARD_COUNTS).map_err(unavailable)?,
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

/// Checks the format of a file, and returns its number of entities.
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

/// Decodes the key of an entity.
pub(super) fn entity_of(key: &IdKey) -> Result<EntityId, StoreError> {
    EntityId::from_bytes(key).ok_or_else(|| StoreError::Damaged("name of an entity".to_owned()))
}

/// Decodes the key of a task.
pub(super) fn task_of(key: &TaskKey) -> Result<Task, StoreError> {
    Task::from_bytes(key).ok_or_else(|| StoreError::Damaged("name of a task".to_owned()))
}

/// Converts an error of the database to an error of the store.
pub(super) fn unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
