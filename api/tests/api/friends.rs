//! Tests the friends of players: requests, acceptance, blocks, private tables.

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, on_both_stores};
use crate::player_rights::body_of;
use crate::players::TestPlayer;
use crate::tables::TestTable;
use crate::tokens::operations;

const NEVER: &str = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11";

fn ask(player: &TestPlayer<'_>, other: &str) -> Answer {
    player.ask("POST", &format!("/friends/{other}"), json!({}))
}

fn end(player: &TestPlayer<'_>, other: &str) -> Answer {
    player.ask("DELETE", &format!("/friends/{other}"), Value::Null)
}

fn block(player: &TestPlayer<'_>, other: &str) -> Answer {
    player.ask("PUT", &format!("/blocked/{other}"), Value::Null)
}

/// Returns the ids of the players in one of the lists.
fn listed(player: &TestPlayer<'_>, list: &str) -> Vec<String> {
    let friends = player.ask("GET", "/friends", Value::Null);
    assert_eq!(friends.status, 200, "{}", friends.raw);
    friends.body[list].as_array().unwrap().iter().map(|known| known["player"].as_str().unwrap().to_owned()).collect()
}

fn words(player: &TestPlayer<'_>) -> Vec<String> {
    let page = player.ask("GET", "/events?limit=1000", Value::Null);
    let events = page.body["events"].as_array().unwrap().iter();
    events.map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

/// Makes two players friends.
fn befriend(one: &TestPlayer<'_>, other: &TestPlayer<'_>) {
    assert_eq!(ask(one, &other.id).status, 204);
    until("the request has come", || listed(other, "requests").contains(&one.id));
    assert_eq!(ask(other, &one.id).status, 204);
    until("both are friends", || listed(one, "friends").contains(&other.id));
}

on_both_stores!(a_friendship_is_mutual_after_acceptance);
fn a_friendship_is_mutual_after_acceptance(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    assert_eq!(ask(&asha, &asha.id).problem(), (403, "not_allowed"));
    assert_eq!(ask(&asha, NEVER).problem(), (404, "player_not_found"));
    assert_eq!(ask(&asha, &ravi.id).status, 204);
    assert_eq!(ask(&asha, &ravi.id).status, 204, "once more changes nothing");
    assert_eq!((listed(&asha, "asked"), listed(&asha, "friends")), (vec![ravi.id.clone()], vec![]));
    until("the inbox has the request", || words(&ravi).contains(&"friend_asked".to_owned()));
    let request = ravi.ask("GET", "/friends", Value::Null).body["requests"][0].clone();
    assert_eq!((&request["player"], &request["name"]), (&json!(asha.id), &json!("Asha")));
    assert_eq!(listed(&ravi, "friends"), [""; 0], "not before the acceptance");
    // A request is declined, then one is withdrawn, then one is accepted.
    assert_eq!(end(&ravi, &asha.id).status, 204);
    until("the request is gone", || listed(&asha, "asked").is_empty());
    assert_eq!(ask(&asha, &ravi.id).status, 204);
    until("the request has come", || listed(&ravi, "requests").len() == 1);
    assert_eq!(end(&asha, &ravi.id).status, 204);
    until("the request is withdrawn", || listed(&ravi, "requests").is_empty());
    befriend(&asha, &ravi);
    assert_eq!((listed(&asha, "friends"), listed(&ravi, "friends")), (vec![ravi.id.clone()], vec![asha.id.clone()]));
    until("both are told", || [&asha, &ravi].iter().all(|player| words(player).contains(&"friend_added".to_owned())));
    assert_eq!(words(&ravi).iter().filter(|word| *word == "friend_asked").count(), 3);
    assert_eq!(end(&ravi, &asha.id).status, 204);
    until("the friendship has ended for both", || listed(&asha, "friends").is_empty());
    assert_eq!(end(&ravi, &asha.id).status, 204, "there is nothing to end");
}

on_both_stores!(a_friend_of_the_master_sits_down_at_a_private_table);
fn a_friend_of_the_master_sits_down_at_a_private_table(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    befriend(&asha, &ravi);
    befriend(&ravi, &meera);
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi", "options": {"private": true}}));
    assert_eq!(table.sit(&meera, "blue").problem(), (403, "not_allowed"), "only friends of the master");
    assert_eq!(table.ask(&ravi, "POST", "/watchers", json!({})).status, 200);
    assert_eq!(table.sit(&ravi, "red").status, 201);
    end(&asha, &ravi.id);
    until("they are no friends", || listed(&ravi, "friends") == [meera.id.clone()]);
    assert_eq!(table.read(&server).text("/seats/2/player"), ravi.id, "an occupied seat stays");
    table.ask(&ravi, "DELETE", "/seats/red", Value::Null);
    assert_eq!(table.sit(&ravi, "red").problem(), (403, "not_allowed"), "later sitting is closed");
}

on_both_stores!(a_blocked_player_cannot_be_told_from_one_that_never_was);
fn a_blocked_player_cannot_be_told_from_one_that_never_was(data: TestStore) {
    let server = Server::start(&data);
    let (asha, ravi) = (TestPlayer::new(&server, "Asha"), TestPlayer::new(&server, "Ravi"));
    befriend(&asha, &ravi);
    assert_eq!(block(&asha, &asha.id).problem(), (403, "not_allowed"));
    assert_eq!(block(&asha, &ravi.id).status, 204);
    assert_eq!(asha.ask("GET", "/friends", Value::Null).body["blocked"], json!([ravi.id]));
    until("they are no friends", || listed(&ravi, "friends").is_empty());
    let table = TestTable::new(&ravi, json!({"rule_set": "parcheesi"}));
    let invite = |id: &str| table.ask(&ravi, "POST", "/invitations", json!({"player": id}));
    let profile = |id: &str| ravi.send("GET", &format!("/v1/players/{id}"), Value::Null);
    assert_eq!(ask(&ravi, &asha.id).full_problem(), ask(&ravi, NEVER).full_problem());
    assert_eq!(invite(&asha.id).full_problem(), invite(NEVER).full_problem());
    assert_eq!(profile(&asha.id).full_problem(), profile(NEVER).full_problem());
    assert_eq!(ask(&asha, &ravi.id).problem(), (403, "not_allowed"), "unblock first");
    assert_eq!(block(&asha, NEVER).status, 204, "blocking tells nothing either");
    assert_eq!(asha.ask("DELETE", &format!("/blocked/{}", ravi.id), Value::Null).status, 204);
    befriend(&ravi, &asha);
}

on_both_stores!(no_operation_tells_a_player_who_is_blocked_from_an_unknown_one);
fn no_operation_tells_a_player_who_is_blocked_from_an_unknown_one(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    assert_eq!(block(&asha, &ravi.id).status, 204);
    let (mut walked, mut differ) = (0, Vec::new());
    for (operation, method, path) in operations() {
        let Some(rest) = path.strip_prefix("/v1/players/{id}") else { continue };
        let rest = rest.replace("{other}", &meera.id).replace("{webhook}", "none");
        let ask = |by: &TestPlayer<'_>, id: &str| {
            let answer = by.send(&method, &format!("/v1/players/{id}{rest}"), body_of(&operation));
            (answer.status, answer.body["code"].clone(), answer.body["detail"].clone())
        };
        walked += 1;
        // Other players see only the profile and the statistics of a player.
        let is_public = ["read_player", "read_player_statistics"].contains(&operation.as_str());
        let unknown = ask(&ravi, NEVER);
        assert_eq!((unknown.0, &unknown.1), (404, &json!("player_not_found")), "{operation}");
        for by in [&ravi, &meera] {
            let found = ask(by, &asha.id);
            if is_public && by.id == meera.id {
                assert_eq!(found.0, 200, "{operation}");
            } else if found != unknown {
                differ.push(format!("{operation}: {found:?}"));
            }
        }
        if is_public {
            let anonymous = server.get(&format!("/v1/players/{}{rest}", asha.id));
            assert_eq!(anonymous.status, 200, "{operation}: who has no player cannot be blocked");
        }
    }
    assert!(walked > 15 && differ.is_empty(), "{walked} operations; {differ:#?}");
    assert_eq!(asha.ask("GET", "", Value::Null).text("/name"), "Asha", "nothing was changed");
}

