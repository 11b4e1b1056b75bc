//! Tests conditions of landing lines about the pawns on the target square.

use std::sync::Arc;

use pagade_rules::bundled::Bundled;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::scenario;
use pagade_rules::source::Source;

/// A pair that has just entered has the mark `fresh`, and no single pawn cuts it. `one` and `two` are the seats; the
/// square that `one` calls 5 is the square that `two` calls 1.
const SCENARIOS: &str = "
ruleset: small
options: {mode: soft}
scenarios:
  - name: a pair that bears the mark is not cut
    turn: two
    pieces: {one: [4, off], two: [off, off]}
    script:
      - throw: 3+3
      - play: [off-1:3, off-1:3]
      - turn: one
      - throw: 1+2
      - allows: [4-6:2]
      - forbids: [4-5x:1]
  - name: a pair without the mark is cut
    turn: one
    pieces: {one: [4, off], two: [1, 1]}
    script:
      - throw: 1+2
      - allows: [4-5x:1]
  - name: marks of pawns elsewhere do not matter
    turn: two
    pieces: {one: [2, off], two: [7, off]}
    script:
      - throw: 3+1
      - play: [off-1:3, 7-8:1]
      - turn: one
      - throw: 2+1
      - allows: [2-4x:2]
";

#[test]
fn a_mark_of_who_stands_there_decides() {
    let small = include_str!("../../src/build/tests/small.yaml");
    // The pattern `enemy` also fits a single pawn, which the third scenario needs.
    let text = small.replace("on: enemy pair, when: taken < 2", "on: enemy, when: there.fresh");
    let checked = RuleSet::check(&Source { name: "small.yaml".to_owned(), text }, &Bundled);
    let ruleset = Arc::new(checked.ruleset.unwrap_or_else(|| panic!("{:#?}", checked.problems)));
    let report = scenario::run("there.yaml", SCENARIOS, &|_| Ok(Arc::clone(&ruleset))).unwrap();
    let failures: Vec<String> = report.failures().map(ToString::to_string).collect();
    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(report.passed(), 3);
}
