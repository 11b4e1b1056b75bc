//! Tests that a list of actions is marked as incomplete if the search that made it reached its limit.

use super::*;

/// A rule set with ten throws in a turn. Each seat has four pawns, no pawn may land on another pawn of its colour, and
/// a five can never be spent.
const LONG_HANDS: &str = include_str!("../../../../tests/long-hands.yaml");

/// The first turn after `throws` throws, for a rule set that grants that many.
fn after(throws: usize, text: String) -> (Engine, State) {
    let engine = table(text);
    let mut state = engine.opening(engine.first_seat());
    for text in ["1+2", "2+3", "1+3", "3+5"].into_iter().cycle().take(throws) {
        let throw = engine.parse_throw(text).unwrap();
        engine.throw(&mut state, &throw, &mut Quiet).unwrap();
    }
    assert_eq!(state.phase, Phase::Move);
    (engine, state)
}

#[test]
fn a_list_is_complete_until_a_look_ahead_meets_its_bound() {
    let (engine, state) = after(2, LONG_HANDS.replace("throws < 10", "throws < 2"));
    assert!(engine.legal(&state).is_complete());
    let (engine, mut state) = after(10, LONG_HANDS.into());
    let turn = state.turn;
    let mut list = engine.legal(&state);
    assert!(!list.is_complete() && !list.is_empty(), "{list:?}");
    // The hand gets shorter with every action. The list is filled again each time, and must be complete in the end.
    let mut was_complete = false;
    while state.phase == Phase::Move && state.turn == turn {
        was_complete |= list.is_complete();
        let first = list[0];
        engine.play_unchecked(&mut state, &first, &mut list, &mut Quiet);
    }
    assert!(was_complete);
}

#[test]
fn a_compulsion_over_the_whole_hand_says_that_it_met_its_bound() {
    let due = "must:\n  - {id: greatest, actions: die, when: number = 3, within: hand}\nlanding:";
    let text = LONG_HANDS.replace("landing:", due);
    let (engine, state) = after(2, text.replace("throws < 10", "throws < 2"));
    assert!(engine.has_due() && engine.legal(&state).is_complete());
    let (engine, state) = after(10, text);
    assert!(!engine.legal(&state).is_complete());
}
