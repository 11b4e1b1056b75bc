//! The one thread that writes: takes what waits, commits it together, then answers everyone.
//!
//! A commit to disk costs the same for one command as for five hundred, so under load the cost is shared; a lone
//! command waits for nobody.

use std::sync::mpsc::{Receiver, RecvError};
use std::sync::{Arc, mpsc};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use redb::{Database, Durability, ReadableTable};
use tokio::sync::oneshot;

use super::file::File;
use super::tables::{Tables, join_tags, pack_game, split_tags, unavailable, unpack_deliveries, unpack_game};
use super::whole;
use crate::ground::recent::Recent;
use crate::store::waiters::Waiters;
use crate::store::whole::Answered;
use crate::store::{Change, Commit, GameChange, GameId, Remembered, RuleText, StoreError, StoredGame};

/// Most commands in one transaction: bounds the time a command waits for its neighbours.
const BATCH: usize = 512;
/// Most forgotten answers removed in one transaction.
const SWEEP: usize = 64;

/// A command and who waits for it.
pub struct Job {
    /// What to do.
    pub commit: Commit,
    /// Where the answer goes.
    pub done: oneshot::Sender<Result<(), StoreError>>,
}

/// What the writer tells others: who waits for events, and how games are that changed last. Only it writes, so what is
/// kept there is never behind the file.
#[derive(Default)]
pub struct Told {
    /// Who waits for events.
    pub waiters: Arc<Waiters>,
    /// Games as they were committed.
    pub games: Recent<GameId, StoredGame, 1024>,
}

impl Told {
    fn of(&self, commit: Commit, outcome: &Outcome) {
        match (commit.change, outcome) {
            (Change::Game(GameChange { id, expected, snapshot, .. }), Ok(events)) => {
                self.games.keep(id, StoredGame { id, version: expected + 1, snapshot });
                self.waiters.tell(id, events.unwrap_or_default());
            }
            (Change::Remove { id, .. }, Ok(_)) => self.games.forget(id),
            _ => {}
        }
    }
}

