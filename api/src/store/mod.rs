//! Where games and published rule sets are kept.
//!
//! One command is one [`Commit`]: all of it happens, or nothing; when the answer comes, it will survive a crash.
//! The process itself keeps nothing that matters, so a store shared by several processes may stand behind the same trait.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use uuid::Uuid;

pub mod embedded;

/// A game's id, UUIDv7: sorting by it sorts by time.
pub type GameId = Uuid;

/// What the methods of a [`Store`] give: a future that may run on any thread.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A store of games and rule sets.
pub trait Store: Send + Sync + 'static {
    /// Does all of a commit, or nothing.
    ///
    /// # Errors
    /// [`StoreError::Stale`] where the game is not at the version expected, [`StoreError::KeyTaken`] where another
    /// commit has taken the idempotency key meanwhile, [`StoreError::Taken`] where a rule set of that name is there.
    fn commit(&self, commit: Commit) -> Answer<'_, ()>;

    /// The game as last committed.
    fn game(&self, id: GameId) -> Answer<'_, Option<StoredGame>>;

    /// Games that carry a tag, newest first, older than `before`.
    fn games(&self, tag: String, before: Option<GameId>, limit: usize) -> Answer<'_, Vec<StoredGame>>;

    /// Steps of a game, from the first.
    fn steps(&self, id: GameId) -> Answer<'_, Vec<Vec<u8>>>;

    /// Events after the one numbered `after` (they are numbered from 1).
    fn events(&self, id: GameId, after: u64, limit: usize) -> Answer<'_, Vec<Vec<u8>>>;

    /// Waits until the game has events after `after`, at most this long; whether it has.
    fn wait(&self, id: GameId, after: u64, patience: Duration) -> Answer<'_, bool>;

    /// What was answered to a request with this idempotency key.
    fn remembered(&self, key: [u8; 32]) -> Answer<'_, Option<Remembered>>;

    /// The text of a rule set by its digest.
    fn rule_text(&self, digest: String) -> Answer<'_, Option<Vec<u8>>>;

    /// Published rule sets by name: `(name, digest)`.
    fn published(&self) -> Answer<'_, Vec<(String, String)>>;

    /// Whether the store can take commits now.
    fn ready(&self) -> Answer<'_, ()>;
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
}

/// A game's next version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameChange {
    /// Which game.
    pub id: GameId,
    /// The version it is at; 0: there is no such game yet.
    pub expected: u64,
    /// The game from now on, at version `expected + 1`.
    pub snapshot: Vec<u8>,
    /// What it is found by; replaces earlier tags.
    pub tags: Vec<String>,
    /// Steps to append.
    pub steps: Vec<Vec<u8>>,
    /// Events to append.
    pub events: Vec<Vec<u8>>,
    /// The rules it is played by, kept once by digest.
    pub rules: Option<RuleText>,
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
    pub snapshot: Vec<u8>,
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
    /// The game is at another version.
    #[error("the game is at version {found}")]
    Stale {
        /// Its version; 0: there is none.
        found: u64,
    },
    /// The idempotency key belongs to another request.
    #[error("the idempotency key is taken")]
    KeyTaken,
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
