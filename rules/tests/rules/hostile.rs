//! Checks that rule sets of hostile shape cannot make a decision slow: long hands that no plan spends, many lines with
//! long conditions, compulsions over the whole hand, jumps that cause jumps, and many actions with the same text.

use std::fs;
use std::time::Duration;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Actions, Engine, Phase, Quiet};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use crate::common::Chance;

/// The longest time of a decision in this test. The slowest shape, many actions with the same text, takes 5 ms in a
/// release build. Other programs disturb the measurement.
const LONGEST: Duration = Duration::from_millis(20);

/// Number of decisions of each rule set.
const DECISIONS: usize = 40;

/// Number of throws and actions after which a new game begins.
const STEPS: usize = 80;

fn engine(name: &str, text: &str) -> Engine {
    let source = Source { name: name.to_owned(), text: text.to_owned() };
    let checked = RuleSet::check(&source, &Bundled);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{name}: {:#?}", checked.problems));
    set.table(&Options::new(), None).unwrap()
}

/// The processor time of this thread. `None` where the system does not provide it.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Plays random actions, and returns the longest time of a decision: its actions are listed, and one of them is played.
fn longest(engine: &Engine) -> Option<Duration> {
    let mut chance = Chance(3);
    let mut state = engine.opening(engine.first_seat());
    let (mut longest, mut decisions, mut next) = (Duration::ZERO, 0, Actions::default());
    for step in 1_usize.. {
        if decisions == DECISIONS {
            break;
        }
        match state.phase {
            // Captured pawns never enter again, so that no pawn may be left to move.
            _ if step % STEPS == 0 => state = engine.opening(engine.first_seat()),
            Phase::Over => state = engine.opening(engine.first_seat()),
            Phase::Throw => {
                let throw = engine.draw(&mut |n| chance.below(n));
                engine.throw(&mut state, &throw, &mut Quiet).unwrap();
            }
            _ => {
                let before = processor_time()?;
                let legal = engine.legal(&state);
                longest = longest.max(processor_time()? - before);
                let action = legal[chance.below(legal.len() as u32) as usize];
                engine.play_unchecked(&mut state, &action, &mut next, &mut Quiet);
                decisions += 1;
            }
        }
    }
    Some(longest)
}

#[test]
fn no_shape_of_a_rule_set_makes_a_decision_slow() {
    let long_hands = include_str!("../long-hands.yaml");
    let many_lines = include_str!("../hostile/many-lines.yaml");
    // In each line, one count of pawns gets a condition, which the engine evaluates for every pawn.
    let count = |line: &str| line.replacen("pawns(0..31) < 9", "pawns(0..31 where group < 9) < 9", 1);
    let counting: Vec<String> = many_lines.lines().map(count).collect();
    let sets = [
        ("long-hands", long_hands.to_owned()),
        ("longest-hands", long_hands.replace("throws < 10", "throws < 24")),
        ("many-lines", many_lines.to_owned()),
        ("many-counts", counting.join("\n")),
        ("whole-hand", include_str!("../hostile/whole-hand.yaml").to_owned()),
        ("jumps", include_str!("../hostile/jumps.yaml").to_owned()),
        ("enemy-counts", include_str!("../hostile/enemy-counts.yaml").to_owned()),
        ("enemy-counts-any", include_str!("../hostile/enemy-counts.yaml").replace("use_dice: most", "use_dice: any")),
        ("alike", include_str!("../hostile/alike.yaml").to_owned()),
    ];
    for (name, text) in sets {
        let Some(longest) = longest(&engine(name, &text)) else { return };
        println!("{name}: {longest:?}");
        assert!(longest < LONGEST, "a decision of `{name}` took {longest:?}");
    }
}

#[test]
fn a_condition_that_asks_very_many_pawns_is_refused() {
    let text = include_str!("../hostile/enemy-counts.yaml").replace("far: near + 1", "far: near + near + near");
    let source = Source { name: "enemy-counts.yaml".to_owned(), text };
    let checked = RuleSet::check(&source, &Bundled);
    assert!(checked.ruleset.is_none());
    let lines: Vec<_> = checked.problems.iter().map(|problem| (problem.code, problem.span.line)).collect();
    assert_eq!(lines, [21, 22, 24, 27, 30].map(|line| ("too-deep", line)));
    assert!(checked.problems[0].message.contains("2048 are possible"), "{:?}", checked.problems[0]);
}
