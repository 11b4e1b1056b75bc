//! Commits: one script does all of it where the game lies.
//!
//! When the answer to a commit is lost, the commit is sent again: the script refuses it then, by its version or its
//! idempotency key, and what it shows tells whether it was this very commit that was done before. A commit has an id of
//! its own for that, and a game remembers the last few.

use std::sync::Arc;

use redis::Value;

use super::Redis;
use super::index::Announced;
use super::layout::{COMMIT, CommitId, Done, Record, mark, pack_answer, pack_published, unpack_answer};
use crate::store::{GameChange, GameId, Place, Remembered, RuleText, StoreError};

/// Bytes that tell a value of a key from every other one: those of a game are its layout, version and last commit, those
/// of an answer its layout and commit, and more. The script that confirms answers them.
const HEAD: usize = 1 + 8 + COMMIT;

impl Redis {
    /// Does a game's change.
    pub(super) async fn commit_game(
        &self,
        change: GameChange,
        remember: Option<([u8; 32], Remembered)>,
    ) -> Result<(), StoreError> {
        let version = change.expected + 1;
        self.commit_as(change, version, remember).await
    }

    /// Does a game's change; the game has this version then.
    pub(super) async fn commit_as(
        &self,
        change: GameChange,
        version: u64,
        remember: Option<([u8; 32], Remembered)>,
    ) -> Result<(), StoreError> {
        let id = change.id;
        let commit = commit_id();
        // The next value holds the commits of the one before it.
        let mut before = self.recent.get(id).filter(|before| before.game.version == change.expected);
        if before.is_none() && change.expected > 0 {
            before = Box::pin(self.record(id)).await?.filter(|before| before.game.version == change.expected);
        }
        let before = before.filter(|_| change.expected > 0);
        let keeps_tags = match &change.tags {
            None => true,
            Some(tags) => before.as_ref().is_some_and(|before| before.tags[..] == tags[..]),
        };
        // Moves, nearly all that is committed, need nothing but the script.
        let is_plain = keeps_tags && change.rules.is_none() && change.look.is_none();
        let announced = if is_plain {
            None
        } else {
            Box::pin(self.prepare(&change, remember.as_ref(), &commit, keeps_tags)).await?
        };
        let latest = announced.as_ref().map_or(0, |announced| announced.latest);
        let next = Record::next(before.as_deref(), &change, version, commit);
        let done = self.run_commit(&change, before.as_deref(), next, remember.as_ref(), latest).await;
        if let (Some(announced), Ok(()) | Err(StoreError::Stale(_) | StoreError::KeyTaken(_))) = (announced, &done)
            && let Err(error) = Box::pin(self.settle(id, announced)).await
        {
            tracing::warn!(%error, game = %id, "the lists of games are behind: they are mended when they are read");
        }
        done
    }

    /// Does what lies in other slots than the game and has to be there before it.
    async fn prepare(
        &self,
        change: &GameChange,
        remember: Option<&([u8; 32], Remembered)>,
        commit: &CommitId,
        keeps_tags: bool,
    ) -> Result<Option<Announced>, StoreError> {
        let id = change.id;
        let renewed = async {
            match remember {
                Some((key, answer)) if change.expected == 0 => self.renew(key, id, answer).await,
                _ => Ok(()),
            }
        };
        let text = async {
            match &change.rules {
                Some(text) => self.keep_text(text).await,
                None => Ok(()),
            }
        };
        let announced = async {
            match &change.tags {
                Some(tags) if !keeps_tags => self.announce(id, commit, change.expected, tags).await.map(Some),
                _ => Ok(None),
            }
        };
        let looked = async {
            match change.look {
                Some(at) => self.look_by(id, at).await,
                None => Ok(()),
            }
        };
        let ((), (), (), announced) = tokio::try_join!(renewed, text, looked, announced)?;
        Ok(announced)
    }

