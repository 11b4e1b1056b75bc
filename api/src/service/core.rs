//! The service: the data that use cases work with.

use std::sync::Arc;
use std::time::Duration;

use pagade_robots::RobotKind;
use tokio::sync::watch;

use crate::config::{AbsenceTimes, Bounds, Retention, Scoring, ServeConfig};
use crate::error::{Code, Problem};
use crate::game::terms::StandIn;
use crate::identity::Identity;
use crate::limits::Meter;
use crate::metrics::{LabelValues, Measured, Metrics};
use crate::model::simulation::SimulationEnd;
use crate::service::gatherers::Gatherers;
use crate::service::schedule::NearDeadline;
use crate::service::simulations::jobs::Simulations;
use crate::service::tables::quick_locks::QuickLocks;
use crate::service::webhooks::Sender;
use crate::store::Store;

use crate::follow::Feeds;
use crate::follow::PresenceTracker;
use crate::game::cache::GameCache;
use crate::rule_sets::library::Library;
use crate::rule_sets::workers::Workers;
use crate::service::webhooks::progress::{DeliveryResult, RetryPolicy};
use crate::tournament::cache::TournamentCache;

/// The service. Its methods are the use cases that handlers call.
#[derive(Clone)]
pub(crate) struct Service {
    pub(in crate::service) store: Arc<dyn Store>,
    pub(in crate::service) metrics: Arc<Metrics>,
    pub(in crate::service) meter: Arc<Meter>,
    pub(in crate::service) library: Arc<Library>,
    pub(in crate::service) games: Arc<GameCache>,
    pub(in crate::service) tournaments: Arc<TournamentCache>,
    pub(in crate::service) workers: Workers,
    pub(in crate::service) bounds: Bounds,
    pub(in crate::service) keep: Retention,
    pub(in crate::service) scoring: Arc<Scoring>,
    absence: AbsenceTimes,
    pub(in crate::service) sender: Arc<Sender>,
    pub(in crate::service) retries: RetryPolicy,
    pub(in crate::service) feeds: Arc<Feeds>,
    pub(in crate::service) presence: Arc<PresenceTracker>,
    pub(in crate::service) gatherers: Arc<Gatherers>,
    pub(in crate::service) quick: Arc<QuickLocks>,
    pub(in crate::service) simulations: Arc<Simulations>,
    identity: Option<Arc<Identity>>,
    pub(in crate::service) near_deadline: Arc<NearDeadline>,
    pub(in crate::service) closing: watch::Receiver<bool>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

impl Service {
    /// Makes a service on a store. `closing` becomes true when the process stops and streams have to end.
    pub(crate) fn new(store: Arc<dyn Store>, config: &ServeConfig, closing: watch::Receiver<bool>) -> Self {
        let metrics = Arc::new(Metrics::new(LabelValues {
            limits: Meter::limits().collect(),
            deliveries: DeliveryResult::ALL.map(DeliveryResult::word).into(),
            simulation_ends: SimulationEnd::ALL.map(SimulationEnd::word).into(),
        }));
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
            tournaments: Arc::default(),
            workers,
            bounds: config.bounds.clone(),
            keep: config.retention.clone(),
            scoring: Arc::new(config.scoring.clone()),
            absence: config.absence,
            sender: Arc::new(Sender::new(config.webhooks.allows_private)),
            retries: RetryPolicy { pause: config.webhooks.pause, attempts: config.webhooks.attempts },
            feeds: Arc::default(),
            presence: Arc::default(),
            gatherers: Arc::default(),
            quick: Arc::default(),
            simulations: Arc::default(),
            identity: config.oidc.as_ref().map(|settings| Arc::new(Identity::new(settings))),
            near_deadline: Arc::default(),
            closing,
        }
    }

    /// Returns a service that stands for another process with the same store.
    #[cfg(test)]
    pub(in crate::service) fn on_store(&self, store: Arc<dyn Store>) -> Self {
        Self { store, games: Arc::default(), tournaments: Arc::default(), gatherers: Arc::default(), ..self.clone() }
    }

    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The limits that the operator has set.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns the identity provider that names players; `None` if there is none.
    pub(crate) fn identity(&self) -> Option<&Identity> {
        self.identity.as_deref()
    }

    /// Returns how long entities are kept.
    pub(crate) fn keep(&self) -> &Retention {
        &self.keep
    }

    /// Returns after which times a robot plays for a player who is absent, and for how long the player can come back.
    pub(crate) fn absence(&self) -> AbsenceTimes {
        self.absence
    }

    /// Returns the stand-in for a new game: this robot plays for players who are absent, by the times of this service.
    pub(in crate::service) fn stand_in(&self, robot: RobotKind) -> StandIn {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        StandIn { robot, after: milliseconds(self.absence.after), window: milliseconds(self.absence.window) }
    }

    /// Returns the meter, which counts requests for all quotas.
    pub(crate) fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// Shares the counts of quotas with other processes until the service closes.
    pub(crate) async fn share_quota_counts(self) {
        let mut closing = self.closing.clone();
        tokio::select! {
            () = Arc::clone(&self.meter).share_counts(Arc::clone(&self.store)) => {}
            _ = closing.wait_for(|closing| *closing) => {}
        }
    }

    /// Checks that commands are accepted. Returns one warning for each durability promise that the settings of the
    /// store do not keep.
    ///
    /// # Errors
    /// The store is not available, or the process is stopping.
    pub(crate) async fn check_ready(&self) -> Result<Vec<String>, Problem> {
        if *self.closing.borrow() {
            return Err(Problem::new(Code::StoreUnavailable, "the service is closing"));
        }
        Ok(self.store.ready().await?)
    }
}
