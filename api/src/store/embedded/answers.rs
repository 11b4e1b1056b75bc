//! Stored answers, by idempotency key. They are removed some time after they expire.

use redb::{ReadTransaction, ReadableTable};

use super::layout::AnswerValue;
use super::tables::{ANSWERS, Tables, unavailable};
use crate::store::{AnswerOwner, Key, StoreError, StoredAnswer};

/// Maximum number of expired answers that one transaction removes.
const SWEEP: usize = 64;

/// Returns the stored answer of an idempotency key, unless it has expired by `now`.
pub(super) fn read(read: &ReadTransaction, key: &Key, now: u64) -> Result<Option<StoredAnswer>, StoreError> {
    let answers = read.open_table(ANSWERS).map_err(unavailable)?;
    unexpired(&answers, key, now)
}

fn unexpired(
    answers: &impl ReadableTable<&'static [u8; 32], &'static [u8]>,
    key: &Key,
    now: u64,
) -> Result<Option<StoredAnswer>, StoreError> {
    let stored = answers.get(key).map_err(unavailable)?;
    let answer = stored.map(|stored| AnswerValue::read(stored.value())).transpose()?.map(|stored| stored.answer);
    Ok(answer.filter(|answer| answer.expires > now))
}

/// Refuses a key that has a stored answer already.
pub(super) fn check_free(tables: &Tables<'_>, key: &Key, now: u64) -> Result<(), StoreError> {
    match unexpired(&tables.answers, key, now)? {
        Some(answer) => Err(StoreError::KeyTaken(Box::new(answer))),
        None => Ok(()),
    }
}

/// Stores an answer until it expires.
pub(super) fn put(
    tables: &mut Tables<'_>,
    key: &Key,
    answer: &StoredAnswer,
    owner: AnswerOwner,
    is_creation: bool,
) -> Result<(), StoreError> {
    let value = AnswerValue { owner, is_creation, answer: answer.clone() };
    tables.answers.insert(key, value.write().as_slice()).map_err(unavailable)?;
    tables.expiries.insert((answer.expires, key), ()).map_err(unavailable)?;
    Ok(())
}

/// Removes expired answers.
pub(super) fn sweep(tables: &mut Tables<'_>, now: u64) -> Result<(), StoreError> {
    let mut expired = Vec::new();
    for entry in tables.expiries.range(..(now, &[0; 32])).map_err(unavailable)?.take(SWEEP) {
        let (expires, key) = entry.map(|(key, _)| (key.value().0, *key.value().1)).map_err(unavailable)?;
        expired.push((expires, key));
    }
    for (expires, key) in expired {
        tables.expiries.remove((expires, &key)).map_err(unavailable)?;
        // The key may have been used again after its answer expired. The new answer expires later, so it is not
        // removed.
        let is_expired = match tables.answers.get(&key).map_err(unavailable)? {
            Some(stored) => AnswerValue::read(stored.value())?.answer.expires == expires,
            None => false,
        };
        if is_expired {
            tables.answers.remove(&key).map_err(unavailable)?;
        }
    }
    Ok(())
}