    async fn run_commit(
        &self,
        change: &GameChange,
        before: Option<&Record>,
        next: Record,
        remember: Option<&([u8; 32], Remembered)>,
        latest: u64,
    ) -> Result<(), StoreError> {
        let id = change.id;
        let (commit, version) = (next.made_by(), next.game.version);
        // Where it is at another version already the script says so, and shows it.
        let expected = match (before, change.expected) {
            (Some(before), _) => Some(before.mark()),
            (None, 0) => None,
            (None, version) => Some(mark(version, &CommitId::default())),
        };
        let answer = remember.map(|(_, answer)| pack_answer(&commit, answer)).unwrap_or_default();
        let (value, latest) = (next.write(), latest.to_string());
        let mut arguments = Vec::<&[u8]>::with_capacity(5 + change.events.len());
        arguments.extend([expected.as_ref().map_or(&[][..], |mark| mark), &value, latest.as_bytes()]);
        let mut keys = vec![self.keys.game(id), self.keys.events(id)];
        let expires;
        if let Some((key, remembered)) = remember {
            keys.push(self.keys.answer(Place::Game(id), key));
            expires = remembered.expires.to_string();
            arguments.extend([&answer, expires.as_bytes()]);
        }
        arguments.extend(change.events.iter().map(Vec::as_slice));
        let answered = self.asked.script(&self.scripts.commit, &keys, &arguments, self.replicas).await?;
        let done = match outcome(answered)? {
            Outcome::Done => Ok(()),
            Outcome::Answered(held) => {
                let key = keys.pop().unwrap_or_default();
                self.confirm(key, &held).await?;
                if held == answer { Ok(()) } else { Err(StoreError::KeyTaken(Box::new(unpack_answer(&held)?))) }
            }
            Outcome::Stale(None) => Err(StoreError::Stale(None)),
            Outcome::Stale(Some(bytes)) => {
                let now = Record::read(id, bytes.clone())?;
                match now.has(&commit, version) {
                    Done::Yes => {
                        self.confirm(self.keys.game(id), &bytes).await?;
                        Ok(())
                    }
                    Done::No => {
                        let now = Arc::new(now);
                        self.recent.forget(id);
                        self.remember(Arc::clone(&now));
                        return Err(StoreError::Stale(Some(Box::new(now.game.clone()))));
                    }
                    Done::Unknown => {
                        Err(StoreError::Unavailable("whether the commit was done is not known".to_owned()))
                    }
                }
            }
            Outcome::Late => Err(StoreError::Unavailable("the commit came too late to Redis".to_owned())),
        };
        match &done {
            // The replicas have it.
            Ok(()) => self.remember(Arc::new(next.confirmed())),
            Err(_) => self.recent.forget(id),
        }
        done
    }

    /// Waits until the replicas that were asked for have what was read from a key, whoever wrote it. After a failover
    /// another master may be asked than was read from: the value has to be there too.
    pub(super) async fn confirm(&self, key: String, held: &[u8]) -> Result<(), StoreError> {
        if self.replicas == 0 || held.get(..HEAD) == Some(&Box::pin(self.confirmed_head(&[key])).await?[..]) {
            return Ok(());
        }
        Err(StoreError::Unavailable("what was read is not there any more".to_owned()))
    }

    /// Waits until the replicas have what was written to a key; what it begins with then.
    async fn confirmed_head(&self, key: &[String; 1]) -> Result<Vec<u8>, StoreError> {
        match self.asked.script(&self.scripts.confirm, key, &[], self.replicas).await? {
            Value::BulkString(head) => Ok(head),
            _ => Err(StoreError::Damaged("a script answered something else".to_owned())),
        }
    }

    /// Whether a game may be shown as it was read: the replicas that were asked for have it, so no failover takes it
    /// back. That is asked once a version, where another process made it. `false`: it has changed, read it again.
    pub(super) async fn may_be_shown(&self, record: &Arc<Record>) -> Result<bool, StoreError> {
        if self.replicas == 0 || record.is_confirmed {
            return Ok(true);
        }
        let key = [self.keys.game(record.game.id)];
        let is_so = record.is_in(&Box::pin(self.confirmed_head(&key)).await?);
        if is_so {
            self.remember(Arc::new(Record::clone(record).confirmed()));
        }
        Ok(is_so)
    }

