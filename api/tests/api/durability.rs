//! Tests which failures an acknowledged commit survives with each durability setting of Redis. For `appendfsync always`
//! and for the embedded store, `tests/tests/processes/killed.rs` shows it by killing whole services.

use std::time::{Duration, Instant};

use pagade::store::redis::Redis;
use pagade::store::{Commit, EntityId, Store, StoreError};
use pagade::{EVENT_PHRASES, GAME};
use serde_json::json;

use crate::harness::{Server, TestStore, got};
use crate::store::{change, changes, new_game, plain, run, stored_answer};
use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::wait::until;

/// Starts a Redis replica and waits until it has all data of its master.
fn replica_of(master: &RedisServer) -> RedisServer {
    let port = master.port.to_string();
    let mut arguments = vec!["--replicaof", "127.0.0.1", &port, "--repl-diskless-sync-delay", "0"];
    arguments.extend(DURABLE);
    let replica = RedisServer::start(&arguments);
    until("the replica follows", || replica.command(&["INFO", "replication"]).contains("master_link_status:up"));
    until("the master knows", || master.command(&["INFO", "replication"]).contains("state=online"));
    replica
}

#[test]
fn with_everysec_a_kill_of_redis_costs_two_seconds_at_most() {
    let mut redis = RedisServer::start(&["--appendonly", "yes", "--appendfsync", "everysec"]);
    let id = new_game();
    run(async || {
        let address = format!("{}?durability=everysec", redis.address());
        let store = Redis::open(&address, &EVENT_PHRASES).await.unwrap();
        assert!(!store.ready().await.unwrap().iter().any(|warning| warning.contains("appendfsync")));
        let mut acknowledged = Vec::new();
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(3_300) {
            store.commit(plain(change(id, acknowledged.len() as u64))).await.unwrap();
            acknowledged.push(Instant::now());
        }
        let killed = Instant::now();
        redis.kill();
        redis.restart();
        let version = store.entity(id).await.unwrap().unwrap().version;
        let safe = acknowledged.iter().filter(|at| killed - **at > Duration::from_secs(2)).count() as u64;
        assert!(safe > 0 && version >= safe, "{version} of {} are there, {safe} must be", acknowledged.len());
        assert_eq!(changes(&store, id).await as u64, version, "what is there is whole");
        store.commit(plain(change(id, version))).await.unwrap();
    });
}

#[test]
fn without_a_redis_log_a_kill_costs_the_games_as_the_warning_says() {
    let mut redis = RedisServer::start(&["--appendonly", "no"]);
    let id = new_game();
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        assert!(store.ready().await.unwrap()[0].contains("acknowledged commits are lost"));
        store.commit(plain(change(id, 0))).await.unwrap();
        redis.kill();
        redis.restart();
        assert_eq!(store.entity(id).await.unwrap(), None);
        assert!(
            matches!(store.commit(plain(change(id, 1))).await, Err(StoreError::Conflict(None))),
            "nothing is built on"
        );
    });
}

#[test]
fn with_wait_acknowledged_moves_are_at_the_replica_when_the_master_is_killed() {
    let mut master = RedisServer::start(DURABLE);
    let replica = replica_of(&master);
    let ids: Vec<EntityId> = (0..50).map(|_| new_game()).collect();
    run(async || {
        let store = Redis::open(&format!("{}?wait=1", master.address()), &EVENT_PHRASES).await.unwrap();
        futures_util::future::try_join_all(ids.iter().map(|id| store.commit(plain(change(*id, 0))))).await.unwrap();
        master.kill();
        replica.command(&["REPLICAOF", "NO", "ONE"]);
        let store = Redis::open(&replica.address(), &EVENT_PHRASES).await.unwrap();
        for id in ids {
            assert_eq!(store.entity(id).await.unwrap().unwrap().version, 1);
        }
    });
}

