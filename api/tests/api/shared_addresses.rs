//! Tests that a competitive game compares the network addresses of all commands of its players, at the game and at its
//! table: a game in which two players share an address counts for its chips only.

use serde_json::{Value, json};

use crate::chips::{Club, Member, SEATS};
use crate::harness::{TestStore, on_both_stores};
use crate::tokens::operations;

/// The commands that a player in a seat cannot send while a game is in play at the table.
const REFUSED: [&str; 14] = [
    "abort_game",
    "agree_to_end",
    "create_webhook",
    "delete_game",
    "delete_webhook",
    "join_seat",
    "leave_seat",
    "redeliver_webhook",
    "renew_invitation",
    "renew_owner_token",
    "start_game",
    "start_table_game",
    "take_table_seat",
    "watch_table",
];
/// Operations whose network address is not compared: a ticket and a dry run change nothing, and a webhook belongs to a
/// program, not to a player.
const APART: [&str; 6] = [
    "create_table_ticket",
    "create_table_webhook",
    "create_ticket",
    "delete_table_webhook",
    "redeliver_table_webhook",
    "try_turn",
];

/// Returns the player with the network address of the other player.
fn at_home_of(other: &Member, player: &Member) -> Member {
    Member { id: player.id.clone(), token: player.token.clone(), address: other.address.clone() }
}

/// Returns the reason why the game of a table counts for its chips only. Null if the game counts fully.
fn reason(club: &Club, by: &Member, table: &str, game: &str) -> Value {
    let seen = club.send(by, "GET", game, Value::Null).body;
    if seen["status"] == "finished" {
        return club.settled(table)["not_scored"].clone();
    }
    seen["scoring"]["reason"].clone()
}

/// Plays until the first player has the turn and the field `awaits` of the game has this value, such as `throw`.
fn play_until(club: &Club, players: [&Member; 2], game: &str, awaits: &str) {
    loop {
        let seen = club.send(players[0], "GET", game, Value::Null).body;
        if seen["turn"] == SEATS[0] && seen["awaits"] == awaits {
            return;
        }
        let due = if seen["turn"] == SEATS[0] { players[0] } else { players[1] };
        let played = match seen["legal"].get(0) {
            Some(action) => club.send(due, "POST", &format!("{game}/actions"), json!({"actions": [action]})),
            None => club.send(due, "POST", &format!("{game}/throws"), json!({})),
        };
        assert_eq!(played.status, 200, "{}", played.raw);
    }
}

on_both_stores!(every_command_is_compared_by_its_address);
fn every_command_is_compared_by_its_address(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    let mut wrong = Vec::new();
    for (operation, method, path) in operations() {
        let is_of_game = path.starts_with("/v1/games/{id}");
        if method == "GET" || !(is_of_game || path.starts_with("/v1/tables/{id}")) {
            continue;
        }
        let table = club.table(&[asha, ravi], json!({"bet": 0, "time_per_turn": 0}));
        let said = club.send(asha, "POST", &format!("{table}/chat"), json!({"text": "Well played"}));
        assert_eq!(said.status, 201, "{}", said.raw);
        let game = club.start(asha, &table);
        let seen = || club.send(asha, "GET", &game, Value::Null).body;
        match operation.as_str() {
            "throw_dice" => play_until(&club, [asha, ravi], &game, "throw"),
            "play_actions" => play_until(&club, [asha, ravi], &game, "action"),
            "cast_table_vote" => {
                let opened = club.send(ravi, "POST", &format!("{table}/votes"), json!({"on": "end"}));
                assert_eq!(opened.status, 201, "{}", opened.raw);
            }
            _ => {}
        }
        assert_eq!(reason(&club, ravi, &table, &game), Value::Null, "{operation}: before");
        let body = match operation.as_str() {
            "play_actions" => json!({"actions": [seen()["legal"][0]]}),
            "try_turn" => json!({"actions": []}),
            "agree_to_end" => json!({"to": "abort"}),
            "cast_table_vote" => json!({"agree": false}),
            "change_table_options" => json!({"options": {"time_per_turn": 60}}),
            "create_table_webhook" | "create_webhook" => json!({"url": "https://club.example/pagade"}),
            "invite_to_table" => json!({"player": meera.id}),
            "mute_at_table" => json!({"muted": true}),
            "open_table_vote" => json!({"on": "end"}),
            "say_at_table" => json!({"text": "Well played"}),
            "seat_table_robot" => json!({"robot": "runner"}),
            _ if method == "POST" => json!({}),
            _ => Value::Null,
        };
        let path = path.replace(if is_of_game { "/v1/games/{id}" } else { "/v1/tables/{id}" }, "");
        let seat = if operation == "seat_table_robot" { SEATS[2] } else { SEATS[0] };
        let player = if operation == "mute_at_table" { &ravi.id } else { &meera.id };
        let path = path.replace("{seat}", seat).replace("{player}", player).replace("{line}", "1");
        let path = format!("{}{}", if is_of_game { &game } else { &table }, path.replace("{webhook}", "none"));
        let sent = club.send(&at_home_of(ravi, asha), &method, &path, body);
        let (is_apart, operation) = (APART.contains(&operation.as_str()), operation.as_str());
        let is_refused = REFUSED.contains(&operation);
        let is_compared = reason(&club, ravi, &table, &game) == "shared_ip";
        let was_taken = sent.status < 300;
        if !is_apart && (was_taken == is_refused || was_taken != is_compared) {
            wrong.push(format!("{operation}: {}, compared: {is_compared}: {}", sent.status, sent.raw));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

on_both_stores!(who_leaves_from_the_address_of_another_ends_the_scoring_for_all);
fn who_leaves_from_the_address_of_another_ends_the_scoring_for_all(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera", "Kiran"]);
    let [asha, ravi, meera, kiran] = &all;
    let leave = |player: &Member, table: &str, seat: &str| {
        let left = club.send(player, "DELETE", &format!("{table}/seats/{seat}"), Value::Null);
        assert_eq!(left.status, 204, "{}", left.raw);
    };
    // With the first options, a robot plays on for a player who leaves; with the second ones, nobody does.
    for options in [json!({"time_per_turn": 0}), json!({"time_per_turn": 0, "stand_in": "none"})] {
        let table = club.table(&[asha, ravi, meera], options);
        let game = club.start(asha, &table);
        leave(meera, &table, SEATS[2]);
        assert_eq!(reason(&club, asha, &table, &game), Value::Null, "from an address of her own");
        leave(&at_home_of(asha, ravi), &table, SEATS[1]);
        assert_eq!(reason(&club, asha, &table, &game), "shared_ip");
        leave(asha, &table, SEATS[0]);
    }
    // A player who is deleted leaves the game, too.
    let table = club.table(&[asha, kiran], json!({"time_per_turn": 0, "stand_in": "none"}));
    let game = club.start(asha, &table);
    let deleted = club.send(&at_home_of(asha, kiran), "DELETE", &format!("/v1/players/{}", kiran.id), Value::Null);
    assert_eq!(deleted.status, 204, "{}", deleted.raw);
    assert_eq!(reason(&club, asha, &table, &game), "shared_ip");
    assert_eq!(club.statistics(asha)["experience"], 0);
}
