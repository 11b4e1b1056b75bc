//! The HTTP server: accepts and counts connections, and closes connections whose clients have stopped reading.

use std::net::{Shutdown, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::body::BoxBody;
use actix_http::{Extensions, HttpService, Protocol, Response};
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;
use socket2::{Domain, SockRef, Socket, Type};

use crate::app::app;
use crate::config::ServeConfig;
use crate::ground::cores::cores;
use crate::http::connection::ClientConnection;
use crate::http::edge::Edge;
use crate::limits::Meter;
use crate::service::Service;

/// The target of the log lines of the HTTP library.
pub(crate) const LOG_TARGET: &str = "actix_http";

/// Time that a client has to send the head of a request, unless `patience_seconds` is shorter.
const LONGEST_HEAD: Duration = Duration::from_secs(10);

/// Time for which a connection without requests stays open.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// Time that a client has to close a connection after its last answer.
const LONGEST_CLOSING: Duration = Duration::from_secs(1);

/// Number of connections that the operating system holds until the server accepts them.
const BACKLOG: i32 = 2048;

/// A server that listens. Requests are answered once [`Server::run`] is polled.
pub(crate) struct Server {
    addresses: Vec<SocketAddr>,
    server: actix_web::dev::Server,
}

/// Stops a server from another task.
#[derive(Debug, Clone)]
pub(crate) struct ServerHandle(actix_web::dev::ServerHandle);

impl ServerHandle {
    /// Accepts no new connections, and waits for the requests in progress.
    pub(crate) async fn stop(&self) {
        self.0.stop(true).await;
    }
}

impl Server {
    /// Listens on the address of the settings.
    ///
    /// # Errors
    /// The server cannot listen on the address, for example because it is in use.
    pub(crate) fn bind(config: &ServeConfig, service: Service, edge: Edge) -> std::io::Result<Self> {
        let patience = Duration::from_secs(config.bounds.patience_seconds);
        let longest_head = patience.min(LONGEST_HEAD);
        let workers = if config.workers > 0 { config.workers } else { cores() };
        let meter = Arc::clone(&edge.meter);
        let builder = actix_server::Server::build()
            .disable_signals()
            .max_concurrent_connections((config.bounds.connections / workers).max(1))
            .shutdown_timeout(config.grace_seconds)
            .backlog(BACKLOG as u32)
            .workers(workers);
        let closing = builder.graceful_shutdown_signal();
        let listener = listen(config.listen)?;
        let addresses = vec![listener.local_addr()?];
        let server = builder.listen("pagade", listener, move || {
            let (meter, closing) = (Arc::clone(&meter), closing.clone());
            let http = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let closing = closing.clone();
                    async move { closing.notified().await }
                })
                .keep_alive(KEEP_ALIVE)
                .client_request_timeout(longest_head)
                .client_disconnect_timeout(LONGEST_CLOSING)
                .on_connect_ext(move |connection: &ClientConnection<TcpStream>, data: &mut Extensions| {
                    admit(connection.stream(), data, &meter, patience);
                })
                // A client that closes its sending side counts as disconnected, so that streams of lost followers end
                // at once. A client that does this before it has its answer can repeat the request with its
                // idempotency key.
                .h1_allow_half_closed(false)
                .finish(map_config(app(&service, &edge).into_factory().map_err(Response::<BoxBody>::from), |()| {
                    AppConfig::default()
                }));
            let connect = move |stream: TcpStream| async move {
                stream.set_nodelay(true)?;
                let peer = stream.peer_addr().ok();
                Ok((ClientConnection::new(stream, longest_head), Protocol::Http1, peer))
            };
            fn_service(connect).and_then(http)
        })?;
        Ok(Self { addresses, server: server.run() })
    }

    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.addresses.clone()
    }

    pub(crate) fn handle(&self) -> ServerHandle {
        ServerHandle(self.server.handle())
    }

    /// Serves until a [`ServerHandle`] stops the server.
    ///
    /// # Errors
    /// The server failed.
    pub(crate) async fn run(self) -> std::io::Result<()> {
        self.server.await
    }
}

/// Listens on an address. The port of the last process can be used again at once.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Accepts a connection, or closes it if its client already has as many connections as it may.
fn admit(stream: &TcpStream, data: &mut Extensions, meter: &Meter, patience: Duration) {
    let socket = SockRef::from(stream);
    match stream.peer_addr().map(|peer| meter.connect(peer.ip())) {
        // The slot belongs to the data of the connection, and is released when the connection is closed.
        Ok(Some(slot)) => drop(data.insert(slot)),
        Ok(None) | Err(_) => drop(socket.shutdown(Shutdown::Both)),
    }
    drop_if_stuck(&socket, patience);
}

/// Makes the operating system close a connection if data waits for the client, and the client reads nothing for the
/// time `patience`.
///
/// Only Linux can do this. On other systems such a connection stays open until its client closes it.
fn drop_if_stuck(socket: &SockRef<'_>, patience: Duration) {
    #[cfg(target_os = "linux")]
    if let Err(error) = socket.set_tcp_user_timeout(Some(patience)) {
        tracing::warn!(%error, "connection timeout unavailable, a client that stops reading keeps its connection");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (socket, patience);
}

/// Runs a future to its end on this thread, in an actix runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    actix_web::rt::System::new().block_on(work)
}
