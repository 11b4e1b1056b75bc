//! Rule sets by id or by path.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::ruleset::{Checked, Library, RuleSet};
use pagade_rules::source::{Severity, Source};

use super::ending::Unreadable;

/// What a file extends: files beside it, then the bundled rule sets.
struct Beside<'p>(&'p Path);

impl Library for Beside<'_> {
    fn find(&self, name: &str) -> Option<Source> {
        let path = if is_path(name) { self.0.join(name) } else { self.0.join(format!("{name}.yaml")) };
        let text = fs::read_to_string(&path).ok().map(|text| Source { name: path.display().to_string(), text });
        text.or_else(|| Bundled.find(name))
    }
}

/// Whether a rule set is named by the path of its file rather than by its id.
fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml")
}

/// Reads and checks a rule set, whatever is wrong with it.
///
/// # Errors
/// There is no such rule set, or its file cannot be read.
pub fn check(name: &str, beside: &Path) -> Result<Checked, Unreadable> {
    if let Some(source) = Bundled.find(name) {
        return Ok(RuleSet::check(&source, &Bundled));
    }
    let path = if is_path(name) { beside.join(name) } else { PathBuf::from(name) };
    match fs::read(&path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| Unreadable::file(&path, "the file is not UTF-8 text"))?;
            let source = Source { name: path.display().to_string(), text };
            Ok(RuleSet::check(&source, &Beside(path.parent().unwrap_or(Path::new("")))))
        }
        Err(error) if is_path(name) => Err(Unreadable::file(&path, error)),
        Err(_) => {
            let known: Vec<&str> = SETS.iter().map(|(id, _)| *id).collect();
            let known = known.join("`, `");
            Err(Unreadable(format!(
                "no rule set is called `{name}`\n  help: known are `{known}`; a file is named by its path"
            )))
        }
    }
}

/// A rule set that can be played.
///
/// # Errors
/// There is none, its file cannot be read, or it has errors, all of which the message holds.
pub fn load(name: &str, beside: &Path) -> Result<RuleSet, Unreadable> {
    let checked = check(name, beside)?;
    checked.ruleset.ok_or_else(|| {
        let errors = checked.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let errors: Vec<String> = errors.map(|problem| problem.to_string()).collect();
        Unreadable(format!("`{name}` cannot be played\n{}", errors.join("\n\n")))
    })
}

/// Rule sets that scenarios and records name, each loaded once.
#[derive(Default)]
pub struct Shelf(Mutex<HashMap<PathBuf, Arc<RuleSet>>>);

impl Shelf {
    /// A rule set by id, by a path beside `beside`, or by a path from here.
    ///
    /// # Errors
    /// As [`load`], in words.
    pub fn find(&self, name: &str, beside: &Path) -> Result<Arc<RuleSet>, String> {
        let beside = if is_path(name) && !beside.join(name).exists() { Path::new("") } else { beside };
        let key = if is_path(name) { beside.join(name) } else { PathBuf::from(name) };
        let mut loaded = self.0.lock().expect("loading a rule set does not panic");
        if let Some(set) = loaded.get(&key) {
            return Ok(Arc::clone(set));
        }
        let set = Arc::new(load(name, beside).map_err(|Unreadable(message)| message)?);
        loaded.insert(key, Arc::clone(&set));
        Ok(set)
    }
}