#[test]
fn with_wait_a_repeated_request_is_not_acknowledged_before_the_replica_has_the_move() {
    let master = RedisServer::start(DURABLE);
    let replica = replica_of(&master);
    let id = new_game();
    run(async || {
        let store = Redis::open(&format!("{}?wait=1", master.address()), &EVENT_PHRASES).await.unwrap();
        for version in 0..2 {
            store.commit(plain(change(id, version))).await.unwrap();
        }
        let key = [4; 32];
        let commit = Commit { answer: Some((key, stored_answer(b"answer", 60))), ..plain(change(id, 2)) };
        replica.signal("STOP");
        for _ in 0..2 {
            let refused = store.commit(commit.clone()).await;
            assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        }
        assert!(store.entity_and_answer(id, key).await.is_err());
        replica.signal("CONT");
        assert!(matches!(store.commit(commit).await, Err(StoreError::KeyTaken(_))), "it is done, and safe now");
        assert_eq!(changes(&store, id).await, 3, "once");
    });
}

#[test]
fn with_wait_a_move_that_the_replica_does_not_have_is_shown_to_nobody() {
    let master = RedisServer::start(DURABLE);
    let replica = replica_of(&master);
    let (id, quiet) = (new_game(), new_game());
    run(async || {
        let address = format!("{}?wait=1", master.address());
        let (one, other) = (
            Redis::open(&address, &EVENT_PHRASES).await.unwrap(),
            Redis::open(&address, &EVENT_PHRASES).await.unwrap(),
        );
        for (id, version) in [(id, 0), (id, 1), (quiet, 0)] {
            one.commit(plain(change(id, version))).await.unwrap();
            assert_eq!(other.entity(id).await.unwrap().unwrap().version, version + 1);
        }
        replica.signal("STOP");
        assert!(matches!(one.commit(plain(change(id, 2))).await, Err(StoreError::Unavailable(_))));
        for store in [&one, &other] {
            assert!(matches!(store.entity(id).await, Err(StoreError::Unavailable(_))), "a failover may take it back");
            assert!(matches!(store.entity_and_events(id, 0, 9).await, Err(StoreError::Unavailable(_))));
            assert!(matches!(store.entity_and_notes(id).await, Err(StoreError::Unavailable(_))));
            assert!(matches!(store.entity_and_deliveries(id).await, Err(StoreError::Unavailable(_))));
            assert!(matches!(store.entity_and_answer(id, [5; 32]).await, Err(StoreError::Unavailable(_))));
            assert!(matches!(store.list(GAME, "any".to_owned(), None, 9).await, Err(StoreError::Unavailable(_))));
            assert_eq!(store.entity(quiet).await.unwrap().unwrap().version, 1, "known to be safe");
        }
        replica.signal("CONT");
        assert_eq!(other.entity(id).await.unwrap().unwrap().version, 3);
        assert_eq!(other.entity_and_events(id, 0, 9).await.unwrap().0.unwrap().version, 3);
        assert_eq!(other.list(GAME, "any".to_owned(), None, 9).await.unwrap().len(), 2);
    });
}

#[test]
fn a_move_missing_at_the_redis_replica_is_answered_503_and_done_once_when_sent_again() {
    let data = TestStore::on_redis();
    let replica = replica_of(data.redis());
    let server = Server::start_on(&data, format!("{}?wait=1", data.redis().address()));
    let game = server.hot_seat(json!({"dice": "players"}));
    let throw = || {
        let request = game.command("/throws").header("Idempotency-Key", "one").json(&json!({"throw": "3+4"}));
        got(request.send().unwrap())
    };
    replica.signal("STOP");
    let away = throw();
    assert_eq!((away.problem(), away.header("retry-after")), ((503, "store_unavailable"), "1"));
    replica.signal("CONT");
    let done = throw();
    assert_eq!((done.status, done.header("idempotency-replayed")), (200, "true"), "{}", done.raw);
    assert_eq!(server.get(&game.path("")).body["steps"], 1);
}
