//! No rule can be lost unseen: whatever is taken out of a bundled set or changed in it, its check or a scenario tells.

mod common;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::scenario;
use pagade_rules::source::Source;
use serde_json::Value;

/// Where a change shows in no game, as the beginning of its name, and why.
const UNSEEN: &[(&str, &str)] = &[
    ("about ", "for people"),
    ("region ", "for people"),
    ("sources.", "for people"),
    ("titles", "for people"),
    ("board.paints", "for pictures"),
    ("board.path.belly.private ", "a promise that the check holds the walk to"),
    ("board.path.homeward.private ", "a promise that the check holds the walk to"),
    ("counters.seat.cuts.to ", "more than a game of this length can have"),
    ("counters.seat.missed.to ", "as many as `miss_turns` allows"),
    ("counters.seat.missed.hidden ", "`tables.rs` asks for it"),
    ("finish.ranks", "`tables.rs` asks for them"),
    ("landing.belly.then cut", "own pawns are never cut: the engine lets them join"),
    ("landing.meet.then cut", "own pawns are never cut: the engine lets them join"),
    ("landing.full-3.when ", "with two on a square at most, `full` decides before"),
    ("landing.pair-full-3.when ", "with two on a square at most, `pair-full` decides before"),
    ("options.first_player.default ", "scenarios say whose turn it is; `tables.rs` asks for it"),
    ("options.first_player.one_of.", "scenarios say whose turn it is; `tables.rs` asks for it"),
    ("options.max_on_square.to ", "`tables.rs` asks for the bounds"),
    ("options.min_cuts.to ", "`tables.rs` asks for the bounds"),
    ("options.miss_turns.to ", "`tables.rs` asks for the bounds"),
    ("options.reentry_origin.to ", "`tables.rs` asks for the bounds"),
    ("players.0.when ", "scenarios sit where they may; `tables.rs` asks where they may not"),
    ("players.1.when ", "scenarios sit where they may; `tables.rs` asks where they may not"),
    ("turn.reunite roll", "without bonuses a roll is a throw"),
    ("turn.turn_cap ", "`tables.rs` asks for it"),
];

/// Option values that no scenario tells from the default, and why.
const VALUES_UNSEEN: &[(&str, &str)] = &[
    ("first_player: random", "scenarios say whose turn it is; `tables.rs` asks for it"),
    ("first_player: highest", "scenarios say whose turn it is; `tables.rs` asks for it"),
];

fn is_known(name: &str) -> bool {
    UNSEEN.iter().any(|(beginning, _)| name.starts_with(beginning))
}

/// A set as data, changed in one place.
struct Change {
    name: String,
    file: Value,
}

/// The file as data, with `path` replaced by what `change` makes of it; `None` takes it away.
fn with(file: &Value, path: &[String], change: impl FnOnce(&Value) -> Option<Value>) -> Value {
    let mut file = file.clone();
    let (last, way) = path.split_last().expect("not the whole file");
    let parent = way.iter().fold(&mut file, |value, step| match value {
        Value::Array(items) => &mut items[step.parse::<usize>().unwrap()],
        value => &mut value[step.as_str()],
    });
    match parent {
        Value::Array(items) => {
            let index: usize = last.parse().unwrap();
            match change(&items[index]) {
                Some(value) => items[index] = value,
                None => drop(items.remove(index)),
            }
        }
        parent => {
            let map = parent.as_object_mut().unwrap();
            match change(&map[last]) {
                Some(value) => drop(map.insert(last.clone(), value)),
                None => drop(map.remove(last)),
            }
        }
    }
    file
}

/// A place in the file with ids instead of numbers.
fn name(file: &Value, path: &[String]) -> String {
    let (mut at, mut parts) = (file, Vec::new());
    for step in path {
        at = match at {
            Value::Array(items) => &items[step.parse::<usize>().unwrap()],
            map => &map[step.as_str()],
        };
        let id = ["id", "zone", "tag"].iter().find_map(|key| at.get(key)?.as_str());
        parts.push(id.unwrap_or(step).to_owned());
    }
    parts.join(".")
}

