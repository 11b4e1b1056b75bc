//! Starts groups of Redis servers: a master and a replica with sentinels, and a cluster of six servers.

use crate::redis_server::{DURABLE, RedisServer};
use crate::wait::until;

/// The option that lets a replica copy the data of its master without waiting for other replicas.
const FOLLOWING: &[&str] = &["--repl-diskless-sync-delay", "0"];
/// The line of `CLUSTER INFO` that shows that all slots are served.
const SLOTS: &str = "cluster_slots_ok:16384";

/// The addresses of servers, joined by commas.
fn hosts(servers: &[RedisServer]) -> String {
    let hosts: Vec<String> = servers.iter().map(|server| format!("127.0.0.1:{}", server.port)).collect();
    hosts.join(",")
}

/// The text after a word, up to the end of the line or the next comma.
fn after<'a>(answer: &'a str, word: &str) -> Option<&'a str> {
    answer.split(word).nth(1)?.split([',', '\r', '\n']).next()
}

/// Waits until a server has at least one replica, and its replicas have all data that it has now.
pub fn wait_until_replicated(server: &RedisServer) {
    let number = |text: &str, word: &str| after(text, word).and_then(|number| number.parse::<u64>().ok());
    let state = || server.command(&["INFO", "replication"]);
    let written = number(&state(), "master_repl_offset:");
    until("the replicas have all", || {
        let state = state();
        let mut replicas = state.lines().filter(|line| line.starts_with("slave")).peekable();
        replicas.peek().is_some()
            && replicas.all(|replica| replica.contains("state=online") && number(replica, ",offset=") >= written)
    });
}

/// Whether a server is a replica of the master at this port, and is connected to it.
fn follows(server: &RedisServer, master: &str) -> bool {
    let state = server.command(&["INFO", "replication"]);
    after(&state, "master_port:") == Some(master) && after(&state, "master_link_status:") == Some("up")
}

/// A master, a replica, and three sentinels that watch them. In the sentinels, the name of the master is `games`.
#[derive(Debug)]
pub struct SentinelGroup {
    /// The master and the replica. At the start, the first is the master.
    pub servers: Vec<RedisServer>,
    /// The three sentinels. Two of them are enough to decide on a failover.
    pub sentinels: Vec<RedisServer>,
}

impl SentinelGroup {
    /// Starts the servers and the sentinels, and waits until the sentinels have found each other and both servers.
    pub fn start() -> Self {
        let arguments = [DURABLE, FOLLOWING].concat();
        let master = RedisServer::start(&arguments);
        let port = master.port.to_string();
        let replica = RedisServer::start(&[&arguments[..], &["--replicaof", "127.0.0.1", &port]].concat());
        until("the replica follows", || follows(&replica, &port));
        let lines = [
            format!("sentinel monitor games 127.0.0.1 {port} 2"),
            "sentinel down-after-milliseconds games 1000".to_owned(),
            "sentinel failover-timeout games 5000".to_owned(),
        ];
        let sentinels: Vec<_> = (0..3).map(|_| RedisServer::start_as(&lines, &["--sentinel"])).collect();
        for sentinel in &sentinels {
            // By default, sentinels send `INFO` to the servers every ten seconds, and an old master that comes back
            // accepts writes for eight seconds more.
            sentinel.command(&["SENTINEL", "DEBUG", "INFO-PERIOD", "500", "PUBLISH-PERIOD", "500"]);
        }
        let watched = Self { servers: vec![master, replica], sentinels };
        watched.wait_until_whole();
        watched
    }

    /// The address for the option `--store`, without settings such as `wait`.
    pub fn address(&self) -> String {
        format!("redis+sentinel://{}/games", hosts(&self.sentinels))
    }

    /// The index of the server that all sentinels report as the master. `None` while they do not agree.
    pub fn master(&self) -> Option<usize> {
        let said = |sentinel: &RedisServer| sentinel.command(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "games"]);
        let first = said(&self.sentinels[0]);
        let agreed = self.sentinels.iter().all(|sentinel| said(sentinel) == first);
        let port = first.lines().nth(1).filter(|_| agreed)?;
        self.servers.iter().position(|server| server.port.to_string() == port)
    }

    /// Waits until the sentinels agree on a master and its replica, and the replica has all data. Returns the index of
    /// the master.
    pub fn wait_until_whole(&self) -> usize {
        until("the sentinels know each other, a master, and a replica that is in touch with it", || {
            self.sentinels.iter().all(knows_all)
                && self.master().is_some_and(|master| {
                    let port = self.servers[master].port.to_string();
                    follows(&self.servers[1 - master], &port)
                })
        });
        let master = self.master().expect("nothing happens meanwhile");
        wait_until_replicated(&self.servers[master]);
        master
    }
}

