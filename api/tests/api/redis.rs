//! Tests the Redis store while Redis is down or slow, or has lost data.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade::store::redis::Redis;
use pagade::store::{AnswerOwner, Change, Commit, EntityChange, Store, StoreError};
use pagade::{EVENT_PHRASES, GAME};
use serde_json::json;

use crate::harness::{Server, TestStore};
use crate::store::{change, changes, new_game, plain, run, stored_answer};
use pagade_tests::redis_server::{DURABLE, RedisServer};

#[test]
fn a_commit_waits_for_a_restart_and_fails_when_redis_stays_away() {
    let mut redis = RedisServer::start(DURABLE);
    let id = new_game();
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        store.commit(plain(change(id, 0))).await.unwrap();
        redis.kill();
        let began = Instant::now();
        let away = store.commit(plain(change(id, 1))).await;
        assert!(matches!(away, Err(StoreError::Unavailable(_))), "{away:?}");
        assert!(began.elapsed() < Duration::from_secs(6), "it is given up in time");
        let (commit, ()) = tokio::join!(store.commit(plain(change(id, 1))), async {
            // Redis is down during this pause.
            tokio::time::sleep(Duration::from_millis(300)).await;
            redis.restart();
        });
        commit.unwrap();
        assert_eq!(changes(&store, id).await, 2);
    });
}

#[test]
fn a_commit_whose_answer_is_lost_is_done_once() {
    let redis = RedisServer::start(DURABLE);
    let (plain_game, keyed_game) = (new_game(), new_game());
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        for id in [plain_game, keyed_game] {
            store.commit(plain(change(id, 0))).await.unwrap();
            store.commit(plain(change(id, 1))).await.unwrap();
        }
        let answer = stored_answer(b"answer", 60);
        let keyed = Commit { answer: Some(([3; 32], answer.clone())), ..plain(change(keyed_game, 2)) };
        // Redis is stopped for longer than the service waits for an answer. Then all commands that were sent arrive at
        // once.
        redis.signal("STOP");
        let resumed = async {
            tokio::time::sleep(Duration::from_millis(2_600)).await;
            redis.signal("CONT");
        };
        let deliveries = Change::Deliveries { id: plain_game, expected: 0, value: b"to be sent".to_vec() };
        let deliveries = store.commit(Commit::from(deliveries));
        let plain_commit = store.commit(plain(change(plain_game, 2)));
        let (one, other, sent, ()) = tokio::join!(plain_commit, store.commit(keyed), deliveries, resumed);
        one.unwrap();
        other.unwrap();
        sent.unwrap();
        assert_eq!(store.entity_and_deliveries(plain_game).await.unwrap().1, (1, b"to be sent".to_vec()));
        for id in [plain_game, keyed_game] {
            assert_eq!(store.entity(id).await.unwrap().unwrap().version, 3);
            assert_eq!(changes(&store, id).await, 3, "one effect");
        }
        assert_eq!(store.answer(AnswerOwner::Entity(keyed_game), [3; 32]).await.unwrap(), Some(answer));
    });
}

#[test]
fn a_cache_entry_that_redis_has_lost_is_not_used() {
    let redis = RedisServer::start(DURABLE);
    let id = new_game();
    run(async || {
        let (one, other) = (
            Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap(),
            Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap(),
        );
        one.commit(plain(change(id, 0))).await.unwrap();
        let keys = ["", ":base"].map(|part| (format!("pagade:{{{}}}:game{part}", id.id), format!("before{part}")));
        for (key, copy) in &keys {
            redis.command(&["COPY", key, copy]);
        }
        one.commit(plain(change(id, 1))).await.unwrap();
        // Simulates a failover to a Redis replica that lacks the second commit: its data is put back, and another
        // process commits another change.
        for (key, copy) in &keys {
            redis.command(&["COPY", copy, key, "REPLACE"]);
        }
        let another = EntityChange { snapshot: "another".into(), ..change(id, 1) };
        other.commit(plain(another)).await.unwrap();
        let refused = one.commit(plain(change(id, 2))).await;
        let Err(StoreError::Conflict(Some(now))) = refused else { panic!("{refused:?}") };
        assert_eq!((now.version, now.snapshot), (2, "another".into()));
        one.commit(plain(change(id, 2))).await.unwrap();
    });
}

