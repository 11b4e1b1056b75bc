//! Finds rule sets by id or by path.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::ruleset::{Checked, RuleFiles, RuleSet};
use pagade_rules::source::{Severity, Source};

use super::ending::CommandError;

/// Finds the rule sets that a rule file can extend: by an id among the bundled ones, then among the files in its
/// folder; by a path among the files.
struct BundledThenFolder<'p>(&'p Path);

impl RuleFiles for BundledThenFolder<'_> {
    fn find(&self, name: &str) -> Option<Source> {
        Bundled.find(name).or_else(|| {
            let path = if is_path(name) { self.0.join(name) } else { self.0.join(format!("{name}.yaml")) };
            let text = fs::read_to_string(&path).ok();
            text.map(|text| Source { name: path.display().to_string(), text })
        })
    }
}

/// Tells whether a name is the path of a file, not an id.
pub(super) fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml")
}

/// Reads a rule set and checks it. If `name` is a relative path, it starts at `folder`. The result lists all problems
/// of the rule set.
///
/// # Errors
/// There is no such rule set, or its file cannot be read.
pub(super) fn check(name: &str, folder: &Path) -> Result<Checked, CommandError> {
    if let Some(source) = Bundled.find(name) {
        return Ok(RuleSet::check(&source, &Bundled));
    }
    let path = if is_path(name) { folder.join(name) } else { PathBuf::from(name) };
    match fs::read(&path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| CommandError::file(&path, "the file is not UTF-8 text"))?;
            let source = Source { name: path.display().to_string(), text };
            Ok(RuleSet::check(&source, &BundledThenFolder(path.parent().unwrap_or(Path::new("")))))
        }
        Err(error) if is_path(name) => Err(CommandError::file(&path, error)),
        Err(_) => {
            let ids: Vec<&str> = SETS.iter().map(|(id, _)| *id).collect();
            let ids = ids.join("`, `");
            Err(CommandError(format!(
                "there is no rule set `{name}`\n  help: the rule sets are `{ids}` (`pagade list` shows their titles); \
                 to name a file, give its path"
            )))
        }
    }
}

/// Reads a rule set that can be played. A relative path starts at `folder`.
///
/// # Errors
/// There is no such rule set, its file cannot be read, or it has errors, which the message lists.
pub(super) fn load(name: &str, folder: &Path) -> Result<RuleSet, CommandError> {
    let checked = check(name, folder)?;
    checked.ruleset.ok_or_else(|| {
        let errors = checked.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let errors: Vec<String> = errors.map(|problem| problem.to_string()).collect();
        CommandError(format!("`{name}` cannot be played\n{}", errors.join("\n\n")))
    })
}

/// A cache of loaded rule sets, by id or path. Scenarios and records name the same rule sets many times.
#[derive(Default)]
pub(super) struct Shelf(Mutex<HashMap<PathBuf, Arc<RuleSet>>>);

impl Shelf {
    /// Finds a rule set by its id, by a path relative to `folder`, or by a path relative to the working directory.
    ///
    /// # Errors
    /// The rule set cannot be found, read or played; the text is the message for the user.
    pub(super) fn find(&self, name: &str, folder: &Path) -> Result<Arc<RuleSet>, String> {
        let folder = if is_path(name) && !folder.join(name).exists() { Path::new("") } else { folder };
        let key = if is_path(name) { folder.join(name) } else { PathBuf::from(name) };
        let mut loaded = self.0.lock().expect("loading a rule set does not panic");
        if let Some(set) = loaded.get(&key) {
            return Ok(Arc::clone(set));
        }
        let set = Arc::new(load(name, folder).map_err(|CommandError(message)| message)?);
        loaded.insert(key, Arc::clone(&set));
        Ok(set)
    }
}
