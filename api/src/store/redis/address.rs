//! The address of a Redis, as `--store` takes it.

use redis::{ConnectionInfo, IntoConnectionInfo};

use crate::store::StoreError;

/// The address of a Redis, and how the store uses it.
#[derive(Clone)]
pub(super) struct Address {
    /// The servers to connect to.
    pub reach: RedisServers,
    /// Prefix of all key names.
    pub prefix: String,
    /// The durability that the operator expects of the Redis server. The store compares it with the server's settings.
    pub durability: Durability,
    /// Number of Redis replicas that must have a commit before it is answered.
    pub replicas: u32,
}

/// The servers of a Redis: one server, a cluster, or a master behind sentinels.
#[derive(Clone)]
pub(super) enum RedisServers {
    /// One server that is neither in a cluster nor behind sentinels.
    Single(ConnectionInfo),
    /// Some nodes of a cluster, from which the client learns the others.
    Cluster(Vec<ConnectionInfo>),
    /// The sentinels, and the name by which they find the master.
    Sentinel(Vec<ConnectionInfo>, String),
}

/// The commits that a crash of Redis may lose at most. If the settings of the server allow more losses, a warning says
/// so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Durability {
    /// A crash may lose all commits since the last dump (`appendonly no`).
    None,
    /// A crash may lose the commits of one second (`appendfsync everysec`).
    EverySecond,
    /// A crash loses no commits (`appendfsync always`).
    Always,
}

impl std::fmt::Debug for Address {
    /// Leaves out the servers, because they contain passwords.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Address").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl Address {
    /// Parses an address: `redis://HOST`, `redis+cluster://HOST,HOST` or `redis+sentinel://HOST,HOST/NAME`. With
    /// `rediss` in place of `redis`, connections use TLS.
    ///
    /// # Errors
    /// The text is no address of Redis, or has an unknown setting or a wrong value.
    pub(super) fn parse(text: &str) -> Result<Self, StoreError> {
        let (plain, query) = text.split_once('?').unwrap_or((text, ""));
        let (scheme, rest) = plain.split_once("://").ok_or_else(|| wrong("it begins with `redis://`"))?;
        let (tls, kind) = match scheme.split_once('+').unwrap_or((scheme, "")) {
            ("redis", kind) => ("redis", kind),
            ("rediss", kind) => ("rediss", kind),
            _ => return Err(wrong(format!("`{scheme}` is not a kind of Redis server that is known here"))),
        };
        let (hosts, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (login, hosts) = hosts.rsplit_once('@').map_or(("", hosts), |(login, hosts)| (login, hosts));
        let node = |host: &str, path: &str| {
            let login = if login.is_empty() { String::new() } else { format!("{login}@") };
            let info = format!("{tls}://{login}{host}/{path}").into_connection_info();
            info.map_err(|error| wrong(error.to_string()))
        };
        let nodes = || hosts.split(',').map(|host| node(host, "")).collect::<Result<Vec<_>, _>>();
        let reach = match kind {
            "" => RedisServers::Single(node(hosts, path)?),
            "cluster" => RedisServers::Cluster(nodes()?),
            "sentinel" if path.is_empty() => {
                return Err(wrong("the name of the master comes after the hosts: `redis+sentinel://HOST:26379/NAME`"));
            }
            "sentinel" => RedisServers::Sentinel(nodes()?, path.to_owned()),
            _ => return Err(wrong(format!("`{scheme}` is not a kind of Redis server that is known here"))),
        };
        let mut address = Self { reach, prefix: "pagade".to_owned(), durability: Durability::Always, replicas: 0 };
        for setting in query.split('&').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            address.set(name, value)?;
        }
        Ok(address)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        match (name, value) {
            ("prefix", "") => return Err(wrong("`prefix` is empty")),
            ("prefix", prefix)
                if prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte)) =>
            {
                self.prefix = prefix.to_owned();
            }
            ("prefix", _) => return Err(wrong("`prefix` has letters, digits, `-`, `_`, `.` and `:` only")),
            ("durability", "always") => self.durability = Durability::Always,
            ("durability", "everysec") => self.durability = Durability::EverySecond,
            ("durability", "none") => self.durability = Durability::None,
            ("durability", _) => return Err(wrong("`durability` is `always`, `everysec` or `none`")),
            ("wait", count) => {
                self.replicas = count.parse().map_err(|_| wrong("`wait` is a number of replicas"))?;
            }
            _ => return Err(wrong(format!("`{name}` is not a setting: `prefix`, `durability` and `wait` are"))),
        }
        Ok(())
    }
}

fn wrong(reason: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(format!("the address of Redis cannot be read: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_address_is_read() {
        let single = Address::parse("redis://u:p%40@host:7000/2?prefix=a&durability=everysec&wait=1").unwrap();
        assert_eq!((single.prefix.as_str(), single.durability, single.replicas), ("a", Durability::EverySecond, 1));
        let RedisServers::Single(info) = &single.reach else { panic!() };
        assert_eq!(info.addr().to_string(), "host:7000");
        assert!(!format!("{single:?}").contains("p%40"));
        let cluster = Address::parse("redis+cluster://:secret@a:1,b:2").unwrap();
        assert!(matches!(cluster.reach, RedisServers::Cluster(nodes) if nodes.len() == 2));
        let sentinel = Address::parse("rediss+sentinel://a:1,b:2,c:3/main").unwrap();
        assert!(matches!(sentinel.reach, RedisServers::Sentinel(nodes, name) if nodes.len() == 3 && name == "main"));
    }

    #[test]
    fn what_is_no_address_is_refused_without_its_password() {
        for text in [
            "host",
            "http://h",
            "redis+x://h",
            "redis+sentinel://:secret@h",
            "redis://:secret@h?prefix={a}",
            "redis://h?durability=some",
            "redis://h?wait=one",
            "redis://h?colour=red",
            "redis://:secret@h:port",
        ] {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