/// Whether a sentinel lists both other sentinels and one healthy replica.
fn knows_all(sentinel: &RedisServer) -> bool {
    let fact = |state: &str, name: &str| state.lines().skip_while(|line| *line != name).nth(1).map(str::to_owned);
    let master = sentinel.command(&["SENTINEL", "MASTER", "games"]);
    let replicas = sentinel.command(&["SENTINEL", "REPLICAS", "games"]);
    [(&master, "num-other-sentinels", "2"), (&master, "num-slaves", "1"), (&master, "flags", "master")]
        .into_iter()
        .chain([(&replicas, "flags", "slave"), (&replicas, "role-reported", "slave")])
        .all(|(state, name, value)| fact(state, name).as_deref() == Some(value))
}

/// A cluster of six servers: three masters with one replica each.
#[derive(Debug)]
pub struct Cluster {
    /// The six servers. At the start, the first three are the masters.
    pub nodes: Vec<RedisServer>,
}

/// A node of the cluster, as another node reports it.
#[derive(Debug)]
pub struct SeenNode {
    /// The index of the node in [`Cluster::nodes`].
    pub node: usize,
    /// The name of the node in the cluster.
    pub name: String,
    /// The name of the node's master. `None` if the node is a master.
    pub master: Option<String>,
    /// Whether the other node reports this node as a working master or replica.
    pub is_well: bool,
}

impl Cluster {
    /// Starts the six servers, makes a cluster of them, and waits until it works.
    pub fn start() -> Self {
        let mut arguments = vec!["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
        arguments.extend(["--cluster-replica-validity-factor", "0"]);
        arguments.extend(DURABLE.iter().chain(FOLLOWING));
        let nodes: Vec<RedisServer> = (0..6).map(|_| RedisServer::start(&arguments)).collect();
        let hosts = hosts(&nodes);
        let mut create = vec!["--cluster", "create"];
        create.extend(hosts.split(','));
        create.extend(["--cluster-replicas", "1", "--cluster-yes"]);
        let made = nodes[0].command(&create);
        assert!(made.contains("All 16384 slots covered"), "{made}");
        let cluster = Self { nodes };
        cluster.wait_until_whole();
        cluster
    }

    /// The address for the option `--store`, without settings such as `wait`.
    pub fn address(&self) -> String {
        format!("redis+cluster://{}", hosts(&self.nodes))
    }

    /// All nodes of the cluster, as this node reports them.
    pub fn seen_by(&self, node: usize) -> Vec<SeenNode> {
        let told = self.nodes[node].command(&["CLUSTER", "NODES"]);
        let seen = told.lines().filter_map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let [name, address, flags, master] = *words.first_chunk()?;
            let port: u16 = address.split(['@', ':']).nth(1)?.parse().ok()?;
            Some(SeenNode {
                node: self.nodes.iter().position(|node| node.port == port)?,
                name: name.to_owned(),
                master: (master != "-").then(|| master.to_owned()),
                is_well: ["master", "slave", "myself,master", "myself,slave"].contains(&flags),
            })
        });
        seen.collect()
    }

    /// Waits until every node reports three masters that serve all slots and have a replica each, and until the
    /// replicas have all data.
    pub fn wait_until_whole(&self) {
        until("the cluster has all slots at three masters, with a replica each that has all", || {
            (0..self.nodes.len()).all(|node| {
                let state = self.nodes[node].command(&["CLUSTER", "INFO"]);
                let seen = self.seen_by(node);
                let mut masters = seen.iter().filter(|seen| seen.master.is_none());
                let is_followed = |name: &String| seen.iter().any(|seen| seen.master.as_ref() == Some(name));
                state.contains("cluster_state:ok")
                    && state.contains(SLOTS)
                    && seen.len() == self.nodes.len()
                    && seen.iter().all(|seen| seen.is_well)
                    && masters.clone().count() == 3
                    && masters.all(|master| is_followed(&master.name))
            })
        });
        for master in self.seen_by(0).iter().filter(|seen| seen.master.is_none()) {
            wait_until_replicated(&self.nodes[master.node]);
        }
    }
}
