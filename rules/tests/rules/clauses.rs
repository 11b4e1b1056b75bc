//! Compares the tables in `clauses/<id>.md` with the rule lines and the scenarios that they name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pagade_rules::bundled::{self, Bundled, SETS};
use pagade_rules::ruleset::RuleFiles;
use pagade_rules::scenario;
use serde_json::Value;

use crate::common::table;

/// A row of the table: a clause, the rule lines that implement it, and their proof.
struct Row {
    clause: String,
    lines: Vec<String>,
    proof: Proof,
}

enum Proof {
    Scenarios(Vec<String>),
    Informative,
}

fn text(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The bundled rule sets that are games of their own and have a page of clauses. Variants of these games are left out.
fn games() -> impl Iterator<Item = &'static str> {
    SETS.iter().filter(|(_, text)| !text.contains("\nextends:")).map(|(id, _)| *id)
}

/// Lists the clauses that the head of a page announces, as in `Clauses: PG-00..PG-63, S-01..S-12.`, on one line or
/// several.
fn announced(page: &str) -> Vec<String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("Clauses: "));
    let mut ids = Vec::new();
    for range in lines.flat_map(|line| line.trim_end_matches('.').split(", ")) {
        let (first, last) = range.split_once("..").expect("a range of clauses");
        let stem = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let (digits, end) = (&first[stem.len()..], &last[stem.len()..]);
        for number in digits.parse::<usize>().unwrap()..=end.parse().unwrap() {
            ids.push(format!("{stem}{number:0width$}", width = digits.len()));
        }
    }
    assert!(!ids.is_empty(), "no line of clauses");
    ids
}

fn rows(page: &str) -> Vec<Row> {
    let table = page.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    table
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [clause, lines, proof] = cells[..] else { panic!("three cells in {line}") };
            let lines = if lines == "-" { "" } else { lines };
            Row {
                clause: clause.to_owned(),
                lines: lines.split(", ").filter(|name| !name.is_empty()).map(unquoted).collect(),
                proof: match proof.strip_prefix("informative: ") {
                    Some(reason) if !reason.is_empty() => Proof::Informative,
                    _ => Proof::Scenarios(proof.split(" ; ").map(str::to_owned).collect()),
                },
            }
        })
        .collect()
}

fn unquoted(name: &str) -> String {
    name.trim_matches('`').to_owned()
}

/// Reads the file of a rule set and the files that it extends.
fn files(id: &str) -> Vec<Value> {
    let mut files = Vec::new();
    let mut next = Some(id.to_owned());
    while let Some(id) = next {
        let file: Value = serde_yaml::from_str(&Bundled.find(&id).unwrap().text).unwrap();
        next = file["extends"].as_str().map(str::to_owned);
        files.push(file);
    }
    files
}

/// Whether a rule file has the key or line with this name. `counters.x` names a counter of a seat or of the game, or a
/// mark of a pawn.
fn exists(file: &Value, name: &str) -> bool {
    let name = name.strip_prefix("head.").unwrap_or(name);
    let mut found = vec![file];
    for part in name.split('.') {
        let mut next = Vec::new();
        for value in found {
            match value {
                Value::Object(map) if name.starts_with("counters.") && part != "counters" => {
                    next.extend(map.values().filter_map(|kind| kind.get(part)));
                }
                Value::Object(map) => next.extend(map.get(part)),
                Value::Array(items) => next.extend(items.iter().filter(|item| {
                    ["id", "zone", "tag"].iter().any(|key| item.get(key).and_then(Value::as_str) == Some(part))
                })),
                _ => {}
            }
        }
        found = next;
    }
    !found.is_empty()
}

/// The texts of a rule set's scenario files.
fn scenario_files(id: &str) -> impl Iterator<Item = String> {
    let folder = format!("{}/sets/scenarios", env!("CARGO_MANIFEST_DIR"));
    let texts = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    texts.filter(move |text| text.lines().any(|line| line == format!("ruleset: {id}")))
}

/// The clauses of every scenario of a rule set, by the name of the scenario.
fn scenarios(id: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut scenarios = BTreeMap::new();
    for text in scenario_files(id) {
        let file: Value = serde_yaml::from_str(&text).unwrap();
        for scenario in file["scenarios"].as_array().unwrap() {
            let clauses = scenario["clauses"].as_array().into_iter().flatten();
            let clauses = clauses.map(|clause| clause.as_str().unwrap().to_owned()).collect();
            let name = scenario["name"].as_str().unwrap().to_owned();
            assert!(scenarios.insert(name.clone(), clauses).is_none(), "two scenarios are called {name}");
        }
    }
    scenarios
}

/// The name by which the engine reports a line: `path.belly` for `board.path.belly`.
fn engine_name(name: &str) -> &str {
    name.strip_prefix("board.").unwrap_or(name)
}

