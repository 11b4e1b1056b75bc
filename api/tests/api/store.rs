//! What every store promises; each store runs the whole contract.

use std::sync::Arc;
use std::time::Duration;

use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;
use pagade::store::{Change, Commit, GameChange, GameId, Place, Remembered, RuleText, Spent, Store, StoreError};
use uuid::Uuid;

use crate::harness::TestStore;
use crate::whole;
use pagade_tests::redis_server::{self, RedisServer};

#[test]
fn the_embedded_store_keeps_the_contract() {
    let directory = TestStore::new();
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Embedded::open(directory.path()).unwrap());
        contract(&store).await;
    });
}

#[test]
fn the_redis_store_keeps_the_contract() {
    let redis = RedisServer::start(redis_server::DURABLE);
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Redis::open(&redis.address()).await.unwrap());
        contract(&store).await;
    });
}

#[test]
fn the_embedded_store_keeps_what_it_took_when_it_is_opened_again() {
    let directory = TestStore::new();
    let id = Uuid::now_v7();
    run(async || {
        let store = Embedded::open(directory.path()).unwrap();
        store.commit(plain(change(id, 0))).await.unwrap();
    });
    run(async || {
        let store = Embedded::open(directory.path()).unwrap();
        assert_eq!(store.game(id).await.unwrap().unwrap().version, 1);
        let second = Embedded::open(directory.path());
        assert!(matches!(second, Err(StoreError::Unavailable(_))), "a file has one owner");
    });
}

#[test]
fn notes_of_ever_more_games_take_no_more_memory() {
    let directory = TestStore::new();
    run(async || {
        let store = Embedded::open(directory.path()).unwrap();
        let ids: Vec<GameId> = (0..10_000).map(|_| Uuid::now_v7()).collect();
        for id in &ids {
            store.note(*id, vec![("a".to_owned(), Some(b"1".to_vec()))], Duration::from_secs(60)).await.unwrap();
        }
        let mut noted = 0;
        for id in &ids {
            noted += store.game_and_notes(*id).await.unwrap().1.len();
        }
        assert!((2_000..=4_096).contains(&noted), "{noted} of 10,000");
        assert_eq!(store.game_and_notes(ids[9_999]).await.unwrap().1.len(), 1, "those of the last are there");
    });
}

pub fn run(test: impl AsyncFnOnce()) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
}

pub fn change(id: GameId, expected: u64) -> GameChange {
    GameChange {
        id,
        expected,
        snapshot: format!("snapshot {}", expected + 1).into(),
        tags: Some(vec!["any".to_owned(), if expected == 0 { "open" } else { "playing" }.to_owned()]),
        events: vec![format!("a{expected}").into_bytes(), format!("b{expected}").into_bytes()],
        rules: None,
        look: None,
    }
}

/// How many of such changes the game has, by its events.
pub async fn changes(store: &dyn Store, id: GameId) -> usize {
    let events = store.game_and_events(id, 0, usize::MAX).await.unwrap().1;
    assert_eq!(events.len() % 2, 0, "changes are whole");
    events.len() / 2
}

pub fn plain(change: GameChange) -> Commit {
    Commit { change: Change::Game(change), remember: None }
}

pub async fn contract(store: &Arc<dyn Store>) {
    commits_are_whole(store).await;
    versions_are_checked(store).await;
    lists_are_pages(store).await;
    keys_are_remembered(store).await;
    rule_sets_are_kept(store).await;
    events_are_waited_for(store).await;
    commands_at_once_are_one_after_another(store).await;
    games_that_are_due_are_given_once(store).await;
    notes_are_kept_for_a_while(store).await;
    buckets_run_dry_with_time(store).await;
    how_far_webhooks_are_is_written_by_version(store).await;
    whole::contract(store).await;
    store.ready().await.unwrap();
}

async fn commits_are_whole(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    assert_eq!(store.game(id).await.unwrap(), None);
    store.commit(plain(change(id, 0))).await.unwrap();
    store.commit(plain(change(id, 1))).await.unwrap();
    let game = store.game(id).await.unwrap().unwrap();
    assert_eq!((game.version, game.snapshot), (2, "snapshot 2".into()));
    let events = store.game_and_events(id, 1, 2).await.unwrap().1;
    assert_eq!(events, [b"b0".to_vec(), b"a1".to_vec()]);
    assert!(store.game_and_events(id, u64::MAX, 2).await.unwrap().1.is_empty());
}

