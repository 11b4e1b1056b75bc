//! The use cases. Each reads from the store, decides, and hands the store one commit.

use std::sync::Arc;

use tokio::sync::watch;

use crate::conventions::once::Once;
use crate::conventions::reply::Reply;
use crate::error::{Code, Problem};
use crate::store::{Change, Commit, Store, StoreError};

use library::Library;

mod access;
mod chance;
mod edit;
mod engine;
mod events;
mod game;
mod library;
mod lobby;
mod pictures;
mod reading;
mod record;
mod record_text;
mod rule_sets;
mod turns;
mod view;

pub use events::Page as EventPage;
pub use events::Stream as EventStream;

/// What the use cases bound, for `/v1/limits`.
pub mod limits {
    pub use super::events::{LONGEST_WAIT as EVENT_WAIT, MOST as EVENT_PAGE};
    pub use super::rule_sets::LONGEST_TEXT as RULE_TEXT;
    pub use super::turns::MOST_ACTIONS as ACTIONS;
}

/// How often a command is tried again when another got in between. Each try means that another command succeeded.
const TRIES: usize = 32;

/// Everything that handlers call.
#[derive(Clone)]
pub struct Service {
    store: Arc<dyn Store>,
    library: Arc<Library>,
    closing: watch::Receiver<bool>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

impl Service {
    /// The service over a store; `closing` turns true when streams are to end.
    pub fn new(store: Arc<dyn Store>, closing: watch::Receiver<bool>) -> Self {
        Self { library: Arc::new(Library::new(Arc::clone(&store))), store, closing }
    }

    /// Whether commands can be taken.
    ///
    /// # Errors
    /// The store is not available, or the service is closing.
    pub async fn check_ready(&self) -> Result<(), Problem> {
        if *self.closing.borrow() {
            return Err(Problem::new(Code::StoreUnavailable, "the service is closing"));
        }
        Ok(self.store.ready().await?)
    }

    /// Does a command once: gives the earlier answer where the request was answered before, else works, commits and
    /// remembers. `work` is asked again where another commit got in between; it refuses if that matters to it.
    async fn run_once<F>(&self, once: Option<Once>, work: F) -> Result<Reply, Problem>
    where
        F: AsyncFn() -> Result<(Change, Reply), Problem>,
    {
        for _ in 0..TRIES {
            if let Some(once) = &once
                && let Some(held) = self.store.remembered(once.key).await?
            {
                return once.open(held);
            }
            let (change, reply) = work().await?;
            let remember = match &once {
                Some(once) => Some((once.key, once.seal(&reply)?)),
                None => None,
            };
            match self.store.commit(Commit { change, remember }).await {
                Ok(()) => return Ok(reply),
                Err(StoreError::Stale { .. } | StoreError::KeyTaken) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::new(Code::StoreUnavailable, "too many commands for this game at the same moment"))
    }
}
