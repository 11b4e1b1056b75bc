//! Whole games: listed, read, put in and removed.

use std::collections::BTreeMap;

use redis::Value;

use super::Redis;
use super::keys::Name;
use super::layout::{COMMIT, Record, pack_answer, unpack_answer, unpack_deliveries};
use crate::store::whole::{Answered, Inventory, Key, Whole, queued};
use crate::store::{GameChange, GameId, Place, RuleText, StoreError};

/// Keys looked at at a time.
const PAGE: usize = 1000;
/// Whoever put a game in is not told apart.
const NOBODY: [u8; COMMIT] = [0; COMMIT];

impl Redis {
    /// What there is. All names are looked at; what comes or goes meanwhile may be in it or not.
    pub(super) async fn list_all(&self) -> Result<Inventory, StoreError> {
        let mut inventory = Inventory::default();
        let mut answers = BTreeMap::<GameId, Vec<Key>>::new();
        let pattern = self.keys.all();
        for node in self.asked.masters().await? {
            let mut cursor = "0".to_owned();
            loop {
                let mut scan = redis::cmd("SCAN");
                scan.arg(&cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(PAGE);
                let page = self.asked.one_at(&node, &scan).await?;
                let (next, names): (String, Vec<Vec<u8>>) = redis::from_redis_value(page).map_err(damaged)?;
                for name in names {
                    match self.keys.read(&name) {
                        Some(Name::Game(id)) => inventory.games.push(id),
                        Some(Name::Answer(Place::Game(id), key)) => answers.entry(id).or_default().push(key),
                        Some(Name::Answer(Place::RuleSets, key)) => inventory.rule_set_answers.push(key),
                        Some(Name::Text(digest)) => inventory.texts.push(digest),
                        None => {}
                    }
                }
                if next == "0" {
                    break;
                }
                cursor = next;
            }
        }
        // A name may come twice.
        for keys in answers.values_mut().chain([&mut inventory.rule_set_answers]) {
            keys.sort_unstable();
            keys.dedup();
        }
        inventory.games.sort_unstable();
        inventory.games.dedup();
        inventory.texts.sort_unstable();
        inventory.texts.dedup();
        inventory.answers = answers;
        Ok(inventory)
    }

    /// A game with the answers under these keys.
    pub(super) async fn read_whole(&self, id: GameId, keys: &[Key]) -> Result<Option<Whole>, StoreError> {
        let mut all = redis::pipe();
        all.atomic()
            .cmd("GET")
            .arg(self.keys.game(id))
            .cmd("LRANGE")
            .arg(self.keys.events(id))
            .arg(0)
            .arg(-1)
            .cmd("GET")
            .arg(self.keys.deliveries(id));
        for key in keys {
            all.cmd("GET").arg(self.keys.answer(Place::Game(id), key));
        }
        let mut values = self.asked.many(&all).await?.into_iter();
        let mut next = || values.next().unwrap_or(Value::Nil);
        let Value::BulkString(bytes) = next() else { return Ok(None) };
        let record = Record::read(id, bytes)?;
        let events = redis::from_redis_value(next()).map_err(damaged)?;
        let deliveries = match next() {
            Value::BulkString(bytes) => unpack_deliveries(&bytes)?,
            _ => (0, Vec::new()),
        };
        let mut answers = Vec::new();
        for key in keys {
            let Value::BulkString(bytes) = next() else { continue };
            let created = self.asked.one(redis::cmd("GET").arg(self.keys.reserved(key))).await?;
            let is_creation = created == Value::BulkString(id.to_string().into_bytes());
            answers.push(Answered { key: *key, remembered: unpack_answer(&bytes)?, is_creation });
        }
        let mut looks = redis::cmd("ZMSCORE");
        looks.arg(self.keys.looks()).arg(id.as_bytes()).arg(queued(id).as_bytes());
        let looks: [Option<f64>; 2] = redis::from_redis_value(self.asked.one(&looks).await?).map_err(damaged)?;
        Ok(Some(Whole {
            id,
            version: record.game.version,
            snapshot: record.game.snapshot,
            tags: record.tags.to_vec(),
            events,
            deliveries,
            // Milliseconds of this century are exact in it.
            looks: looks.map(|look| look.map(|at| at as u64)),
            answers,
        }))
    }

    /// Puts in what belongs to no game.
    pub(super) async fn put_beside(&self, texts: &[RuleText], answers: &[Answered]) -> Result<(), StoreError> {
        for text in texts {
            self.keep_text(text).await?;
        }
        for Answered { key, remembered, .. } in answers {
            let mut set = redis::cmd("SET");
            set.arg(self.keys.answer(Place::RuleSets, key)).arg(pack_answer(&NOBODY, remembered));
            self.asked.one(set.arg("EXAT").arg(remembered.expires)).await?;
        }
        Ok(())
    }

    /// Puts in a game that is not there. What belongs to it comes first, so that it can be done again from the start.
    pub(super) async fn put_whole(&self, whole: &Whole) -> Result<(), StoreError> {
        let id = whole.id;
        if let Some(record) = self.record(id).await? {
            return Err(StoreError::Stale(Some(Box::new(record.game.clone()))));
        }
        let mut beside = redis::pipe();
        for Answered { key, remembered, .. } in &whole.answers {
            let name = self.keys.answer(Place::Game(id), key);
            beside.cmd("SET").arg(name).arg(pack_answer(&NOBODY, remembered)).arg("EXAT").arg(remembered.expires);
        }
        if whole.deliveries.0 > 0 {
            let packed = [&whole.deliveries.0.to_be_bytes()[..], &whole.deliveries.1].concat();
            beside.cmd("SET").arg(self.keys.deliveries(id)).arg(packed);
        }
        if !beside.is_empty() {
            self.asked.many(&beside).await?;
        }
        for Answered { key, remembered, .. } in whole.answers.iter().filter(|answer| answer.is_creation) {
            let mut reserve = redis::cmd("SET");
            reserve.arg(self.keys.reserved(key)).arg(id.to_string()).arg("EXAT").arg(remembered.expires);
            self.asked.one(&reserve).await?;
        }
        for (id, at) in [id, queued(id)].into_iter().zip(whole.looks) {
            if let Some(at) = at {
                self.look_by(id, at).await?;
            }
        }
        let change = GameChange {
            id,
            expected: 0,
            snapshot: whole.snapshot.clone(),
            tags: Some(whole.tags.clone()),
            events: whole.events.clone(),
            rules: None,
            look: None,
        };
        self.commit_as(change, whole.version, None).await
    }

    /// Removes a game with everything of it, and lets the lists follow.
    pub(super) async fn remove(&self, id: GameId, expected: u64, delivered: u64) -> Result<(), StoreError> {
        let commit = super::commit::commit_id();
        let announced = self.announce(id, &commit, expected, &[]).await?;
        let (expected, delivered) = (expected.to_be_bytes(), delivered.to_be_bytes());
        let latest = announced.latest.to_string();
        let arguments = [&expected[..], &delivered, latest.as_bytes()];
        let keys = self.keys.of_game(id);
        let answered = self.asked.script(&self.scripts.remove, &keys, &arguments, self.replicas).await?;
        self.recent.forget(id);
        let now = match answered {
            Value::Int(1) => None,
            Value::Int(0) => Some(self.record(id).await?),
            _ => return Err(StoreError::Unavailable("the removal came too late to Redis".to_owned())),
        };
        if let Err(error) = self.settle(id, announced).await {
            tracing::warn!(%error, game = %id, "the lists of games are behind: they are mended when they are read");
        }
        match now {
            None => Ok(()),
            Some(now) => Err(StoreError::Stale(now.map(|now| Box::new(now.game.clone())))),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> StoreError {
    StoreError::Damaged(error.to_string())
}
