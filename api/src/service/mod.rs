//! The use cases. Each reads from the store, decides, and hands the store one commit.

use std::sync::Arc;

use tokio::sync::watch;

use crate::config::{Bounds, Keep, ServeConfig};
use crate::error::{Code, Problem};
use crate::limits::Meter;
use crate::metrics::{Measured, Metrics};
use crate::service::webhooks::Sender;
use crate::store::Store;

use crate::follow::Feeds;
use crate::game::cache::KnownGames;
use crate::rule_sets::library::Library;
use crate::rule_sets::workers::Workers;
use crate::service::games::presence::Attendance;
use crate::service::webhooks::progress::Retries;

pub(crate) mod access;
pub mod call;
mod commit;
pub(crate) mod events;
pub(crate) mod games;
pub mod once;
pub mod page;
pub(crate) mod records;
pub mod reply;
pub(crate) mod rule_sets;
pub(crate) mod schedule;
mod uncancelled;
pub mod webhooks;

pub use events::stream::{Page as EventPage, Snapshot as EventSnapshot, Stream as EventStream};
pub use games::dice_proof::{Unproven, Verified, verify};

/// What the use cases bound, for `/v1/limits`.
pub mod limits {
    pub use super::events::stream::BEHIND as EVENTS_BEHIND;
    pub use super::events::{LONGEST_WAIT as EVENT_WAIT, MOST as EVENT_PAGE};
    pub use super::games::lobby::LONGEST_TIMER as TURN_TIMER;
    pub use super::games::turns::MOST_ACTIONS as ACTIONS;
    pub use super::rule_sets::LONGEST_TEXT as RULE_TEXT;
    pub use crate::game::length::MOST_EVENTS as EVENTS;
    pub use crate::rule_sets::workers::BUDGET as WORK;
}

/// Everything that handlers call.
#[derive(Clone)]
pub struct Service {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    meter: Arc<Meter>,
    library: Arc<Library>,
    known: Arc<KnownGames>,
    workers: Workers,
    bounds: Bounds,
    keep: Keep,
    sender: Arc<Sender>,
    retries: Retries,
    feeds: Arc<Feeds>,
    attendance: Arc<Attendance>,
    closing: watch::Receiver<bool>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

impl Service {
    /// The service over a store; `closing` turns true when streams are to end.
    pub fn new(store: Arc<dyn Store>, config: &ServeConfig, closing: watch::Receiver<bool>) -> Self {
        let metrics = Arc::<Metrics>::default();
        let store: Arc<dyn Store> = Arc::new(Measured::new(store, Arc::clone(&metrics)));
        let workers = Workers::default();
        let library = Arc::new(Library::new(Arc::clone(&store), workers.clone()));
        let meter = Arc::new(Meter::new(config.rates.clone(), Arc::clone(&metrics)));
        Self {
            store,
            metrics,
            meter,
            library,
            known: Arc::default(),
            workers,
            bounds: config.bounds.clone(),
            keep: config.keep.clone(),
            sender: Arc::new(Sender::new(config.webhooks.allows_private)),
            retries: Retries { pause: config.webhooks.pause, attempts: config.webhooks.attempts },
            feeds: Arc::default(),
            attendance: Arc::default(),
            closing,
        }
    }

    /// What is measured of it.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// What is bounded.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// How long games are kept.
    pub fn keep(&self) -> &Keep {
        &self.keep
    }

    /// What counts how often callers ask.
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Counts what callers ask together with other processes, until the service closes.
    pub async fn keep_count(self) {
        let mut closing = self.closing.clone();
        tokio::select! {
            () = Arc::clone(&self.meter).tell(Arc::clone(&self.store)) => {}
            _ = closing.wait_for(|closing| *closing) => {}
        }
    }

    /// Whether commands can be taken; if so, in what the store promises less than it was asked to.
    ///
    /// # Errors
    /// The store is not available, or the service is closing.
    pub async fn check_ready(&self) -> Result<Vec<String>, Problem> {
        if *self.closing.borrow() {
            return Err(Problem::new(Code::StoreUnavailable, "the service is closing"));
        }
        Ok(self.store.ready().await?)
    }
}
