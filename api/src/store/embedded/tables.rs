//! The tables of the embedded store: all names and keys in one place.

use redb::{
    Database, ReadOnlyDatabase, ReadableDatabase, ReadableTable, ReadableTableMetadata, Table, TableDefinition,
    WriteTransaction,
};

use crate::store::{GameId, StoreError};

/// Version of everything below, and of what the service puts in it. A file of another version is refused, never guessed at.
pub const FORMAT: u64 = 6;

/// `format` and whatever else describes the file.
pub const ABOUT: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
/// Game id -> version (8 bytes, big endian), length of the tags (4 bytes), tags joined by line feeds, snapshot.
pub const GAMES: TableDefinition<'_, &[u8; 16], &[u8]> = TableDefinition::new("games");
/// Tag and game id -> nothing.
pub const TAGS: TableDefinition<'_, (&str, &[u8; 16]), ()> = TableDefinition::new("tags");
/// Game id and number from 1 -> event.
pub const EVENTS: TableDefinition<'_, (&[u8; 16], u64), &[u8]> = TableDefinition::new("events");
/// Idempotency key -> id of the game (16 bytes; 0: about rule sets), 1 where it was created (1 byte), hash of the request
/// (32 bytes), expiry (8 bytes), answer.
pub const KEYS: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("keys");
/// Expiry and idempotency key -> nothing.
pub const EXPIRIES: TableDefinition<'_, (u64, &[u8; 32]), ()> = TableDefinition::new("expiries");
/// Digest -> text of a rule set.
pub const RULES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("rules");
/// Id and version of a published rule set -> digest.
pub const PUBLISHED: TableDefinition<'_, &str, &str> = TableDefinition::new("published");

/// Game id -> when it is looked at next, in milliseconds since 1970.
pub const LOOKS: TableDefinition<'_, &[u8; 16], u64> = TableDefinition::new("looks");
/// When a game is looked at next, and its id -> nothing.
pub const DUE: TableDefinition<'_, (u64, &[u8; 16]), ()> = TableDefinition::new("due");

/// Game id -> how far its webhooks are: version (8 bytes, big endian), then what the service keeps.
pub const DELIVERIES: TableDefinition<'_, &[u8; 16], &[u8]> = TableDefinition::new("deliveries");

/// All tables while something is written: opened once, however much it is.
pub struct Tables<'t> {
    pub games: Table<'t, &'static [u8; 16], &'static [u8]>,
    pub tags: Table<'t, (&'static str, &'static [u8; 16]), ()>,
    pub events: Table<'t, (&'static [u8; 16], u64), &'static [u8]>,
    pub keys: Table<'t, &'static [u8; 32], &'static [u8]>,
    pub expiries: Table<'t, (u64, &'static [u8; 32]), ()>,
    pub rules: Table<'t, &'static str, &'static [u8]>,
    pub published: Table<'t, &'static str, &'static str>,
    pub looks: Table<'t, &'static [u8; 16], u64>,
    pub due: Table<'t, (u64, &'static [u8; 16]), ()>,
    pub deliveries: Table<'t, &'static [u8; 16], &'static [u8]>,
}

impl<'t> Tables<'t> {
    /// Opens them, makes those that are missing.
    pub fn open(write: &'t WriteTransaction) -> Result<Self, StoreError> {
        Ok(Self {
            games: write.open_table(GAMES).map_err(unavailable)?,
            tags: write.open_table(TAGS).map_err(unavailable)?,
            events: write.open_table(EVENTS).map_err(unavailable)?,
            keys: write.open_table(KEYS).map_err(unavailable)?,
            expiries: write.open_table(EXPIRIES).map_err(unavailable)?,
            rules: write.open_table(RULES).map_err(unavailable)?,
            published: write.open_table(PUBLISHED).map_err(unavailable)?,
            looks: write.open_table(LOOKS).map_err(unavailable)?,
            due: write.open_table(DUE).map_err(unavailable)?,
            deliveries: write.open_table(DELIVERIES).map_err(unavailable)?,
        })
    }
}

/// Makes the tables of a new file, checks the format of an old one.
pub fn prepare(database: &Database) -> Result<(), StoreError> {
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

/// How many games a file has whose format can be read.
pub fn examine(database: &ReadOnlyDatabase) -> Result<u64, StoreError> {
    let read = database.begin_read().map_err(unavailable)?;
    let about = read.open_table(ABOUT).map_err(unavailable)?;
    check_format(about.get("format").map_err(unavailable)?.map_or(0, |format| format.value()))?;
    read.open_table(GAMES).map_err(unavailable)?.len().map_err(unavailable)
}

fn check_format(found: u64) -> Result<(), StoreError> {
    match found {
        FORMAT => Ok(()),
        other => Err(StoreError::Damaged(format!("its data format is {other}, this program reads {FORMAT}"))),
    }
}

/// Version, tags and snapshot of a game in one value.
pub fn pack_game(version: u64, tags: &str, snapshot: &[u8]) -> Vec<u8> {
    let length = u32::try_from(tags.len()).unwrap_or(u32::MAX);
    [&version.to_be_bytes()[..], &length.to_be_bytes(), tags.as_bytes(), snapshot].concat()
}

/// The reverse of [`pack_game`].
pub fn unpack_game(id: GameId, bytes: &[u8]) -> Result<(u64, &str, &[u8]), StoreError> {
    let damaged = || StoreError::Damaged(format!("game {id}"));
    let (version, rest) = bytes.split_first_chunk::<8>().ok_or_else(damaged)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
    let (tags, snapshot) = rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(damaged)?;
    Ok((u64::from_be_bytes(*version), std::str::from_utf8(tags).map_err(|_| damaged())?, snapshot))
}

/// Tags as they stand in a game.
pub fn join_tags(tags: &[String]) -> String {
    tags.join("\n")
}

/// The reverse of [`join_tags`].
pub fn split_tags(tags: &str) -> impl Iterator<Item = &str> {
    tags.split('\n').filter(|tag| !tag.is_empty())
}

/// Version and value of how far webhooks are; version 0 where there is nothing.
pub fn unpack_deliveries(bytes: Option<&[u8]>) -> (u64, Vec<u8>) {
    let packed = bytes.and_then(|bytes| bytes.split_first_chunk::<8>());
    packed.map_or((0, Vec::new()), |(version, value)| (u64::from_be_bytes(*version), value.to_vec()))
}

/// An error of the file as the store's own.
pub fn unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
