//! Tests the code that serves every kind of entity, with lamps as the kind, on both stores.

mod timely;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pagade_tests::receiver::Receiver;
use pagade_tests::redis_server::{self, RedisServer};
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::Uuid;

use super::{LAMP, Lamp, LampEdit, Light};
use crate::archive::{Imported, export, import};
use crate::config::{Retention, ServeConfig};
use crate::error::{Code, Problem};
use crate::follow::CombinedPresence;
use crate::game::phrases::EVENT_PHRASES;
use crate::game::stored::Game;
use crate::ground::token::Token;
use crate::model::event::EventsQuery;
use crate::model::webhook::CreateWebhook;
use crate::service::call::{Call, ETags};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::schedule::ScheduledKind;
use crate::service::{EventStream, KINDS, Service, StreamMessage};
use crate::store::embedded::Embedded;
use crate::store::redis::Redis;
use crate::store::{EntityId, Store, StoredEntity};

/// The kinds of entities in a program that has games and lamps.
static WITH_LAMPS: &[ScheduledKind] = &[ScheduledKind::of::<Game>(), ScheduledKind::of::<Lamp>()];

/// Longest time that a test waits for something.
const PATIENCE: Duration = Duration::from_secs(20);

/// An embedded store or a Redis store for a test. Its data is removed when this value is dropped.
struct TestStore {
    store: Option<Arc<dyn Store>>,
    directory: PathBuf,
    _redis: Option<RedisServer>,
}

impl TestStore {
    fn embedded() -> Self {
        let directory = std::env::temp_dir().join(format!("pagade-lamps-{}", Uuid::now_v7()));
        let store: Arc<dyn Store> = Arc::new(Embedded::open(&directory, &EVENT_PHRASES).unwrap());
        Self { store: Some(store), directory, _redis: None }
    }

    async fn redis() -> Self {
        let redis = RedisServer::start(redis_server::DURABLE);
        let store: Arc<dyn Store> = Arc::new(Redis::open(&redis.address(), &EVENT_PHRASES).await.unwrap());
        Self { store: Some(store), directory: PathBuf::new(), _redis: Some(redis) }
    }

    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(self.store.as_ref().unwrap())
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        self.store = None;
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Runs a test on each store.
pub(in crate::service) fn on_both_stores(test: impl AsyncFn(Arc<dyn Store>)) {
    run(async || {
        test(TestStore::embedded().store()).await;
        test(TestStore::redis().await.store()).await;
    });
}

fn run(test: impl AsyncFnOnce()) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test());
}

/// A service with one lamp.
struct House {
    service: Service,
    store: Arc<dyn Store>,
    /// The service closes when this sender is dropped.
    _closing: watch::Sender<bool>,
    id: EntityId,
    keeper: Token,
    key: Token,
}

impl House {
    async fn on(store: Arc<dyn Store>, retention: Retention) -> Self {
        let mut house = Self::without_lamp(store, retention);
        house.id = house.make_lamp(&Call::default()).await.unwrap();
        house
    }

    fn without_lamp(store: Arc<dyn Store>, retention: Retention) -> Self {
        let mut config = ServeConfig { retention, ..ServeConfig::default() };
        (config.webhooks.allows_private, config.webhooks.pause) = (true, Duration::from_millis(50));
        let (_closing, closed) = watch::channel(false);
        let service = Service::new(Arc::clone(&store), &config, closed);
        let id = EntityId::new(LAMP, Uuid::nil());
        let (keeper, key) = (Token::new().unwrap(), Token::new().unwrap());
        Self { service, store, _closing, id, keeper, key }
    }

    async fn make_lamp(&self, call: &Call) -> Result<EntityId, Problem> {
        let reply = self.create(call, b"a lamp").await?;
        let id = serde_json::from_slice::<Value>(&reply.body).unwrap()["lamp"].as_str().unwrap().parse().unwrap();
        Ok(EntityId::new(LAMP, id))
    }

    async fn create(&self, call: &Call, body: &[u8]) -> Result<Reply, Problem> {
        let work = async |id| {
            let lamp = Lamp::new(self.keeper.hash(), self.key.hash());
            let mut edit = LampEdit::begin(EntityId::new(LAMP, id), lamp, self.store.now());
            edit.add("made");
            Ok((edit, None, Reply::new(201, &json!({"lamp": id}))?))
        };
        self.service.create(IdempotentRequest::of(call, body)?, work).await
    }

