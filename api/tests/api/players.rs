//! Tests /v1/players.

use std::time::Duration;

use pagade::config::Retention;
use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};

/// A player as the player's client sees it, with the token.
pub(crate) struct TestPlayer<'s> {
    pub server: &'s Server,
    pub token: String,
    pub id: String,
}

impl<'s> TestPlayer<'s> {
    pub(crate) fn new(server: &'s Server, name: &str) -> Self {
        let created = server.post("/v1/players", json!({"name": name}));
        assert_eq!(created.status, 201, "{}", created.raw);
        assert_eq!(created.header("location"), format!("/v1/players/{}", created.text("/player/id")));
        Self { server, token: created.text("/token"), id: created.text("/player/id") }
    }

    /// Sends a request with the player's token. `rest` is the path after that of the player.
    pub(crate) fn ask(&self, method: &str, rest: &str, body: Value) -> Answer {
        self.send(method, &format!("/v1/players/{}{rest}", self.id), body)
    }

    /// Sends a request with the player's token to any path.
    pub(crate) fn send(&self, method: &str, path: &str, body: Value) -> Answer {
        let request = self.server.request(method, path).bearer_auth(&self.token);
        got(if body.is_null() { request } else { request.json(&body) }.send().unwrap())
    }
}

on_both_stores!(a_guest_has_a_token_and_a_name_that_others_see);
fn a_guest_has_a_token_and_a_name_that_others_see(data: TestStore) {
    let server = Server::start(&data);
    let key = Uuid::now_v7().to_string();
    let create = |name: &str| {
        let request = server.request("POST", "/v1/players").header("Idempotency-Key", &key);
        got(request.json(&json!({"name": name})).send().unwrap())
    };
    let (first, again) = (create("  Jose\u{301}  "), create("  Jose\u{301}  "));
    assert_eq!((first.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(first.body, again.body, "one player, however often the request is sent");
    assert_eq!(create("Asha").problem(), (422, "idempotency_key_reused"));
    let player = TestPlayer { server: &server, token: first.text("/token"), id: first.text("/player/id") };
    let me = player.send("GET", "/v1/me", Value::Null);
    assert_eq!((me.text("/role").as_str(), me.text("/player/name").as_str()), ("player", "Jos\u{e9}"));
    assert_eq!(me.body["player"], first.body["player"]);
    let profile = server.get(&format!("/v1/players/{}", player.id));
    assert_eq!(profile.text("/name"), "Jos\u{e9}");
    let mut fields: Vec<_> = profile.body.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["created_at", "id", "name"], "others learn nothing else");
    let nameless = server.post("/v1/players", json!({}));
    assert_eq!((nameless.status, nameless.body["player"].get("name")), (201, None));
    assert!(!String::from_utf8_lossy(&data.bytes()).contains(&player.token), "the store has only its hash");
}

on_both_stores!(a_player_is_renamed_by_the_player_alone);
fn a_player_is_renamed_by_the_player_alone(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    let renamed = asha.ask("PATCH", "", json!({"name": "Asha K"}));
    assert_eq!((renamed.status, renamed.header("etag"), renamed.text("/name").as_str()), (200, "\"2\"", "Asha K"));
    let path = format!("/v1/players/{}", asha.id);
    assert_eq!(server.get(&path).text("/name"), "Asha K");
    assert_eq!(ravi.send("PATCH", &path, json!({"name": "Nobody"})).problem(), (404, "player_not_found"));
    assert_eq!(got(server.request("PATCH", &path).json(&json!({"name": "x"})).send().unwrap()).status, 401);
    let stale = server.request("PATCH", &path).bearer_auth(&asha.token).header("If-Match", "\"1\"");
    assert_eq!(got(stale.json(&json!({"name": "x"})).send().unwrap()).problem(), (412, "version_conflict"));
    for name in ["", "   ", "\u{202e}ahsA", "a\nb", "\u{200b}", "Deleted player", &"x".repeat(41)] {
        let refused = asha.ask("PATCH", "", json!({"name": name}));
        assert_eq!((refused.problem(), refused.text("/problems/0/pointer")), ((422, "body_invalid"), "/name".into()));
        assert_eq!(server.post("/v1/players", json!({"name": name})).problem(), (422, "body_invalid"), "{name:?}");
    }
    for body in [json!({}), json!({"name": null}), json!({"name": "x", "chips": 9})] {
        assert_eq!(asha.ask("PATCH", "", body).problem(), (422, "body_invalid"));
    }
    assert_eq!(server.get(&path).text("/name"), "Asha K", "nothing was changed");
}

on_both_stores!(a_renewed_token_of_a_player_replaces_the_old_one_at_once);
fn a_renewed_token_of_a_player_replaces_the_old_one_at_once(data: TestStore) {
    let server = Server::start(&data);
    let old = TestPlayer::new(&server, "Asha");
    let key = Uuid::now_v7().to_string();
    let path = format!("/v1/players/{}/token", old.id);
    let renew =
        || got(server.request("POST", &path).bearer_auth(&old.token).header("Idempotency-Key", &key).send().unwrap());
    let renewed = renew();
    assert_eq!((renewed.status, renewed.header("etag")), (201, "\"2\""));
    assert_eq!(renew().text("/token"), renewed.text("/token"), "a player who missed the answer asks again");
    let new = TestPlayer { server: &server, token: renewed.text("/token"), id: old.id.clone() };
    assert_eq!(old.send("GET", "/v1/me", Value::Null).problem(), (401, "token_revoked"));
    assert_eq!(old.ask("PATCH", "", json!({"name": "x"})).problem(), (401, "token_revoked"));
    assert_eq!(new.ask("PATCH", "", json!({"name": "Asha K"})).status, 200);
}

on_both_stores!(a_player_who_is_gone_is_like_one_who_never_was);
fn a_player_who_is_gone_is_like_one_who_never_was(data: TestStore) {
    let kept = Some(Duration::from_millis(500));
    let server = Server::start_with(&data, |config| {
        config.retention = Retention { players: kept, ..Retention::default() };
    });
    let asha = TestPlayer::new(&server, "Asha");
    let never = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";
    until("the player has expired", || server.get(&format!("/v1/players/{}", asha.id)).status == 404);
    let at = |id: &str, rest: &str| format!("/v1/players/{id}{rest}");
    assert_eq!(server.get(&at(&asha.id, "")).full_problem(), server.get(&at(never, "")).full_problem());
    for (method, rest, body) in [("PATCH", "", json!({"name": "x"})), ("POST", "/token", json!({}))] {
        let (gone, unknown) =
            (asha.send(method, &at(&asha.id, rest), body.clone()), asha.send(method, &at(never, rest), body));
        assert_eq!(gone.full_problem(), unknown.full_problem(), "{method} {rest}");
    }
    let me = asha.send("GET", "/v1/me", Value::Null);
    let guess = TestPlayer { token: format!("pagade_player_{}_00", never.replace('-', "")), ..asha };
    assert_eq!(me.full_problem(), guess.send("GET", "/v1/me", Value::Null).full_problem());
    assert_eq!(server.get("/v1/players/nobody").problem(), (404, "player_not_found"));
}
