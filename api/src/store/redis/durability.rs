//! Durability: checks whether the settings of the Redis server protect acknowledged commits, and whether the server is
//! new enough.

use std::time::{Duration, Instant};

use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo};
use redis::{Cmd, RedisResult, Value};
use tokio::sync::Mutex;

use super::address::{Durability, RedisServers};
use super::connection::{Connection, connect};
use crate::store::StoreError;

/// The oldest supported version of Redis. Earlier versions have no `SPUBLISH`, the publishing within one hash slot.
const OLDEST: (u32, u32) = (7, 0);

/// Time for which the result of a check is used.
const FRESH: Duration = Duration::from_secs(30);

/// The durability that the settings of the Redis server should have.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedDurability {
    /// The commits that a crash of Redis may lose.
    pub durability: Durability,
    /// Number of Redis replicas that must have a commit before it is answered.
    pub replicas: u32,
}

/// Checks the settings of a server, at most once in the time [`FRESH`].
pub(super) struct DurabilityChecks {
    reach: RedisServers,
    wanted: WantedDurability,
    /// The time of the last check, and its warnings.
    last: Mutex<Option<(Instant, Vec<String>)>>,
}

impl DurabilityChecks {
    /// Makes the value; the first call of `warnings` checks the settings.
    pub(super) fn new(reach: RedisServers, wanted: WantedDurability) -> Self {
        Self { reach, wanted, last: Mutex::default() }
    }

    /// Returns one warning for each durability promise that the settings of the server do not keep. The result may be
    /// as old as [`FRESH`].
    ///
    /// # Errors
    /// The same errors as those of [`check`].
    pub(super) async fn warnings(&self) -> Result<Vec<String>, StoreError> {
        let mut last = self.last.lock().await;
        if let Some((checked, warnings)) = last.as_ref()
            && checked.elapsed() < FRESH
        {
            return Ok(warnings.clone());
        }
        let warnings = check(&self.reach, self.wanted).await?;
        *last = Some((Instant::now(), warnings.clone()));
        Ok(warnings)
    }
}

/// Checks the settings of the server, or of all masters of a cluster. Returns one warning for each durability promise
/// that the settings do not keep.
///
/// # Errors
/// A server cannot be reached, is too old, or is another kind of server than the address says.
pub(super) async fn check(reach: &RedisServers, wanted: WantedDurability) -> Result<Vec<String>, StoreError> {
    let unavailable = |error: redis::RedisError| StoreError::Unavailable(error.to_string());
    let mut connection = connect(reach).await.map_err(unavailable)?;
    let infos = send_to_masters(&mut connection, redis::cmd("INFO")).await.map_err(unavailable)?;
    // Some providers of Redis forbid `CONFIG`. The setting is then unknown, and a warning says so.
    let mut sync = redis::cmd("CONFIG");
    sync.arg("GET").arg("appendfsync");
    let syncs = send_to_masters(&mut connection, sync).await.unwrap_or_default();
    let mut warnings = Vec::new();
    for (index, info) in infos.iter().enumerate() {
        let info = Info(text(info));
        info.check_kind(reach)?;
        let sync = syncs.get(index).map(text).unwrap_or_default();
        warnings.extend(info.warnings(&sync, wanted));
    }
    warnings.sort();
    warnings.dedup();
    Ok(warnings)
}

/// The answer of Redis to `INFO`.
struct Info(String);

impl Info {
    fn get(&self, name: &str) -> &str {
        let line = self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim()
    }

    fn check_kind(&self, reach: &RedisServers) -> Result<(), StoreError> {
        let version = self.get("redis_version");
        let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
        if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < OLDEST {
            let (major, minor) = OLDEST;
            return Err(StoreError::Unavailable(format!("Redis is {version}, at least {major}.{minor} is needed")));
        }
        let is_cluster = self.get("cluster_enabled") == "1";
        match reach {
            RedisServers::Cluster(_) if !is_cluster => {
                Err(StoreError::Unavailable("this Redis is not a cluster: use `redis://`".to_owned()))
            }
            RedisServers::Single(_) | RedisServers::Sentinel(..) if is_cluster => {
                Err(StoreError::Unavailable("this Redis is a cluster: use `redis+cluster://`".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn warnings(&self, sync: &str, wanted: WantedDurability) -> Vec<String> {
        let mut warnings = Vec::new();
        if wanted.durability > Durability::None && self.get("aof_enabled") != "1" {
            warnings.push(
                "Redis has `appendonly no`: when it stops without a dump, acknowledged commits are lost".to_owned(),
            );
        } else if wanted.durability == Durability::Always && sync != "always" {
            let found = if sync.is_empty() { "cannot be read".to_owned() } else { format!("is `{sync}`") };
            warnings.push(format!(
                "`appendfsync` of Redis {found}: when its machine stops, commits acknowledged within the last second may be \
                 lost; `always` keeps them, `durability=everysec` says that this is meant"
            ));
        }
        let policy = self.get("maxmemory_policy");
        if policy != "noeviction" {
            warnings.push(format!(
                "`maxmemory-policy` of Redis is `{policy}`: keys may be dropped when memory is short; set `noeviction`"
            ));
        }
        let connected = self.get("connected_slaves").parse().unwrap_or(0);
        if connected < wanted.replicas {
            warnings.push(format!(
                "Redis has {connected} replicas and commits wait for {}: they are answered 503",
                wanted.replicas
            ));
        }
        warnings
    }
}

async fn send_to_masters(connection: &mut Connection, command: Cmd) -> RedisResult<Vec<Value>> {
    match connection {
        Connection::Single(single) => Ok(vec![command.query_async(single).await?]),
        Connection::Cluster(cluster) => {
            let masters = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
            match cluster.route_command(command, masters).await? {
                Value::Map(mut answers) => {
                    // The answers are sorted by node, so that the answers to several commands are in the same order.
                    answers.sort_by_key(|(node, _)| text(node));
                    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
                }
                answer => Ok(vec![answer]),
            }
        }
    }
}

/// Returns an answer of Redis as text. For a list or a map, the text is its last item.
fn text(value: &Value) -> String {
    match value {
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text.clone(),
        Value::Array(items) => items.last().map(text).unwrap_or_default(),
        Value::Map(entries) => entries.last().map(|(_, value)| text(value)).unwrap_or_default(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_promise_that_is_not_kept_has_a_warning() {
        let info = |aof: &str, policy: &str| {
            Info(format!(
                "redis_version:7.0.15\r\naof_enabled:{aof}\r\nmaxmemory_policy:{policy}\r\nconnected_slaves:1\r\n"
            ))
        };
        let count = |info: &Info, sync: &str, durability, replicas| {
            info.warnings(sync, WantedDurability { durability, replicas }).len()
        };
        let good = info("1", "noeviction");
        assert_eq!(count(&good, "always", Durability::Always, 1), 0);
        assert_eq!(count(&good, "everysec", Durability::Always, 0), 1);
        assert_eq!(count(&good, "everysec", Durability::EverySecond, 0), 0);
        assert_eq!(count(&good, "always", Durability::Always, 2), 1);
        assert_eq!(count(&info("0", "allkeys-lru"), "everysec", Durability::EverySecond, 0), 2);
        assert_eq!(count(&info("0", "noeviction"), "", Durability::None, 0), 0);
        let old = Info("redis_version:6.2.7".to_owned());
        let reach = super::super::address::Address::parse("redis://h").unwrap().reach;
        assert!(old.check_kind(&reach).is_err());
    }
}