    async fn change(&self, call: &Call, body: &[u8], work: impl Fn(&mut LampEdit)) -> Result<Reply, Problem> {
        let idempotency = IdempotentRequest::of(call, body)?;
        let work = |edit: &mut LampEdit| {
            work(edit);
            Ok(Reply::done(edit.lamp.version))
        };
        self.service.change(idempotency, self.id, work).await
    }

    async fn light(&self, milliseconds: u64) {
        self.change(&self.keeper(), b"", |edit| edit.light_for(milliseconds)).await.unwrap();
    }

    async fn break_lamp(&self) {
        let work = |edit: &mut LampEdit| {
            edit.lamp.light = Light::Broken;
            edit.add("broken");
        };
        self.change(&self.keeper(), b"", work).await.unwrap();
    }

    /// The id as it stands in a path.
    fn name(&self) -> String {
        self.id.id.to_string()
    }

    fn keeper(&self) -> Call {
        Call { token: Some(self.keeper.clone()), ..Call::default() }
    }

    fn holder(&self) -> Call {
        Call { token: Some(self.key.clone()), ..Call::default() }
    }

    async fn follow(&self, call: &Call, after: Option<u64>, resyncs: bool) -> EventStream<Lamp> {
        Arc::new(self.service.clone()).follow::<Lamp>(call, self.id, after, resyncs).await.unwrap()
    }

    async fn stored(&self) -> Option<StoredEntity> {
        self.store.entity(self.id).await.unwrap()
    }

    async fn words(&self) -> Vec<String> {
        let (_, events) = self.store.entity_and_events(self.id, 0, 99).await.unwrap();
        let word =
            |event: &Vec<u8>| serde_json::from_slice::<Value>(event).unwrap()["event"].as_str().unwrap().to_owned();
        events.iter().map(word).collect()
    }

