//! What the server promises: whether it is new enough, and whether it keeps what was acknowledged.

use redis::cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo};
use redis::{Cmd, RedisResult, Value};

use super::address::{Durability, Reach};
use super::lines::{Line, connect};
use crate::store::StoreError;

/// The oldest Redis that works: scripts publish to channels of a slot.
const OLDEST: (u32, u32) = (7, 0);

/// What was asked of the server.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// What a crash may cost at most.
    pub durability: Durability,
    /// How many replicas are to have a commit.
    pub replicas: u32,
}

/// Looks at the server, or at all masters of a cluster: in what they promise less than was asked.
///
/// # Errors
/// A server cannot be reached, is too old, or is another kind of server than the address says.
pub async fn examine(reach: &Reach, asked: Asked) -> Result<Vec<String>, StoreError> {
    let unavailable = |error: redis::RedisError| StoreError::Unavailable(error.to_string());
    let mut line = connect(reach).await.map_err(unavailable)?;
    let infos = ask_masters(&mut line, redis::cmd("INFO")).await.map_err(unavailable)?;
    // Hosts of Redis often forbid it.
    let mut sync = redis::cmd("CONFIG");
    sync.arg("GET").arg("appendfsync");
    let syncs = ask_masters(&mut line, sync).await.unwrap_or_default();
    let mut warnings = Vec::new();
    for (index, info) in infos.iter().enumerate() {
        let info = Info(text(info));
        info.check_kind(reach)?;
        let sync = syncs.get(index).map(text).unwrap_or_default();
        warnings.extend(info.warnings(&sync, asked));
    }
    warnings.sort();
    warnings.dedup();
    Ok(warnings)
}

/// What `INFO` says.
struct Info(String);

impl Info {
    fn get(&self, name: &str) -> &str {
        let line = self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_default().trim()
    }

    fn check_kind(&self, reach: &Reach) -> Result<(), StoreError> {
        let version = self.get("redis_version");
        let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
        if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < OLDEST {
            let (major, minor) = OLDEST;
            return Err(StoreError::Unavailable(format!("Redis is {version}, at least {major}.{minor} is needed")));
        }
        let is_cluster = self.get("cluster_enabled") == "1";
        match reach {
            Reach::Cluster(_) if !is_cluster => {
                Err(StoreError::Unavailable("this Redis is no cluster: use `redis://`".to_owned()))
            }
            Reach::Single(_) | Reach::Sentinel(..) if is_cluster => {
                Err(StoreError::Unavailable("this Redis is a cluster: use `redis+cluster://`".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn warnings(&self, sync: &str, asked: Asked) -> Vec<String> {
        let mut warnings = Vec::new();
        if asked.durability > Durability::None && self.get("aof_enabled") != "1" {
            warnings.push(
                "Redis has `appendonly no`: when it stops without a dump, acknowledged moves are lost".to_owned(),
            );
        } else if asked.durability == Durability::Always && sync != "always" {
            let found = if sync.is_empty() { "cannot be read".to_owned() } else { format!("is `{sync}`") };
            warnings.push(format!(
                "`appendfsync` of Redis {found}: when its machine stops, moves acknowledged within the last second may be \
                 lost; `always` keeps them, `durability=everysec` says that this is meant"
            ));
        }
        let policy = self.get("maxmemory_policy");
        if policy != "noeviction" {
            warnings.push(format!(
                "`maxmemory-policy` of Redis is `{policy}`: it may drop games when memory is short; set `noeviction`"
            ));
        }
        let connected = self.get("connected_slaves").parse().unwrap_or(0);
        if connected < asked.replicas {
            warnings.push(format!(
                "Redis has {connected} replicas and commits wait for {}: they are answered 503",
                asked.replicas
            ));
        }
        warnings
    }
}

async fn ask_masters(line: &mut Line, command: Cmd) -> RedisResult<Vec<Value>> {
    match line {
        Line::Single(line) => Ok(vec![command.query_async(line).await?]),
        Line::Cluster(line) => {
            let masters = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
            match line.route_command(command, masters).await? {
                Value::Map(mut answers) => {
                    // In the same order for every command.
                    answers.sort_by_key(|(node, _)| text(node));
                    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
                }
                answer => Ok(vec![answer]),
            }
        }
    }
}

/// An answer as text; of a list or a map, its last item.
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
    fn less_than_asked_is_told() {
        let info = |aof: &str, policy: &str| {
            Info(format!(
                "redis_version:7.0.15\r\naof_enabled:{aof}\r\nmaxmemory_policy:{policy}\r\nconnected_slaves:1\r\n"
            ))
        };
        let count =
            |info: &Info, sync: &str, durability, replicas| info.warnings(sync, Asked { durability, replicas }).len();
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
