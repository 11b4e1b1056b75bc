//! Sketches of other games: they are no part of the program, and the language can say them.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pagade_rules::ruleset::{Library, RuleSet};
use pagade_rules::scenario;
use pagade_rules::source::{Severity, Source};

/// Knows the drafts by id, and the bundled sets that they may extend.
struct Drafts;

impl Library for Drafts {
    fn find(&self, name: &str) -> Option<Source> {
        let folders = ["drafts", "sets"].map(|folder| format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")));
        folders.iter().find_map(|folder| {
            let text = fs::read_to_string(format!("{folder}/{name}.yaml")).ok()?;
            Some(Source { name: format!("{name}.yaml"), text })
        })
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).collect();
    paths.sort();
    paths
}

fn draft(id: &str) -> Result<Arc<RuleSet>, String> {
    let source = Drafts.find(id).ok_or_else(|| format!("no draft is called `{id}`"))?;
    let checked = RuleSet::check(&source, &Drafts);
    let told: Vec<String> = (checked.problems.iter())
        .filter(|problem| problem.severity == Severity::Error)
        .map(|problem| format!("{id}.yaml:{}: {} [{}]", problem.span.line, problem.message, problem.code))
        .collect();
    checked.ruleset.map(Arc::new).ok_or_else(|| told.join("\n"))
}

#[test]
fn every_draft_passes_its_check() {
    let ids = files("drafts").into_iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    let wrong: Vec<String> = ids.filter_map(|id| draft(&id).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn scenarios_of_drafts_hold() {
    let mut wrong = Vec::new();
    for path in files("drafts/scenarios") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match scenario::run(&name, &fs::read_to_string(&path).unwrap(), &draft) {
            Ok(report) => wrong.extend(report.failures().map(ToString::to_string)),
            Err(error) => wrong.push(format!("{name}:{}: {}", error.line, error.message)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
