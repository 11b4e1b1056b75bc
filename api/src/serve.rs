//! Runs the service until it is told to stop.

use std::any::Any;
use std::net::{Shutdown, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::{Extensions, Server, ServerHandle};
use actix_web::rt::net::TcpStream;
use socket2::SockRef;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::app::app;
use crate::config::ServeConfig;
use crate::conventions::edge::Origins;
use crate::rates::Meter;
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

/// Longest time until the head of a request is there.
const LONGEST_HEAD: Duration = Duration::from_secs(10);

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
        self.handle.stop(true).await;
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
        tokio::spawn(service.clone().keep_time()),
        tokio::spawn(service.clone().keep_games()),
        tokio::spawn(service.clone().keep_presence()),
        tokio::spawn(service.clone().keep_count()),
    ];
    tasks.extend(service.tracer().map(|tracer| tokio::spawn(Arc::clone(tracer).send(closed))));
    let origins = Origins(config.cors_origins.clone());
    let patience = Duration::from_secs(config.bounds.patience_seconds);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = if config.workers > 0 { config.workers } else { cores() };
    let meter = Arc::clone(service.meter());
    let server = HttpServer::new(move || app(&service, &origins))
        .disable_signals()
        .keep_alive(Duration::from_secs(75))
        .client_request_timeout(patience.min(LONGEST_HEAD))
        .max_connections((config.bounds.connections / workers).max(1))
        .on_connect(move |connection, data| admit(connection, data, &meter, patience))
        // A follower that goes away is noticed at once. What it sent goes on or does not; it asks again if it cares.
        .h1_allow_half_closed(false)
        .shutdown_timeout(config.grace_seconds)
        .workers(workers);
    let address = config.listen;
    let server = server.bind(address).map_err(|cause| ServeError::Listen { address, cause })?;
    let addresses = server.addrs();
    Ok(Running { addresses, server: server.run(), closing, store, tasks })
}

/// Takes a connection, or closes it where its client has enough of them.
fn admit(connection: &dyn Any, data: &mut Extensions, meter: &Meter, patience: Duration) {
    let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
    let socket = SockRef::from(stream);
    match stream.peer_addr().map(|peer| meter.connect(peer.ip())) {
        // It is given back with the connection.
        Ok(Some(connected)) => drop(data.insert(connected)),
        Ok(None) | Err(_) => drop(socket.shutdown(Shutdown::Both)),
    }
    drop_if_stuck(&socket, patience);
}

/// The system closes a connection whose other end has taken nothing for so long of what there is for it. Elsewhere than
/// on Linux such a connection stays until its client goes away.
fn drop_if_stuck(socket: &SockRef<'_>, patience: Duration) {
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(patience)) {
        tracing::warn!(%error, "a client that takes nothing will not be dropped");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (socket, patience);
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
        let ended = self.server.await;
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
