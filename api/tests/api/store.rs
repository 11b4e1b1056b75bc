//! The contract of stores: tests of the promises that every store makes about entities. They run on each store, for
//! games and for a made-up kind of entity.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;
use pagade::store::{
    AnswerOwner, BucketSpend, Change, Commit, EntityChange, EntityId, Key, Kind, LeasedTask, SharedText, Store,
    StoreError, StoredAnswer, Task,
};
use pagade::{EVENT_PHRASES, GAME};
use pagade_tests::redis_server::{self, RedisServer};
use uuid::Uuid;

use crate::harness::TestStore;
use crate::leaderboards;
use crate::store_transfer;

/// A kind of entity that the service does not use.
const LAMP: Kind = Kind::named("lamp");

#[test]
fn the_embedded_store_keeps_the_contract() {
    let directory = TestStore::new();
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Embedded::open(directory.path(), &EVENT_PHRASES).unwrap());
        contract(&store).await;
    });
}

#[test]
fn the_redis_store_keeps_the_contract() {
    let redis = RedisServer::start(redis_server::DURABLE);
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap());
        contract(&store).await;
    });
}

#[test]
fn the_embedded_store_keeps_what_it_took_when_it_is_opened_again() {
    let directory = TestStore::new();
    let ids = [GAME, LAMP].map(new);
    run(async || {
        let store = Embedded::open(directory.path(), &EVENT_PHRASES).unwrap();
        for id in ids {
            store.commit(plain(change(id, 0))).await.unwrap();
        }
    });
    run(async || {
        let store = Embedded::open(directory.path(), &EVENT_PHRASES).unwrap();
        for id in ids {
            let entity = store.entity(id).await.unwrap().unwrap();
            assert_eq!((entity.version, entity.events, entity.changed_at, entity.is_closed), (1, 2, 1_000, false));
        }
        let second = Embedded::open(directory.path(), &EVENT_PHRASES);
        assert!(matches!(second, Err(StoreError::Unavailable(_))), "a file has one owner");
    });
}

#[test]
fn notes_of_ever_more_entities_take_no_more_memory() {
    let directory = TestStore::new();
    run(async || {
        let store = Embedded::open(directory.path(), &EVENT_PHRASES).unwrap();
        let ids: Vec<EntityId> = (0..10_000).map(|_| new(GAME)).collect();
        for id in &ids {
            store.note(*id, vec![("a".to_owned(), Some(b"1".to_vec()))], Duration::from_secs(60)).await.unwrap();
        }
        let mut noted = 0;
        for id in &ids {
            noted += store.entity_and_notes(*id).await.unwrap().1.len();
        }
        assert!((2_000..=4_096).contains(&noted), "{noted} of 10,000");
        assert_eq!(store.entity_and_notes(ids[9_999]).await.unwrap().1.len(), 1, "those of the last are there");
    });
}

pub(crate) fn run(test: impl AsyncFnOnce()) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
}

pub(crate) fn new(kind: Kind) -> EntityId {
    EntityId::new(kind, Uuid::now_v7())
}

pub(crate) fn new_game() -> EntityId {
    new(GAME)
}

/// An idempotency key. Keys of different entities differ.
pub(crate) fn key(id: EntityId, number: u8) -> Key {
    let mut key = [number; 32];
    key[..16].copy_from_slice(id.id.as_bytes());
    key
}

pub(crate) fn change(id: EntityId, expected: u64) -> EntityChange {
    EntityChange {
        id,
        expected,
        snapshot: format!("snapshot {}", expected + 1).into(),
        changed_at: 1_000 * (expected + 1),
        is_closed: false,
        tags: Some(vec!["any".to_owned(), if expected == 0 { "open" } else { "playing" }.to_owned()]),
        events: vec![format!("a{expected}").into_bytes(), format!("b{expected}").into_bytes()],
        text: None,
        deadline: None,
    }
}

/// The number of changes made by [`change`] that the entity has. Each of them appends two events.
pub(crate) async fn changes(store: &dyn Store, id: EntityId) -> usize {
    let events = store.entity_and_events(id, 0, usize::MAX).await.unwrap().1;
    assert_eq!(events.len() % 2, 0, "changes are whole");
    events.len() / 2
}

pub(crate) fn plain(change: EntityChange) -> Commit {
    Commit::from(Change::Entity(change))
}

