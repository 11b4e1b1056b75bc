//! The use cases. Each reads from the store, decides, and hands the store one commit.

use std::sync::Arc;

use tokio::sync::watch;

use crate::config::{Bounds, Keep, ServeConfig};
use crate::conventions::token::{Token, TokenHash};
use crate::error::{Code, Problem};
use crate::metrics::{Measured, Metrics};
use crate::rates::Meter;
use crate::store::Store;
use crate::telemetry::Tracer;
use crate::webhooks::Sender;

use bench::Bench;
use feed::Feeds;
use known::KnownGames;
use library::Library;
use presence::Attendance;
use progress::Retries;

mod about;
mod access;
mod bench;
mod commands;
mod deliver;
mod edit;
mod engine;
mod events;
mod expiry;
mod feed;
mod game;
mod known;
mod length;
mod library;
mod lobby;
mod parts;
mod pictures;
mod presence;
mod progress;
mod proof;
mod reading;
mod record;
mod record_head;
mod record_text;
mod rule_sets;
mod steps;
mod stream;
mod timers;
mod tokens;
mod trial;
mod turns;
mod unstoppable;
mod view;
mod webhooks;

pub use proof::{Unproven, Verified, verify};
pub use stream::Page as EventPage;
pub use stream::Snapshot as EventSnapshot;
pub use stream::Stream as EventStream;

/// What the use cases bound, for `/v1/limits`.
pub mod limits {
    pub use super::bench::BUDGET as WORK;
    pub use super::events::{LONGEST_WAIT as EVENT_WAIT, MOST as EVENT_PAGE};
    pub use super::length::MOST_EVENTS as EVENTS;
    pub use super::lobby::LONGEST_TIMER as TURN_TIMER;
    pub use super::rule_sets::LONGEST_TEXT as RULE_TEXT;
    pub use super::stream::BEHIND as EVENTS_BEHIND;
    pub use super::turns::MOST_ACTIONS as ACTIONS;
}

/// Everything that handlers call.
#[derive(Clone)]
pub struct Service {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    meter: Arc<Meter>,
    library: Arc<Library>,
    known: Arc<KnownGames>,
    bench: Bench,
    bounds: Bounds,
    keep: Keep,
    admin: Option<TokenHash>,
    sender: Arc<Sender>,
    retries: Retries,
    tracer: Option<Arc<Tracer>>,
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
        let bench = Bench::default();
        let library = Arc::new(Library::new(Arc::clone(&store), bench.clone()));
        let meter = Arc::new(Meter::new(config.rates.clone(), Arc::clone(&metrics)));
        Self {
            store,
            metrics,
            meter,
            library,
            known: Arc::default(),
            bench,
            bounds: config.bounds.clone(),
            keep: config.keep.clone(),
            admin: config.admin.clone(),
            sender: Arc::new(Sender::new(config.webhooks.allows_private)),
            retries: Retries { pause: config.webhooks.pause, attempts: config.webhooks.attempts },
            tracer: config.tracing.clone().map(|tracing| Arc::new(Tracer::new(tracing))),
            feeds: Arc::default(),
            attendance: Arc::default(),
            closing,
        }
    }

    /// What is measured of it.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// What traces requests, where they are traced.
    pub fn tracer(&self) -> Option<&Arc<Tracer>> {
        self.tracer.as_ref()
    }

    /// Whether this is the token of whoever runs the service.
    pub fn is_admin(&self, token: &Token) -> bool {
        self.admin.as_ref().is_some_and(|admin| *admin == token.hash())
    }

    /// Connections are running out: none is kept beyond its answer.
    pub fn is_crowded(&self) -> bool {
        self.meter.connected() > self.bounds.connections - self.bounds.connections / 5
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
