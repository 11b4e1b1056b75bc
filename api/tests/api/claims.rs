//! Tests claims: a registered player takes over everything of a guest.

use pagade_tests::issuer::{TestIssuer, TestKey};
use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, TestStore, on_both_stores};
use crate::oidc::{server_of, signed_in};
use crate::player_games::played;
use crate::players::TestPlayer;
use crate::table_games::{start, throw};
use crate::tables::TestTable;
use crate::tournaments::{TestTournament, swiss};

fn claim(player: &TestPlayer<'_>, token: &str) -> Answer {
    player.ask("POST", "/claims", json!({"token": token}))
}

on_both_stores!(everything_of_a_claimed_guest_is_that_of_the_player);
fn everything_of_a_claimed_guest_is_that_of_the_player(data: TestStore) {
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let server = server_of(&issuer, &data);
    let asha = signed_in(&server, &key.sign(&issuer.claims("u-1")));
    let [guest, ravi] = ["Guest", "Ravi"].map(|name| TestPlayer::new(&server, name));
    // The guest has a game, a table with a game in play, an invitation, and a friend.
    let (game, _) = played(&guest, &ravi, json!({}));
    let table = TestTable::new(&guest, json!({"rule_set": "parcheesi", "options": {"time_per_turn": 0}}));
    table.sit(&ravi, "red");
    let at_table = start(&table, &guest);
    let other = TestTable::new(&ravi, json!({"rule_set": "parcheesi"}));
    other.ask(&ravi, "POST", "/invitations", json!({"player": guest.id}));
    guest.ask("POST", &format!("/friends/{}", ravi.id), json!({}));
    until("the request has come", || ravi.ask("GET", "/friends", Value::Null).raw.contains(&guest.id));
    ravi.ask("POST", &format!("/friends/{}", guest.id), json!({}));
    until("they are friends", || guest.ask("GET", "/friends", Value::Null).body["friends"][0]["name"] == "Ravi");

    assert_eq!(claim(&guest, &ravi.token).problem(), (403, "not_allowed"), "a guest claims nobody");
    assert_eq!(claim(&asha, "pagade_player_00").problem(), (422, "body_invalid"));
    assert_eq!(claim(&asha, &asha.token).problem(), (422, "body_invalid"));
    let claimed = claim(&asha, &guest.token);
    assert_eq!((claimed.status, claimed.text("/id")), (200, asha.id.clone()), "{}", claimed.raw);
    let me = guest.send("GET", "/v1/me", Value::Null);
    assert!(["token_revoked", "token_unknown"].contains(&me.problem().1), "{}", me.raw);
    assert_eq!(server.get(&format!("/v1/players/{}", guest.id)).problem(), (404, "player_not_found"));
    until("the table is that of the player", || table.read(&server).text("/master") == asha.id);
    assert_eq!(claim(&asha, &guest.token).status, 200, "once more changes nothing");
    until("the games are those of the player", || {
        let games = asha.ask("GET", "/games", Value::Null);
        games.body["games"].as_array().unwrap().len() == 2
    });
    let seat = |game: &str| asha.send("GET", game, Value::Null).body["seats"][0].clone();
    for path in [&game, &at_table] {
        assert_eq!((&seat(path)["player"], &seat(path)["name"]), (&json!(asha.id), &json!("Guest")), "{path}");
        assert_eq!(throw(&guest, path).problem().0, if *path == game { 401 } else { 404 });
    }
    let turn = asha.send("GET", &at_table, Value::Null).text("/turn");
    let player = if turn == "yellow" { &asha } else { &ravi };
    assert_eq!(throw(player, &at_table).status, 200, "the token of the player plays");
    assert_eq!(asha.ask("GET", "/tables", Value::Null).text("/tables/0/id"), table.id);
    assert_eq!(asha.ask("GET", "/tables?role=invited", Value::Null).text("/tables/0/id"), other.id);
    until("the friend knows the player", || {
        let friends = ravi.ask("GET", "/friends", Value::Null).body["friends"].clone();
        friends[0]["player"] == asha.id.as_str() && friends.as_array().unwrap().len() == 1
    });
    assert_eq!(asha.ask("GET", "/friends", Value::Null).body["friends"][0]["name"], "Ravi");
    until("the inbox goes on", || {
        let events = asha.ask("GET", "/events?limit=1000", Value::Null).raw;
        events.contains("guest_claimed") && events.matches("game_joined").count() == 2
    });
    // When the table invites Meera, the players who were invited earlier get no second notice.
    let invitations = |player: &TestPlayer<'_>| {
        player.ask("GET", "/events?limit=1000", Value::Null).raw.matches("table_invited").count()
    };
    let (meera, before) = (TestPlayer::new(&server, "Meera"), invitations(&asha));
    other.ask(&ravi, "POST", "/invitations", json!({"player": meera.id}));
    until("the next player is invited", || invitations(&meera) == 1);
    assert_eq!(invitations(&asha), before, "what the guest was told is not told again");
    // When the player is deleted, the traces of the claimed guest are deleted, too.
    let is_named = |text: String| text.contains(&guest.id) || text.contains(&asha.id) || text.contains("\"Guest\"");
    assert!(is_named(ravi.send("GET", &format!("{game}/events"), Value::Null).raw));
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    until("nothing names the player", || {
        let seen = [format!("{game}/events"), game.clone(), table.path.clone(), format!("{}/events", table.path)];
        !seen.iter().any(|path| is_named(ravi.send("GET", path, Value::Null).raw))
    });
}

