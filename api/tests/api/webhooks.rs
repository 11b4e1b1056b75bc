//! Tests /v1/games/{id}/webhooks with a receiver that listens on this machine.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::time::Duration;

use pagade::WebhookSecret;
use pagade_tests::receiver::{Message, Receiver};
use pagade_tests::wait::{until, until_within};
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestGame, TestStore, got, on_both_stores};

/// Starts a service that may deliver to this machine, and that repeats a failed delivery soon.
fn near(data: &TestStore) -> Server {
    Server::start_with(data, |config| {
        config.webhooks.allows_private = true;
        (config.webhooks.pause, config.webhooks.attempts) = (Duration::from_millis(20), 3);
    })
}

fn register(game: &mut TestGame<'_>, wish: &Value) -> Answer {
    let registered = got(game.command("/webhooks").json(wish).send().unwrap());
    if registered.status == 201 {
        game.view["version"] = json!(game.version() + 1);
    }
    registered
}

fn hook(game: &TestGame<'_>) -> Value {
    let request = game.server.request("GET", &game.path("/webhooks")).bearer_auth(&game.token);
    got(request.send().unwrap()).body["webhooks"][0].clone()
}

fn turn(game: &mut TestGame<'_>) {
    assert_eq!(game.send("/throws", json!({})).status, 200);
    game.play_out();
}

fn events(game: &TestGame<'_>) -> u64 {
    game.server.get(&game.path("")).body["events"].as_u64().unwrap()
}

on_both_stores!(events_are_delivered_signed_in_order_and_once);
fn events_are_delivered_signed_in_order_and_once(data: TestStore) {
    let server = near(&data);
    let receiver = Receiver::start();
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"]}));
    let registered = register(&mut game, &json!({"url": receiver.url}));
    let before = events(&game);
    assert_eq!((registered.status, registered.text("/webhook/state").as_str()), (201, "working"));
    (0..5).for_each(|_| turn(&mut game));
    let expected: Vec<u64> = (before + 1..=events(&game)).collect();
    until("all was told", || receiver.events().len() >= expected.len());
    assert_eq!(receiver.events(), expected);
    let secret = WebhookSecret::read(&registered.text("/secret")).unwrap();
    let mut ids = Vec::new();
    for Message { headers, body, .. } in receiver.messages() {
        let (id, time) = (&headers["webhook-id"], headers["webhook-timestamp"].parse().unwrap());
        assert_eq!(headers["webhook-signature"], secret.sign(id, time, &body));
        assert_eq!(headers["content-type"], "application/json");
        ids.push(id.clone());
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "every message has an id of its own");
    until("it is written down", || hook(&game)["settled"] == json!(expected.last()));
    game.finish();
    let last = events(&game);
    until("the end is told", || receiver.events().last() == Some(&last));
    assert_eq!(receiver.events(), (before + 1..=last).collect::<Vec<_>>());
}

on_both_stores!(a_refused_delivery_is_retried_given_up_and_sent_again_on_demand);
fn a_refused_delivery_is_retried_given_up_and_sent_again_on_demand(data: TestStore) {
    let server = near(&data);
    let receiver = Receiver::start();
    receiver.answers("500 Internal Server Error");
    let mut game = server.hot_seat(json!({}));
    assert_eq!(register(&mut game, &json!({"url": receiver.url})).status, 201);
    let before = events(&game);
    assert_eq!(game.send("/throws", json!({})).status, 200);
    until("it is given up", || hook(&game)["state"] == "failing");
    let tried = receiver.messages();
    assert_eq!(tried.len(), 3);
    assert!(tried.iter().all(|message| message.body == tried[0].body), "the same message");
    assert!(tried.iter().all(|message| message.headers["webhook-id"] == tried[0].headers["webhook-id"]));
    let dead = hook(&game)["given_up"][0].clone();
    assert_eq!((&dead["first"], &dead["attempts"]), (&json!(before + 1), &json!(3)));
    assert!(dead["reason"].as_str().unwrap().contains("500"), "{dead}");
    receiver.answers("200 OK");
    let path = game.path(&format!("/webhooks/{}/redeliveries", hook(&game)["id"].as_str().unwrap()));
    let again = got(server.request("POST", &path).bearer_auth(&game.token).send().unwrap());
    assert_eq!((again.status, &again.body["messages"]), (202, &json!(1)));
    until("it was sent again", || receiver.messages().len() == 4);
    assert_eq!(receiver.messages()[3].body, tried[0].body);
    until("nothing is dead", || hook(&game)["given_up"] == json!([]));
    game.play_out();
    turn(&mut game);
    until("it works again", || hook(&game)["state"] == "working" && hook(&game)["settled"] == json!(events(&game)));
}

