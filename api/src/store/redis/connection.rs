//! Connections to Redis: each thread has one, and connects again when it breaks.
//!
//! All requests of a thread share its connection, which sends them together. One connection for all threads would be
//! slower, because every answer would pass from one thread to another.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use redis::aio::{AsyncPushSender, ConnectionLike, MultiplexedConnection};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo, SingleNodeRoutingInfo};
use redis::sentinel::{SentinelClient, SentinelNodeConnectionInfo, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionInfo, Pipeline, ProtocolVersion, RedisConnectionInfo, RedisFuture,
    RedisResult, TlsMode, Value,
};
use tokio::sync::Mutex;

use super::address::RedisServers;

/// Longest time to make a connection.
const CONNECT: Duration = Duration::from_secs(1);
/// Longest time until Redis responds. It includes the time of a sync to a slow disk.
const RESPONSE: Duration = Duration::from_secs(2);
/// Maximum number of unanswered requests on one connection. Further requests wait.
const PIPELINED: usize = 1024;
/// Number of bytes that are gathered before they are written to a connection. The requests of one turn of the event
/// loop have fewer, so they are written by one call of the operating system.
const GATHERED: usize = 128 << 10;

/// A connection to Redis.
#[derive(Clone)]
pub(super) enum Connection {
    /// A connection to one server.
    Single(MultiplexedConnection),
    /// Connections to all nodes of a cluster.
    Cluster(ClusterConnection),
}

/// The connection of a thread, with a number. The number makes sure that a broken connection is dropped only once, and
/// the connection that replaced it is not dropped.
type NumberedConnection = Mutex<Option<(u64, Connection)>>;

thread_local! {
    /// The connections of this thread, each with the store that it belongs to.
    static CONNECTIONS: RefCell<Vec<(Weak<RedisServers>, Arc<NumberedConnection>)>> = const { RefCell::new(Vec::new()) };
}

/// The connections of a store, one for each thread.
pub(super) struct Connections {
    reach: Arc<RedisServers>,
    made: AtomicU64,
}

impl Connections {
    /// Makes the value without connecting. Each thread connects when it first needs a connection.
    pub(super) fn to(reach: RedisServers) -> Self {
        Self { reach: Arc::new(reach), made: AtomicU64::new(0) }
    }

    /// Returns the connection of this thread if it is ready and leads to one server. Such a connection limits the time
    /// of every request itself. A connection to a cluster does not, so the caller has to limit the time.
    pub(super) fn at_hand(&self) -> Option<(u64, Connection)> {
        let of_thread = self.of_thread();
        let held = of_thread.try_lock().ok()?;
        held.as_ref().filter(|(_, connection)| matches!(connection, Connection::Single(_))).cloned()
    }

    /// Returns the connection of this thread; connects if there is none.
    ///
    /// # Errors
    /// Redis cannot be reached.
    pub(super) async fn get(&self) -> RedisResult<(u64, Connection)> {
        let of_thread = self.of_thread();
        let mut held = of_thread.lock().await;
        if let Some((number, connection)) = held.as_ref() {
            return Ok((*number, connection.clone()));
        }
        // The future is boxed because it is large and rarely needed.
        let connection = Box::pin(connect(&self.reach)).await?;
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        *held = Some((number, connection.clone()));
        Ok((number, connection))
    }

    /// Drops the broken connection with this number, unless this thread has replaced it already.
    pub(super) async fn drop_broken(&self, number: u64) {
        self.of_thread().lock().await.take_if(|(held, _)| *held == number);
    }

    fn of_thread(&self) -> Arc<NumberedConnection> {
        CONNECTIONS.with_borrow_mut(|connections| {
            let mine = connections.iter().find(|(reach, _)| std::ptr::eq(reach.as_ptr(), Arc::as_ptr(&self.reach)));
            if let Some((_, held)) = mine {
                return Arc::clone(held);
            }
            connections.retain(|(reach, _)| reach.strong_count() > 0);
            let held = Arc::new(NumberedConnection::default());
            connections.push((Arc::downgrade(&self.reach), Arc::clone(&held)));
            held
        })
    }
}

/// Makes a connection.
///
/// # Errors
/// Redis cannot be reached.
pub(super) async fn connect(reach: &RedisServers) -> RedisResult<Connection> {
    connect_with(reach, settings(), None::<fn(redis::PushInfo) -> Result<(), ()>>).await
}

