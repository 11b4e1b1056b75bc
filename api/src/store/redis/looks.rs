//! When games are looked at next, for their deadlines: one sorted set, in a slot of its own, so not written by the script
//! that writes the game.
//!
//! INVARIANT: a game that has a deadline is in the set, at its deadline or before; so is one that is to be removed some day. It is entered before the commit that
//! gives it its first deadline. Deadlines of a game only move on, so moves need not touch the set: whoever looks too early
//! sees that in the game, and enters when to look again. An entry without a game is looked at in vain, once, and removed.

use std::sync::atomic::{AtomicI64, Ordering};

use redis::Value;

use super::Redis;
use crate::ground::clock;
use crate::store::{GameId, LEASE, StoreError};

/// Games entered at a time.
const PAGE: usize = 500;

/// The server's clock, as far ahead of the process's own as it was when it was last asked.
///
/// It is asked whenever games that are due are taken, which is often: a clock that is put right, or wrong, matters for
/// less than a second.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: AtomicI64,
}

impl Clock {
    /// The server says that it is so late.
    fn set(&self, now: u64) {
        self.ahead.store(now.wrapping_sub(clock::milliseconds()).cast_signed(), Ordering::Relaxed);
    }

    /// How late it is there, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        clock::milliseconds().wrapping_add_signed(self.ahead.load(Ordering::Relaxed))
    }
}

impl Redis {
    /// Enters a game, unless an earlier look is entered.
    pub(super) async fn look_by(&self, id: GameId, at: u64) -> Result<(), StoreError> {
        let at = at.to_string();
        let arguments = [at.as_bytes(), id.as_bytes()];
        self.asked.script(&self.scripts.look, &[self.keys.looks()], &arguments, self.replicas).await.map(drop)
    }

    /// Enters games, unless earlier looks are entered.
    pub(super) async fn look_at_all(&self, looks: &[(GameId, u64)]) -> Result<(), StoreError> {
        for page in looks.chunks(PAGE) {
            let mut enter = redis::cmd("ZADD");
            enter.arg(self.keys.looks()).arg("LT");
            for (id, at) in page {
                enter.arg(at).arg(id.as_bytes());
            }
            self.asked.one(&enter).await?;
        }
        Ok(())
    }

    /// Enters when a game that was due is looked at again.
    pub(super) async fn look_next(&self, id: GameId, at: Option<u64>) -> Result<(), StoreError> {
        let mut command = redis::cmd(if at.is_some() { "ZADD" } else { "ZREM" });
        command.arg(self.keys.looks());
        if let Some(at) = at {
            command.arg(at);
        }
        self.asked.one(command.arg(id.as_bytes())).await.map(drop)
    }

    /// Takes games that are due; others are given them when the lease is over.
    pub(super) async fn take_due(&self, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let (lease, limit) = (LEASE.as_millis().to_string(), limit.to_string());
        let arguments = [lease.as_bytes(), limit.as_bytes()];
        let due = self.asked.script(&self.scripts.due, &[self.keys.looks()], &arguments, 0).await?;
        let damaged = || StoreError::Damaged("the games that are due".to_owned());
        let Value::Array(answer) = due else { return Err(damaged()) };
        let Some((Value::BulkString(now), ids)) = answer.split_first() else { return Err(damaged()) };
        let now = std::str::from_utf8(now).ok().and_then(|now| now.parse().ok()).ok_or_else(damaged)?;
        self.clock.set(now);
        let id = |value: &Value| match value {
            Value::BulkString(bytes) => GameId::from_slice(bytes).ok(),
            _ => None,
        };
        Ok(ids.iter().filter_map(id).collect())
    }
}
