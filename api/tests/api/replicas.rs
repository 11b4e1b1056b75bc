//! Tests that two replicas of the service on one Redis are like one service to their clients.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use pagade::store::redis::Redis;
use pagade::store::{EntityChange, EntityId, Store};
use pagade::{EVENT_PHRASES, GAME};
use pagade_tests::wait::until;
use serde_json::json;
use uuid::Uuid;

use crate::events::messages;
use crate::harness::{Server, TestGame, TestStore};
use crate::presence::becomes;
use crate::store::{change, plain, run};
use crate::timers::await_event;
use crate::wire::RedisWire;

/// Follows a game at this server. The stream begins with the event after `last`.
fn follow(server: &Server, game: &TestGame<'_>, last: &str) -> impl Iterator<Item = String> + use<> {
    let request = server.request("GET", &game.path("/events")).header("Accept", "text/event-stream");
    let response = request.header("Last-Event-ID", last).send().unwrap();
    assert_eq!(response.status(), 200);
    BufReader::new(response).lines().map_while(Result::ok)
}

/// Waits until a service has subscribed to the channel of the only game that is followed.
fn until_subscribed(data: &TestStore) {
    until("a channel has a subscriber", || data.redis().command(&["PUBSUB", "CHANNELS"]).lines().count() == 1);
}

#[test]
fn a_stream_goes_on_at_another_replica_without_loss() {
    let data = TestStore::on_redis();
    let (mut one, other) = (Server::start(&data), Server::start(&data));
    let mut game = other.hot_seat(json!({"dice": "players"}));
    let mut lines = follow(&one, &game, "0");
    assert_eq!(messages(&mut lines, 2).iter().map(|message| message.0).collect::<Vec<_>>(), [1, 2]);
    // An event that happens at one replica reaches the followers at the other replica at once.
    until_subscribed(&data);
    let thrown = Instant::now();
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].0, 3);
    assert!(thrown.elapsed() < Duration::from_secs(2), "{:?}", thrown.elapsed());
    one.stop();
    game.play(&["6-9:3", "7-11:4"]);
    let mut lines = follow(&other, &game, "3");
    assert_eq!(messages(&mut lines, 3).iter().map(|message| message.0).collect::<Vec<_>>(), [4, 5, 6]);
}

#[test]
fn an_event_is_streamed_although_its_notification_was_lost() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let mut lines = follow(&server, &game, "0");
    messages(&mut lines, 2);
    until_subscribed(&data);
    assert_eq!(data.redis().command(&["CLIENT", "KILL", "TYPE", "pubsub"]), "1", "by one connection");
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].1, "thrown");
    until_subscribed(&data);
    game.play(&["6-9:3", "7-11:4"]);
    assert_eq!(messages(&mut lines, 3)[2].0, 6);
}

#[test]
fn many_followers_of_a_game_cost_the_store_no_more_than_one() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    let (server, other) = (Server::start_on(&data, wire.address()), Server::start(&data));
    let mut game = other.hot_seat(json!({"dice": "players"}));
    let mut streams: Vec<_> = (0..40).map(|_| follow(&server, &game, "2")).collect();
    let before = wire.trips_when_quiet();
    game.throw("3+4");
    for lines in &mut streams {
        assert_eq!(messages(lines, 1)[0].1, "thrown");
    }
    assert!(wire.trips() - before <= 3, "{} trips", wire.trips() - before);
    assert_eq!(data.redis().command(&["PUBSUB", "NUMPAT"]), "0");
    assert_eq!(
        data.redis().command(&["CLIENT", "LIST", "TYPE", "pubsub"]).lines().count(),
        1,
        "one connection listens"
    );
}

#[test]
fn presence_at_one_replica_is_known_at_the_other() {
    let data = TestStore::on_redis();
    let (mut one, other) = (Server::start(&data), Server::start(&data));
    let created = one.post("/v1/games", json!({"rule_set": "pagade", "players": ["red", "yellow"]}));
    let path = format!("/v1/games/{}", created.text("/game/id"));
    let red = one.post(&format!("{path}/seats/red"), json!({})).text("/token");
    let stream = |server: &Server, token: &str| {
        let request = server.request("GET", &format!("{path}/events")).header("Accept", "text/event-stream");
        let request = if token.is_empty() { request } else { request.bearer_auth(token) };
        request.send().unwrap()
    };
    let streams = [stream(&one, &red), stream(&one, ""), stream(&other, "")];
    becomes(&other, &path, (true, false, 2));
    becomes(&one, &path, (true, false, 2));
    one.stop();
    let now = becomes(&other, &path, (false, false, 1));
    assert!(now["seats"][0]["last_seen"].is_string());
    drop(streams);
}

#[test]
fn streams_outlive_a_restart_of_redis() {
    let mut data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let mut lines = follow(&server, &game, "2");
    until_subscribed(&data);
    data.redis_mut().kill();
    // Redis is down during this pause.
    std::thread::sleep(Duration::from_millis(300));
    data.redis_mut().restart();
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].1, "thrown");
}