pub(crate) async fn contract(store: &Arc<dyn Store>) {
    for kind in [GAME, LAMP] {
        commits_are_whole(store, kind).await;
        an_entity_tells_what_its_readers_need(store, kind).await;
        versions_are_checked(store, kind).await;
        lists_are_pages(store, kind).await;
        answers_are_stored(store, kind).await;
        a_reserved_id_is_given_again(store, kind).await;
        events_are_waited_for(store, kind).await;
        commits_at_once_are_one_after_another(store, kind).await;
        events_belong_to_the_entity_that_is_read_with_them(store, kind).await;
        due_tasks_are_given_once(store, kind).await;
        a_deadline_that_a_task_gets_during_a_lease_stays(store, kind).await;
        notes_are_kept_for_a_while(store, kind).await;
        deliveries_are_written_by_version(store, kind).await;
        store_transfer::contract(store, kind).await;
    }
    kinds_are_kept_apart(store).await;
    leaderboards::boards_follow_their_entities(store).await;
    texts_are_kept(store).await;
    buckets_run_dry_with_time(store).await;
    store_transfer::published_texts_are_listed(store).await;
    store_transfer::the_first_shared_answer_stays(store).await;
    store.ready().await.unwrap();
}

async fn commits_are_whole(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    assert_eq!(store.entity(id).await.unwrap(), None);
    store.commit(plain(change(id, 0))).await.unwrap();
    store.commit(plain(change(id, 1))).await.unwrap();
    let entity = store.entity(id).await.unwrap().unwrap();
    assert_eq!((entity.id, entity.version, entity.snapshot), (id, 2, "snapshot 2".into()));
    let events = store.entity_and_events(id, 1, 2).await.unwrap().1;
    assert_eq!(events, [b"b0".to_vec(), b"a1".to_vec()]);
    assert!(store.entity_and_events(id, u64::MAX, 2).await.unwrap().1.is_empty());
}

async fn an_entity_tells_what_its_readers_need(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    store.commit(plain(EntityChange { events: Vec::new(), ..change(id, 1) })).await.unwrap();
    store.commit(plain(EntityChange { is_closed: true, ..change(id, 2) })).await.unwrap();
    let entity = store.entity(id).await.unwrap().unwrap();
    assert_eq!((entity.version, entity.events, entity.changed_at, entity.is_closed), (3, 4, 3_000, true));
    assert_eq!(store.cached(id), Some(entity.clone()));
    assert_eq!(store.entity_and_events(id, 4, 9).await.unwrap(), (Some(entity), Vec::new()));
    store.commit(plain(change(id, 3))).await.unwrap();
    assert!(!store.entity(id).await.unwrap().unwrap().is_closed, "each version says whether it is closed");
}

async fn versions_are_checked(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let refused = store.commit(plain(change(id, 3))).await;
    assert!(matches!(refused, Err(StoreError::Conflict(None))));
    store.commit(plain(change(id, 0))).await.unwrap();
    let key = key(id, 7);
    let answer = Some((key, stored_answer(b"x", 60)));
    let refused = store.commit(Commit { answer, ..plain(change(id, 0)) }).await;
    let Err(StoreError::Conflict(Some(now))) = refused else { panic!("{refused:?}") };
    assert_eq!((now.version, now.snapshot), (1, "snapshot 1".into()), "the loser learns what won");
    assert_eq!(store.entity_and_events(id, 0, 9).await.unwrap().1.len(), 2, "nothing of a refused commit is kept");
    assert_eq!(store.answer(AnswerOwner::Entity(id), key).await.unwrap(), None, "nor its key");
}

async fn lists_are_pages(store: &Arc<dyn Store>, kind: Kind) {
    let ids: Vec<EntityId> = (0..5).map(|_| new(kind)).collect();
    for id in &ids {
        let tags = Some(vec!["page".to_owned()]);
        store.commit(plain(EntityChange { tags, ..change(*id, 0) })).await.unwrap();
    }
    let page = async |before: Option<EntityId>| {
        let entities = store.list(kind, "page".to_owned(), before.map(|id| id.id), 2).await.unwrap();
        entities.iter().map(|entity| entity.id).collect::<Vec<_>>()
    };
    assert_eq!(page(None).await, [ids[4], ids[3]]);
    assert_eq!(page(Some(ids[3])).await, [ids[2], ids[1]]);
    store.commit(plain(EntityChange { tags: None, ..change(ids[3], 1) })).await.unwrap();
    assert_eq!(page(None).await, [ids[4], ids[3]], "it is found as before");
    store.commit(plain(change(ids[4], 1))).await.unwrap();
    assert_eq!(page(None).await, [ids[3], ids[2]], "a tag that was given up is forgotten");
}

pub(crate) fn stored_answer(sealed: &[u8], lifetime: u64) -> StoredAnswer {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    StoredAnswer { request: [1; 32], expires: now + lifetime, sealed: sealed.to_vec() }
}

