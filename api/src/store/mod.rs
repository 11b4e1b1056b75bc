//! Where games and published rule sets are kept.
//!
//! One command is one [`Commit`]: all of it happens, or nothing; when the answer comes, it will survive a crash.
//! The process itself keeps nothing that matters, so a store shared by several processes may stand behind the same trait.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;

use crate::ground::clock;
use whole::{Answered, Inventory, Key, Whole};

pub mod embedded;
pub mod redis;
mod waiters;
pub mod whole;

/// A game's id, UUIDv7: sorting by it sorts by time.
pub type GameId = Uuid;

/// What the methods of a [`Store`] give: a future that may run on any thread.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A name and a value; without one it is removed.
pub type Note = (String, Option<Vec<u8>>);

/// A note as it is kept: name and value.
pub type Noted = (String, Vec<u8>);

/// How long whoever is given a game that is due has for it.
pub const LEASE: Duration = Duration::from_secs(15);

/// A game, if there is one, and something read together with it.
pub type GameAnd<T> = (Option<StoredGame>, T);

/// A store of games and rule sets.
pub trait Store: Send + Sync + 'static {
    /// Does all of a commit, or nothing.
    ///
    /// # Errors
    /// [`StoreError::KeyTaken`] where a commit with this idempotency key was done, [`StoreError::Stale`] where the game
    /// is not at the version expected, [`StoreError::Taken`] where a rule set of that name is there.
    fn commit(&self, commit: Commit) -> Answer<'_, ()>;

    /// The game as last committed.
    fn game(&self, id: GameId) -> Answer<'_, Option<StoredGame>>;

    /// A copy of the game at hand, if there is one; it may be out of date. Good enough to try a command on: the commit
    /// compares versions.
    fn copy_at_hand(&self, id: GameId) -> Option<StoredGame>;

    /// Games that carry a tag, newest first, older than `before`.
    fn games(&self, tag: String, before: Option<GameId>, limit: usize) -> Answer<'_, Vec<StoredGame>>;

    /// The game and its events after the one numbered `after` (they are numbered from 1).
    fn game_and_events(&self, id: GameId, after: u64, limit: usize) -> Answer<'_, GameAnd<Vec<Vec<u8>>>>;

    /// Waits until the game has events after `after`, at most this long; whether it has.
    fn wait(&self, id: GameId, after: u64, patience: Duration) -> Answer<'_, bool>;

    /// What was answered to a request with this idempotency key, which changed something there.
    fn remembered(&self, place: Place, key: [u8; 32]) -> Answer<'_, Option<Remembered>>;

    /// The game, and what was answered to a request with this idempotency key that changed it.
    fn game_and_remembered(&self, id: GameId, key: [u8; 32]) -> Answer<'_, GameAnd<Option<Remembered>>>;

    /// Reserves the id of the game that a request with this idempotency key creates: `id`, unless an earlier request
    /// with the key has reserved another. With it comes what was answered, if the game was created already.
    ///
    /// Two requests with one key so ask for one game, and versions decide between them.
    fn reserve(&self, key: [u8; 32], id: GameId) -> Answer<'_, (GameId, Option<Remembered>)>;

    /// The text of a rule set by its digest.
    fn rule_text(&self, digest: String) -> Answer<'_, Option<Vec<u8>>>;

    /// Published rule sets by name: `(name, digest)`.
    fn published(&self) -> Answer<'_, Vec<(String, String)>>;

    /// The time by which deadlines and expiries are kept, in milliseconds since 1970: one for all processes on a store,
    /// whatever their own clocks say.
    fn now(&self) -> u64 {
        clock::milliseconds()
    }

    /// Games that are to be looked at by now, at most so many. Each is given to one caller, and to another only where
    /// that one does not say within [`LEASE`] when it is to be looked at next ([`Change::Look`]).
    fn due(&self, limit: usize) -> Answer<'_, Vec<GameId>>;

    /// Notes something about a game that may be lost, for so long; a note without a value is removed.
    fn note(&self, id: GameId, notes: Vec<Note>, lifetime: Duration) -> Answer<'_, ()>;

    /// The game and what is noted about it.
    fn game_and_notes(&self, id: GameId) -> Answer<'_, GameAnd<Vec<Noted>>>;

    /// The game and how far its webhooks are, with the version of that; 0: nothing was written yet.
    fn game_and_deliveries(&self, id: GameId) -> Answer<'_, GameAnd<(u64, Vec<u8>)>>;

    /// Pours time into buckets that run dry, a microsecond in each microsecond; how long until each is dry then. They may
    /// be lost.
    fn spend(&self, spent: Vec<Spent>) -> Answer<'_, Vec<Duration>>;

    /// What there is, by name.
    fn inventory(&self) -> Answer<'_, Inventory>;

    /// Everything of a game, with the answers under these keys.
    fn whole(&self, id: GameId, keys: Vec<Key>) -> Answer<'_, Option<Whole>>;

    /// Whether the store can take commits now; if so, in what it promises less than it was asked to, a sentence each.
    fn ready(&self) -> Answer<'_, Vec<String>>;
}

