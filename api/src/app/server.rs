//! The HTTP server: connections are taken, counted, and dropped where their clients are stuck.

use std::any::Any;
use std::net::{Shutdown, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::SockRef;

use crate::app::app;
use crate::config::ServeConfig;
use crate::http::edge::Edge;
use crate::limits::Meter;
use crate::service::Service;

/// Longest time until the head of a request is there.
const LONGEST_HEAD: Duration = Duration::from_secs(10);

/// A server that listens; answers are given once [`Server::run`] is polled.
pub(crate) struct Server {
    addresses: Vec<SocketAddr>,
    server: actix_web::dev::Server,
}

/// Ends a server from elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct ServerHandle(actix_web::dev::ServerHandle);

impl ServerHandle {
    /// Takes no connections any more, and finishes what was begun.
    pub async fn stop(&self) {
        self.0.stop(true).await;
    }
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// The address is taken.
    pub fn bind(config: &ServeConfig, service: Service, edge: Edge) -> std::io::Result<Self> {
        let patience = Duration::from_secs(config.bounds.patience_seconds);
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = if config.workers > 0 { config.workers } else { cores() };
        let meter = Arc::clone(&edge.meter);
        let server = HttpServer::new(move || app(&service, &edge))
            .disable_signals()
            .keep_alive(Duration::from_secs(75))
            .client_request_timeout(patience.min(LONGEST_HEAD))
            .max_connections((config.bounds.connections / workers).max(1))
            .on_connect(move |connection, data| admit(connection, data, &meter, patience))
            // A follower that goes away is noticed at once. Its requests are idempotent: it asks again if it cares.
            .h1_allow_half_closed(false)
            .shutdown_timeout(config.grace_seconds)
            .workers(workers);
        let server = server.bind(config.listen)?;
        Ok(Self { addresses: server.addrs(), server: server.run() })
    }

    /// Where it listens.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.addresses.clone()
    }

    /// What ends it.
    pub fn handle(&self) -> ServerHandle {
        ServerHandle(self.server.handle())
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// The server broke.
    pub async fn run(self) -> std::io::Result<()> {
        self.server.await
    }
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

/// Runs a future to its end on this thread, with what a server needs around it.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    actix_web::rt::System::new().block_on(work)
}