async fn answers_are_stored(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let (new, old, owner) = (key(id, 9), key(id, 10), AnswerOwner::Entity(id));
    let answer = stored_answer(b"answer", 60);
    let commit = Commit { answer: Some((new, answer.clone())), ..plain(change(id, 0)) };
    store.commit(commit.clone()).await.unwrap();
    assert_eq!(store.answer(owner, new).await.unwrap(), Some(answer.clone()));
    let again = store.commit(commit).await;
    assert!(matches!(&again, Err(StoreError::KeyTaken(taken)) if **taken == answer), "{again:?}");
    let (entity, found) = store.entity_and_answer(id, new).await.unwrap();
    assert_eq!((entity.unwrap().version, found), (1, Some(answer.clone())));
    store.commit(Commit { answer: Some((old, stored_answer(b"old", 0))), ..plain(change(id, 1)) }).await.unwrap();
    assert_eq!(store.answer(owner, old).await.unwrap(), None, "its time has passed");
    store.commit(Commit { answer: Some((old, answer.clone())), ..plain(change(id, 2)) }).await.unwrap();
    assert_eq!(store.answer(owner, old).await.unwrap(), Some(answer));
}

async fn a_reserved_id_is_given_again(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let (key, answer) = (key(id, 5), stored_answer(b"created", 60));
    assert_eq!(store.reserve(key, id).await.unwrap(), (id, None));
    let commit = Commit { answer: Some((key, answer.clone())), ..plain(change(id, 0)) };
    store.commit(commit).await.unwrap();
    let (_, found) = store.reserve(key, new(kind)).await.unwrap();
    assert_eq!(found, Some(answer), "a request that is sent again is answered");
}

async fn texts_are_kept(store: &Arc<dyn Store>) {
    let text = SharedText { digest: "d1".to_owned(), bytes: b"text".to_vec() };
    let publish = Commit::from(Change::Publish { name: "set@1".to_owned(), text });
    store.commit(publish.clone()).await.unwrap();
    assert!(matches!(store.commit(publish).await, Err(StoreError::NameTaken(name)) if name == "set@1"));
    assert_eq!(store.published().await.unwrap(), [("set@1".to_owned(), "d1".to_owned())]);
    let needed = SharedText { digest: "d2".to_owned(), bytes: b"needed".to_vec() };
    store.commit(plain(EntityChange { text: Some(needed), ..change(new(LAMP), 0) })).await.unwrap();
    assert_eq!(store.text("d2".to_owned()).await.unwrap(), Some(b"needed".to_vec()));
    assert_eq!(store.text("d3".to_owned()).await.unwrap(), None);
}

async fn events_are_waited_for(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    assert!(store.wait(id, 1, Duration::from_secs(9)).await.unwrap(), "it is there already");
    assert!(!store.wait(id, 2, Duration::from_millis(20)).await.unwrap());
    let waits = store.wait(id, 2, Duration::from_secs(9));
    let commits = async {
        // Nothing shows that the wait has begun. A wait that begins after the commit ends at once, too.
        tokio::time::sleep(Duration::from_millis(20)).await;
        store.commit(plain(change(id, 1))).await.unwrap();
    };
    let (heard, ()) = tokio::join!(waits, commits);
    assert!(heard.unwrap());
}

