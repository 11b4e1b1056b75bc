//! Tests registered players: those whose tokens (JWT) come from an identity provider.

use std::time::Duration;

use pagade::config::Oidc;
use pagade_tests::issuer::{TestIssuer, TestKey, encoded, now};
use pagade_tests::wait::until;
use ring::hmac;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::player_games::{command, play, played};
use crate::players::TestPlayer;

/// Shortest pause between two attempts to read the keys, in these tests.
const PAUSE: Duration = Duration::from_millis(600);

/// Starts a service that accepts tokens of this issuer.
pub(crate) fn server_of(issuer: &TestIssuer, data: &TestStore) -> Server {
    Server::start_with(data, |config| config.oidc = Some(taking_tokens_of(issuer)))
}

fn taking_tokens_of(issuer: &TestIssuer) -> Oidc {
    Oidc { pause: PAUSE, ..Oidc::new(&issuer.url, "pagade") }
}

fn me(server: &Server, token: &str) -> Answer {
    got(server.request("GET", "/v1/me").bearer_auth(token).send().unwrap())
}

pub(crate) fn signed_in<'s>(server: &'s Server, token: &str) -> TestPlayer<'s> {
    let me = me(server, token);
    assert_eq!(me.status, 200, "{}", me.raw);
    TestPlayer { server, token: token.to_owned(), id: me.text("/player/id") }
}

on_both_stores!(a_token_of_the_issuer_is_a_player);
fn a_token_of_the_issuer_is_a_player(data: TestStore) {
    let (issuer, ed, ec) = (TestIssuer::start(), TestKey::ed("one"), TestKey::ec("two"));
    issuer.has(&[&ed, &ec]);
    let server = server_of(&issuer, &data);
    let asha = signed_in(&server, &ed.sign(&issuer.claims("u-1")));
    let first = me(&server, &asha.token);
    assert_eq!((&first.body["role"], &first.body["player"]["registered"]), (&json!("player"), &json!(true)));
    assert_eq!(first.text("/player/name"), "Asha");
    let later = issuer.claims_with(json!({"exp": now() + 7200, "name": "Another name", "aud": ["chess", "pagade"]}));
    let again = signed_in(&server, &ec.sign(&later));
    assert_eq!(again.id, asha.id, "whatever key signs, and whatever else the token says");
    assert_eq!(me(&server, &again.token).text("/player/name"), "Asha", "the name is the player's own");
    let ravi = signed_in(&server, &ec.sign(&issuer.claims_with(json!({"sub": "u-2", "name": "Ravi"}))));
    assert_ne!(ravi.id, asha.id);
    for (more, name) in [
        (json!({"sub": "u-3", "name": null, "preferred_username": "mira"}), json!("mira")),
        (json!({"sub": "u-4", "name": "\u{202e}ahsA"}), Value::Null),
        (json!({"sub": "u-5", "name": "x".repeat(41)}), Value::Null),
        (json!({"sub": "u-6", "name": null}), Value::Null),
        (json!({"sub": "u-7", "name": "Deleted  Player"}), Value::Null),
    ] {
        let seen = me(&server, &ed.sign(&issuer.claims_with(more.clone())));
        assert_eq!((seen.status, &seen.body["player"]["name"]), (200, &name), "{more}");
    }
    // Two players without names can meet at one table.
    let nameless = ["u-4", "u-6"].map(|person| {
        let player = signed_in(&server, &ed.sign(&issuer.claims_with(json!({"sub": person, "name": null}))));
        player.send("POST", "/v1/quick-play", json!({"rule_set": "pagade"}))
    });
    assert_eq!((nameless[1].status, nameless[1].text("/id")), (200, nameless[0].text("/id")));
    // A player can go on with a newer token of the same person.
    let (path, joined) = played(&asha, &ravi, json!({"private": true}));
    assert_eq!(joined.text("/game/seats/0/player"), asha.id);
    let game = play(&[("red", &again), ("yellow", &ravi)], &path, 6);
    assert!(game["steps"].as_u64() >= Some(6));
    assert_eq!(asha.ask("GET", "/games", Value::Null).text("/games/0/my_seat"), "red");
    let ticket = asha.ask("POST", "/tickets", json!({}));
    assert_eq!(server.request("GET", &ticket.text("/url")).send().unwrap().status(), 200);
    assert_eq!(asha.ask("POST", "/token", json!({})).problem(), (403, "not_allowed"));
    let may = first.body["may"].as_array().unwrap();
    assert!(may.contains(&json!("read_player")) && !may.contains(&json!("renew_player_token")), "{may:?}");
    assert_eq!(command(&again, &format!("{path}/resignations"), json!({})).status, 200);
    assert_eq!(issuer.reads(), data.replicas, "each process reads the keys once");
}