#[test]
fn every_clause_has_its_lines_and_its_proof() {
    for id in games() {
        let page = text(&format!("clauses/{id}.md"));
        let rows = rows(&page);
        let listed: Vec<&str> = rows.iter().map(|row| row.clause.as_str()).collect();
        assert_eq!(listed, announced(&page), "{id}: one row a clause, in order");
        let files = files(id);
        let scenarios = scenarios(id);
        let mut wrong = Vec::new();
        for Row { clause, lines, proof } in &rows {
            let missing = lines.iter().filter(|name| !files.iter().any(|file| exists(file, name)));
            wrong.extend(missing.map(|name| format!("{clause}: no {name}")));
            let Proof::Scenarios(names) = proof else { continue };
            if lines.is_empty() {
                wrong.push(format!("{clause}: no line carries it"));
            }
            for name in names {
                match scenarios.get(name) {
                    None => wrong.push(format!("{clause}: no scenario is called `{name}`")),
                    Some(clauses) if !clauses.contains(clause) => {
                        wrong.push(format!("{clause}: `{name}` does not claim it"));
                    }
                    Some(_) => {}
                }
            }
        }
        for (name, clauses) in &scenarios {
            for clause in clauses {
                let row = rows.iter().find(|row| row.clause == *clause);
                let is_named = row.is_some_and(|row| match &row.proof {
                    Proof::Scenarios(names) => names.contains(name),
                    Proof::Informative => true,
                });
                if !is_named {
                    wrong.push(format!("{clause}: `{name}` claims it and is not in the page"));
                }
            }
        }
        assert!(wrong.is_empty(), "{id}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn comments_in_the_rule_file_and_the_page_say_the_same() {
    for id in games() {
        let rows = rows(&text(&format!("clauses/{id}.md")));
        let infos = table(id, None).lines.clone();
        let mut wrong = Vec::new();
        for Row { clause, lines, .. } in &rows {
            for name in lines {
                let name = engine_name(name);
                let section = format!("{name}.");
                let of_name = || infos.iter().filter(|info| info.name == name || info.name.starts_with(&section));
                if of_name().next().is_some() && !of_name().any(|info| info.clauses.contains(clause)) {
                    wrong.push(format!("{clause}: {name} does not mention it"));
                }
            }
        }
        for info in &infos {
            for clause in &info.clauses {
                let row = rows.iter().find(|row| row.clause == *clause);
                let is_named = row.is_some_and(|row| {
                    row.lines.iter().map(|name| engine_name(name)).any(|name| {
                        info.name == name || info.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
                    })
                });
                if !is_named {
                    wrong.push(format!("{clause}: {} mentions it and is not in the page", info.name));
                }
            }
        }
        assert!(wrong.is_empty(), "{id}:\n{}", wrong.join("\n"));
    }
}

#[test]
fn every_clause_has_its_sentence() {
    for id in games() {
        let texts = bundled::clause_texts(id);
        let page = text(&format!("clauses/{id}.md"));
        let known: BTreeSet<_> = announced(&page).into_iter().collect();
        assert_eq!(texts.keys().cloned().collect::<BTreeSet<_>>(), known, "{id}");
        assert!(texts.values().all(|text| !text.trim().is_empty() && !text.contains('\n')), "{id}");
        let items = page.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("** "));
        let items = items.filter(|(clause, _)| known.contains(*clause));
        assert_eq!(items.count(), known.len(), "{id}: a clause has two sentences");
    }
    let of_pagade = bundled::clause_texts("pagade");
    assert_eq!(of_pagade["PG-01"], "Pagade is the national board game of India.");
    assert!(of_pagade["PG-05"].ends_with("which are colored Red, Black, Yellow and Green; two Stick Dice."));
}

/// Reads the table of lines that never fire in random games: each line, with the scenarios in which it fires.
fn seldom(page: &str) -> Vec<(String, Vec<String>)> {
    let section = page.lines().skip_while(|line| *line != "## Lines that never fire in random games").skip(1);
    let rows = section.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [line, _, _, proof] = cells[..] else { panic!("four cells in {line}") };
        (unquoted(line), proof.split(" ; ").map(str::to_owned).collect())
    })
    .collect()
}

#[test]
fn lines_that_never_fire_by_chance_fire_in_the_scenarios_named() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for id in games() {
        let rows = seldom(&text(&format!("clauses/{id}.md")));
        if rows.is_empty() {
            continue;
        }
        let files = files(id);
        let fired = fired(id);
        for (line, names) in rows {
            if !files.iter().any(|file| exists(file, &line)) {
                wrong.push(format!("{id}: no {line}"));
            }
            for name in names {
                match fired.get(&name) {
                    None => wrong.push(format!("{id}: no scenario is called `{name}`")),
                    Some(lines) if !lines.contains(&line) => {
                        wrong.push(format!("{id}: {line} does not fire where {name}"))
                    }
                    Some(_) => asked += 1,
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 12, "{asked}");
}

/// The rule lines that fire in every scenario of a rule set, by the name of the scenario.
fn fired(id: &str) -> BTreeMap<String, Vec<String>> {
    let reports = scenario_files(id).map(|text| scenario::run("scenarios", &text, &crate::common::rule_set).unwrap());
    reports.flat_map(|report| report.outcomes).map(|outcome| (outcome.name, outcome.fired)).collect()
}
