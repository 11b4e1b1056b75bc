//! Tests /v1/games/{id}/events.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Server, TestStore, got, on_both_stores};

on_both_stores!(events_are_numbered_without_gaps_and_read_in_pages);
fn events_are_numbered_without_gaps_and_read_in_pages(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    game.play(&["6-9:3", "7-11:4"]);
    let all = server.get(&game.path("/events")).body;
    let events = all["events"].as_array().unwrap();
    for (number, event) in (1_u64..).zip(events) {
        assert_eq!(event["id"], number);
    }
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["created", "started", "thrown", "moved", "moved", "turn"]);
    assert_eq!(all["next_after"], 6);
    let page = server.get(&game.path("/events?after=2&limit=2")).body;
    assert_eq!(page["events"].as_array().unwrap()[..], events[2..4]);
    assert_eq!(server.get(&game.path("/events?limit=1001")).problem(), (400, "bad_query"));
    assert_eq!(server.get(&game.path("/events?wait=31")).problem(), (400, "bad_query"));
}

on_both_stores!(a_long_poll_answers_as_soon_as_something_happens);
fn a_long_poll_answers_as_soon_as_something_happens(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let path = game.path("/events?after=2&wait=30");
    std::thread::scope(|scope| {
        let poll = server.until_waiting("entity_and_events", || scope.spawn(|| (server.get(&path), Instant::now())));
        let thrown = Instant::now();
        game.throw("3+4");
        let (page, answered) = poll.join().unwrap();
        assert_eq!(page.body["events"][0]["event"], "thrown");
        assert!(answered - thrown < Duration::from_secs(2));
    });
}

/// Reads the next messages of a stream, as `(id, event, data)`.
pub(crate) fn messages(
    lines: &mut impl Iterator<Item = String>,
    count: usize,
) -> Vec<(u64, String, serde_json::Value)> {
    let mut messages = Vec::new();
    let (mut id, mut event) = (0, String::new());
    while messages.len() < count {
        let line = lines.next().expect("the stream goes on");
        match line.split_once(": ") {
            Some(("id", text)) => id = text.parse().unwrap(),
            Some(("event", text)) => event = text.to_owned(),
            Some(("data", text)) => messages.push((id, event.clone(), serde_json::from_str(text).unwrap())),
            _ => {}
        }
    }
    messages
}

on_both_stores!(a_stream_begins_with_a_snapshot_and_resumes_without_loss);
fn a_stream_begins_with_a_snapshot_and_resumes_without_loss(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    let path = game.path("/events");
    let follow = |last: Option<&str>| {
        let request = server.request("GET", &path).header("Accept", "text/event-stream");
        let request = match last {
            Some(last) => request.header("Last-Event-ID", last),
            None => request,
        };
        let response = request.send().unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        BufReader::new(response).lines().map(Result::unwrap)
    };
    let mut lines = follow(None);
    let (id, event, snapshot) = messages(&mut lines, 1).remove(0);
    assert_eq!((id, event.as_str()), (2, "snapshot"));
    assert_eq!(snapshot, game.view);
    assert_eq!(snapshot["legal_complete"], true);
    game.throw("3+4");
    assert_eq!(messages(&mut lines, 1)[0].1, "thrown");
    drop(lines);
    game.play(&["6-9:3", "7-11:4"]);
    let mut lines = follow(Some("3"));
    let ids: Vec<u64> = messages(&mut lines, 3).iter().map(|message| message.0).collect();
    assert_eq!(ids, [4, 5, 6]);
}

on_both_stores!(a_stream_ends_with_its_game);
fn a_stream_ends_with_its_game(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "end"}));
    game.finish();
    let path = game.path("/events");
    let ndjson = server.request("GET", &path).header("Accept", "application/x-ndjson").send().unwrap();
    let text = ndjson.text().unwrap();
    let events: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(events.len() as u64, game.view["events"].as_u64().unwrap());
    let last = game.view["events"].to_string();
    let resumed = server.request("GET", &path).header("Accept", "text/event-stream").header("Last-Event-ID", last);
    assert_eq!(resumed.send().unwrap().status(), 204);
}

on_both_stores!(stopping_the_service_ends_streams_and_polls);
fn stopping_the_service_ends_streams_and_polls(data: TestStore) {
    let mut server = Server::start(&data);
    let path = server.hot_seat(json!({})).path("/events");
    // The poll is sent before the stream, because a stream makes the same call to the store, and the test counts these
    // calls.
    let poll = server.request("GET", &format!("{path}?after=2&wait=30"));
    let send = || std::thread::spawn(move || poll.send().unwrap().status());
    let poll = server.until_waiting("entity_and_events", send);
    let stream = server.request("GET", &path).header("Accept", "text/event-stream").send().unwrap();
    let began = Instant::now();
    server.stop();
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert!(stream.text().unwrap().ends_with("retry: 1000\n\n"));
    assert_eq!(poll.join().unwrap(), 200);
}