/// Makes a connection on which Redis can send published messages. `pushes` receives the messages.
///
/// # Errors
/// Redis cannot be reached.
pub(super) async fn connect_subscribed(
    reach: &RedisServers,
    pushes: impl AsyncPushSender + Clone,
) -> RedisResult<Connection> {
    connect_with(reach, settings().set_push_sender(pushes.clone()), Some(pushes)).await
}

async fn connect_with(
    reach: &RedisServers,
    settings: AsyncConnectionConfig,
    pushes: Option<impl AsyncPushSender>,
) -> RedisResult<Connection> {
    match reach {
        RedisServers::Single(info) => {
            let client = Client::open(with_pushes(info))?;
            Ok(Connection::Single(client.get_multiplexed_async_connection_with_config(&settings).await?))
        }
        RedisServers::Sentinel(nodes, name) => {
            let mut to_master = SentinelNodeConnectionInfo::default().set_redis_connection_info(
                nodes
                    .first()
                    .map_or_else(RedisConnectionInfo::default, |node| with_pushes(node).redis_settings().clone()),
            );
            if nodes.iter().any(|node| matches!(node.addr(), redis::ConnectionAddr::TcpTls { .. })) {
                to_master = to_master.set_tls_mode(TlsMode::Secure);
            }
            let mut client = SentinelClient::build(nodes.clone(), name, Some(to_master), SentinelServerType::Master)?;
            let connecting = client.get_async_connection_with_config(&settings);
            // The client sets no time limit for requests to sentinels.
            let connected = tokio::time::timeout(3 * CONNECT, connecting).await.map_err(std::io::Error::from)??;
            Ok(Connection::Single(connected))
        }
        RedisServers::Cluster(nodes) => {
            let mut builder = ClusterClientBuilder::new(nodes.clone())
                .connection_timeout(CONNECT)
                .response_timeout(RESPONSE)
                .retries(4)
                .min_retry_wait(50)
                .max_retry_wait(500)
                .use_protocol(ProtocolVersion::RESP3);
            if let Some(pushes) = pushes {
                builder = builder.push_sender(pushes);
            }
            Ok(Connection::Cluster(builder.build()?.get_async_connection().await?))
        }
    }
}

fn settings() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT))
        .set_response_timeout(Some(RESPONSE))
        .set_pipeline_buffer_size(PIPELINED)
        .set_write_backpressure_boundary(GATHERED)
}

/// Selects RESP3, the protocol in which Redis can push messages.
fn with_pushes(info: &ConnectionInfo) -> ConnectionInfo {
    info.clone().set_redis_settings(info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3))
}

/// A node of a cluster, by host and port. `None` is the server of a Redis that is not a cluster.
pub(super) type NodeAddress = Option<(String, u16)>;

impl Connection {
    /// Returns the masters of a cluster; for any other Redis, its one server.
    pub(super) async fn masters(mut self) -> RedisResult<Vec<NodeAddress>> {
        let Self::Cluster(cluster) = &mut self else { return Ok(vec![None]) };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
        let Value::Map(answers) = cluster.route_command(redis::cmd("PING"), all).await? else { return Ok(vec![None]) };
        let node = |(address, _): (Value, Value)| {
            let address: String = redis::from_redis_value(address).ok()?;
            let (host, port) = address.rsplit_once(':')?;
            Some(Some((host.to_owned(), port.parse().ok()?)))
        };
        Ok(answers.into_iter().filter_map(node).collect())
    }

    /// Checks that the server answers, or that every master of a cluster does.
    ///
    /// # Errors
    /// There is no answer in time.
    pub(super) async fn ping(&mut self) -> RedisResult<()> {
        let ping = redis::cmd("PING");
        match self {
            Self::Single(single) => ping.exec_async(single).await,
            Self::Cluster(cluster) => {
                let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
                cluster.route_command(ping, all).await.map(drop)
            }
        }
    }

    /// Sends a command to one node.
    pub(super) async fn send_to(self, (host, port): &(String, u16), command: &Cmd) -> RedisResult<Value> {
        let node = SingleNodeRoutingInfo::ByAddress { host: host.clone(), port: *port };
        match self {
            Self::Single(mut single) => command.query_async(&mut single).await,
            Self::Cluster(mut cluster) => cluster.route_command(command.clone(), RoutingInfo::SingleNode(node)).await,
        }
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Single(single) => single.req_packed_command(cmd),
            Self::Cluster(cluster) => cluster.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Single(single) => single.req_packed_commands(pipeline, offset, count),
            Self::Cluster(cluster) => cluster.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Single(single) => single.get_db(),
            Self::Cluster(cluster) => cluster.get_db(),
        }
    }
}