#[test]
fn lists_are_repaired_after_a_process_died_before_it_listed_a_game() {
    let redis = RedisServer::start(DURABLE);
    let (new, old, gone) = (new_game(), new_game(), new_game());
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        for id in [old, gone] {
            store.commit(plain(change(id, 0))).await.unwrap();
        }
        // From here on the process may not write the lists, as if it had died after the commit.
        redis.command(&["ACL", "SETUSER", "default", "resetkeys", "~*{*", "~*:unsettled", "~*:reserved:*"]);
        store.commit(plain(change(new, 0))).await.unwrap();
        store.commit(plain(change(old, 1))).await.unwrap();
        let remove = Change::Remove { id: gone, expected: 1, delivered: 0 };
        store.commit(Commit::from(remove)).await.unwrap();
        redis.command(&["ACL", "SETUSER", "default", "allkeys"]);
        let ids = async |store: &Redis, tag: &str| {
            let games = store.list(GAME, tag.to_owned(), None, 9).await.unwrap();
            games.iter().map(|view| view.id).collect::<Vec<_>>()
        };
        let another = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        assert!(ids(&another, "open").await.is_empty(), "a game that gave up its tag is left out");
        assert_eq!(redis.command(&["ZCARD", "pagade:unsettled"]), "3");
        age(&redis);
        let another = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        assert_eq!(ids(&another, "open").await, [new]);
        assert_eq!(ids(&another, "playing").await, [old]);
        assert_eq!(ids(&another, "any").await, [old, new]);
        assert_eq!(redis.command(&["ZCARD", "pagade:unsettled"]), "0");
        assert_eq!(redis.command(&["ZCARD", "pagade:tag:game:open"]), "1", "a game that was removed is in no list");
    });
}

/// Makes all notes about unsettled changes of tags in Redis one minute older.
fn age(redis: &RedisServer) {
    let script = "for _, note in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZINCRBY', KEYS[1], -60000, note) end";
    redis.command(&["EVAL", script, "1", "pagade:unsettled"]);
}

#[test]
fn a_reserved_id_leads_to_one_game() {
    let redis = RedisServer::start(DURABLE);
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap());
        let (first, second, key) = (new_game(), new_game(), [5; 32]);
        assert_eq!(store.reserve(key, first).await.unwrap(), (first, None));
        assert_eq!(
            store.reserve(key, second).await.unwrap(),
            (first, None),
            "whoever comes second creates the same game"
        );
        let answer = stored_answer(b"created", 60);
        let change = EntityChange { id: first, ..change(first, 0) };
        store.commit(Commit { change: Change::Entity(change), answer: Some((key, answer.clone())) }).await.unwrap();
        assert_eq!(store.reserve(key, second).await.unwrap(), (first, Some(answer)));
    });
}

#[test]
fn while_redis_is_away_the_answer_is_503_with_retry_after() {
    let mut data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({}));
    data.redis_mut().kill();
    for away in [server.get(&game.path("")), game.send("/throws", json!({}))] {
        assert_eq!(away.problem(), (503, "store_unavailable"));
        assert_eq!(away.header("retry-after"), "1");
    }
    assert_eq!(server.get("/readyz").status, 503);
    data.redis_mut().restart();
    assert_eq!(server.get(&game.path("")).status, 200, "by itself");
    assert_eq!(game.send("/throws", json!({})).status, 200);
    assert_eq!(server.get("/readyz").body["warnings"], json!([]));
}

#[test]
fn requests_do_not_pile_up_while_redis_stays_away() {
    let mut redis = RedisServer::start(DURABLE);
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        let id = new_game();
        store.commit(plain(change(id, 0))).await.unwrap();
        redis.kill();
        // The retries of these reads use up the budget of retries.
        let reads = futures_util::future::join_all((0..100).map(|_| store.entity(id))).await;
        assert!(reads.iter().all(Result::is_err));
        let began = Instant::now();
        assert!(store.entity(id).await.is_err());
        assert!(began.elapsed() < Duration::from_secs(2), "at once: {:?}", began.elapsed());
        redis.restart();
        assert_eq!(store.entity(id).await.unwrap().unwrap().version, 1, "the first try needs no budget");
    });
}