on_both_stores!(the_newest_event_carries_what_a_brief_answer_carries);
fn the_newest_event_carries_what_a_brief_answer_carries(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"turn_timer": {"seconds": 600}, "dice": "server", "seed": "carried"}));
    let follow = |media: &str, path: &str| {
        let response = server.request("GET", path).header("Accept", media).send().unwrap();
        BufReader::new(response).lines().map(Result::unwrap)
    };
    let path = game.path("/events");
    let mut sse = follow("text/event-stream", &path);
    assert_eq!(messages(&mut sse, 1)[0].1, "snapshot");
    let thrown = game.command("/throws").header("Accept", "application/vnd.pagade.brief+json").json(&json!({}));
    let thrown = got(thrown.send().unwrap()).body;
    let events = thrown["events"].as_array().unwrap();
    let sent = messages(&mut sse, events.len());
    let (newest, earlier) = sent.split_last().unwrap();
    assert!(earlier.iter().zip(events).all(|((_, _, sent), event)| sent == event), "{earlier:?}");
    let mut newest = newest.2.clone();
    let mut carried = newest.as_object_mut().unwrap().remove("game").unwrap();
    assert_eq!(newest, events[events.len() - 1]);
    let seconds_left = carried.as_object_mut().unwrap().remove("seconds_left").unwrap();
    assert!((598..=600).contains(&seconds_left.as_u64().unwrap()), "{seconds_left}");
    let mut brief = thrown["game"].clone();
    assert!(brief.as_object_mut().unwrap().remove("seconds_left").is_some());
    assert_eq!(carried, brief);
    assert!(carried["deadline"].is_string() && carried["legal"].is_array());
    // The field `seconds_left` is computed when the event is sent, even if it is sent a second time.
    std::thread::sleep(Duration::from_millis(2_100));
    let again = server.request("GET", &path).header("Accept", "text/event-stream").header("Last-Event-ID", "2");
    let mut again = BufReader::new(again.send().unwrap()).lines().map(Result::unwrap);
    let late = messages(&mut again, events.len()).pop().unwrap().2;
    assert!(late["game"]["seconds_left"].as_u64() < seconds_left.as_u64(), "{late}");
    assert_eq!(late["game"]["legal"], carried["legal"]);
    // A follower that comes later gets the same fields with the newest event, and only with this one.
    let lines = follow("application/x-ndjson", &path).filter(|line| !line.is_empty());
    let lines: Vec<serde_json::Value> =
        lines.take(2 + events.len()).map(|line| serde_json::from_str(&line).unwrap()).collect();
    let carry: Vec<bool> = lines.iter().map(|line| line.get("game").is_some()).collect();
    assert_eq!(carry.iter().filter(|carries| **carries).count(), 1);
    assert_eq!(lines.last().unwrap()["game"]["legal"], carried["legal"]);
    // A page of events has the field `game` with the newest event only, too.
    let page = server.get(&path).body;
    let carry: Vec<bool> = page["events"].as_array().unwrap().iter().map(|event| event.get("game").is_some()).collect();
    assert_eq!((carry.iter().filter(|carries| **carries).count(), carry.last()), (1, Some(&true)));
    assert_eq!(page["events"][carry.len() - 1]["game"]["legal"], carried["legal"]);
    game.view = server.get(&game.path("")).body;
    assert_eq!(game.view["legal"], carried["legal"]);
}

on_both_stores!(a_client_can_play_from_the_stream_alone);
fn a_client_can_play_from_the_stream_alone(data: TestStore) {
    let server = Server::start(&data);
    let game = server.hot_seat(json!({"players": ["red", "yellow"], "seed": "stream"}));
    let path = game.path("/events?after=0");
    let stream = server.request("GET", &path).header("Accept", "application/x-ndjson").send().unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    for _ in 0..60 {
        let view = loop {
            let line = lines.next().unwrap();
            let event = serde_json::from_str::<serde_json::Value>(&line).unwrap_or_default();
            if let Some(view) = event.get("game") {
                break view.clone();
            }
        };
        let (rest, body) = match view["awaits"].as_str().unwrap() {
            "throw" => ("throws", json!({})),
            "action" => ("actions", json!({"actions": [view["legal"][0]]})),
            _ => break,
        };
        let request = server.request("POST", &game.path(&format!("/{rest}"))).bearer_auth(&game.token);
        let played = got(request.header("If-Match", format!("\"{}\"", view["version"])).json(&body).send().unwrap());
        assert_eq!(played.status, 200, "{}", played.raw);
    }
}