on_both_stores!(a_registered_player_who_was_deleted_begins_anew);
fn a_registered_player_who_was_deleted_begins_anew(data: TestStore) {
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    // A deleted player stays in the store until commands that began before the deletion are over. The patience for the
    // body of a request is a part of this time, so it is short here.
    let server = Server::start_with(&data, |config| {
        (config.oidc, config.bounds.patience_seconds) = (Some(taking_tokens_of(&issuer)), 1);
    });
    let asha = signed_in(&server, &key.sign(&issuer.claims("u-1")));
    assert_eq!(asha.ask("PATCH", "", json!({"name": "Asha K"})).status, 200);
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    until("the player is gone, and comes again", || me(&server, &asha.token).status == 200);
    let again = me(&server, &asha.token);
    assert_eq!((again.text("/player/name").as_str(), &again.body["player"]["version"]), ("Asha", &json!(1)));
    assert_eq!(asha.ask("GET", "/events", Value::Null).body["events"].as_array().unwrap().len(), 1);
}

on_both_stores!(a_token_that_is_not_right_is_refused_with_the_reason);
fn a_token_that_is_not_right_is_refused_with_the_reason(data: TestStore) {
    let (issuer, key, other) = (TestIssuer::start(), TestKey::ed("one"), TestKey::ec("two"));
    issuer.has(&[&key, &other]);
    let server = server_of(&issuer, &data);
    let says = |token: &str| me(&server, token).problem().1.to_owned();
    for (more, expected) in [
        (json!({"exp": now() - 30}), None),
        (json!({"exp": now() as f64 + 600.5}), None),
        (json!({"exp": -1.5}), Some("token_invalid")),
        (json!({"nbf": now() + 30}), None),
        (json!({"exp": now() - 90}), Some("token_expired")),
        (json!({"nbf": now() + 90}), Some("token_invalid")),
        (json!({"aud": "chess"}), Some("token_audience")),
        (json!({"aud": null}), Some("token_invalid")),
        (json!({"iss": "https://accounts.example"}), Some("token_invalid")),
        (json!({"iss": null}), Some("token_invalid")),
        (json!({"sub": null}), Some("token_invalid")),
        (json!({"sub": ""}), Some("token_invalid")),
        (json!({"sub": "x".repeat(255)}), None),
        (json!({"sub": "x".repeat(256)}), Some("token_invalid")),
        (json!({"exp": null}), Some("token_invalid")),
        (json!({"exp": "tomorrow"}), Some("token_invalid")),
    ] {
        let answer = me(&server, &key.sign(&issuer.claims_with(more.clone())));
        match expected {
            None => assert_eq!(answer.status, 200, "{more}: {}", answer.raw),
            Some(code) => assert_eq!(answer.problem(), (401, code), "{more}"),
        }
    }
    let claims = issuer.claims("u-1");
    let text = |header: Value| format!("{}.{}", encoded(header.to_string()), encoded(claims.to_string()));
    // A forged token: its HS256 signature uses the public key, which everybody knows, as the shared secret.
    let shared = text(json!({"alg": "HS256", "kid": "one"}));
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key.public()), shared.as_bytes());
    assert_eq!(says(&format!("{shared}.{}", encoded(tag))), "token_invalid");
    assert_eq!(says(&format!("{}.", text(json!({"alg": "none"})))), "token_invalid");
    assert_eq!(says(&format!("{}.", text(json!({"alg": "EdDSA", "kid": "one"})))), "token_invalid");
    // A key is valid for its own algorithm only.
    assert_eq!(says(&key.sign_as(&json!({"alg": "ES256", "kid": "one"}), &claims)), "token_key_unknown");
    assert_eq!(says(&key.sign_as(&json!({"alg": "ES256", "kid": "two"}), &claims)), "token_invalid");
    assert_eq!(me(&server, &key.sign_as(&json!({"alg": "EdDSA"}), &claims)).status, 200, "one key fits");
    for critical in [json!(["b64"]), json!(["x"]), json!([])] {
        let header = json!({"alg": "EdDSA", "kid": "one", "crit": critical, "b64": true, "x": 1});
        assert_eq!(says(&key.sign_as(&header, &claims)), "token_invalid", "the service understands no extension");
    }
    for header in ["{ \"alg\": \"EdDSA\", \"kid\": \"one\"}", "{\n\t\"alg\": \"EdDSA\", \"kid\": \"one\"}"] {
        let answer = me(&server, &key.sign_with_header(header, &claims));
        assert_eq!(answer.status, 200, "spaces in a header are good: {header}");
    }
    let token = key.sign(&claims);
    assert_eq!(me(&server, &token).status, 200);
    let (head, signature) = token.rsplit_once('.').unwrap();
    let (_, body) = head.split_once('.').unwrap();
    let other = encoded(issuer.claims("u-2").to_string());
    assert_eq!(says(&token.replace(body, &other)), "token_invalid", "a good token is not good for another person");
    assert_eq!(says(&token.replace(signature, &signature[4..])), "token_invalid");
    assert_eq!(says(&format!("eyJ.{}.x", "x".repeat(9_000))), "token_invalid");
    let game = server.hot_seat(json!({}));
    let expired = key.sign(&issuer.claims_with(json!({"exp": now() - 90})));
    let create = server.request("POST", "/v1/games").bearer_auth(&expired).json(&json!({"rule_set": "pagade"}));
    assert_eq!(got(create.send().unwrap()).problem(), (401, "token_expired"));
    let read = server.request("GET", &game.path("")).bearer_auth(&expired);
    assert_eq!(got(read.send().unwrap()).problem(), (401, "token_expired"));
}

