//! Compares the JSON of events of every kind of entity with that of stored events. A difference is damage to stored
//! data.

use pagade_rules::units::PawnIndex;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use super::creation::{OptionValue, Robot};
use super::ending::EndedBy;
use super::event::EventView;
use super::game::Control;
use super::group::GroupEventView;
use super::player::PlayerEventView;
use super::table_event::TableEventView;
use super::tournament::SeatResultView;
use super::tournament_event::TournamentEventView;
use super::written::PawnId;

/// One event of each kind of entity, with all fields. Line breaks and the spaces after them are not stored.
const STORED: &str = include_str!("stored_events.txt");

const AT: &str = "2026-11-21T09:00:05.000Z";

/// Compares an event with the stored event of a kind of entity.
fn check(kind: &str, event: &impl Serialize) {
    let stored = STORED.split("\n\n").find_map(|stored| stored.strip_prefix(kind)?.strip_prefix(':'));
    let stored = stored.unwrap().lines().map(str::trim_start).collect::<String>();
    assert_eq!(serde_json::to_string(event).unwrap(), stored, "{kind}");
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).unwrap()
}

#[test]
fn events_of_games_have_the_stored_form() {
    let (list, map) = (raw(&[0; 0]), raw(&serde_json::json!({})));
    let pawn = PawnIndex::all(4).next().map(|pawn| PawnId { seat: "red", pawn });
    let event = EventView {
        id: 12,
        event: "moved",
        at: AT,
        version: 5,
        step: 4,
        seat: Some("red"),
        name: Some("Asha"),
        contribution: Some("x"),
        player: Some(Uuid::from_u128(1)),
        robot: Some(Robot::Hunter),
        control: Some(Control::Robot),
        until: Some(AT.to_owned()),
        pawn,
        from: Some("66"),
        to: Some("69"),
        path: vec!["67", "68", "69"],
        with: pawn.into_iter().collect(),
        number: Some(3),
        throw: Some("3+4".to_owned()),
        counter: Some("cuts"),
        value: Some(OptionValue::Number(2)),
        mark: Some("lifted"),
        set: Some(true),
        choice: Some("keep"),
        action: Some("66-69:3"),
        reason: Some("end"),
        by: pawn.into_iter().collect(),
        rule: Some("spend.die"),
        clauses: &["PG-28".to_owned()],
        because: Some("cut"),
        pawns: Some(&list),
        roll_off: Some(&list),
        counters: Some(&map),
        ranking: Some(&list),
        next: Some(&map),
    };
    check("game", &event);
}

#[test]
fn events_of_groups_have_the_stored_form() {
    let copied = raw(&serde_json::json!({}));
    let game_id = Some(Uuid::from_u128(2));
    check("group", &GroupEventView { id: 12, event: "moved", at: AT, game_id, game_event: Some(&copied) });
}

#[test]
fn events_of_players_have_the_stored_form() {
    let event = PlayerEventView {
        id: 12,
        event: "game_settled",
        at: AT,
        game_id: Some(Uuid::from_u128(2)),
        group_id: Some(Uuid::from_u128(3)),
        table_id: Some(Uuid::from_u128(4)),
        player: Some(Uuid::from_u128(1)),
        name: Some("deleted player"),
        seat: Some("red"),
        proposed_by: Some("yellow"),
        reason: Some("end"),
        place: Some(1),
        chips: Some(-5),
        balance: Some(95),
        experience: Some(10),
        badges: vec!["first-win"],
        game: None,
    };
    check("player", &event);
}

#[test]
fn events_of_tables_have_the_stored_form() {
    let event = TableEventView {
        id: 12,
        event: "table_game_ended",
        at: AT,
        seat: Some("red"),
        name: Some("deleted player"),
        player: Some(Uuid::from_u128(1)),
        robot: Some(Robot::Hunter),
        control: Some(Control::Robot),
        options: vec!["bet"],
        line: Some(3),
        muted: Some(true),
        on: Some("end"),
        agrees: Some(true),
        result: Some("agreed"),
        game_id: Some(Uuid::from_u128(2)),
        ended_by: Some(EndedBy::Agreement),
        reason: Some("insufficient_chips"),
        table: None,
    };
    check("table", &event);
}

#[test]
fn events_of_tournaments_have_the_stored_form() {
    let event = TournamentEventView {
        id: 12,
        event: "table_result",
        at: AT,
        entrant: Some(1),
        round: Some(2),
        table: Some(3),
        game_id: Some(Uuid::from_u128(2)),
        entrants: vec![1, 4],
        result: vec![SeatResultView { entrant: 1, place: 1, score: 4, no_show: false }],
        reason: Some("agreed"),
    };
    check("tournament", &event);
}
