//! Tests the reasons why actions are not legal: for every attempt in random games of every set, and in positions that a
//! person can check.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use pagade_rules::notation::WhyNot;
use pagade_rules::play::{ActionKind, Attempt, Engine, Fate, Phase, State, Wording};
use pagade_rules::ruleset::{Options, RuleFiles, RuleSet};
use pagade_rules::source::Source;
use pagade_rules::tables::LineId;

use crate::common::sets::{ids, of_every_option, share_out};
use crate::common::{play_at_random, red_throws, rule_set, table};

fn word(fate: Fate) -> String {
    format!("{fate:?}").split('(').next().unwrap().to_owned()
}

fn attempts(engine: &Engine, state: &State) -> Vec<Attempt> {
    let mut found = Vec::new();
    engine.attempts(state, &engine.legal(state), &mut |attempt| found.push(attempt));
    found
}

/// Checks one decision. Its legal attempts must be its legal moves. The text of every other attempt with an end must be
/// refused, and one of the reasons must have the fate of the attempt. Returns the number of refused texts.
fn check(engine: &Engine, state: &State, fates: &mut BTreeSet<String>) -> u32 {
    let legal = engine.legal(state);
    let set = |wordings: &mut dyn Iterator<Item = Wording>| wordings.collect::<HashSet<_>>();
    let wording = |action| engine.wording(state, action);
    let moves = legal.iter().filter(|action| action.kind == ActionKind::Move);
    let (found, mut refused) = (attempts(engine, state), 0);
    let taken = found.iter().filter(|attempt| attempt.fate == Fate::Legal);
    assert_eq!(
        set(&mut taken.map(|attempt| wording(&attempt.action))),
        set(&mut moves.map(wording)),
        "{}: {state:?}",
        engine.identity.id
    );
    for attempt in &found {
        fates.insert(word(attempt.fate));
        let Some(end) = attempt.end.filter(|_| attempt.fate != Fate::Legal) else { continue };
        let mut action = attempt.action;
        (action.to, action.captures) = (end, false);
        let text = engine.action_text(state, &action);
        if engine.parse_action(state, &text).is_ok() {
            continue; // Another pawn or another line makes the same move.
        }
        let reasons = engine.why_not(state, &legal, &text);
        refused += 1;
        let told = |reason: &WhyNot| matches!(reason, WhyNot::Fate(told) if told.fate == attempt.fate);
        assert!(reasons.iter().any(told), "{} {text} {attempt:?}: {reasons:?}", engine.identity.id);
    }
    refused
}

#[test]
fn every_attempt_is_a_legal_move_or_has_an_obstacle() {
    let all = Mutex::new((BTreeSet::new(), 0));
    let tables: Vec<Engine> = ids().iter().flat_map(|id| of_every_option(&rule_set(id).unwrap())).collect();
    share_out(&tables, |engine| {
        let (mut fates, mut refused) = (BTreeSet::new(), 0);
        play_at_random(engine, 0, 5, 300, |_, state| {
            if state.phase == Phase::Move && engine.legal(state).is_complete() {
                refused += check(engine, state, &mut fates);
            }
        });
        let mut all = all.lock().unwrap();
        all.0.extend(fates);
        all.1 += refused;
    });
    let (seen, refused) = all.into_inner().unwrap();
    let missing = [
        "Legal",
        "NoLine",
        "BonusesFirst",
        "Moved",
        "Condition",
        "NoWay",
        "Passing",
        "Landing",
        "Reunites",
        "Compelled",
        "SpendsLess",
        "LastResort",
        "AllOrNone",
        "NumbersFirst",
    ];
    let missing: Vec<_> = missing.into_iter().filter(|fate| !seen.contains(*fate)).collect();
    assert!(missing.is_empty(), "never met: {missing:?}; met: {seen:?}");
    assert!(refused > 4000, "{refused} refused attempts");
}

/// Finds the small rule sets of the tests of words.
struct Small;

impl RuleFiles for Small {
    fn find(&self, name: &str) -> Option<Source> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/sets");
        let text = fs::read_to_string(folder.join(format!("{name}.yaml"))).ok()?;
        Some(Source { name: format!("{name}.yaml"), text })
    }
}

#[test]
fn moves_back_and_walls_are_explained_as_moves_ahead_are() {
    let (mut fates, mut refused) = (BTreeSet::new(), 0);
    for set in ["overrun", "pacing", "walls", "bouncy", "own-walks"] {
        let ruleset = RuleSet::check(&Small.find(set).unwrap(), &Small).ruleset.unwrap();
        let engine = ruleset.table(&Options::new(), None).unwrap();
        for seed in 0..20 {
            play_at_random(&engine, 0, seed, 400, |_, state| {
                if state.phase == Phase::Move && engine.legal(state).is_complete() {
                    refused += check(&engine, state, &mut fates);
                }
            });
        }
    }
    assert!(refused > 20, "{refused} refused attempts");
    assert!(["Passing", "Landing", "NoWay"].iter().all(|fate| fates.contains(*fate)), "{fates:?}");
}

fn after(red: [&str; 4], green: [&str; 4], throw: &str) -> (Engine, State) {
    let engine = table("pagade", None);
    let state = red_throws(&engine, red, green, throw);
    (engine, state)
}

/// The reasons why the action `text` is not legal; empty if there are none.
fn reasons_text((engine, state): &(Engine, State), text: &str) -> String {
    let line = |line: LineId| engine.lines[line.index()].name.clone();
    let words = engine.why_not(state, &engine.legal(state), text).into_iter().map(|reason| match reason {
        WhyNot::Fate(attempt) => match attempt.fate {
            Fate::Passing(at, by) | Fate::Landing(at, by) => {
                format!("{} {} {}", word(attempt.fate), engine.label(at), line(by))
            }
            Fate::Compelled(by) => format!("Compelled {}", line(by)),
            fate => word(fate),
        },
        WhyNot::NoPawn(at) => format!("NoPawn {}", engine.label(at)),
        WhyNot::Elsewhere(at) => format!("Elsewhere {}", engine.label(at)),
        other => format!("{other:?}").split('(').next().unwrap().to_owned(),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_refused_action_has_the_reason_that_a_person_would_give() {
    let pair = after(["66", "67", "home", "home"], ["19", "19", "1", "1"], "3+4");
    assert_eq!(reasons_text(&pair, "66-70:4"), "Landing 70 landing.pair-by-one");
    assert_eq!(reasons_text(&pair, "66-71:4"), "Elsewhere 70");
    assert_eq!(reasons_text(&pair, "66-70"), "Landing 70 landing.pair-by-one");
    assert_eq!(reasons_text(&pair, "66-68"), "NotReached");
    assert_eq!(reasons_text(&pair, "66-68:2"), "NotInHand");
    assert_eq!(reasons_text(&pair, "60-63:3"), "NoPawn 60");
    assert_eq!(reasons_text(&pair, "66-69x:3"), "NoCapture");
    assert_eq!(reasons_text(&pair, "66=69:3"), "NoLine");
    assert_eq!(reasons_text(&pair, "pass"), "MustPlay");
    assert_eq!(reasons_text(&pair, "66-69:3"), "", "it is legal");
    assert_eq!(reasons_text(&pair, "66"), "", "it is no action");
    assert_eq!(reasons_text(&pair, "66-x9:3"), "", "there is no such square");
}
