//! Checks the language reference: every rule file in it can be played, and it describes every key and word.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::Phase;
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::scenario;
use pagade_rules::schema::schema;
use pagade_rules::source::Source;
use pagade_rules::texts::Translation;
use serde_json::Value;

use crate::common::play_at_random;

const REFERENCE: &str = include_str!("../../README.md");

/// Maximum number of decisions in a game. Random games of the examples end much earlier.
const MOST_DECISIONS: usize = 50_000;

/// A code block of the reference: the words after its opening fence, the number of its first line, and its text.
struct Block {
    mark: &'static str,
    line: usize,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in REFERENCE.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, None) => {}
            (None, Some(mark)) => open = Some(Block { mark, line: index + 2, text: String::new() }),
            (Some(block), None) => block.text += &format!("{line}\n"),
            (Some(_), Some(_)) => blocks.extend(open.take()),
        }
    }
    assert!(open.is_none(), "the last fence is never closed");
    blocks
}

#[test]
fn blocks_say_their_language_so_that_none_is_compiled_as_code() {
    let strange = blocks().into_iter().filter(|block| {
        !["yaml", "yaml scenario", "yaml fragment", "yaml translation", "text", "console"].contains(&block.mark)
    });
    let strange: Vec<_> = strange.map(|block| format!("line {}: `{}`", block.line, block.mark)).collect();
    assert!(strange.is_empty(), "{strange:#?}");
}

#[test]
fn examples_pass_their_check_and_play_to_the_end() {
    let examples: Vec<_> = blocks().into_iter().filter(|block| block.mark == "yaml").collect();
    assert!(examples.len() > 12, "{} examples", examples.len());
    let wrong: Vec<_> = examples.iter().filter_map(|block| try_example(block).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks a rule file and plays a random game with it.
fn try_example(block: &Block) -> Result<(), String> {
    let place = format!("README.md, line {}", block.line);
    let checked = RuleSet::check(&Source { name: place.clone(), text: block.text.clone() }, &Bundled);
    if !checked.problems.is_empty() {
        let problems: Vec<_> = checked.problems.iter().map(ToString::to_string).collect();
        return Err(format!("{place}:\n{}", problems.join("\n")));
    }
    let ruleset = checked.ruleset.ok_or("a file without problems is a rule set")?;
    let engine = ruleset.table(&Options::new(), None).map_err(|problems| format!("{place}: {problems:?}"))?;
    let state = play_at_random(&engine, 1, block.line as u64, MOST_DECISIONS, |_, _| {});
    if state.phase == Phase::Over { Ok(()) } else { Err(format!("{place}: the game does not end")) }
}

#[test]
fn translations_fit_the_example_before_them() {
    let blocks = blocks();
    let translations = blocks.iter().enumerate().filter(|(_, block)| block.mark == "yaml translation");
    let mut count = 0;
    for (index, block) in translations {
        let source = |text: &str| Source { name: format!("line {}", block.line), text: text.to_owned() };
        let (translation, problems) = Translation::of_rule_sets(&source(&block.text));
        assert_eq!(problems, []);
        let example = blocks[..index].iter().rfind(|block| block.mark == "yaml").unwrap();
        let set = RuleSet::check(&source(&example.text), &Bundled).ruleset.unwrap();
        assert_eq!(translation.unwrap().unused(&[set.document()]), []);
        count += 1;
    }
    assert_eq!(count, 1);
}

#[test]
fn scenarios_pass_with_the_example_that_they_name() {
    let named = |name: &str| {
        let head = format!("rules: {}\n", name.trim_end_matches(".yaml"));
        let example = blocks().into_iter().find(|block| block.mark == "yaml" && block.text.starts_with(&head));
        let example = example.ok_or_else(|| format!("no example is called `{name}`"))?;
        let checked = RuleSet::check(&Source { name: name.to_owned(), text: example.text }, &Bundled);
        checked.ruleset.map(Arc::new).ok_or_else(|| format!("{:#?}", checked.problems))
    };
    let scenarios: Vec<_> = blocks().into_iter().filter(|block| block.mark == "yaml scenario").collect();
    let mut passed = 0;
    for block in scenarios {
        let report = scenario::run("README.md", &block.text, &named).unwrap();
        let failed: Vec<_> = report.failures().map(ToString::to_string).collect();
        assert!(failed.is_empty(), "line {}: {failed:#?}", block.line);
        assert!(report.passed() > 0, "line {}: no scenario", block.line);
        passed += report.passed();
    }
    assert!(passed > 7, "{passed} scenarios");
}

/// The texts between backticks, outside of code blocks.
fn spans() -> BTreeSet<&'static str> {
    let mut spans = BTreeSet::new();
    let mut in_block = false;
    for line in REFERENCE.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            spans.extend(line.split('`').skip(1).step_by(2));
        }
    }
    spans
}

/// Collects the keys of all maps and the words of all choices in a schema.
fn words(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Object(properties)) = map.get("properties") {
                found.extend(properties.keys().cloned());
            }
            if let Some(Value::Array(choice)) = map.get("enum") {
                found.extend(choice.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            map.values().for_each(|inner| words(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| words(inner, found)),
        _ => {}
    }
}

#[test]
fn every_key_and_word_of_the_language_is_explained() {
    let mut known = BTreeSet::new();
    words(&schema(), &mut known);
    assert!(known.len() > 80, "{known:?}");
    let spans = spans();
    let missing: Vec<_> = known.iter().filter(|word| !spans.contains(word.as_str())).collect();
    assert!(missing.is_empty(), "not in the reference: {missing:?}");
}

/// The codes of problems in the sources, without their tests: the first text of every call that adds a problem, and
/// other texts at the places in `CALLS` that look like a code.
fn told_codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
                codes.extend(codes_in(text));
            }
        }
    }
    codes
}

fn codes_in(text: &str) -> Vec<String> {
    const CALLS: [&str; 9] = [
        ".error(",
        ".error_with_help(",
        ".warning(",
        ".add(",
        ".add_unless_refused(",
        "code: ",
        "=> (",
        "problem(",
        "code = ",
    ];
    let is_code = |word: &str| {
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
        word.split('-').all(is_part)
    };
    let mut codes = Vec::new();
    for rest in CALLS.into_iter().flat_map(|call| text.split(call).skip(1)) {
        let rest = rest.trim_start();
        let severity = ["Severity::Error,", "Severity::Warning,"];
        let rest = severity.into_iter().find_map(|severity| rest.strip_prefix(severity)).unwrap_or(rest).trim_start();
        let Some((word, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { continue };
        if is_code(word) && (word.contains('-') || word == "tab") {
            codes.push(word.to_owned());
        }
    }
    codes
}

#[test]
fn the_list_of_problems_has_every_code_that_can_be_told() {
    let (_, list) = REFERENCE.split_once("\n## Problems\n").unwrap();
    let list = list.split("\n## ").next().unwrap();
    let items = list.split("\n- **").skip(1).flat_map(|item| item.split('`').skip(1).step_by(2));
    let listed: BTreeSet<String> = items.filter(|word| !word.contains(['.', ' '])).map(str::to_owned).collect();
    let told = told_codes();
    assert!(told.len() > 80, "{told:?}");
    let left_out: Vec<_> = told.difference(&listed).collect();
    let unknown: Vec<_> = listed.difference(&told).collect();
    assert!(left_out.is_empty() && unknown.is_empty(), "not listed {left_out:?}, never told {unknown:?}");
}