async fn versions_are_checked(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    let stale = store.commit(plain(change(id, 3))).await;
    assert!(matches!(stale, Err(StoreError::Stale(None))));
    store.commit(plain(change(id, 0))).await.unwrap();
    let key = [7; 32];
    let remember = Some((key, remembered(b"x", 60)));
    let stale = store.commit(Commit { remember, ..plain(change(id, 0)) }).await;
    let Err(StoreError::Stale(Some(now))) = stale else { panic!("{stale:?}") };
    assert_eq!((now.version, now.snapshot), (1, "snapshot 1".into()), "the loser learns what won");
    assert_eq!(store.game_and_events(id, 0, 9).await.unwrap().1.len(), 2, "nothing of a refused commit is kept");
    assert_eq!(store.remembered(Place::Game(id), key).await.unwrap(), None, "nor its key");
}

async fn lists_are_pages(store: &Arc<dyn Store>) {
    let ids: Vec<GameId> = (0..5).map(|_| Uuid::now_v7()).collect();
    for id in &ids {
        let tags = Some(vec!["page".to_owned()]);
        store.commit(plain(GameChange { tags, ..change(*id, 0) })).await.unwrap();
    }
    let page = async |before| {
        let games = store.games("page".to_owned(), before, 2).await.unwrap();
        games.iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(page(None).await, [ids[4], ids[3]]);
    assert_eq!(page(Some(ids[3])).await, [ids[2], ids[1]]);
    store.commit(plain(GameChange { tags: None, ..change(ids[3], 1) })).await.unwrap();
    assert_eq!(page(None).await, [ids[4], ids[3]], "it is found as before");
    store.commit(plain(change(ids[4], 1))).await.unwrap();
    assert_eq!(page(None).await, [ids[3], ids[2]], "a tag that was given up is forgotten");
}

pub fn remembered(answer: &[u8], lifetime: u64) -> Remembered {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    Remembered { request: [1; 32], expires: now + lifetime, answer: answer.to_vec() }
}

async fn keys_are_remembered(store: &Arc<dyn Store>) {
    let (id, key) = (Uuid::now_v7(), [9; 32]);
    let held = remembered(b"answer", 60);
    let commit = Commit { remember: Some((key, held.clone())), ..plain(change(id, 0)) };
    store.commit(commit.clone()).await.unwrap();
    assert_eq!(store.remembered(Place::Game(id), key).await.unwrap(), Some(held.clone()));
    let again = store.commit(commit).await;
    assert!(matches!(&again, Err(StoreError::KeyTaken(taken)) if **taken == held), "{again:?}");
    let (game, found) = store.game_and_remembered(id, key).await.unwrap();
    assert_eq!((game.unwrap().version, found), (1, Some(held.clone())));
    let old = [10; 32];
    store.commit(Commit { remember: Some((old, remembered(b"old", 0))), ..plain(change(id, 1)) }).await.unwrap();
    assert_eq!(store.remembered(Place::Game(id), old).await.unwrap(), None, "its time has passed");
    let commit = Commit { remember: Some((old, held.clone())), ..plain(change(id, 2)) };
    store.commit(commit).await.unwrap();
    assert_eq!(store.remembered(Place::Game(id), old).await.unwrap(), Some(held));
}

async fn rule_sets_are_kept(store: &Arc<dyn Store>) {
    let text = RuleText { digest: "d1".to_owned(), bytes: b"text".to_vec() };
    let publish = Change::RuleSet { name: "set@1".to_owned(), text: text.clone() };
    let publish = Commit { change: publish, remember: None };
    store.commit(publish.clone()).await.unwrap();
    assert!(matches!(store.commit(publish).await, Err(StoreError::Taken(name)) if name == "set@1"));
    assert_eq!(store.published().await.unwrap(), [("set@1".to_owned(), "d1".to_owned())]);
    let pinned = RuleText { digest: "d2".to_owned(), bytes: b"pinned".to_vec() };
    store.commit(plain(GameChange { rules: Some(pinned), ..change(Uuid::now_v7(), 0) })).await.unwrap();
    assert_eq!(store.rule_text("d2".to_owned()).await.unwrap(), Some(b"pinned".to_vec()));
    assert_eq!(store.rule_text("d3".to_owned()).await.unwrap(), None);
}

async fn events_are_waited_for(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    store.commit(plain(change(id, 0))).await.unwrap();
    assert!(store.wait(id, 1, Duration::from_secs(9)).await.unwrap(), "it is there already");
    assert!(!store.wait(id, 2, Duration::from_millis(20)).await.unwrap());
    let waits = store.wait(id, 2, Duration::from_secs(9));
    let commits = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        store.commit(plain(change(id, 1))).await.unwrap();
    };
    let (heard, ()) = tokio::join!(waits, commits);
    assert!(heard.unwrap());
}

