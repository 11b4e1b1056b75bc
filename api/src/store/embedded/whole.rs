//! Whole games: listed, read, put in and removed.

use std::collections::BTreeMap;

use bytes::Bytes;
use redb::{ReadTransaction, ReadableTable};

use super::tables::{
    DELIVERIES, EVENTS, GAMES, KEYS, LOOKS, RULES, Tables, join_tags, pack_game, split_tags, unavailable,
    unpack_deliveries, unpack_game,
};
use super::writer::{self, Held};
use crate::store::whole::{Answered, Inventory, Key, Whole, queued};
use crate::store::{GameId, StoreError, StoredGame};

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
    let mut events = Vec::new();
    for entry in read.open_table(EVENTS).map_err(unavailable)?.range(range).map_err(unavailable)? {
        events.push(entry.map_err(unavailable)?.1.value().to_vec());
    }
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
        tags: split_tags(tags).map(str::to_owned).collect(),
        events,
        deliveries: unpack_deliveries(deliveries.as_ref().map(|held| held.value())),
        looks: [look(id)?, look(queued(id))?],
        answers: answered,
    }))
}

/// Puts in a game that is not there.
pub fn put(tables: &mut Tables<'_>, whole: &Whole) -> Result<u64, StoreError> {
    let id = whole.id.as_bytes();
    if let Some(stored) = tables.games.get(id).map_err(unavailable)? {
        let (version, _, snapshot) = unpack_game(whole.id, stored.value())?;
        let game = StoredGame { id: whole.id, version, snapshot: Bytes::copy_from_slice(snapshot) };
        return Err(StoreError::Stale(Some(Box::new(game))));
    }
    let packed = pack_game(whole.version, &join_tags(&whole.tags), &whole.snapshot);
    tables.games.insert(id, packed.as_slice()).map_err(unavailable)?;
    for tag in &whole.tags {
        tables.tags.insert((tag.as_str(), id), ()).map_err(unavailable)?;
    }
    if whole.deliveries.0 > 0 {
        let packed = [&whole.deliveries.0.to_be_bytes()[..], &whole.deliveries.1].concat();
        tables.deliveries.insert(id, packed.as_slice()).map_err(unavailable)?;
    }
    for (id, at) in [whole.id, queued(whole.id)].into_iter().zip(whole.looks) {
        writer::look(tables, id, at)?;
    }
    for Answered { key, remembered, is_creation } in &whole.answers {
        let held = Held { place: whole.id, is_creation: *is_creation, remembered: remembered.clone() };
        writer::remember(tables, key, &held)?;
    }
    writer::append(tables, whole.id, &whole.events)
}

/// Removes a game with everything of it; answers about it are forgotten when their time comes.
pub fn remove(tables: &mut Tables<'_>, game: GameId, expected: u64, delivered: u64) -> Result<(), StoreError> {
    let id = game.as_bytes();
    let tags = match tables.games.get(id).map_err(unavailable)? {
        None => return Ok(()),
        Some(stored) => {
            let (version, tags, snapshot) = unpack_game(game, stored.value())?;
            if version != expected {
                let game = StoredGame { id: game, version, snapshot: Bytes::copy_from_slice(snapshot) };
                return Err(StoreError::Stale(Some(Box::new(game))));
            }
            tags.to_owned()
        }
    };
    let found = tables.deliveries.get(id).map_err(unavailable)?;
    let found = found.map_or(0, |held| unpack_deliveries(Some(held.value())).0);
    if found != delivered {
        return Err(StoreError::Stale(None));
    }
    tables.deliveries.remove(id).map_err(unavailable)?;
    tables.games.remove(id).map_err(unavailable)?;
    for tag in split_tags(&tags) {
        tables.tags.remove((tag, id)).map_err(unavailable)?;
    }
    tables.events.retain_in((id, 0)..=(id, u64::MAX), |_, _| false).map_err(unavailable)?;
    writer::look(tables, game, None)?;
    writer::look(tables, queued(game), None)
}