    /// Publishes a rule set.
    pub(super) async fn publish(
        &self,
        name: &str,
        text: &RuleText,
        remember: Option<([u8; 32], Remembered)>,
    ) -> Result<(), StoreError> {
        let commit = commit_id();
        self.keep_text(text).await?;
        let published = self.keys.published();
        let place = Place::RuleSets;
        let answer_key = remember.as_ref().map_or_else(|| published.clone(), |(key, _)| self.keys.answer(place, key));
        let answer = remember.as_ref().map(|(_, answer)| pack_answer(&commit, answer)).unwrap_or_default();
        let expires = remember.map_or(0, |(_, answer)| answer.expires).to_string();
        let entry = pack_published(&commit, &text.digest);
        let arguments: [&[u8]; 4] = [name.as_bytes(), entry.as_bytes(), &answer, expires.as_bytes()];
        let keys = [published, answer_key];
        match outcome(self.asked.script(&self.scripts.publish, &keys, &arguments, self.replicas).await?)? {
            Outcome::Done => Ok(()),
            Outcome::Answered(held) if held == answer => Ok(()),
            Outcome::Answered(held) => Err(StoreError::KeyTaken(Box::new(unpack_answer(&held)?))),
            Outcome::Stale(Some(held)) if held == entry.as_bytes() => Ok(()),
            Outcome::Stale(_) | Outcome::Late => Err(StoreError::Taken(name.to_owned())),
        }
    }

    /// Lets the reservation of a game's id expire with the answer.
    async fn renew(&self, key: &[u8; 32], id: GameId, answer: &Remembered) -> Result<(), StoreError> {
        let (id, expires) = (id.to_string(), answer.expires.to_string());
        let keys = [self.keys.reserved(key)];
        let arguments = [id.as_bytes(), expires.as_bytes()];
        match self.asked.script(&self.scripts.renew, &keys, &arguments, self.replicas).await? {
            // Somebody else reserved another id when this reservation had expired: look again.
            Value::Int(0) => Err(StoreError::Stale(None)),
            _ => Ok(()),
        }
    }

    /// Keeps a text once. It is asked for first, being long and nearly always there; where replicas are to have it,
    /// so that they are waited for: whoever wrote it may not have.
    pub(super) async fn keep_text(&self, text: &RuleText) -> Result<(), StoreError> {
        let key = [self.keys.text(&text.digest)];
        let is_there = match self.replicas {
            0 => self.asked.one(redis::cmd("EXISTS").arg(&key)).await? == Value::Int(1),
            _ => !self.confirmed_head(&key).await?.is_empty(),
        };
        if is_there {
            return Ok(());
        }
        let mut set = redis::cmd("SET");
        set.arg(&key).arg(&text.bytes);
        self.asked.write(set, self.replicas).await.map(drop)
    }
}

/// What a script answered.
enum Outcome {
    Done,
    Answered(Vec<u8>),
    Stale(Option<Vec<u8>>),
    Late,
}

fn outcome(value: Value) -> Result<Outcome, StoreError> {
    let damaged = || StoreError::Damaged("a script answered something else".to_owned());
    if value == Value::Int(1) {
        return Ok(Outcome::Done);
    }
    let Value::Array(parts) = value else { return Err(damaged()) };
    let mut parts = parts.into_iter();
    let (word, rest) = (parts.next(), parts.next());
    let bytes = match rest {
        Some(Value::BulkString(bytes)) => Some(bytes),
        _ => None,
    };
    match word {
        Some(Value::BulkString(word)) => match word.as_slice() {
            b"answered" => bytes.map(Outcome::Answered).ok_or_else(damaged),
            b"stale" | b"taken" => Ok(Outcome::Stale(bytes)),
            b"late" => Ok(Outcome::Late),
            _ => Err(damaged()),
        },
        _ => Err(damaged()),
    }
}

/// A commit's own id.
pub(super) fn commit_id() -> CommitId {
    rand::random()
}