async fn commits_at_once_are_one_after_another(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let commits: Vec<_> = (0..20).map(|_| store.commit(plain(change(id, 0)))).collect();
    let (mut taken, mut refused) = (0, 0);
    for commit in commits {
        match commit.await {
            Ok(()) => taken += 1,
            Err(StoreError::Conflict(Some(now))) if now.version == 1 => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((taken, refused), (1, 19));
}

/// Checks reads during commits: a read returns an entity with all events of its version, and no later events.
async fn events_belong_to_the_entity_that_is_read_with_them(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    let is_over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (store, is_over) = (Arc::clone(store), Arc::clone(&is_over));
            tokio::spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    let (entity, events) = store.entity_and_events(id, 1, usize::MAX).await.unwrap();
                    assert_eq!(1 + events.len() as u64, entity.unwrap().events);
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for version in 1..200 {
        store.commit(plain(change(id, version))).await.unwrap();
    }
    is_over.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.unwrap();
    }
}

/// Takes due tasks, and returns their leases.
async fn take(store: &Arc<dyn Store>, limit: usize) -> Vec<LeasedTask> {
    store.due(limit).await.unwrap()
}

/// Takes the only due task.
async fn take_one(store: &Arc<dyn Store>, task: Task) -> LeasedTask {
    let taken = take(store, 9).await;
    assert_eq!(taken.iter().map(|leased| leased.task).collect::<Vec<_>>(), [task]);
    taken[0]
}

async fn end(store: &Arc<dyn Store>, leased: LeasedTask, at: Option<u64>) {
    store.commit(Commit::from(Change::EndLease { leased, at })).await.unwrap();
}

async fn schedule_by(store: &Arc<dyn Store>, task: Task, at: u64) {
    store.commit(Commit::from(Change::ScheduleBy(vec![(task, at)]))).await.unwrap();
}

async fn due_tasks_are_given_once(store: &Arc<dyn Store>, kind: Kind) {
    let now = store.now();
    let (past, future) = (Task::entity(new(kind)), Task::entity(new(kind)));
    for (task, at) in [(past, now - 1), (future, now + 60_000)] {
        store.commit(plain(EntityChange { deadline: Some(at), ..change(task.id, 0) })).await.unwrap();
    }
    let first = take_one(store, past).await;
    assert!(take(store, 9).await.is_empty(), "somebody has it");
    end(store, first, Some(now - 1)).await;
    schedule_by(store, future, now - 2).await;
    let earliest = take(store, 1).await;
    assert_eq!(earliest[0].task, future, "the earliest first");
    let again = take_one(store, past).await;
    let deliveries = Task::deliveries(past.id);
    schedule_by(store, deliveries, now - 1).await;
    let deliveries = take_one(store, deliveries).await;
    assert_eq!(deliveries.task.id, past.id, "each task of an entity has a deadline of its own");
    store.commit(plain(change(past.id, 1))).await.unwrap();
    end(store, again, None).await;
    end(store, deliveries, None).await;
    end(store, earliest[0], Some(now + 60_000)).await;
    assert!(take(store, 9).await.is_empty());
    assert_eq!(store.entity(past.id).await.unwrap().unwrap().version, 2);
}

async fn a_deadline_that_a_task_gets_during_a_lease_stays(store: &Arc<dyn Store>, kind: Kind) {
    let task = Task::entity(new(kind));
    let soon = async || {
        let at = store.now() + 30;
        move |store: &Arc<dyn Store>| store.now() > at
    };
    let until = async |is_past: &dyn Fn(&Arc<dyn Store>) -> bool| {
        while !is_past(store) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let deadline = Some(store.now() - 1);
    store.commit(plain(EntityChange { deadline, ..change(task.id, 0) })).await.unwrap();
    // The holder of the lease has read the entity before the deadline is set. It ends the lease with a later deadline,
    // or with none.
    for (version, at) in [(1, Some(60_000)), (2, None)] {
        let leased = take_one(store, task).await;
        let is_past = soon().await;
        let deadline = Some(store.now() + 20);
        store.commit(plain(EntityChange { deadline, ..change(task.id, version) })).await.unwrap();
        end(store, leased, at.map(|at| store.now() + at)).await;
        until(&is_past).await;
    }
    let leased = take_one(store, task).await;
    let is_past = soon().await;
    schedule_by(store, task, store.now() + 20).await;
    end(store, leased, None).await;
    until(&is_past).await;
    // Ending a lease that has run out removes no deadline.
    let later = take_one(store, task).await;
    end(store, later, Some(store.now() - 1)).await;
    end(store, leased, None).await;
    let leased = take_one(store, task).await;
    let until = store.now() + 100_000;
    store.commit(Commit::from(Change::ExtendLease { leased, until })).await.unwrap();
    end(store, leased, None).await;
    let [deadline, _] = store.copy(task.id, Vec::new()).await.unwrap().unwrap().deadlines;
    assert!(deadline.is_some(), "the extended lease has another end");
    end(store, LeasedTask { until, ..leased }, None).await;
    assert_eq!(store.copy(task.id, Vec::new()).await.unwrap().unwrap().deadlines, [None; 2]);
}

async fn notes_are_kept_for_a_while(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    let note = |name: &str, value: Option<&str>| (name.to_owned(), value.map(|value| value.as_bytes().to_vec()));
    let lifetime = Duration::from_secs(60);
    store.note(id, vec![note("a", Some("1")), note("b", Some("2"))], lifetime).await.unwrap();
    store.note(id, vec![note("a", Some("3")), note("b", None)], lifetime).await.unwrap();
    let (entity, notes) = store.entity_and_notes(id).await.unwrap();
    assert_eq!((entity.unwrap().version, notes), (1, vec![("a".to_owned(), b"3".to_vec())]));
    store.note(id, vec![note("c", Some("4"))], Duration::from_millis(20)).await.unwrap();
    // This is longer than the lifetime of the note.
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert!(store.entity_and_notes(id).await.unwrap().1.is_empty());
}

async fn buckets_run_dry_with_time(store: &Arc<dyn Store>) {
    let pour = async |bucket: &str, milliseconds: u64, ago: u64| {
        let time = Duration::from_millis(milliseconds);
        let spent = BucketSpend { bucket: bucket.to_owned(), time, ago: Duration::from_millis(ago) };
        let other = BucketSpend { bucket: format!("{bucket} of another"), ..spent.clone() };
        store.spend(vec![spent, other]).await.unwrap()[0].as_millis()
    };
    let (one, two, small) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    assert!((8_000..=9_000).contains(&pour(&one, 9_000, 0).await));
    assert!((10_000..=11_000).contains(&pour(&one, 2_000, 4_000).await), "what was there is still there");
    assert!((4_000..=5_000).contains(&pour(&two, 9_000, 4_000).await), "some has run out");
    assert_eq!(pour(&two, 0, 0).await / 1_000, 4);
    assert_eq!(pour(&small, 20, 60).await, 0, "all of it");
    pour(&small, 20, 0).await;
    // This is longer than the bucket needs to run empty.
    tokio::time::sleep(Duration::from_millis(60)).await;
    assert!(pour(&small, 1_000, 0).await <= 1_000, "it had run dry");
    assert!(store.spend(Vec::new()).await.unwrap().is_empty());
}

async fn deliveries_are_written_by_version(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    let write = async |expected, value: &[u8]| {
        store.commit(Commit::from(Change::Deliveries { id, expected, value: value.to_vec() })).await
    };
    assert_eq!(store.entity_and_deliveries(id).await.unwrap().1, (0, Vec::new()));
    write(0, b"one").await.unwrap();
    assert!(matches!(write(0, b"late").await, Err(StoreError::Conflict(_))));
    write(1, b"two").await.unwrap();
    let (entity, deliveries) = store.entity_and_deliveries(id).await.unwrap();
    assert_eq!((entity.unwrap().version, deliveries), (1, (2, b"two".to_vec())), "the entity is as it was");
}

/// Checks that two entities with the same id and different kinds share nothing.
async fn kinds_are_kept_apart(store: &Arc<dyn Store>) {
    let game = new(GAME);
    let lamp = EntityId::new(LAMP, game.id);
    let (now, tags) = (store.now(), Some(vec!["apart".to_owned()]));
    for (id, snapshot) in [(game, "a game"), (lamp, "a lamp")] {
        let snapshot = snapshot.into();
        let deadline = Some(now - 1);
        store.commit(plain(EntityChange { snapshot, tags: tags.clone(), deadline, ..change(id, 0) })).await.unwrap();
        store.note(id, vec![(id.kind.to_string(), Some(Vec::new()))], Duration::from_secs(60)).await.unwrap();
    }
    store.commit(plain(EntityChange { tags: None, ..change(lamp, 1) })).await.unwrap();
    store.commit(Commit::from(Change::Deliveries { id: lamp, expected: 0, value: b"lamp".to_vec() })).await.unwrap();
    let versions = [game, lamp].map(|id| store.cached(id).unwrap().version);
    assert_eq!(versions, [1, 2]);
    assert_eq!((changes(&**store, game).await, changes(&**store, lamp).await), (1, 2));
    assert_eq!(store.entity_and_deliveries(game).await.unwrap().1, (0, Vec::new()));
    assert_eq!(store.entity_and_notes(game).await.unwrap().1, [("game".to_owned(), Vec::new())]);
    for kind in [GAME, LAMP] {
        let listed = store.list(kind, "apart".to_owned(), None, 9).await.unwrap();
        assert_eq!(listed.iter().map(|entity| entity.id).collect::<Vec<_>>(), [EntityId::new(kind, game.id)]);
    }
    let mut due = take(store, 9).await;
    due.sort_unstable();
    assert_eq!(due.iter().map(|leased| leased.task).collect::<Vec<_>>(), [Task::entity(game), Task::entity(lamp)]);
    store.commit(Commit::from(Change::Remove { id: lamp, expected: 2, delivered: 1 })).await.unwrap();
    assert_eq!(store.entity(lamp).await.unwrap(), None);
    assert_eq!(store.entity(game).await.unwrap().unwrap().snapshot, "a game");
    assert_eq!(store.entity_and_notes(game).await.unwrap().1.len(), 1);
    for leased in due {
        end(store, leased, None).await;
    }
}
