//! Whole games: listed, read, put in and removed.

use std::collections::BTreeMap;

use bytes::Bytes;
use redb::{ReadTransaction, ReadableTable, Table, TableDefinition, WriteTransaction};

use super::tables::{
    DELIVERIES, EVENTS, GAMES, KEYS, LOOKS, RULES, STEPS, TAGS, pack_game, unavailable, unpack_deliveries, unpack_game,
};
use super::writer::{self, Held};
use crate::store::whole::{Answered, Inventory, Key, Whole, queued};
use crate::store::{GameId, StoreError, StoredGame};

/// Steps or events of games.
type Items<'t> = Table<'t, (&'static [u8; 16], u64), &'static [u8]>;

/// What there is.
pub fn inventory(read: &ReadTransaction, now: u64) -> Result<Inventory, StoreError> {
    let mut inventory = Inventory::default();
    for entry in read.open_table(GAMES).map_err(unavailable)?.range::<&[u8; 16]>(..).map_err(unavailable)? {
        inventory.games.push(GameId::from_bytes(*entry.map_err(unavailable)?.0.value()));
    }
    let mut answers = BTreeMap::<GameId, Vec<Key>>::new();
    for entry in read.open_table(KEYS).map_err(unavailable)?.range::<&Key>(..).map_err(unavailable)? {
        let (key, held) = entry.map_err(unavailable)?;
        let held = Held::unpack(held.value())?;
        if held.remembered.expires > now {
            answers.entry(held.place).or_default().push(*key.value());
        }
    }
    inventory.rule_set_answers = answers.remove(&writer::RULE_SETS).unwrap_or_default();
    inventory.answers = answers;
    for entry in read.open_table(RULES).map_err(unavailable)?.range::<&str>(..).map_err(unavailable)? {
        inventory.texts.push(entry.map_err(unavailable)?.0.value().to_owned());
    }
    Ok(inventory)
}

/// A game with the answers under these keys.
pub fn read(read: &ReadTransaction, id: GameId, keys: &[Key]) -> Result<Option<Whole>, StoreError> {
    let games = read.open_table(GAMES).map_err(unavailable)?;
    let Some(stored) = games.get(id.as_bytes()).map_err(unavailable)? else { return Ok(None) };
    let (version, tags, snapshot) = unpack_game(id, stored.value())?;
    let range = (id.as_bytes(), 0)..=(id.as_bytes(), u64::MAX);
    let list = |table: TableDefinition<'_, (&'static [u8; 16], u64), &'static [u8]>| {
        let table = read.open_table(table).map_err(unavailable)?;
        let items = table.range(range.clone()).map_err(unavailable)?;
        let mut all = Vec::new();
        for entry in items {
            all.push(entry.map_err(unavailable)?.1.value().to_vec());
        }
        Ok::<_, StoreError>(all)
    };
    let deliveries = read.open_table(DELIVERIES).map_err(unavailable)?;
    let deliveries = deliveries.get(id.as_bytes()).map_err(unavailable)?;
    let looks = read.open_table(LOOKS).map_err(unavailable)?;
    let look = |id: GameId| Ok::<_, StoreError>(looks.get(id.as_bytes()).map_err(unavailable)?.map(|at| at.value()));
    let answers = read.open_table(KEYS).map_err(unavailable)?;
    let mut answered = Vec::new();
    for key in keys {
        if let Some(held) = answers.get(key).map_err(unavailable)? {
            let Held { remembered, is_creation, .. } = Held::unpack(held.value())?;
            answered.push(Answered { key: *key, remembered, is_creation });
        }
    }
    Ok(Some(Whole {
        id,
        version,
        snapshot: Bytes::copy_from_slice(snapshot),
        tags,
        steps: list(STEPS)?,
        events: list(EVENTS)?,
        deliveries: unpack_deliveries(deliveries.as_ref().map(|held| held.value())),
        looks: [look(id)?, look(queued(id))?],
        answers: answered,
    }))
}

/// Puts in a game that is not there.
pub fn put(transaction: &WriteTransaction, whole: &Whole) -> Result<u64, StoreError> {
    let id = whole.id.as_bytes();
    let mut games = transaction.open_table(GAMES).map_err(unavailable)?;
    if let Some(stored) = games.get(id).map_err(unavailable)? {
        let (version, _, snapshot) = unpack_game(whole.id, stored.value())?;
        let game = StoredGame { id: whole.id, version, snapshot: Bytes::copy_from_slice(snapshot) };
        return Err(StoreError::Stale(Some(Box::new(game))));
    }
    let packed = pack_game(whole.version, &whole.tags, &whole.snapshot);
    games.insert(id, packed.as_slice()).map_err(unavailable)?;
    let mut tags = transaction.open_table(TAGS).map_err(unavailable)?;
    for tag in &whole.tags {
        tags.insert((tag.as_str(), id), ()).map_err(unavailable)?;
    }
    writer::append(&mut transaction.open_table(STEPS).map_err(unavailable)?, whole.id, &whole.steps)?;
    if whole.deliveries.0 > 0 {
        let packed = [&whole.deliveries.0.to_be_bytes()[..], &whole.deliveries.1].concat();
        let mut deliveries = transaction.open_table(DELIVERIES).map_err(unavailable)?;
        deliveries.insert(id, packed.as_slice()).map_err(unavailable)?;
    }
    for (id, at) in [whole.id, queued(whole.id)].into_iter().zip(whole.looks) {
        writer::look(transaction, id, at)?;
    }
    for Answered { key, remembered, is_creation } in &whole.answers {
        let held = Held { place: whole.id, is_creation: *is_creation, remembered: remembered.clone() };
        writer::remember(transaction, key, &held)?;
    }
    writer::append(&mut transaction.open_table(EVENTS).map_err(unavailable)?, whole.id, &whole.events)
}

/// Removes a game with everything of it; answers about it are forgotten when their time comes.
pub fn remove(transaction: &WriteTransaction, game: GameId, expected: u64, delivered: u64) -> Result<(), StoreError> {
    let id = game.as_bytes();
    let mut games = transaction.open_table(GAMES).map_err(unavailable)?;
    let tags = match games.get(id).map_err(unavailable)? {
        None => return Ok(()),
        Some(stored) => {
            let (version, tags, snapshot) = unpack_game(game, stored.value())?;
            if version != expected {
                let game = StoredGame { id: game, version, snapshot: Bytes::copy_from_slice(snapshot) };
                return Err(StoreError::Stale(Some(Box::new(game))));
            }
            tags
        }
    };
    let mut deliveries = transaction.open_table(DELIVERIES).map_err(unavailable)?;
    let found = deliveries.get(id).map_err(unavailable)?.map_or(0, |held| unpack_deliveries(Some(held.value())).0);
    if found != delivered {
        return Err(StoreError::Stale(None));
    }
    deliveries.remove(id).map_err(unavailable)?;
    games.remove(id).map_err(unavailable)?;
    let mut tagged = transaction.open_table(TAGS).map_err(unavailable)?;
    for tag in &tags {
        tagged.remove((tag.as_str(), id)).map_err(unavailable)?;
    }
    clear(&mut transaction.open_table(STEPS).map_err(unavailable)?, game)?;
    clear(&mut transaction.open_table(EVENTS).map_err(unavailable)?, game)?;
    writer::look(transaction, game, None)?;
    writer::look(transaction, queued(game), None)
}

fn clear(items: &mut Items<'_>, game: GameId) -> Result<(), StoreError> {
    let id = game.as_bytes();
    items.retain_in((id, 0)..=(id, u64::MAX), |_, _| false).map_err(unavailable)
}
