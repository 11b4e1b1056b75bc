//! Connections to Redis: one a thread, made in it, made again when it breaks.
//!
//! All requests of a thread share its connection, so that they travel together. One connection for all threads would
//! cost each of them more: every answer would cross threads.

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

use super::address::Reach;

/// Longest time to make a connection.
const CONNECT: Duration = Duration::from_secs(1);
/// Longest time until Redis answers: a sync to a slow disk fits in.
const ANSWER: Duration = Duration::from_secs(2);
/// Requests on their way on one connection before others wait.
const UNDERWAY: usize = 1024;

/// A connection.
#[derive(Clone)]
pub enum Line {
    /// To a server.
    Single(MultiplexedConnection),
    /// To all nodes of a cluster.
    Cluster(ClusterConnection),
}

/// A connection of a thread, and its number: a broken one is given up once.
type Slot = Mutex<Option<(u64, Line)>>;

thread_local! {
    /// The connections of this thread, each with the store that it belongs to.
    static HERE: RefCell<Vec<(Weak<Reach>, Arc<Slot>)>> = const { RefCell::new(Vec::new()) };
}

/// The connections of a store.
pub struct Lines {
    reach: Arc<Reach>,
    made: AtomicU64,
}

impl Lines {
    /// No connection yet.
    pub fn to(reach: Reach) -> Self {
        Self { reach: Arc::new(reach), made: AtomicU64::new(0) }
    }

    /// The connection of this thread, made where there is none.
    ///
    /// # Errors
    /// Redis cannot be reached.
    pub async fn line(&self) -> RedisResult<(u64, Line)> {
        let slot = self.slot();
        let mut held = slot.lock().await;
        if let Some((number, line)) = held.as_ref() {
            return Ok((*number, line.clone()));
        }
        // It is needed once, and large.
        let line = Box::pin(connect(&self.reach)).await?;
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        *held = Some((number, line.clone()));
        Ok((number, line))
    }

    /// Gives up a connection that broke, unless there is another by now.
    pub async fn give_up(&self, number: u64) {
        self.slot().lock().await.take_if(|(held, _)| *held == number);
    }

    fn slot(&self) -> Arc<Slot> {
        HERE.with_borrow_mut(|here| {
            let mine = here.iter().find(|(reach, _)| std::ptr::eq(reach.as_ptr(), Arc::as_ptr(&self.reach)));
            if let Some((_, slot)) = mine {
                return Arc::clone(slot);
            }
            here.retain(|(reach, _)| reach.strong_count() > 0);
            let slot = Arc::new(Slot::default());
            here.push((Arc::downgrade(&self.reach), Arc::clone(&slot)));
            slot
        })
    }
}

/// Makes a connection.
///
/// # Errors
/// Redis cannot be reached.
pub async fn connect(reach: &Reach) -> RedisResult<Line> {
    connect_with(reach, settings(), None::<fn(redis::PushInfo) -> Result<(), ()>>).await
}

/// Makes a connection that hands on what is published.
///
/// # Errors
/// Redis cannot be reached.
pub async fn connect_listening(reach: &Reach, heard: impl AsyncPushSender + Clone) -> RedisResult<Line> {
    connect_with(reach, settings().set_push_sender(heard.clone()), Some(heard)).await
}

async fn connect_with(
    reach: &Reach,
    settings: AsyncConnectionConfig,
    heard: Option<impl AsyncPushSender>,
) -> RedisResult<Line> {
    match reach {
        Reach::Single(info) => {
            let client = Client::open(with_pushes(info))?;
            Ok(Line::Single(client.get_multiplexed_async_connection_with_config(&settings).await?))
        }
        Reach::Sentinel(nodes, name) => {
            let mut to_master = SentinelNodeConnectionInfo::default().set_redis_connection_info(
                nodes
                    .first()
                    .map_or_else(RedisConnectionInfo::default, |node| with_pushes(node).redis_settings().clone()),
            );
            if nodes.iter().any(|node| matches!(node.addr(), redis::ConnectionAddr::TcpTls { .. })) {
                to_master = to_master.set_tls_mode(TlsMode::Secure);
            }
            let mut client = SentinelClient::build(nodes.clone(), name, Some(to_master), SentinelServerType::Master)?;
            let asked = client.get_async_connection_with_config(&settings);
            // The sentinels have no time limit of their own.
            let line = tokio::time::timeout(3 * CONNECT, asked).await.map_err(std::io::Error::from)??;
            Ok(Line::Single(line))
        }
        Reach::Cluster(nodes) => {
            let mut builder = ClusterClientBuilder::new(nodes.clone())
                .connection_timeout(CONNECT)
                .response_timeout(ANSWER)
                .retries(4)
                .min_retry_wait(50)
                .max_retry_wait(500)
                .use_protocol(ProtocolVersion::RESP3);
            if let Some(heard) = heard {
                builder = builder.push_sender(heard);
            }
            Ok(Line::Cluster(builder.build()?.get_async_connection().await?))
        }
    }
}

fn settings() -> AsyncConnectionConfig {
    AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECT))
        .set_response_timeout(Some(ANSWER))
        .set_pipeline_buffer_size(UNDERWAY)
}

/// With the protocol in which Redis may speak first.
fn with_pushes(info: &ConnectionInfo) -> ConnectionInfo {
    info.clone().set_redis_settings(info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3))
}

/// A node of a cluster, by host and port; where there is none, whatever is asked.
pub type Node = Option<(String, u16)>;

impl Line {
    /// The masters.
    pub async fn masters(mut self) -> RedisResult<Vec<Node>> {
        let Self::Cluster(line) = &mut self else { return Ok(vec![None]) };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
        let Value::Map(answers) = line.route_command(redis::cmd("PING"), all).await? else { return Ok(vec![None]) };
        let node = |(address, _): (Value, Value)| {
            let address: String = redis::from_redis_value(address).ok()?;
            let (host, port) = address.rsplit_once(':')?;
            Some(Some((host.to_owned(), port.parse().ok()?)))
        };
        Ok(answers.into_iter().filter_map(node).collect())
    }

    /// Asks one node.
    pub async fn at(self, (host, port): &(String, u16), command: &Cmd) -> RedisResult<Value> {
        let node = SingleNodeRoutingInfo::ByAddress { host: host.clone(), port: *port };
        match self {
            Self::Single(mut line) => command.query_async(&mut line).await,
            Self::Cluster(mut line) => line.route_command(command.clone(), RoutingInfo::SingleNode(node)).await,
        }
    }
}

impl ConnectionLike for Line {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Single(line) => line.req_packed_command(cmd),
            Self::Cluster(line) => line.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Single(line) => line.req_packed_commands(pipeline, offset, count),
            Self::Cluster(line) => line.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Single(line) => line.get_db(),
            Self::Cluster(line) => line.get_db(),
        }
    }
}
