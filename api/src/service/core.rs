//! The service: what every use case needs.

use std::sync::Arc;

use tokio::sync::watch;

use crate::config::{Bounds, Retention, ServeConfig};
use crate::error::{Code, Problem};
use crate::limits::Meter;
use crate::metrics::{Measured, Metrics};
use crate::service::webhooks::Sender;
use crate::store::Store;

use crate::follow::Attendance;
use crate::follow::Feeds;
use crate::game::cache::GameCache;
use crate::rule_sets::library::Library;
use crate::rule_sets::workers::Workers;
use crate::service::webhooks::progress::Retries;

/// Everything that handlers call.
#[derive(Clone)]
pub struct Service {
    pub(in crate::service) store: Arc<dyn Store>,
    pub(in crate::service) metrics: Arc<Metrics>,
    pub(in crate::service) meter: Arc<Meter>,
    pub(in crate::service) library: Arc<Library>,
    pub(in crate::service) games: Arc<GameCache>,
    pub(in crate::service) workers: Workers,
    pub(in crate::service) bounds: Bounds,
    pub(in crate::service) keep: Retention,
    pub(in crate::service) sender: Arc<Sender>,
    pub(in crate::service) retries: Retries,
    pub(in crate::service) feeds: Arc<Feeds>,
    pub(in crate::service) attendance: Arc<Attendance>,
    pub(in crate::service) closing: watch::Receiver<bool>,
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
            games: Arc::default(),
            workers,
            bounds: config.bounds.clone(),
            keep: config.retention.clone(),
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
    pub fn keep(&self) -> &Retention {
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
            () = Arc::clone(&self.meter).share_counts(Arc::clone(&self.store)) => {}
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
