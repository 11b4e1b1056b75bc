//! Tests the problems that a check finds in choices that ask another seat.

use super::SMALL;
use super::problems::{found, found_in};

/// The problems of the small game with this line of choices.
fn of_choice(line: &str) -> Vec<(&'static str, String)> {
    found("finish:", &format!("choices: [{{id: ask, ask: before_throw, {line}}}]\nfinish:"))
}

#[test]
fn a_choice_of_another_seat_knows_the_seat_whose_turn_it_is() {
    for who in ["next", "previous", "others"] {
        assert_eq!(
            of_choice(&format!("who: {who}, when: other_finished and other.taken > 0, do: other.taken = 0")),
            []
        );
    }
    let not_here = |what: &str| vec![("not-here", what.to_owned())];
    assert_eq!(of_choice("when: other_finished, do: []"), not_here("other_finished"));
    assert_eq!(of_choice("who: mover, when: other_finished, do: []"), not_here("other_finished"));
    assert_eq!(of_choice("who: next, when: there.fresh, do: []"), not_here("there.fresh"));
    assert_eq!(of_choice("who: others, argument: turn_pawn, when: there.fresh, do: send argument to 1"), []);
    assert_eq!(of_choice("who: others, argument: turn_pair, when: argument = at(1), do: []"), []);
}

#[test]
fn a_seat_that_cannot_be_asked_is_a_problem() {
    assert_eq!(of_choice("who: nobody, do: []"), [("unknown-word", "nobody".to_owned())]);
    let itself = "who: previous, argument: previous_pawn, do: []";
    assert_eq!(of_choice(itself), [("not-here", "previous_pawn".to_owned())]);
    assert!(!SMALL.contains("teams:"));
    let choices = "choices: [{id: ask, ask: before_throw, who: partner, do: []}]\nfinish:";
    assert_eq!(found("finish:", choices), [("not-here", "partner".to_owned())]);
    let teams = SMALL.replacen("finish:", &format!("teams: {{opposite: no}}\n{choices}"), 1);
    assert_eq!(found_in(&teams), []);
}