/// Every value taken away, every number one more, every truth the other, every condition the contrary, every verdict
/// another.
fn changes(file: &Value, at: &Value, path: &mut Vec<String>, found: &mut Vec<Change>) {
    let mut add = |path: &[String], what: &str, value: Option<Value>| {
        let name = format!("{} {what}", name(file, path));
        found.push(Change { name, file: with(file, path, |_| value) });
    };
    if !path.is_empty() {
        add(path, "taken away", None);
    }
    match at {
        Value::Number(number) => add(path, "one more", Some((number.as_i64().unwrap() + 1).into())),
        Value::Bool(truth) => add(path, "the other", Some((!truth).into())),
        Value::String(text) => match path.last().unwrap().as_str() {
            "when" | "open_when" | "opposite" | "help" | "once_per_throw" | "may_pass" => {
                add(path, "the contrary", Some(format!("not ({text})").into()));
            }
            "then" => {
                for other in ["cut", "refuse", "join", "pass"].iter().filter(|other| *other != text) {
                    add(path, other, Some((*other).into()));
                }
            }
            "by" => add(path, "the other", Some(if text == "pair" { "pawn" } else { "pair" }.into())),
            "reunite" => {
                for other in ["free", "throw", "roll", "turn"].iter().filter(|other| *other != text) {
                    add(path, other, Some((*other).into()));
                }
            }
            "default" => {
                let option = path[path.len() - 2].clone();
                let words = file["options"][&option]["one_of"].as_array();
                for other in words.into_iter().flatten().filter(|other| *other != at) {
                    add(path, "another", Some(other.clone()));
                }
            }
            _ => {}
        },
        _ => {}
    }
    match at {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                changes(file, item, path, found);
                path.pop();
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                path.push(key.clone());
                changes(file, item, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// The scenario files of a rule set.
fn scenarios(id: &str) -> Vec<String> {
    let folder = format!("{}/sets/scenarios", env!("CARGO_MANIFEST_DIR"));
    let texts = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let line = format!("ruleset: {id}");
    texts.filter(|text| text.lines().any(|found| found == line)).collect()
}

/// Whether the check or a scenario finds something wrong with a rule file.
fn is_noticed(text: String, scenarios: &[String]) -> bool {
    let checked = RuleSet::check(&Source { name: "changed.yaml".to_owned(), text }, &Bundled);
    let Some(ruleset) = checked.ruleset.filter(|_| checked.problems.is_empty()) else { return true };
    let ruleset = Arc::new(ruleset);
    scenarios.iter().any(|text| fails(text, &ruleset))
}

fn fails(scenarios: &str, ruleset: &Arc<RuleSet>) -> bool {
    scenario::run("scenarios.yaml", scenarios, &|_| Ok(Arc::clone(ruleset))).is_ok_and(|report| report.failed() > 0)
}

#[test]
fn every_rule_is_needed() {
    let mut known: Vec<&str> = UNSEEN.iter().map(|(beginning, _)| *beginning).collect();
    for (id, text) in SETS {
        let file: Value = serde_yaml::from_str(text).unwrap();
        let scenarios = scenarios(id);
        assert!(!is_noticed(file.to_string(), &scenarios), "{id}: unchanged it passes");
        let mut found = Vec::new();
        changes(&file, &file, &mut Vec::new(), &mut found);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut unseen = Vec::new();
            while let Some(change) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !is_noticed(change.file.to_string(), &scenarios) {
                    unseen.push(change.name.clone());
                }
            }
            unseen
        };
        let mut unseen: Vec<String> = thread::scope(|scope| {
            let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        unseen.sort();
        known.retain(|beginning| !unseen.iter().any(|name| name.starts_with(beginning)));
        unseen.retain(|name| !is_known(name));
        assert!(unseen.is_empty(), "{id}: of {} changes nobody notices\n{}", found.len(), unseen.join("\n"));
    }
    assert!(known.is_empty(), "these are noticed, and need no excuse: {known:?}");
}

#[test]
fn every_value_of_every_option_matters() {
    for (id, text) in SETS {
        let file: Value = serde_yaml::from_str(text).unwrap();
        let ruleset = common::rule_set(id).unwrap();
        let scenarios = scenarios(id);
        let mut unseen = Vec::new();
        for (name, option) in file["options"].as_object().unwrap() {
            let default = plain(&option["default"]);
            for others in values(option) {
                let changed = |text: &String| {
                    others.iter().fold(text.clone(), |text, other| {
                        text.replace(&format!("{name}: {other}"), &format!("{name}: {default}"))
                    })
                };
                let said = format!("{name}: {}", others.join(" or "));
                let is_known = VALUES_UNSEEN.iter().any(|(known, _)| *known == said);
                if !is_known && !scenarios.iter().map(changed).any(|text| fails(&text, &ruleset)) {
                    unseen.push(said);
                }
            }
        }
        assert!(unseen.is_empty(), "{id}: no scenario tells these from the default\n{}", unseen.join("\n"));
    }
}

/// The values of an option besides its default: every word and truth by itself, numbers all together.
fn values(option: &Value) -> Vec<Vec<String>> {
    let default = plain(&option["default"]);
    if let Some(words) = option["one_of"].as_array() {
        return words.iter().map(plain).filter(|word| *word != default).map(|word| vec![word]).collect();
    }
    match (option["from"].as_i64(), option["to"].as_i64()) {
        (Some(from), Some(to)) => {
            vec![(from..=to).map(|number| number.to_string()).filter(|number| *number != default).collect()]
        }
        _ => vec![vec![if default == "yes" { "no" } else { "yes" }.to_owned()]],
    }
}

/// A word, truth value or number as scenarios write it.
fn plain(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(word) => word.clone(),
        number => number.to_string(),
    }
}