on_both_stores!(a_guest_is_claimed_by_one_player_only);
fn a_guest_is_claimed_by_one_player_only(data: TestStore) {
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let server = server_of(&issuer, &data);
    let [asha, mira] = ["u-1", "u-2"].map(|person| signed_in(&server, &key.sign(&issuer.claims(person))));
    let [guest, ravi] = ["Guest", "Ravi"].map(|name| TestPlayer::new(&server, name));
    // In this game, both the guest and the player have a seat.
    let (both, _) = played(&asha, &guest, json!({}));
    let results: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> =
            [&asha, &mira, &asha, &mira].map(|player| scope.spawn(|| claim(player, &guest.token).status)).into();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let successful = |own: [usize; 2]| own.iter().filter(|index| results[**index] == 200).count();
    assert_eq!([successful([0, 2]), successful([1, 3])].iter().filter(|count| **count > 0).count(), 1, "{results:?}");
    if successful([0, 2]) > 0 {
        until("the guest is taken out of the game of both", || {
            ravi.send("GET", &both, Value::Null).body["seats"][1]["name"] == "deleted player"
        });
    }
    assert_eq!(claim(&mira, &mira.token).problem(), (422, "body_invalid"));
}

// The claiming player takes over the first guest's place. The second guest plays in a tournament and a game of the
// player, so this guest's place is erased: nobody is entered twice or has two seats.
on_both_stores!(a_claim_moves_places_in_tournaments_and_games_or_erases_them);
fn a_claim_moves_places_in_tournaments_and_games_or_erases_them(data: TestStore) {
    let (issuer, key) = (TestIssuer::start(), TestKey::ed("one"));
    issuer.has(&[&key]);
    let server = server_of(&issuer, &data);
    let asha = signed_in(&server, &key.sign(&issuer.claims("u-1")));
    let [first, second, ravi] = ["Gita", "Mira", "Ravi"].map(|name| TestPlayer::new(&server, name));
    let cups = [(); 2].map(|()| TestTournament::new(&server, swiss(1), json!({"automatic": true})));
    let enter = |cup: &TestTournament<'_>, player: &TestPlayer<'_>| {
        let entered = cup.ask(&player.token, "POST", "/entrants", json!({"entrants": [{}]}));
        assert_eq!(entered.status, 201, "{}", entered.raw);
    };
    enter(&cups[0], &first);
    [&asha, &second].into_iter().for_each(|player| enter(&cups[1], player));
    let wish = json!({"rule_set": "parcheesi", "options": {"competitive": false, "time_per_turn": 0}});
    let table = TestTable::new(&asha, wish);
    assert_eq!(table.sit(&second, "red").status, 201);
    start(&table, &asha);
    for guest in [&first, &second] {
        assert_eq!(claim(&asha, &guest.token).status, 200);
    }
    until("both tournaments are those of the player", || {
        let export = asha.ask("GET", "/export", Value::Null);
        export.body["tournaments"].as_array().unwrap().len() == 2
    });
    until("nothing names the second guest", || {
        let seen = [table.read(&server).raw, cups[1].get("").raw, cups[1].get("/export").raw];
        seen.iter().all(|text| !text.contains("Mira") && !text.contains(&second.id))
    });
    assert!(cups[0].get("/export").raw.contains("Gita"), "the name of the first guest is that of the player there");
    // The second guest's name is not shown anywhere, so another player may use it.
    let watched = table.ask(&ravi, "POST", "/watchers", json!({"name": "Mira"}));
    assert_eq!(watched.status, 200, "{}", watched.raw);
}