/// What a request changes. Its idempotency key is kept beside it, so that both are written together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// This game.
    Game(GameId),
    /// The published rule sets.
    RuleSets,
}

/// A command's whole effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// What changes.
    pub change: Change,
    /// The answer to give again to a request with the same idempotency key.
    pub remember: Option<(/* key */ [u8; 32], Remembered)>,
}

/// What a commit changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A game goes from one version to the next.
    Game(GameChange),
    /// A rule set is published under a name that is free.
    RuleSet {
        /// Id and version: `name@version`.
        name: String,
        /// Its text.
        text: RuleText,
    },
    /// How far the webhooks of a game are goes from one version to the next; [`StoreError::Stale`] where it is at another,
    /// or the game is not there.
    Deliveries {
        /// Which game.
        id: GameId,
        /// The version it is at; 0: nothing was written yet.
        expected: u64,
        /// What is kept, at version `expected + 1`.
        value: Vec<u8>,
    },
    /// A game that was due is looked at again.
    Look {
        /// Which game.
        id: GameId,
        /// When, in milliseconds since 1970; `None`: never.
        at: Option<u64>,
    },
    /// Games are looked at then or before: those that are looked at earlier anyway are left as they are.
    LookBy(Vec<(GameId, /* in milliseconds since 1970 */ u64)>),
    /// What belongs to no game, brought from elsewhere: rule texts, and answers about published rule sets.
    Beside {
        /// Kept once by digest.
        texts: Vec<RuleText>,
        /// Kept until they expire.
        answers: Vec<Answered>,
    },
    /// A game that is not there, brought from elsewhere; [`StoreError::Stale`] where it is.
    Put(Box<Whole>),
    /// A game is removed with everything of it; one that is not there is removed. [`StoreError::Stale`] where it has
    /// changed. Answers about it, and notes, are forgotten when their time comes.
    Remove {
        /// Which game.
        id: GameId,
        /// The version it is at.
        expected: u64,
        /// The version of how far its webhooks are.
        delivered: u64,
    },
}

/// A game's next version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameChange {
    /// Which game.
    pub id: GameId,
    /// The version it is at; 0: there is no such game yet.
    pub expected: u64,
    /// The game from now on, at version `expected + 1`.
    pub snapshot: Bytes,
    /// What it is found by from now on; `None`: by what it was found by before.
    pub tags: Option<Vec<String>>,
    /// Events to append.
    pub events: Vec<Vec<u8>>,
    /// The rules it is played by, kept once by digest.
    pub rules: Option<RuleText>,
    /// The game is looked at then or before, in milliseconds since 1970. To be given where there was no such moment or a
    /// later one; one that moves on is not: whoever looks too early sees that, and looks again.
    pub look: Option<u64>,
}

/// A rule set as text, by digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// Its digest.
    pub digest: String,
    /// Its files.
    pub bytes: Vec<u8>,
}

/// A game as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// Which game.
    pub id: GameId,
    /// Its version, from 1.
    pub version: u64,
    /// Its last snapshot.
    pub snapshot: Bytes,
}

/// What is poured into a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// Its name; it is dry where there is none yet.
    pub bucket: String,
    /// What is poured in.
    pub time: Duration,
    /// So long ago that began: what has run out since then counts.
    pub ago: Duration,
}

/// An answer kept for requests that are sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Hash of the request it answered.
    pub request: [u8; 32],
    /// When it may be forgotten, in seconds since 1970.
    pub expires: u64,
    /// The answer, sealed by whoever knows the key.
    pub answer: Vec<u8>,
}

/// Why a store did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The game is at another version; this is it, `None`: there is no such game.
    #[error("the game is at version {}", .0.as_ref().map_or(0, |game| game.version))]
    Stale(Option<Box<StoredGame>>),
    /// A request with the idempotency key was answered.
    #[error("the idempotency key is taken")]
    KeyTaken(Box<Remembered>),
    /// A rule set of that name is published.
    #[error("`{0}` is published")]
    Taken(String),
    /// The store cannot do it now.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// What it holds cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}