on_both_stores!(a_refused_registration_does_not_delay_the_messages_of_other_webhooks);
fn a_refused_registration_does_not_delay_the_messages_of_other_webhooks(data: TestStore) {
    let server = Server::start_with(&data, |config| {
        config.webhooks.allows_private = true;
        (config.webhooks.pause, config.webhooks.attempts) = (Duration::from_secs(2), 9);
    });
    let receiver = Receiver::start();
    receiver.answers("500 Internal Server Error");
    let mut game = server.hot_seat(json!({}));
    assert_eq!(register(&mut game, &json!({"url": receiver.url})).status, 201);
    assert_eq!(game.send("/throws", json!({})).status, 200);
    until("the first attempt has failed", || hook(&game)["state"] == "retrying");
    receiver.answers("200 OK");
    let late = server.request("POST", &game.path("/webhooks")).bearer_auth(&game.token).header("If-Match", "\"1\"");
    assert_eq!(got(late.json(&json!({"url": receiver.url})).send().unwrap()).problem(), (412, "version_conflict"));
    until_within(Duration::from_secs(12), "it is delivered at its own time", || hook(&game)["state"] == "working");
}

on_both_stores!(a_webhook_does_not_follow_redirections);
fn a_webhook_does_not_follow_redirections(data: TestStore) {
    let server = near(&data);
    let (receiver, elsewhere) = (Receiver::start(), Receiver::start());
    receiver.answers(&format!("307 Temporary Redirect\r\nLocation: {}", elsewhere.url));
    let mut game = server.hot_seat(json!({}));
    assert_eq!(register(&mut game, &json!({"url": receiver.url})).status, 201);
    turn(&mut game);
    until("it is given up", || hook(&game)["state"] == "failing");
    assert!(hook(&game)["given_up"][0]["reason"].as_str().unwrap().contains("307"));
    assert!(elsewhere.messages().is_empty());
}

on_both_stores!(webhooks_to_private_addresses_are_refused_unless_allowed);
fn webhooks_to_private_addresses_are_refused_unless_allowed(data: TestStore) {
    let server = Server::start_with(&data, |config| config.webhooks.attempts = 1);
    let mut game = server.hot_seat(json!({}));
    for url in [
        "http://club.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://localhost/",
        "https://a:b@c.example/",
    ] {
        let refused = register(&mut game, &json!({"url": url}));
        assert_eq!(
            (refused.problem(), refused.text("/problems/0/pointer").as_str()),
            ((422, "body_invalid"), "/url"),
            "{url}"
        );
    }
    // The service looks up the address of a host name only when it sends a message.
    assert_eq!(register(&mut game, &json!({"url": "https://unknown.example/"})).status, 201);
    turn(&mut game);
    until("it is given up", || hook(&game)["state"] == "failing");
    let reason = hook(&game)["given_up"][0]["reason"].clone();
    assert!(reason.as_str().unwrap().contains("`unknown.example` leads to no public address"), "{reason}");
}

