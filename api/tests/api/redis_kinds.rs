//! The store on every kind of Redis: a cluster of six, a master with sentinels; both lose a master.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade::store::redis::Redis;
use pagade::store::{GameId, Place, Store, StoreError};
use uuid::Uuid;

use crate::redis_server::{DURABLE, RedisServer};
use crate::store::{change, contract, plain, remembered, run};

/// Longest time until another node has taken over.
const TAKES_OVER: Duration = Duration::from_secs(40);

/// Three masters with a replica each.
fn cluster() -> Vec<RedisServer> {
    let mut arguments = vec!["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
    arguments.extend(["--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"]);
    arguments.extend(DURABLE);
    let nodes: Vec<RedisServer> = (0..6).map(|_| RedisServer::start(&arguments)).collect();
    let hosts: Vec<String> = nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect();
    let mut create = vec!["--cluster", "create"];
    create.extend(hosts.iter().map(String::as_str));
    create.extend(["--cluster-replicas", "1", "--cluster-yes"]);
    let made = nodes[0].command(&create);
    assert!(made.contains("All 16384 slots covered"), "{made}");
    let is_whole = |node: &RedisServer| {
        let known = node.command(&["CLUSTER", "NODES"]);
        let follows = !node.command(&["INFO", "replication"]).contains("master_link_status:down");
        follows
            && node.command(&["CLUSTER", "INFO"]).contains("cluster_state:ok")
            && known.matches("slave ").count() == 3
    };
    until("the cluster is whole", || nodes.iter().all(is_whole));
    nodes
}

/// A master, a replica and three sentinels who call the master `games`.
fn watched() -> (Vec<RedisServer>, Vec<RedisServer>) {
    let master = RedisServer::start(DURABLE);
    let port = master.port.to_string();
    let mut arguments = vec!["--replicaof", "127.0.0.1", &port, "--repl-diskless-sync-delay", "0"];
    arguments.extend(DURABLE);
    let replica = RedisServer::start(&arguments);
    until("the replica follows", || replica.command(&["INFO", "replication"]).contains("master_link_status:up"));
    let lines = [
        format!("sentinel monitor games 127.0.0.1 {port} 2"),
        "sentinel down-after-milliseconds games 1000".to_owned(),
        "sentinel failover-timeout games 5000".to_owned(),
    ];
    let sentinels: Vec<_> = (0..3).map(|_| RedisServer::start_as(&lines, &["--sentinel"])).collect();
    until("the sentinels know each other", || {
        sentinels.iter().all(|sentinel| {
            let state = sentinel.command(&["SENTINEL", "MASTER", "games"]);
            let after = |name: &str| state.lines().skip_while(|line| *line != name).nth(1).map(str::to_owned);
            after("num-other-sentinels").as_deref() == Some("2") && after("num-slaves").as_deref() == Some("1")
        })
    });
    (vec![master, replica], sentinels)
}

pub fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + TAKES_OVER;
    while !holds() {
        assert!(Instant::now() < end, "{what}: not within {TAKES_OVER:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn address(kind: &str, servers: &[RedisServer], path: &str) -> String {
    let hosts: Vec<String> = servers.iter().map(|server| format!("127.0.0.1:{}", server.port)).collect();
    format!("redis+{kind}://{}/{path}?wait=1", hosts.join(","))
}

/// Commits until it is taken, as a client does that is told to come back.
async fn insist(store: &Redis, id: GameId, expected: u64) {
    let end = Instant::now() + TAKES_OVER;
    let commit =
        pagade::store::Commit { remember: Some(([9; 32], remembered(b"answer", 60))), ..plain(change(id, expected)) };
    loop {
        match store.commit(commit.clone()).await {
            Ok(()) | Err(StoreError::KeyTaken(_)) => return,
            Err(StoreError::Unavailable(_)) if Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Loses a server in the middle of commits; whatever was acknowledged is there.
async fn loses_a_master(store: &Redis, games: &[GameId], lose: impl FnOnce()) {
    for id in games {
        store.commit(plain(change(*id, 0))).await.unwrap();
    }
    lose();
    for id in games {
        insist(store, *id, 1).await;
        let game = store.game(*id).await.unwrap().unwrap();
        assert_eq!((game.version, store.game_and_steps(*id).await.unwrap().1.len()), (2, 2), "one effect each");
        assert!(store.remembered(Place::Game(*id), [9; 32]).await.unwrap().is_some());
    }
    let listed = store.games("playing".to_owned(), None, 100).await.unwrap();
    assert!(games.iter().all(|id| listed.iter().any(|game| game.id == *id)));
}

/// Waits until the replica of a server has all that the server has.
fn replicated(server: &RedisServer) {
    until("the replica has all", || {
        let state = server.command(&["INFO", "replication"]);
        let number = |name: &str| state.split(name).nth(1)?.split([',', '\r', '\n']).next()?.parse::<u64>().ok();
        number(",offset=").is_some() && number(",offset=") == number("master_repl_offset:")
    });
}

/// The whole contract, each commit acknowledged by a replica.
async fn with_a_replica(address: &str) {
    let store: Arc<dyn Store> = Arc::new(Redis::open(address).await.unwrap());
    assert_eq!(store.ready().await.unwrap(), Vec::<String>::new());
    contract(&store).await;
}

#[test]
fn a_cluster_keeps_the_contract_and_goes_on_when_a_master_is_lost() {
    let mut nodes = cluster();
    let address = address("cluster", &nodes, "");
    run(async || {
        with_a_replica(&address).await;
        // The master that takes over has no replica.
        let store = Redis::open(&address.replace("wait=1", "wait=0")).await.unwrap();
        let games: Vec<GameId> = (0..12).map(|_| Uuid::now_v7()).collect();
        loses_a_master(&store, &games, || {
            replicated(&nodes[0]);
            nodes[0].kill();
        })
        .await;
        for id in games {
            let heard = tokio::join!(store.wait(id, 4, Duration::from_secs(9)), async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                store.commit(plain(change(id, 2))).await.unwrap();
            });
            assert!(heard.0.unwrap(), "news are heard after the failover");
        }
    });
}

#[test]
fn a_master_with_sentinels_keeps_the_contract_and_is_replaced_when_it_is_lost() {
    let (mut servers, sentinels) = watched();
    let address = address("sentinel", &sentinels, "games");
    run(async || {
        with_a_replica(&address).await;
        let store = Redis::open(&address.replace("wait=1", "wait=0")).await.unwrap();
        let games: Vec<GameId> = (0..3).map(|_| Uuid::now_v7()).collect();
        loses_a_master(&store, &games, || {
            replicated(&servers[0]);
            servers[0].kill();
        })
        .await;
    });
}
