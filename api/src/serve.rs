//! Starts, runs and stops the service.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use crate::app;
use crate::app::server::{self, Server, ServerHandle};
use crate::config::ServeConfig;
use crate::game::phrases::EVENT_PHRASES;
use crate::ground::priority::{self, Priority};
use crate::service::{KINDS, Service};
use crate::store::embedded::Embedded;
use crate::store::redis::Redis;
use crate::store::{Store, StoreError};

/// The target of log lines about connections with malformed HTTP. The log leaves these lines out unless its filter
/// names the target, because anyone could fill the log with them.
pub const LOG_TARGET: &str = server::LOG_TARGET;

/// When the service stops, it checks at most this many times whether all worker threads have released the store. After
/// the last check the service ends anyway.
const STORE_CHECKS: usize = 100;
/// Pause between two checks whether the worker threads have released the store.
const STORE_CHECK_PAUSE: Duration = Duration::from_millis(5);

/// Time that each background task has to end when the service stops.
const TASK_END_TIMEOUT: Duration = Duration::from_secs(1);

/// An error that keeps the service from starting, or ends it.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(#[from] StoreError),
    /// The service cannot listen on its address.
    #[error("cannot listen on `{address}`: {cause}")]
    Listen {
        /// The address and port.
        address: SocketAddr,
        /// The error of the operating system.
        cause: std::io::Error,
    },
    /// The thread of the schedule cannot be started.
    #[error("cannot start the thread of the schedule: {0}")]
    Schedule(std::io::Error),
    /// The HTTP server failed while it ran.
    #[error("the HTTP server failed: {0}")]
    Server(#[from] std::io::Error),
}

/// A service that listens on its addresses. It answers requests once [`Running::run`] is polled.
pub struct Running {
    /// The addresses that the service listens on.
    pub addresses: Vec<SocketAddr>,
    server: Server,
    closing: watch::Sender<bool>,
    store: Arc<dyn Store>,
    /// Background tasks, such as those for deadlines and retention; they end when `closing` is true.
    tasks: Vec<JoinHandle<()>>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

/// Stops a running service from another task.
#[derive(Debug, Clone)]
pub struct Stopper {
    handle: ServerHandle,
    closing: watch::Sender<bool>,
}

impl Stopper {
    /// Ends all streams, accepts no new connections, and waits for the requests in progress.
    pub async fn stop(&self) {
        self.closing.send_replace(true);
        self.handle.stop().await;
    }
}

/// Opens the store and listens. Requests are answered once [`Running::run`] is polled.
///
/// # Errors
/// The store cannot be opened, or the address is in use.
pub async fn start(config: &ServeConfig) -> Result<Running, ServeError> {
    let store: Arc<dyn Store> = match &config.store {
        Some(address) => Arc::new(Redis::open(address, &EVENT_PHRASES).await?),
        None => Arc::new(Embedded::open(&config.data, &EVENT_PHRASES)?),
    };
    start_with(config, store)
}

fn start_with(config: &ServeConfig, store: Arc<dyn Store>) -> Result<Running, ServeError> {
    let (closing, closed) = watch::channel(false);
    let service = Service::new(Arc::clone(&store), config, closed.clone());
    let mut tasks = vec![
        start_schedule(service.clone()).map_err(ServeError::Schedule)?,
        tokio::spawn(service.clone().schedule_expiry(KINDS)),
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

/// Runs the schedule in a thread of its own, which has a lower priority: robots think there, and requests come first.
/// The returned task ends with the thread.
///
/// # Errors
/// The operating system starts no thread.
fn start_schedule(service: Service) -> std::io::Result<JoinHandle<()>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ends, ended) = oneshot::channel::<()>();
    std::thread::Builder::new().name("schedule".to_owned()).spawn(move || {
        priority::lower(Priority::Schedule);
        runtime.block_on(service.run_schedule(KINDS));
        drop(ends);
    })?;
    Ok(tokio::spawn(async { drop(ended.await) }))
}

impl Running {
    /// Returns a handle that stops the service.
    pub fn stopper(&self) -> Stopper {
        Stopper { handle: self.server.handle(), closing: self.closing.clone() }
    }

    /// Serves until the service is stopped. The store is closed afterwards, so another process may open it.
    ///
    /// # Errors
    /// The HTTP server failed.
    pub async fn run(self) -> Result<(), ServeError> {
        let ended = self.server.run().await;
        self.closing.send_replace(true);
        for mut task in self.tasks {
            if tokio::time::timeout(TASK_END_TIMEOUT, &mut task).await.is_err() {
                task.abort();
            }
        }
        // Worker threads release the store a moment after the HTTP server has ended.
        for _ in 0..STORE_CHECKS {
            if Arc::strong_count(&self.store) == 1 {
                break;
            }
            tokio::time::sleep(STORE_CHECK_PAUSE).await;
        }
        Ok(ended?)
    }
}

/// Runs a future to its end on this thread, in the runtime that the service uses.
pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    server::block_on(work)
}

/// Serves until SIGTERM or SIGINT. `ready` is called once, when the service listens.
///
/// # Errors
/// The service cannot start, or fails while it runs.
pub async fn serve(config: ServeConfig, ready: impl FnOnce(&[SocketAddr])) -> Result<(), ServeError> {
    let running = start(&config).await?;
    ready(&running.addresses);
    let stopper = running.stopper();
    let signals = tokio::spawn(async move {
        wait_for_signal().await;
        tracing::info!("service stopping, finishing requests in progress");
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
            tracing::error!("signal handlers unavailable, SIGTERM and SIGINT will not stop the service cleanly");
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

/// Writes the greeting of a service that listens: its address, its documentation, and a first request to try.
pub fn greeting(address: SocketAddr) -> String {
    format!(
        "Pagade listens at http://{address}\n\
         Documentation: http://{address}/docs\n\
         Try: curl -s http://{address}/v1/games -H 'Content-Type: application/json' \
         -d '{{\"rule_set\": \"pagade\", \"hot_seat\": true}}'"
    )
}
