//! Tests the store on groups of Redis servers: a cluster of six, and a master with sentinels. Each group loses a
//! master.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade::store::redis::Redis;
use pagade::store::{AnswerOwner, EntityId, Store, StoreError};
use pagade::{EVENT_PHRASES, GAME};

use crate::store::{change, changes, contract, new_game, plain, run, stored_answer};
use pagade_tests::redis_groups::{Cluster, SentinelGroup, wait_until_replicated};

/// The time for which a client repeats a commit while the store is not available.
const PERSISTENCE: Duration = Duration::from_secs(40);

/// Repeats a commit until it is accepted, as a client does after an answer with status 503.
async fn insist(store: &Redis, id: EntityId, expected: u64) {
    let end = Instant::now() + PERSISTENCE;
    let commit =
        pagade::store::Commit { answer: Some(([9; 32], stored_answer(b"answer", 60))), ..plain(change(id, expected)) };
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

/// Calls `lose`, which ends a server, between commits. Checks that every acknowledged commit is still there and was
/// made once.
async fn loses_a_master(store: &Redis, games: &[EntityId], lose: impl FnOnce()) {
    for id in games {
        store.commit(plain(change(*id, 0))).await.unwrap();
    }
    lose();
    for id in games {
        insist(store, *id, 1).await;
        let game = store.entity(*id).await.unwrap().unwrap();
        assert_eq!((game.version, changes(store, *id).await), (2, 2), "one effect each");
        assert!(store.answer(AnswerOwner::Entity(*id), [9; 32]).await.unwrap().is_some());
    }
    let listed = store.list(GAME, "playing".to_owned(), None, 100).await.unwrap();
    assert!(games.iter().all(|id| listed.iter().any(|game| game.id == *id)));
}

/// Runs the whole contract on a store in which a Redis replica acknowledges each commit.
async fn with_a_replica(address: &str) {
    let store: Arc<dyn Store> = Arc::new(Redis::open(address, &EVENT_PHRASES).await.unwrap());
    assert_eq!(store.ready().await.unwrap(), Vec::<String>::new());
    contract(&store).await;
}

#[test]
fn a_cluster_keeps_the_contract_and_goes_on_when_a_master_is_lost() {
    let mut cluster = Cluster::start();
    let address = cluster.address();
    run(async || {
        with_a_replica(&format!("{address}?wait=1")).await;
        // The address has no `wait`, because the replica that becomes the master has no replica of its own.
        let store = Redis::open(&address, &EVENT_PHRASES).await.unwrap();
        let games: Vec<EntityId> = (0..12).map(|_| new_game()).collect();
        loses_a_master(&store, &games, || {
            wait_until_replicated(&cluster.nodes[0]);
            cluster.nodes[0].kill();
        })
        .await;
        for id in games {
            let heard = tokio::join!(store.wait(id, 4, Duration::from_secs(9)), async {
                // Nothing shows that the wait has begun. A wait that begins after the commit ends at once, too.
                tokio::time::sleep(Duration::from_millis(100)).await;
                store.commit(plain(change(id, 2))).await.unwrap();
            });
            assert!(heard.0.unwrap(), "news are heard after the failover");
        }
    });
}

#[test]
fn a_master_with_sentinels_keeps_the_contract_and_is_replaced_when_it_is_lost() {
    let mut watched = SentinelGroup::start();
    let address = watched.address();
    run(async || {
        with_a_replica(&format!("{address}?wait=1")).await;
        let store = Redis::open(&address, &EVENT_PHRASES).await.unwrap();
        let games: Vec<EntityId> = (0..3).map(|_| new_game()).collect();
        loses_a_master(&store, &games, || {
            wait_until_replicated(&watched.servers[0]);
            watched.servers[0].kill();
        })
        .await;
    });
}