    /// Waits for an event with this word. A deadline causes the event.
    async fn until_event(&self, word: &str) {
        let mut stream = self.follow(&self.keeper(), Some(0), false).await;
        let found = async {
            loop {
                if let StreamMessage::Events(lines) = next(&mut stream).await
                    && lines.iter().any(|line| text(&line.ndjson).contains(word))
                {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, found).await.unwrap_or_else(|_| panic!("no `{word}` happens"));
    }

    async fn until_gone(&self) {
        until("the lamp is gone", async || self.stored().await.is_none()).await;
    }
}

/// Waits until a condition holds.
pub(in crate::service) async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let held = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, held).await.unwrap_or_else(|_| panic!("{what}: not in time"));
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The next message of a stream; the first one came with the stream.
async fn next(stream: &mut EventStream<Lamp>) -> StreamMessage {
    match stream.first.take() {
        Some(first) => *first,
        None => stream.next().await.unwrap(),
    }
}

/// Reads the messages of a stream, as a client receives them, until they contain this number of events.
async fn read(stream: &mut EventStream<Lamp>, count: usize, is_sse: bool) -> String {
    let (mut all, mut events) = (String::new(), 0);
    while events < count {
        match tokio::time::timeout(PATIENCE, next(stream)).await.unwrap() {
            StreamMessage::Events(lines) => {
                events += lines.len();
                lines.iter().for_each(|line| all.push_str(text(if is_sse { &line.sse } else { &line.ndjson })));
            }
            other => panic!("{other:?}"),
        }
    }
    all
}

fn keyed(key: &str, target: &str) -> Call {
    Call { key: Some(key.to_owned()), target: target.to_owned(), ..Call::default() }
}

#[test]
fn a_command_takes_effect_once() {
    on_both_stores(async |store| {
        let mut house = House::without_lamp(store, Retention::default());
        let call = keyed("make", "POST /lamps");
        house.id = house.make_lamp(&call).await.unwrap();
        let again = house.create(&call, b"a lamp").await.unwrap();
        assert!(again.repeated && text(&again.body).contains(&house.id.id.to_string()), "{again:?}");
        let refused = house.create(&call, b"two lamps").await.unwrap_err();
        assert_eq!(refused.code, Code::IdempotencyKeyReused);
        let light =
            async || house.change(&keyed("light", "POST /lamps/1/light"), b"", |edit| edit.light_for(60_000)).await;
        assert_eq!(light().await.unwrap().version, Some(2));
        assert_eq!(light().await.unwrap().version, Some(2), "the stored answer");
        let none =
            house.service.change(None, EntityId::new(LAMP, Uuid::now_v7()), |_: &mut LampEdit| Ok(Reply::done(0)));
        assert_eq!(none.await.unwrap_err().detail, "there is no such lamp");
        let call = house.keeper();
        let commands: Vec<_> = (0..20).map(|_| house.change(&call, b"", |edit| edit.add("lit"))).collect();
        let replies = futures_util::future::try_join_all(commands).await.unwrap();
        let mut versions: Vec<_> = replies.into_iter().filter_map(|reply| reply.version).collect();
        versions.sort_unstable();
        assert_eq!(versions, (3..=22).collect::<Vec<_>>(), "one after another, none lost");
        let listed = house.store.list(LAMP, "lamps".to_owned(), None, 9).await.unwrap();
        assert_eq!(listed.iter().map(|lamp| (lamp.id, lamp.version)).collect::<Vec<_>>(), [(house.id, 22)]);
    });
}

#[test]
fn a_command_may_name_the_version_that_it_is_for() {
    on_both_stores(async |store| {
        let house = House::on(store, Retention::default()).await;
        let etag = |text: &str| Call { if_match: ETags::parse(text), ..house.keeper() };
        let remove =
            async |call: Call| house.service.remove_webhook::<Lamp>(&call, &house.name(), "none").await.unwrap_err();
        let stale = remove(etag("\"7\"")).await;
        assert_eq!((stale.code, stale.detail.as_str()), (Code::VersionConflict, "the lamp is at version 1"));
        assert_eq!(remove(etag("\"1\"")).await.detail, "the lamp has no webhook `none`");
    });
}

#[test]
fn events_are_followed_in_every_form() {
    on_both_stores(async |store| {
        let house = House::on(store, Retention::default()).await;
        let keeper = house.keeper();
        let mut sse = house.follow(&keeper, None, true).await;
        let StreamMessage::Snapshot(snapshot) = next(&mut sse).await else { panic!("a snapshot begins the stream") };
        assert_eq!((snapshot.events, text(&snapshot.view)), (1, r#"{"burns":false}"#));
        let query = EventsQuery { after: Some(1), limit: None, wait: Some(20), ticket: None };
        let poll = house.service.page_of_events::<Lamp>(&keeper, house.id, &query);
        let ((), page) = tokio::join!(house.light(60_000), poll);
        let page = page.unwrap();
        let lit = page.events[0].get().to_owned();
        assert!(lit.contains(r#""event":"lit""#) && lit.contains(r#""id":2"#), "{lit}");
        assert_eq!((page.next_after, page.complete), (2, false));
        let sent = read(&mut sse, 1, true).await;
        assert!(lit.contains(r#","lamp":{"Burning":"#), "the newest event carries the state: {lit}");
        assert_eq!(sent, format!("id: 2\nevent: lit\ndata: {lit}\n\n"));
        let mut ndjson = house.follow(&keeper, Some(0), false).await;
        let lines = read(&mut ndjson, 2, false).await;
        let (made, newest) = lines.trim_start().split_once('\n').unwrap();
        assert!(made.contains("\"made\"") && !made.contains("\"lamp\""), "only the newest event: {made}");
        assert_eq!(newest.trim_end(), lit);
        let CombinedPresence { streams, seen, .. } =
            house.service.presence.combine(house.id, Vec::new(), house.store.now());
        assert_eq!((streams.watchers, streams.seats["keeper"], seen.len()), (0, 2, 1));
        house.break_lamp().await;
        assert!(read(&mut sse, 1, true).await.contains("event: broken"));
        assert!(matches!(sse.next().await, Ok(StreamMessage::End)));
        assert!(house.follow(&keeper, Some(3), true).await.is_exhausted);
        let page = house.service.page_of_events::<Lamp>(&keeper, house.id, &query).await.unwrap();
        assert_eq!((page.events.len(), page.next_after, page.complete), (2, 3, true), "nothing is waited for");
    });
}

#[test]
fn a_client_that_has_seen_more_events_than_there_are_is_told() {
    on_both_stores(async |store| {
        let house = House::on(store, Retention::default()).await;
        let keeper = house.keeper();
        let mut sse = house.follow(&keeper, Some(7), true).await;
        let StreamMessage::Resync(snapshot) = next(&mut sse).await else { panic!("the stream begins with a resync") };
        assert_eq!((snapshot.events, text(&snapshot.view)), (1, r#"{"burns":false}"#));
        let mut ndjson = house.follow(&keeper, Some(7), false).await;
        let query = EventsQuery { after: Some(7), limit: None, wait: None, ticket: None };
        let page = house.service.page_of_events::<Lamp>(&keeper, house.id, &query).await.unwrap();
        assert_eq!((page.events.len(), page.next_after, page.complete), (0, 1, false));
        house.light(60_000).await;
        assert!(read(&mut sse, 1, true).await.starts_with("id: 2\nevent: lit\n"));
        assert!(read(&mut ndjson, 1, false).await.contains(r#""id":2"#));
        house.break_lamp().await;
        let mut sse = house.follow(&keeper, Some(7), true).await;
        assert!(!sse.is_exhausted);
        assert!(matches!(next(&mut sse).await, StreamMessage::Resync(_)));
        assert!(matches!(sse.next().await, Ok(StreamMessage::End)));
    });
}

#[test]
fn a_stream_ends_when_its_follower_may_not_see_the_entity_any_more() {
    on_both_stores(async |store| {
        let house = House::on(store, Retention::default()).await;
        let stranger = Call { token: Some(Token::new().unwrap()), ..Call::default() };
        let refused =
            Arc::new(house.service.clone()).follow::<Lamp>(&stranger, house.id, None, true).await.unwrap_err();
        assert_eq!(refused.detail, "there is no such lamp");
        let mut streams =
            [house.follow(&house.holder(), None, true).await, house.follow(&house.keeper(), None, true).await];
        let key = Token::new().unwrap();
        let work = |edit: &mut LampEdit| {
            edit.lamp.key = key.hash();
            edit.add("lock_changed");
        };
        house.change(&house.keeper(), b"", work).await.unwrap();
        assert!(matches!(streams[0].next().await, Ok(StreamMessage::Closing)));
        assert!(matches!(streams[1].next().await, Ok(StreamMessage::Events(_))));
    });
}

#[test]
fn events_are_delivered_to_webhooks() {
    on_both_stores(async |store| {
        let house = House::on(store, Retention::default()).await;
        let receiver = Receiver::start();
        let wish = |events: &[&str]| CreateWebhook {
            url: receiver.url.clone(),
            events: events.iter().map(|&word| word.to_owned()).collect(),
            secret: None,
        };
        let add = async |call: Call, wish| house.service.add_webhook::<Lamp>(&call, b"", &house.name(), &wish).await;
        let refused = add(house.keeper(), wish(&["lit", "thrown"])).await.unwrap_err();
        assert_eq!(refused.detail, "`thrown` is not an event of a lamp");
        assert_eq!(add(house.holder(), wish(&[])).await.unwrap_err().code, Code::NotAllowed);
        let added = add(house.keeper(), wish(&["lit", "broken"])).await.unwrap();
        assert_eq!((added.version, added.location), (Some(2), Some(format!("/lamps/{}/webhooks", house.id.id))));
        tokio::spawn(house.service.clone().run_schedule(WITH_LAMPS));
        house.light(200).await;
        until("the light was told", async || receiver.events() == [2]).await;
        house.until_event("went_out").await;
        house.break_lamp().await;
        until("the break was told", async || receiver.events() == [2, 4]).await;
        let message = receiver.messages()[0].json();
        assert_eq!((&message["type"], &message["data"]["lamp"]), (&json!("lamp.events"), &json!(house.id.id)));
        assert_eq!(message["data"]["events"][0]["event"], "lit");
        let hook = async || {
            let list = house.service.webhooks_of::<Lamp>(&house.keeper(), &house.name()).await.unwrap();
            serde_json::from_slice::<Value>(&list.body).unwrap()["webhooks"][0].clone()
        };
        until("the progress is written", async || hook().await["settled"] == 4).await;
        let id = hook().await["id"].as_str().unwrap().to_owned();
        assert_eq!(
            house.service.remove_webhook::<Lamp>(&house.keeper(), &house.name(), &id).await.unwrap().version,
            Some(6)
        );
        assert_eq!(hook().await, Value::Null);
    });
}

#[test]
fn a_deadline_is_met_and_an_old_entity_expires() {
    on_both_stores(async |store| {
        let retention = Retention { finished: Some(Duration::from_millis(700)), ..Retention::default() };
        let house = House::on(Arc::clone(&store), retention).await;
        tokio::spawn(house.service.clone().run_schedule(WITH_LAMPS));
        house.light(100).await;
        house.until_event("went_out").await;
        house.light(100).await;
        until("each light has its end", async || house.words().await == ["made", "lit", "went_out", "lit", "went_out"])
            .await;
        // A lamp that is broken would be removed within this second.
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(house.stored().await.is_some(), "a lamp that is whole does not expire");
        house.break_lamp().await;
        house.until_gone().await;
        let counted = "rule_set=\"lamp\",became=\"expired\"} 1";
        until("it is counted", async || house.service.metrics.text().contains(counted)).await;
        let listed = store.list(LAMP, "lamps".to_owned(), None, 9).await.unwrap();
        assert!(listed.is_empty(), "{listed:?}");
    });
}

#[test]
fn entities_from_before_the_retention_expire_too() {
    on_both_stores(async |store| {
        let house = House::on(Arc::clone(&store), Retention::default()).await;
        house.break_lamp().await;
        let id = house.id;
        drop(house);
        let retention = Retention { finished: Some(Duration::from_millis(100)), ..Retention::default() };
        let later = House { id, ..House::without_lamp(store, retention) };
        later.service.clone().schedule_expiry(WITH_LAMPS).await;
        tokio::spawn(later.service.clone().run_schedule(WITH_LAMPS));
        later.until_gone().await;
    });
}

#[test]
fn a_program_without_the_kind_leaves_its_tasks() {
    on_both_stores(async |store| {
        let house = House::on(Arc::clone(&store), Retention::default()).await;
        house.light(0).await;
        tokio::spawn(house.service.clone().run_schedule(KINDS));
        // The schedule looks for tasks twice a second. Nothing shows that it has looked and left the lamp alone.
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(house.words().await, ["made", "lit"]);
    });
}

#[test]
fn an_entity_is_carried_to_another_store_and_goes_on() {
    run(async || {
        let (here, there) = (TestStore::embedded(), TestStore::redis().await);
        let from = House::on(here.store(), Retention::default()).await;
        let receiver = Receiver::start();
        let wish = CreateWebhook { url: receiver.url.clone(), events: Vec::new(), secret: None };
        from.service.add_webhook::<Lamp>(&from.keeper(), b"", &from.name(), &wish).await.unwrap();
        let call = keyed("light", "POST /lamps/1/light");
        from.change(&call, b"", |edit| edit.light_for(300)).await.unwrap();
        let archive = async |store: Arc<dyn Store>| {
            let mut file = Vec::new();
            export(&*store, &mut file).await.unwrap();
            file
        };
        let file = archive(here.store()).await;
        let imported = import(&*there.store(), &mut file.as_slice()).await.unwrap();
        assert_eq!(imported, Imported { added: 1, ..Imported::default() });
        assert!(archive(there.store()).await == file);
        let House { id, keeper, .. } = from;
        let to = House { id, keeper, ..House::without_lamp(there.store(), Retention::default()) };
        let again = to.change(&call, b"", |edit| edit.light_for(300)).await.unwrap();
        assert!(again.repeated, "the stored answer came along");
        tokio::spawn(to.service.clone().run_schedule(WITH_LAMPS));
        to.until_event("went_out").await;
        until("webhooks go on", async || receiver.events() == [2, 3]).await;
        let back = TestStore::embedded();
        let file = archive(there.store()).await;
        assert_eq!(import(&*back.store(), &mut file.as_slice()).await.unwrap().added, 1);
        assert!(archive(back.store()).await == file);
    });
}
