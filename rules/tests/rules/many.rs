//! Tests rule sets that reach the limits of the engine: more legal actions than a list holds, and numbers above the
//! longest move.

use pagade_rules::bundled::Bundled;
use pagade_rules::notation::WhyNot;
use pagade_rules::play::{Engine, Fate, MAX_ACTIONS, PASS, Phase, Quiet, State};
use pagade_rules::position::{ByName, PositionSetup};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use crate::common::Chance;

/// Makes a table of a variant of a bundled rule set. The check of the variant must find nothing.
fn variant(base: &str, text: &str) -> Engine {
    let text = format!("rules: many\nversion: 1.0.0\ntitle: Many\nextends: {base}\n{text}");
    let checked = RuleSet::check(&Source { name: "many.yaml".to_owned(), text }, &Bundled);
    assert!(checked.problems.is_empty(), "{:#?}", checked.problems);
    checked.ruleset.unwrap().table(&Options::new(), None).unwrap()
}

/// Throws the dice in a position of the first seat. All other pawns stand where they start.
fn after(engine: &Engine, pieces: &[String], throw: &str) -> State {
    let seat = engine.seat_name(engine.first_seat()).to_owned();
    let pieces = ByName(vec![(seat.clone(), pieces.to_vec())]);
    let setup = PositionSetup { pieces, turn: Some(seat), ..PositionSetup::default() };
    let mut state = engine.set_up(&setup, &mut Quiet).unwrap();
    engine.throw(&mut state, &engine.parse_throw(throw).unwrap(), &mut Quiet).unwrap();
    state
}

#[test]
fn a_list_without_room_for_all_actions_says_so() {
    let line =
        |steps: usize| format!("  - {{id: by-{steps}, move: pawn, from: [yard, loop], with: die, steps: {steps}}}\n");
    let lines = (1..=20).map(line).collect::<String>();
    let dice = "dice: {count: 4, faces: [1, 2, 3, 4]}\npawns: {each: 8, start: [1, 2, 3, 4, 5, 6, 7, 8]}\n";
    let engine = variant("ludo", &format!("{dice}turn: {{use_dice: any, first: red}}\nspend:\n{lines}"));
    let mut chance = Chance(7);
    let mut incomplete = 0;
    for _ in 0..100 {
        let places: Vec<String> = (0..8).map(|_| (1 + chance.below(45)).to_string()).collect();
        let throw = engine.throw_text(&engine.draw(&mut |n| chance.below(n)));
        let mut state = after(&engine, &places, &throw);
        // Plays the turn until another seat is due.
        while state.phase == Phase::Move && state.turn == engine.first_seat() {
            let legal = engine.legal(&state);
            assert_eq!(legal.is_complete(), legal.len() < MAX_ACTIONS, "{places:?} {throw}");
            incomplete += u32::from(!legal.is_complete());
            let action = legal[engine.pick(&legal, &mut |n| chance.below(n))];
            engine.play(&mut state, &action, &mut Quiet).unwrap();
        }
    }
    assert!(incomplete > 3, "{incomplete} decisions had too many actions");
}

#[test]
fn a_list_without_room_for_all_actions_offers_the_pass_that_the_rules_allow() {
    let line =
        |steps: usize| format!("  - {{id: by-{steps}, move: pawn, from: [yard, loop], with: die, steps: {steps}}}\n");
    let lines = (1..=20).map(line).collect::<String>();
    let dice = "dice: {count: 4, faces: [1, 2, 3, 4]}\npawns: {each: 8, start: [1, 2, 3, 4, 5, 6, 7, 8]}\n";
    let turn = "turn: {use_dice: any, first: red, may_pass: yes}";
    let engine = variant("ludo", &format!("{dice}{turn}\nspend:\n{lines}"));
    let places: Vec<String> = (1..=8).map(|place| (4 * place).to_string()).collect();
    let legal = engine.legal(&after(&engine, &places, "1+2+3+4"));
    assert!(!legal.is_complete() && legal.len() == MAX_ACTIONS);
    assert!(legal.contains(&PASS));
}

#[test]
fn a_sum_above_the_longest_move_is_not_played_in_any_position() {
    let engine = variant("pagade", "dice: {faces: [1, 16, 20]}\noptions: {sum_move: {default: single_hop}}\n");
    // Two positions: in the first no enemy can bar the way, in the second an enemy pair stands on the board.
    for enemy in [["1"; 4], ["30", "30", "1", "1"]] {
        let state = {
            let away = |places: [&str; 4]| places.map(str::to_owned).to_vec();
            let names = engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned());
            let all = [["1", "1", "home", "home"], enemy, ["1"; 4], ["1"; 4]];
            let pieces = ByName(names.zip(all.map(away)).collect());
            let setup = PositionSetup { pieces, turn: Some("red".to_owned()), ..PositionSetup::default() };
            engine.set_up(&setup, &mut Quiet).unwrap()
        };
        let with = |throw: &str| {
            let mut state = state;
            engine.throw(&mut state, &engine.parse_throw(throw).unwrap(), &mut Quiet).unwrap();
            state
        };
        let longest = with("16+16");
        assert!(engine.parse_action(&longest, "1-33:16+16").is_ok(), "{:?}", engine.legal_texts(&longest));
        let longer = with("20+20");
        assert!(engine.parse_action(&longer, "1-21:20").is_ok(), "{:?}", engine.legal_texts(&longer));
        let texts = engine.legal_texts(&longer);
        assert!(!texts.iter().any(|text| text.ends_with("20+20") && text.contains('-')), "{texts:?}");
        let reasons = engine.why_not(&longer, &engine.legal(&longer), "1-41:20+20");
        let is_too_far = |reason: &WhyNot| matches!(reason, WhyNot::Fate(attempt) if attempt.fate == Fate::NoWay);
        assert!(reasons.iter().any(is_too_far), "{reasons:?}");
    }
}