/// Runs until every sender is gone, then returns with everything received committed.
pub fn run(file: &File, jobs: &Receiver<Job>, told: &Told) {
    while let Ok(batch) = next_batch(jobs) {
        let (commits, senders): (Vec<_>, Vec<_>) = batch.into_iter().map(|job| (job.commit, job.done)).unzip();
        match file.write(|database| write(database, &commits)) {
            Ok(outcomes) => {
                for ((commit, outcome), sender) in commits.into_iter().zip(outcomes).zip(senders) {
                    told.of(commit, &outcome);
                    // Whoever asked may have gone away; the commit stands all the same.
                    let _ = sender.send(outcome.map(drop));
                }
            }
            Err(error) => {
                tracing::error!(%error, commands = senders.len(), "a transaction failed");
                // What became of it the file knows.
                for commit in &commits {
                    if let Change::Game(GameChange { id, .. }) | Change::Remove { id, .. } = &commit.change {
                        told.games.forget(*id);
                    }
                }
                for sender in senders {
                    let _ = sender.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
        }
    }
}

fn next_batch(jobs: &Receiver<Job>) -> Result<Vec<Job>, RecvError> {
    let mut batch = vec![jobs.recv()?];
    while batch.len() < BATCH {
        match jobs.try_recv() {
            Ok(job) => batch.push(job),
            Err(mpsc::TryRecvError::Empty | mpsc::TryRecvError::Disconnected) => break,
        }
    }
    Ok(batch)
}

/// What became of a command: how many events the game has now, `None` where it was no game.
type Outcome = Result<Option<u64>, StoreError>;

fn write(database: &Database, commits: &[Commit]) -> Result<Vec<Outcome>, StoreError> {
    let mut transaction = database.begin_write().map_err(unavailable)?;
    transaction.set_durability(Durability::Immediate).map_err(unavailable)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut outcomes = Vec::with_capacity(commits.len());
    let mut tables = Tables::open(&transaction)?;
    sweep(&mut tables, now)?;
    for commit in commits {
        // INVARIANT: `apply` refuses before it writes anything, or fails with an error that drops the transaction.
        match apply(&mut tables, commit, now) {
            Err(error @ (StoreError::Unavailable(_) | StoreError::Damaged(_))) => return Err(error),
            outcome => outcomes.push(outcome),
        }
    }
    drop(tables);
    transaction.commit().map_err(unavailable)?;
    Ok(outcomes)
}

fn apply(tables: &mut Tables<'_>, commit: &Commit, now: u64) -> Outcome {
    if let Some((key, _)) = &commit.remember {
        let held = tables.keys.get(key).map_err(unavailable)?;
        let held = held.map(|held| Held::unpack(held.value())).transpose()?.map(|held| held.remembered);
        if let Some(held) = held.filter(|held| held.expires > now) {
            return Err(StoreError::KeyTaken(Box::new(held)));
        }
    }
    let events = match &commit.change {
        Change::Game(change) => Some(apply_game(tables, change)?),
        Change::RuleSet { name, text } => {
            publish(tables, name, text)?;
            None
        }
        Change::Deliveries { id, expected, value } => {
            deliver(tables, *id, *expected, value)?;
            None
        }
        Change::Look { id, at } => {
            look(tables, *id, *at)?;
            None
        }
        Change::LookBy(looks) => {
            for (id, at) in looks {
                look_by(tables, *id, *at)?;
            }
            None
        }
        Change::Beside { texts, answers } => {
            texts.iter().try_for_each(|text| keep_text(tables, text))?;
            for Answered { key, remembered, .. } in answers {
                let held = Held { place: RULE_SETS, is_creation: false, remembered: remembered.clone() };
                remember(tables, key, &held)?;
            }
            None
        }
        Change::Put(game) => Some(whole::put(tables, game)?),
        Change::Remove { id, expected, delivered } => {
            whole::remove(tables, *id, *expected, *delivered)?;
            None
        }
    };
    if let Some((key, remembered)) = &commit.remember {
        let (place, is_creation) = match &commit.change {
            Change::Game(change) => (change.id, change.expected == 0),
            _ => (RULE_SETS, false),
        };
        remember(tables, key, &Held { place, is_creation, remembered: remembered.clone() })?;
    }
    Ok(events)
}

/// Keeps an answer until its time has passed.
pub fn remember(tables: &mut Tables<'_>, key: &[u8; 32], held: &Held) -> Result<(), StoreError> {
    tables.keys.insert(key, held.pack().as_slice()).map_err(unavailable)?;
    tables.expiries.insert((held.remembered.expires, key), ()).map_err(unavailable)?;
    Ok(())
}

fn apply_game(tables: &mut Tables<'_>, change: &GameChange) -> Result<u64, StoreError> {
    let id = change.id.as_bytes();
    let (found, old_tags) = match tables.games.get(id).map_err(unavailable)? {
        Some(stored) => {
            let (version, tags, snapshot) = unpack_game(change.id, stored.value())?;
            if version != change.expected {
                let game = StoredGame { id: change.id, version, snapshot: Bytes::copy_from_slice(snapshot) };
                return Err(StoreError::Stale(Some(Box::new(game))));
            }
            (version, tags.to_owned())
        }
        None if change.expected > 0 => return Err(StoreError::Stale(None)),
        None => (0, String::new()),
    };
    let new_tags = change.tags.as_deref().map(join_tags);
    let packed = pack_game(found + 1, new_tags.as_deref().unwrap_or(&old_tags), &change.snapshot);
    tables.games.insert(id, packed.as_slice()).map_err(unavailable)?;
    if let Some(new_tags) = new_tags.filter(|new_tags| *new_tags != old_tags) {
        for tag in split_tags(&old_tags) {
            tables.tags.remove((tag, id)).map_err(unavailable)?;
        }
        for tag in split_tags(&new_tags) {
            tables.tags.insert((tag, id), ()).map_err(unavailable)?;
        }
    }
    if let Some(text) = &change.rules {
        keep_text(tables, text)?;
    }
    if let Some(at) = change.look {
        look_by(tables, change.id, at)?;
    }
    append(tables, change.id, &change.events)
}

fn deliver(tables: &mut Tables<'_>, game: GameId, expected: u64, value: &[u8]) -> Result<(), StoreError> {
    if tables.games.get(game.as_bytes()).map_err(unavailable)?.is_none() {
        return Err(StoreError::Stale(None));
    }
    let held = tables.deliveries.get(game.as_bytes()).map_err(unavailable)?;
    if unpack_deliveries(held.as_ref().map(|held| held.value())).0 != expected {
        return Err(StoreError::Stale(None));
    }
    drop(held);
    let packed = [&(expected + 1).to_be_bytes()[..], value].concat();
    tables.deliveries.insert(game.as_bytes(), packed.as_slice()).map_err(unavailable)?;
    Ok(())
}

/// Appends to a game's events, gives how many there are.
pub fn append(tables: &mut Tables<'_>, game: GameId, events: &[Vec<u8>]) -> Result<u64, StoreError> {
    let id = game.as_bytes();
    let last = tables.events.range((id, 0)..=(id, u64::MAX)).map_err(unavailable)?.next_back();
    let last = last.transpose().map_err(unavailable)?.map_or(0, |(key, _)| key.value().1);
    for (number, event) in (last + 1..).zip(events) {
        tables.events.insert((id, number), event.as_slice()).map_err(unavailable)?;
    }
    Ok(last + events.len() as u64)
}

/// A game is looked at then or before.
fn look_by(tables: &mut Tables<'_>, game: GameId, at: u64) -> Result<(), StoreError> {
    let before = tables.looks.get(game.as_bytes()).map_err(unavailable)?.map(|before| before.value());
    if before.is_some_and(|before| before <= at) { Ok(()) } else { look(tables, game, Some(at)) }
}

/// A game is looked at then, and at no other time.
pub fn look(tables: &mut Tables<'_>, game: GameId, at: Option<u64>) -> Result<(), StoreError> {
    let id = game.as_bytes();
    let before = match at {
        Some(at) => tables.looks.insert(id, at).map_err(unavailable)?,
        None => tables.looks.remove(id).map_err(unavailable)?,
    };
    if let Some(before) = before {
        tables.due.remove((before.value(), id)).map_err(unavailable)?;
    }
    if let Some(at) = at {
        tables.due.insert((at, id), ()).map_err(unavailable)?;
    }
    Ok(())
}

fn publish(tables: &mut Tables<'_>, name: &str, text: &RuleText) -> Result<(), StoreError> {
    if tables.published.get(name).map_err(unavailable)?.is_some() {
        return Err(StoreError::Taken(name.to_owned()));
    }
    tables.published.insert(name, text.digest.as_str()).map_err(unavailable)?;
    keep_text(tables, text)
}

fn keep_text(tables: &mut Tables<'_>, text: &RuleText) -> Result<(), StoreError> {
    let is_there = tables.rules.get(text.digest.as_str()).map_err(unavailable)?.is_some();
    if !is_there {
        tables.rules.insert(text.digest.as_str(), text.bytes.as_slice()).map_err(unavailable)?;
    }
    Ok(())
}

/// Forgets answers whose time has passed.
fn sweep(tables: &mut Tables<'_>, now: u64) -> Result<(), StoreError> {
    let mut old = Vec::new();
    for entry in tables.expiries.range(..(now, &[0; 32])).map_err(unavailable)?.take(SWEEP) {
        let (key, ()) = entry.map(|(key, value)| (key, value.value())).map_err(unavailable)?;
        let (expires, key) = key.value();
        old.push((expires, *key));
    }
    for (expires, key) in old {
        tables.expiries.remove((expires, &key)).map_err(unavailable)?;
        // The key may have been taken again since; then it has another, later expiry.
        let forget = match tables.keys.get(&key).map_err(unavailable)? {
            Some(held) => Held::unpack(held.value())?.remembered.expires == expires,
            None => false,
        };
        if forget {
            tables.keys.remove(&key).map_err(unavailable)?;
        }
    }
    Ok(())
}

/// What the table of keys holds.
pub struct Held {
    /// The game that the request changed, or [`RULE_SETS`].
    pub place: GameId,
    /// The request created the game.
    pub is_creation: bool,
    /// The answer.
    pub remembered: Remembered,
}

/// In place of a game, where published rule sets were changed.
pub const RULE_SETS: GameId = GameId::nil();

impl Held {
    fn pack(&self) -> Vec<u8> {
        let Remembered { request, expires, answer } = &self.remembered;
        let is_creation = [u8::from(self.is_creation)];
        [&self.place.as_bytes()[..], &is_creation, request, &expires.to_be_bytes(), answer].concat()
    }

    /// Reads it.
    pub fn unpack(bytes: &[u8]) -> Result<Self, StoreError> {
        let damaged = || StoreError::Damaged("an idempotency key".to_owned());
        let (place, rest) = bytes.split_first_chunk::<16>().ok_or_else(damaged)?;
        let (is_creation, rest) = rest.split_first().ok_or_else(damaged)?;
        let (request, rest) = rest.split_first_chunk::<32>().ok_or_else(damaged)?;
        let (expires, answer) = rest.split_first_chunk::<8>().ok_or_else(damaged)?;
        let (expires, answer) = (u64::from_be_bytes(*expires), answer.to_vec());
        Ok(Self {
            place: GameId::from_bytes(*place),
            is_creation: *is_creation != 0,
            remembered: Remembered { request: *request, expires, answer },
        })
    }
}
