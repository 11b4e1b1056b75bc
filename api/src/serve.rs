//! Runs the service until it is told to stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app;
use crate::app::server::{self, Server, ServerHandle};
use crate::config::ServeConfig;
use crate::service::Service;
use crate::store::embedded::Embedded;
use crate::store::redis::Redis;
use crate::store::{Store, StoreError};

/// How often it is looked whether everyone has let go of the store, and how long apart: half a second in all.
const CLOSING_LOOKS: usize = 100;
/// See [`CLOSING_LOOKS`].
const CLOSING_LOOK: Duration = Duration::from_millis(5);

/// How long what the service does of its own accord is given to end.
const CLOSING_TASK: Duration = Duration::from_secs(1);

/// Why the service did not start, or ended badly.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store cannot be opened.
    #[error("the store does not open: {0}")]
    Store(#[from] StoreError),
    /// The address cannot be listened at.
    #[error("`{address}` cannot be listened at: {cause}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        cause: std::io::Error,
    },
    /// The server broke.
    #[error("the server ended badly: {0}")]
    Server(#[from] std::io::Error),
}

/// A service that listens.
pub struct Running {
    /// Where.
    pub addresses: Vec<SocketAddr>,
    server: Server,
    closing: watch::Sender<bool>,
    store: Arc<dyn Store>,
    /// What it does of its own accord; ends when it closes.
    tasks: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

/// Ends a service from elsewhere.
#[derive(Debug, Clone)]
pub struct Stopper {
    handle: ServerHandle,
    closing: watch::Sender<bool>,
}

impl Stopper {
    /// Tells streams to end, takes nothing new, finishes what was begun.
    pub async fn stop(&self) {
        self.closing.send_replace(true);
        self.handle.stop().await;
    }
}

/// Opens the store and listens; answers are given once [`Running::run`] is polled.
///
/// # Errors
/// The store does not open, or the address is taken.
pub async fn start(config: &ServeConfig) -> Result<Running, ServeError> {
    let store: Arc<dyn Store> = match &config.store {
        Some(address) => Arc::new(Redis::open(address).await?),
        None => Arc::new(Embedded::open(&config.data)?),
    };
    start_with(config, store)
}

/// As [`start`], over any store.
///
/// # Errors
/// The address is taken.
pub fn start_with(config: &ServeConfig, store: Arc<dyn Store>) -> Result<Running, ServeError> {
    let (closing, closed) = watch::channel(false);
    let service = Service::new(Arc::clone(&store), config, closed.clone());
    let mut tasks = vec![
        tokio::spawn(service.clone().run_schedule()),
        tokio::spawn(service.clone().schedule_expiry_of_all_games()),
        tokio::spawn(service.clone().run_presence_updates()),
        tokio::spawn(service.clone().share_quota_counts()),
    ];
    let edge = app::edge_of(&service, config);
    tasks.extend(edge.tracer.as_ref().map(|tracer| tokio::spawn(Arc::clone(tracer).send(closed))));
    let server =
        Server::bind(config, service, edge).map_err(|cause| ServeError::Listen { address: config.listen, cause })?;
    let addresses = server.addresses();
    Ok(Running { addresses, server, closing, store, tasks })
}

impl Running {
    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper { handle: self.server.handle(), closing: self.closing.clone() }
    }

    /// Serves until it is stopped; the store is closed then, and may be opened by another process.
    ///
    /// # Errors
    /// The server broke.
    pub async fn run(self) -> Result<(), ServeError> {
        let ended = self.server.run().await;
        self.closing.send_replace(true);
        for mut task in self.tasks {
            if tokio::time::timeout(CLOSING_TASK, &mut task).await.is_err() {
                task.abort();
            }
        }
        // The threads that answered let go of the store a moment after the server has ended.
        for _ in 0..CLOSING_LOOKS {
            if Arc::strong_count(&self.store) == 1 {
                break;
            }
            tokio::time::sleep(CLOSING_LOOK).await;
        }
        Ok(ended?)
    }
}

/// Runs a future to its end on this thread: what serves, or works on a store as the service does.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    server::block_on(work)
}

/// Serves until SIGTERM or SIGINT. `ready` is called once, when the service listens.
///
/// # Errors
/// The service does not start, or breaks.
pub async fn serve(config: ServeConfig, ready: impl FnOnce(&[SocketAddr])) -> Result<(), ServeError> {
    let running = start(&config).await?;
    ready(&running.addresses);
    let stopper = running.stopper();
    let signals = tokio::spawn(async move {
        wait_for_signal().await;
        tracing::info!("closing: finishing what was begun");
        stopper.stop().await;
    });
    let ended = running.run().await;
    signals.abort();
    ended
}

#[cfg(unix)]
async fn wait_for_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
        (Ok(mut terminate), Ok(mut interrupt)) => {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        _ => {
            tracing::error!("signals cannot be heard: the service ends only by being killed");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn wait_for_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// What a newcomer reads when the service listens: where the documentation is, and what to try first.
pub fn greeting(address: SocketAddr) -> String {
    format!(
        "Pagade listens at http://{address}\n\
         Documentation: http://{address}/docs\n\
         Try: curl -s http://{address}/v1/games -H 'Content-Type: application/json' \
         -d '{{\"rule_set\": \"pagade\", \"hot_seat\": true}}'"
    )
}