#[test]
fn a_reader_that_falls_far_behind_is_told_to_start_afresh() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let mut lines = follow(&server, &game, "2");
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].0, 3);
    let id = EntityId::new(GAME, Uuid::parse_str(game.view["id"].as_str().unwrap()).unwrap());
    // The follower does not read, and the events are so long that the buffers of the connection have room for few of
    // them.
    let long = json!({"id": 0, "event": "moved", "at": "", "version": 0, "step": 0, "action": "-".repeat(50_000)});
    run(async || {
        let store = Redis::open(&data.redis().address(), &EVENT_PHRASES).await.unwrap();
        let snapshot = store.entity(id).await.unwrap().unwrap().snapshot;
        for expected in (game.version()..).take(12) {
            let events = vec![long.to_string().into_bytes(); 100];
            let snapshot = snapshot.clone();
            store.commit(plain(EntityChange { snapshot, events, ..change(id, expected) })).await.unwrap();
            // In this pause the service sends as much as it can. Nothing shows when it can send no more.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let ids: Vec<_> = std::iter::from_fn(|| Some(messages(&mut lines, 1).remove(0)))
        .inspect(|message| assert!(message.0 < 900, "{message:?}"))
        .take_while(|message| message.1 != "resync")
        .map(|message| message.0)
        .collect();
    assert_eq!(ids, (4..4 + ids.len() as u64).collect::<Vec<_>>(), "nothing is left out before");
    let (_, event, view) = messages(&mut lines, 1).remove(0);
    assert_eq!((event.as_str(), &view["id"]), ("snapshot", &game.view["id"]));
}

#[test]
fn followers_are_told_to_resync_when_redis_has_lost_events() {
    let data = TestStore::on_redis();
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let mut lines = follow(&server, &game, "2");
    until_subscribed(&data);
    let keys = ["game", "game:events"].map(|part| format!("pagade:{{{}}}:{part}", game.view["id"].as_str().unwrap()));
    keys.iter().for_each(|key| drop(data.redis().command(&["COPY", key, &format!("before {key}")])));
    let before = game.view.clone();
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].1, "thrown");
    // Simulates a failover to a Redis replica that lacks the throw: its data is put back, and another throw follows.
    for key in &keys {
        data.redis().command(&["COPY", &format!("before {key}"), key, "REPLACE"]);
    }
    let other = Server::start(&data);
    (game.server, game.view) = (&other, before);
    assert_eq!((game.throw("4+3").status, game.play(&["6-10:4"]).status), (200, 200));
    let told = messages(&mut lines, 2);
    assert_eq!((told[0].1.as_str(), told[1].1.as_str(), told[1].0), ("resync", "snapshot", 4));
    assert_eq!(told[1].2["hand"], json!(["3"]));
}

#[test]
fn moves_at_both_replicas_are_one_after_another() {
    let data = TestStore::on_redis();
    let servers = [Server::start(&data), Server::start(&data)];
    let game = servers[0].hot_seat(json!({}));
    let etag = format!("\"{}\"", game.version());
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let throws: Vec<_> = (0..20)
            .map(|number: usize| {
                let request = servers[number % 2].request("POST", &game.path("/throws")).bearer_auth(&game.token);
                let request = request.header("If-Match", &etag).json(&json!({}));
                scope.spawn(move || request.send().unwrap().status().as_u16())
            })
            .collect();
        throws.into_iter().map(|throw| throw.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
}

#[test]
fn a_deadline_is_kept_by_exactly_one_of_three_replicas() {
    let data = TestStore::on_redis();
    let servers: Vec<Server> = (0..3).map(|_| Server::start(&data)).collect();
    let timer = json!({"turn_timer": {"seconds": 1, "then": "first"}});
    let games: Vec<String> = (0..12).map(|_| servers[0].hot_seat(timer.clone()).path("")).collect();
    for path in games {
        let (mut events, mut late) = (Vec::new(), Vec::new());
        until("the time of three turns of the game runs out", || {
            events = servers[1].get(&format!("{path}/events?limit=1000")).body["events"].as_array().unwrap().clone();
            late = events.iter().filter(|event| event["event"] == "time_over").map(moment).collect::<Vec<u64>>();
            late.len() >= 3
        });
        let started = moment(&events[1]);
        let gaps = std::iter::once(started)
            .chain(late.iter().copied())
            .zip(&late)
            .map(|(before, at)| (at + DAY - before) % DAY);
        assert!(gaps.clone().all(|gap| (1_000..4_000).contains(&gap)), "{:?}", gaps.collect::<Vec<_>>());
    }
}

#[test]
fn a_deadline_that_came_while_redis_was_away_is_kept_when_it_is_back() {
    let mut data = TestStore::on_redis();
    let server = Server::start(&data);
    let path = server.hot_seat(json!({"turn_timer": {"seconds": 1}})).path("");
    data.redis_mut().kill();
    // The deadline of the turn passes while Redis is down.
    std::thread::sleep(Duration::from_secs(2));
    data.redis_mut().restart();
    await_event(&server, &path, 2, "time_over");
}

const DAY: u64 = 86_400_000;

/// The time of an event, in milliseconds since midnight.
fn moment(event: &serde_json::Value) -> u64 {
    let text = event["at"].as_str().unwrap().split('T').nth(1).unwrap().trim_end_matches('Z');
    let parts: Vec<f64> = text.split(':').map(|part| part.parse().unwrap()).collect();
    ((parts[0] * 3600.0 + parts[1] * 60.0 + parts[2]) * 1000.0).round() as u64
}