on_both_stores!(keys_change_and_an_issuer_that_is_down_does_no_harm);
fn keys_change_and_an_issuer_that_is_down_does_no_harm(data: TestStore) {
    let (issuer, old, new) = (TestIssuer::start(), TestKey::ed("old"), TestKey::ec("new"));
    issuer.has(&[&old]);
    // Each process reads the keys for itself.
    let server = Server::start_one(&data, |config| config.oidc = Some(taking_tokens_of(&issuer)));
    let (by_old, by_new) = (old.sign(&issuer.claims("u-1")), new.sign(&issuer.claims("u-1")));
    issuer.is_down(true);
    assert_eq!(me(&server, &by_old).problem(), (503, "issuer_unreachable"), "nothing is known yet");
    issuer.is_down(false);
    until("the keys are read again after a pause", || me(&server, &by_old).status == 200);
    let reads = issuer.reads();
    // Only time allows the next read: before this pause has ended, no unknown key could make one.
    std::thread::sleep(PAUSE);
    let began = std::time::Instant::now();
    for number in 0..30 {
        let made_up = TestKey::ed(&format!("made-up-{number}"));
        assert_eq!(me(&server, &made_up.sign(&issuer.claims("u-1"))).problem(), (401, "token_key_unknown"));
    }
    let most = 1 + began.elapsed().as_millis() / PAUSE.as_millis();
    assert!((issuer.reads() - reads) as u128 <= most, "a stranger makes no traffic: {} reads", issuer.reads() - reads);
    issuer.has(&[&new]);
    until("the new key is known", || me(&server, &by_new).status == 200);
    assert_eq!(me(&server, &by_old).status, 200, "a token that was good stays good until it expires");
    let later = old.sign(&issuer.claims_with(json!({"iat": 1})));
    assert_eq!(me(&server, &later).problem(), (401, "token_key_unknown"), "the old key signs no more");
    issuer.is_down(true);
    // Only time allows the next read, which fails.
    std::thread::sleep(PAUSE);
    assert_eq!(me(&server, &new.sign(&issuer.claims_with(json!({"iat": 2})))).status, 200, "known keys stay");
    assert_eq!(me(&server, &later).problem(), (503, "issuer_unreachable"), "nobody knows about another key");
}

on_both_stores!(an_issuer_that_is_not_the_one_is_not_believed);
fn an_issuer_that_is_not_the_one_is_not_believed(data: TestStore) {
    let key = TestKey::ed("one");
    let refused = |prepare: &dyn Fn(&TestIssuer)| {
        let issuer = TestIssuer::start();
        issuer.has(&[&key]);
        prepare(&issuer);
        let server = server_of(&issuer, &data.another());
        assert_eq!(me(&server, &key.sign(&issuer.claims("u-1"))).problem(), (503, "issuer_unreachable"));
    };
    refused(&|issuer| issuer.describe("https://accounts.example", &format!("{}/keys", issuer.url)));
    refused(&|issuer| issuer.describe(&issuer.url, "file:///etc/keys"));
    refused(&|issuer| issuer.describe(&issuer.url, &format!("{}/moved", issuer.url)));
    refused(&|issuer| issuer.publish("{"));
    refused(&|issuer| issuer.publish(&" ".repeat(300_000)));
    let issuer = TestIssuer::start();
    issuer.has(&[&key]);
    let server = Server::start(&data);
    let token = key.sign(&issuer.claims("u-1"));
    assert_eq!(me(&server, &token).problem(), (401, "token_unknown"), "no issuer is set");
    assert_eq!(issuer.reads(), 0);
}
