//! Checks that every rule of a bundled rule set is tested. After any single change or removal in its file, the check of
//! the file or a scenario must fail.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::scenario::{self, ScenarioFile};
use pagade_rules::source::Source;
use serde::Deserialize;
use serde_json::Value;

/// Changes to texts and metadata, which have no effect on play. Each entry is the beginning of the name of a change.
const FOR_PEOPLE: &[&str] =
    &["about ", "region ", "period ", "sources", "titles", "board.paints", "finish.ranks", "texts"];

/// The file `unseen/<id>.yaml`: changes that make no scenario fail, with the reasons.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Unseen {
    /// The reasons, by the beginning of a change's name.
    changes: BTreeMap<String, String>,
    /// The reasons why no scenario needs a value of an option, by option and value.
    values: BTreeMap<String, String>,
}

impl Unseen {
    fn of(id: &str) -> Self {
        let path = format!("{}/tests/unseen/{id}.yaml", env!("CARGO_MANIFEST_DIR"));
        match fs::read_to_string(path) {
            Ok(text) => serde_yaml::from_str(&text).unwrap(),
            Err(_) => Self::default(),
        }
    }
}

/// The bundled rule sets, or only the one that `PAGADE_SET` names.
fn sets() -> impl Iterator<Item = (&'static str, &'static str)> {
    let only = env::var("PAGADE_SET").ok();
    SETS.iter().copied().filter(move |(id, _)| only.as_deref().is_none_or(|only| only == *id))
}

/// A rule file with one change.
struct Change {
    name: String,
    file: Value,
}

/// Copies the file with the value at `path` changed. If `change` returns `None`, the value is removed.
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

/// Writes a path in the file as text, with the ids of lines in place of their indices.
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

/// Adds all changes of a value to `found`: each value removed, each number increased, each truth value and condition
/// negated, each verdict replaced.
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
            _ if path[0] == "terms" => add(path, "the contrary", Some(format!("not ({text})").into())),
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

/// The texts of a rule set's scenario files.
fn scenarios(id: &str) -> Vec<String> {
    let folder = format!("{}/sets/scenarios", env!("CARGO_MANIFEST_DIR"));
    let texts = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let line = format!("ruleset: {id}");
    texts.filter(|text| text.lines().any(|found| found == line)).collect()
}

/// The scenarios of these files, each as a file of its own.
fn apart(texts: &[String]) -> Vec<ScenarioFile> {
    let files = texts.iter().map(|text| ScenarioFile::read(text).unwrap());
    files
        .flat_map(|file| {
            file.scenarios.clone().into_iter().map(move |one| ScenarioFile { scenarios: vec![one], ..file.clone() })
        })
        .collect()
}

/// Whether the check of a changed rule file reports a problem, or one of the scenarios fails with it. The scenario that
/// fails goes to the front of the `order`, because it often notices a change nearby, too.
fn is_noticed(text: String, scenarios: &[ScenarioFile], order: &mut [usize]) -> bool {
    let checked = RuleSet::check(&Source { name: "changed.yaml".to_owned(), text }, &Bundled);
    let Some(ruleset) = checked.ruleset.filter(|_| checked.problems.is_empty()) else { return true };
    let fails = |&scenario: &usize| {
        let report = scenario::run_while("scenarios.yaml", &scenarios[scenario], &ruleset, &|| true);
        report.expect("nothing stops it").failed() > 0
    };
    let found = order.iter().position(fails);
    if let Some(place) = found {
        order[..=place].rotate_right(1);
    }
    found.is_some()
}

fn fails(scenarios: &str, ruleset: &Arc<RuleSet>) -> bool {
    scenario::run("scenarios.yaml", scenarios, &|_| Ok(Arc::clone(ruleset))).is_ok_and(|report| report.failed() > 0)
}

#[test]
fn every_rule_is_needed() {
    for (id, text) in sets() {
        let file: Value = serde_yaml::from_str(text).unwrap();
        let scenarios = apart(&scenarios(id));
        let order: Vec<usize> = (0..scenarios.len()).collect();
        assert!(!is_noticed(file.to_string(), &scenarios, &mut order.clone()), "{id}: unchanged it passes");
        let mut found = Vec::new();
        changes(&file, &file, &mut Vec::new(), &mut found);
        found.retain(|change| !FOR_PEOPLE.iter().any(|beginning| change.name.starts_with(beginning)));
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut unseen, mut order) = (Vec::new(), order.clone());
            while let Some(change) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !is_noticed(change.file.to_string(), &scenarios, &mut order) {
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
        let known = Unseen::of(id).changes;
        let idle = known.keys().filter(|known| !unseen.iter().any(|name| name.starts_with(*known)));
        let idle: Vec<&String> = idle.collect();
        assert!(idle.is_empty(), "{id}: these are noticed, and need no excuse: {idle:?}");
        unseen.retain(|name| !known.keys().any(|known| name.starts_with(known)));
        assert!(unseen.is_empty(), "{id}: of {} changes nobody notices\n{}", found.len(), unseen.join("\n"));
    }
}

#[test]
fn every_value_of_every_option_matters() {
    for (id, text) in sets() {
        let file: Value = serde_yaml::from_str(text).unwrap();
        let ruleset = crate::common::rule_set(id).unwrap();
        let scenarios = scenarios(id);
        let known = Unseen::of(id).values;
        let mut unseen = Vec::new();
        // A variant may change only the default of an option; the values are then those of the file that it extends.
        let options = file["options"].as_object().into_iter().flatten();
        for (name, option) in options.filter(|(_, option)| option.get("text").is_some()) {
            let default = default(option);
            for others in values(option) {
                // A scenario file without this value stays as it is and cannot fail, so it is left out.
                let changed = |text: &String| {
                    let changed = others.iter().fold(text.clone(), |text, other| {
                        text.replace(&format!("{name}: {other}"), &format!("{name}: {default}"))
                    });
                    (changed != *text).then_some(changed)
                };
                if !scenarios.iter().filter_map(changed).any(|text| fails(&text, &ruleset)) {
                    unseen.push(format!("{name}: {}", others.join(" or ")));
                }
            }
        }
        let idle: Vec<&String> = known.keys().filter(|known| !unseen.contains(known)).collect();
        assert!(idle.is_empty(), "{id}: scenarios tell these, and they need no excuse: {idle:?}");
        unseen.retain(|value| !known.contains_key(value));
        assert!(unseen.is_empty(), "{id}: no scenario tells these from the default\n{}", unseen.join("\n"));
    }
}

fn default(option: &Value) -> String {
    plain(option.get("default").unwrap_or(&option["yes_no"]))
}

/// The values of an option except the default, in groups: each word or truth value is a group, all numbers are one
/// group.
fn values(option: &Value) -> Vec<Vec<String>> {
    let default = default(option);
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

/// Writes a word, truth value or number as scenarios do.
fn plain(value: &Value) -> String {
    match value {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(word) => word.clone(),
        number => number.to_string(),
    }
}