on_both_stores!(a_webhook_gets_the_events_it_asked_for_until_it_is_removed);
fn a_webhook_gets_the_events_it_asked_for_until_it_is_removed(data: TestStore) {
    let server = near(&data);
    let receiver = Receiver::start();
    let mut game = server.hot_seat(json!({}));
    for (wish, pointer) in [
        (json!({"url": receiver.url, "events": ["No Word"]}), "/events/0"),
        (json!({"url": receiver.url, "events": ["thrown", "gameover"]}), "/events/1"),
        (json!({"url": receiver.url, "secret": "whsec_c2hvcnQ="}), "/secret"),
    ] {
        assert_eq!(register(&mut game, &wish).text("/problems/0/pointer"), pointer);
    }
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let wish = json!({"url": receiver.url, "events": ["thrown"], "secret": secret});
    let registered = register(&mut game, &wish);
    assert_eq!(registered.text("/secret"), secret);
    turn(&mut game);
    until("it was told", || !receiver.messages().is_empty());
    assert!(receiver.messages()[0].body.contains("\"thrown\"") && !receiver.messages()[0].body.contains("\"moved\""));
    for _ in 0..3 {
        assert_eq!(register(&mut game, &json!({"url": receiver.url, "events": ["game_over"]})).status, 201);
    }
    assert_eq!(register(&mut game, &wish).problem(), (409, "webhooks_full"));
    let path = game.path(&format!("/webhooks/{}", registered.text("/webhook/id")));
    let remove = || got(server.request("DELETE", &path).bearer_auth(&game.token).send().unwrap());
    assert_eq!(remove().status, 204);
    assert_eq!(remove().problem(), (404, "webhook_not_found"));
    until("what was under way is over", || hook(&game)["events"] == json!(["game_over"]));
    let told = receiver.messages().len();
    game.view = server.get(&game.path("")).body;
    turn(&mut game);
    // A message would come within this time. There is no event for which the test could wait instead.
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(receiver.messages().len(), told);
}

on_both_stores!(undelivered_events_are_delivered_by_the_next_process);
fn undelivered_events_are_delivered_by_the_next_process(data: TestStore) {
    let patient = || {
        Server::start_with(&data, |config| {
            config.webhooks.allows_private = true;
            config.webhooks.pause = Duration::from_secs(1);
        })
    };
    let mut server = patient();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut game = server.hot_seat(json!({}));
    assert_eq!(register(&mut game, &json!({"url": format!("http://{address}/hook")})).status, 201);
    let before = events(&game);
    turn(&mut game);
    let expected: Vec<u64> = (before + 1..=events(&game)).collect();
    server.stop();
    let receiver = Receiver::listen(TcpListener::bind(address).unwrap());
    let _server = patient();
    until("it was told", || receiver.events().len() >= expected.len());
    assert_eq!(receiver.events(), expected);
}

/// This test runs on Redis only, because just one process can use an embedded store.
#[test]
fn of_several_processes_one_delivers_and_another_takes_over_when_it_is_gone() {
    let data = TestStore::on_redis();
    let (mut one, other) = (near(&data), near(&data));
    let receiver = Receiver::start();
    let mut game = one.hot_seat(json!({"players": ["red", "yellow"]}));
    assert_eq!(register(&mut game, &json!({"url": receiver.url})).status, 201);
    let before = events(&game);
    for number in 0..10 {
        game.server = if number % 2 == 0 { &one } else { &other };
        turn(&mut game);
    }
    turn(&mut game);
    let (view, token) = (game.view.clone(), game.token.clone());
    let mut game = TestGame { server: &other, token, seats: BTreeMap::new(), view };
    one.stop();
    let expected = |game: &TestGame<'_>| (before + 1..=events(game)).collect::<Vec<_>>();
    until("all was told", || receiver.events().len() >= expected(&game).len());
    turn(&mut game);
    until("all was told", || receiver.events().len() >= expected(&game).len());
    assert_eq!(receiver.events(), expected(&game), "in order, and once");
}