#[test]
fn broken_durability_promises_of_redis_are_warnings() {
    let redis =
        RedisServer::start(&["--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "allkeys-lru"]);
    let warnings = async |settings: &str| {
        let store = Redis::open(&format!("{}{settings}", redis.address()), &EVENT_PHRASES).await.unwrap();
        store.ready().await.unwrap().len()
    };
    run(async || {
        assert_eq!(warnings("").await, 2);
        assert_eq!(warnings("?durability=everysec").await, 1);
        assert_eq!(warnings("?durability=everysec&wait=1").await, 2);
    });
}

#[test]
fn a_game_in_redis_takes_no_more_memory_than_documented() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"seed": "memory"}));
    game.finish();
    let id = game.view["id"].as_str().unwrap();
    let bytes = ["game", "game:base", "game:events"].map(|part| {
        let key = format!("pagade:{{{id}}}:{part}");
        data.redis().command(&["MEMORY", "USAGE", &key, "SAMPLES", "0"]).parse::<u64>().unwrap()
    });
    let counts = [1, 1, game.view["events"].as_u64().unwrap()];
    let each: Vec<u64> = bytes.iter().zip(counts).map(|(bytes, count)| bytes / count).collect();
    assert!(each[0] + each[1] <= 800 && each[2] <= 150, "{bytes:?} bytes, {each:?} each");
}

#[test]
fn a_move_writes_only_the_part_of_a_game_that_it_changes() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"seed": "bytes", "title": "A title of some length"}));
    let id = game.view["id"].as_str().unwrap().to_owned();
    let ask = |command: &str, part: &str| data.redis().command(&[command, &format!("pagade:{{{id}}}:{part}")]);
    let base = ask("GET", "game:base");
    let mut most = 0;
    for _ in 0..60 {
        assert_eq!(game.step().status, 200);
        most = ask("STRLEN", "game").parse::<u64>().unwrap().max(most);
        assert_eq!(ask("GET", "game:base"), base);
    }
    assert!(most <= 200, "{most} bytes");
}

#[test]
fn processes_replace_the_base_of_an_entity_by_turns() {
    let redis = RedisServer::start(DURABLE);
    let id = new_game();
    run(async || {
        let stores = [
            Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap(),
            Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap(),
        ];
        for version in 0..24_u64 {
            // Every third snapshot has a new beginning. The two after it have the same beginning and another end.
            let start = format!("{:04}", version / 3).repeat(200);
            let snapshot = format!("{start} {version}");
            let tags = (version % 5 == 0).then(|| vec!["any".to_owned(), format!("tag{version}")]);
            let (writer, reader) = (&stores[version as usize % 2], &stores[(version as usize + 1) % 2]);
            let change = EntityChange { snapshot: snapshot.clone().into(), tags, ..change(id, version) };
            writer.commit(plain(change)).await.unwrap();
            for store in [reader, writer] {
                let (read, events) = store.entity_and_events(id, 0, usize::MAX).await.unwrap();
                let read = read.unwrap();
                assert_eq!((read.version, &read.snapshot[..]), (version + 1, snapshot.as_bytes()));
                assert_eq!(events.len() as u64, read.events);
                assert_eq!(store.entity(id).await.unwrap().unwrap(), read);
                let copy = store.copy(id, Vec::new()).await.unwrap().unwrap();
                assert_eq!(
                    (copy.snapshot, copy.tags),
                    (read.snapshot, vec!["any".to_owned(), format!("tag{}", version / 5 * 5)])
                );
            }
            // The refusal of a commit on an old version contains the present entity.
            if version > 0 {
                let late = EntityChange { snapshot: "late".into(), tags: None, ..self::change(id, version - 1) };
                let Err(StoreError::Conflict(Some(now))) = reader.commit(plain(late)).await else {
                    panic!("{version}")
                };
                assert_eq!((now.version, &now.snapshot[..]), (version + 1, snapshot.as_bytes()));
            }
        }
    });
}

#[test]
fn a_damaged_entity_is_not_left_out_of_a_copy() {
    let redis = RedisServer::start(DURABLE);
    let id = new_game();
    run(async || {
        let store = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        store.commit(plain(change(id, 0))).await.unwrap();
        assert!(store.copy(id, Vec::new()).await.unwrap().is_some());
        let bases = redis.command(&["KEYS", "*:base"]);
        let base = bases.lines().next().expect("an entity has a base").trim();
        redis.command(&["DEL", base]);
        let other = Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap();
        let copied = other.copy(id, Vec::new()).await;
        assert!(matches!(copied, Err(StoreError::Damaged(_))), "{copied:?}");
    });
}