on_both_stores!(a_deleted_friend_is_forgotten);
fn a_deleted_friend_is_forgotten(data: TestStore) {
    let server = Server::start(&data);
    let [asha, ravi, meera] = ["Asha", "Ravi", "Meera"].map(|name| TestPlayer::new(&server, name));
    befriend(&asha, &ravi);
    ask(&asha, &meera.id);
    until("the request has come", || listed(&meera, "requests").len() == 1);
    assert_eq!(asha.ask("DELETE", "", Value::Null).status, 204);
    for other in [&ravi, &meera] {
        until("the friend is gone", || !other.ask("GET", "/export", Value::Null).raw.contains(&asha.id));
        assert_eq!((listed(other, "friends"), listed(other, "requests")), (vec![], vec![]));
    }
    assert_eq!(ask(&ravi, &asha.id).full_problem(), ask(&ravi, NEVER).full_problem());
}

on_both_stores!(invitations_and_requests_of_a_player_are_counted);
fn invitations_and_requests_of_a_player_are_counted(data: TestStore) {
    let server = Server::start_one(&data, |config| config.rates.invite = Some(4));
    let [asha, ravi] = ["Asha", "Ravi"].map(|name| TestPlayer::new(&server, name));
    let others: Vec<_> = (0..5).map(|number| TestPlayer::new(&server, &format!("Player {number}"))).collect();
    let table = TestTable::new(&asha, json!({"rule_set": "parcheesi"}));
    let invite = |id: &str| table.ask(&asha, "POST", "/invitations", json!({"player": id}));
    assert_eq!((invite(&others[0].id).status, invite(&others[1].id).status), (201, 201));
    assert_eq!((ask(&asha, &others[0].id).status, ask(&asha, &others[1].id).status), (204, 204));
    let refused = ask(&asha, &others[2].id);
    assert_eq!(refused.problem(), (429, "too_many_requests"));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 60);
    assert_eq!(invite(&others[2].id).problem(), (429, "too_many_requests"));
    assert_eq!((invite(&others[0].id).status, ask(&asha, &others[0].id).status), (201, 204), "repeating is free");
    assert_eq!(ask(&ravi, &others[2].id).status, 204, "another player has an own quota");
}
