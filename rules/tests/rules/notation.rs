//! Tests throws, squares and actions as text.

use pagade_rules::notation::{ActionError, ThrowError, WrittenAction};
use pagade_rules::play::{Quiet, Seat};
use pagade_rules::position::{ByName, PositionSetup};

use crate::common::{Chance, play_at_random, red_throws, table};

#[test]
fn every_throw_reads_as_it_was_printed() {
    let engine = table("pagade", None);
    for (throw, _) in engine.outcomes() {
        assert_eq!(engine.parse_throw(&engine.throw_text(&throw)), Ok(throw));
    }
}

#[test]
fn throws_that_the_dice_do_not_have() {
    let engine = table("pagade", None);
    assert!(matches!(engine.parse_throw("3+5"), Err(ThrowError::NoFace { face: 5, .. })));
    assert!(matches!(engine.parse_throw("3"), Err(ThrowError::Count { found: 1, wanted: 2, .. })));
    assert!(matches!(engine.parse_throw("3+"), Err(ThrowError::Malformed(_))));
    assert!(matches!(engine.parse_throw("+3+3"), Err(ThrowError::Malformed(_))));
}

#[test]
fn a_square_has_a_number_of_every_colour() {
    let engine = table("pagade", None);
    let (red, green) = (Seat(0), engine.seat_named("green").unwrap());
    let theirs = engine.place("red.70", green).unwrap();
    assert_eq!(engine.label(theirs), "19");
    assert!(engine.is_same_square(red, engine.place("8", red).unwrap(), engine.place("8r", red).unwrap()));
    assert!(engine.place("h8", red).is_err());
    assert!(engine.place("blue.3", red).is_err());
    assert!(engine.place("red.3", green).is_err(), "a private square is on no other path");
}

#[test]
fn numbers_and_the_mark_of_a_capture_may_be_left_out_while_one_action_is_meant() {
    let engine = table("pagade", None);
    let state = red_throws(&engine, ["66", "67", "home", "home"], ["19", "1", "1", "1"], "3+4");
    for (written, printed) in [
        ("66-69", "66-69:3"),
        ("66-70", "66-70x:4"),
        ("66-70x", "66-70x:4"),
        ("67-74:4+3", "67-74:3+4"),
        ("66-green.19:4", "66-70x:4"),
        (" 66-69:3 ", "66-69:3"),
    ] {
        let action = engine.parse_action(&state, written).unwrap();
        assert_eq!(engine.action_text(&state, &action), printed);
    }
}

#[test]
fn what_cannot_be_taken_says_why() {
    let engine = table("pagade", None);
    let state = red_throws(&engine, ["20", "20", "home", "home"], ["1"; 4], "3+3");
    let error = |text: &str| engine.parse_action(&state, text).unwrap_err();
    assert!(matches!(error("20"), ActionError::Malformed(_)));
    assert!(matches!(error("20-h9:3"), ActionError::UnknownSquare(_)));
    assert!(matches!(error("leap"), ActionError::UnknownWord { .. }));
    match error("20-24:4") {
        ActionError::NotLegal { legal, .. } => assert_eq!(legal, ["20-26:3+3", "20=23:3+3"]),
        other => panic!("{other:?}"),
    }
    assert!(matches!(error("pass"), ActionError::NotLegal { .. }));
    assert!(matches!(error("20-23x:3"), ActionError::NotLegal { .. }), "nothing is captured there");
}

#[test]
fn legal_actions_read_as_they_were_printed() {
    let engine = table("pagade", None);
    for seed in 0..20 {
        let mut chance = Chance(seed);
        let mut state = play_at_random(&engine, 0, seed, 40 + chance.below(150) as usize, |_, _| {});
        while engine.legal(&state).is_empty() {
            let throw = engine.draw(&mut |n| chance.below(n));
            engine.throw(&mut state, &throw, &mut Quiet).unwrap();
        }
        for action in engine.one_of_each(&state, &engine.legal(&state)) {
            let text = engine.action_text(&state, &action);
            assert_eq!(engine.parse_action(&state, &text), Ok(action), "{text}");
            let written: WrittenAction = text.parse().unwrap();
            assert_eq!(written, engine.written(&state, &action));
        }
    }
}

#[test]
fn lines_that_lead_a_pawn_to_one_place_make_one_action() {
    let engine = table("petol", None);
    let pieces = ByName(vec![("white".to_owned(), vec!["48".to_owned()])]);
    let setup = PositionSetup { pieces, turn: Some("white".to_owned()), ..PositionSetup::default() };
    let mut state = engine.set_up(&setup, &mut Quiet).unwrap();
    engine.throw(&mut state, &engine.parse_throw("1+1+0+0").unwrap(), &mut Quiet).unwrap();
    // By two steps along the path, and by a line with `to: home`.
    let texts: Vec<_> = engine.legal(&state).iter().map(|action| engine.action_text(&state, action)).collect();
    assert_eq!(texts, ["48-home:2"]);
}