async fn commands_at_once_are_one_after_another(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    let commits: Vec<_> = (0..20).map(|_| store.commit(plain(change(id, 0)))).collect();
    let (mut taken, mut refused) = (0, 0);
    for commit in commits {
        match commit.await {
            Ok(()) => taken += 1,
            Err(StoreError::Stale(Some(now))) if now.version == 1 => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((taken, refused), (1, 19));
}

async fn games_that_are_due_are_given_once(store: &Arc<dyn Store>) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let (past, future) = (Uuid::now_v7(), Uuid::now_v7());
    for (id, look) in [(past, now - 1), (future, now + 60_000)] {
        store.commit(plain(GameChange { look: Some(look), ..change(id, 0) })).await.unwrap();
    }
    assert_eq!(store.due(9).await.unwrap(), [past]);
    assert!(store.due(9).await.unwrap().is_empty(), "somebody has it");
    let look = async |id, at| store.commit(Commit { change: Change::Look { id, at }, remember: None }).await.unwrap();
    look(past, Some(now - 1)).await;
    look(future, Some(now - 2)).await;
    assert_eq!(store.due(1).await.unwrap(), [future], "the earliest first");
    assert_eq!(store.due(9).await.unwrap(), [past]);
    store.commit(plain(change(past, 1))).await.unwrap();
    look(past, None).await;
    look(future, Some(now + 60_000)).await;
    assert!(store.due(9).await.unwrap().is_empty());
    assert_eq!(store.game(past).await.unwrap().unwrap().version, 2);
}

async fn notes_are_kept_for_a_while(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    store.commit(plain(change(id, 0))).await.unwrap();
    let note = |name: &str, value: Option<&str>| (name.to_owned(), value.map(|value| value.as_bytes().to_vec()));
    let lifetime = Duration::from_secs(60);
    store.note(id, vec![note("a", Some("1")), note("b", Some("2"))], lifetime).await.unwrap();
    store.note(id, vec![note("a", Some("3")), note("b", None)], lifetime).await.unwrap();
    let (game, notes) = store.game_and_notes(id).await.unwrap();
    assert_eq!((game.unwrap().version, notes), (1, vec![("a".to_owned(), b"3".to_vec())]));
    store.note(id, vec![note("c", Some("4"))], Duration::from_millis(20)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert!(store.game_and_notes(id).await.unwrap().1.is_empty());
}

async fn buckets_run_dry_with_time(store: &Arc<dyn Store>) {
    let pour = async |bucket: &str, milliseconds: u64, ago: u64| {
        let time = Duration::from_millis(milliseconds);
        let spent = Spent { bucket: bucket.to_owned(), time, ago: Duration::from_millis(ago) };
        let other = Spent { bucket: format!("{bucket} of another"), ..spent.clone() };
        store.spend(vec![spent, other]).await.unwrap()[0].as_millis()
    };
    let (one, two, small) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    assert!((8_000..=9_000).contains(&pour(&one, 9_000, 0).await));
    assert!((10_000..=11_000).contains(&pour(&one, 2_000, 4_000).await), "what was there is still there");
    assert!((4_000..=5_000).contains(&pour(&two, 9_000, 4_000).await), "some has run out");
    assert_eq!(pour(&two, 0, 0).await / 1_000, 4);
    assert_eq!(pour(&small, 20, 60).await, 0, "all of it");
    pour(&small, 20, 0).await;
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert!(pour(&small, 1_000, 0).await <= 1_000, "it had run dry");
    assert!(store.spend(Vec::new()).await.unwrap().is_empty());
}

async fn how_far_webhooks_are_is_written_by_version(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    store.commit(plain(change(id, 0))).await.unwrap();
    let write = async |expected, value: &[u8]| {
        let change = Change::Deliveries { id, expected, value: value.to_vec() };
        store.commit(Commit { change, remember: None }).await
    };
    assert_eq!(store.game_and_deliveries(id).await.unwrap().1, (0, Vec::new()));
    write(0, b"one").await.unwrap();
    assert!(matches!(write(0, b"late").await, Err(StoreError::Stale(_))));
    write(1, b"two").await.unwrap();
    let (game, held) = store.game_and_deliveries(id).await.unwrap();
    assert_eq!((game.unwrap().version, held), (1, (2, b"two".to_vec())), "the game is as it was");
}
