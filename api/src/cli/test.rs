//! `pagade test`: runs scenario files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pagade_rules::scenario::{self, FileReport};
use serde_json::{Value, json};

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::sets::Shelf;

const EXAMPLES: &str = "\
Examples:
  pagade test rules/sets/scenarios
  pagade test my-scenarios.yaml --json

A scenario file names its rule set by its id, or by a path that starts at the folder of the scenario file. One line is
printed for each failed scenario.

Exit codes: 0 all scenarios passed; 1 some failed; 2 a file cannot be read, or there is no scenario.";

/// Arguments of `pagade test`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Scenario files, or folders with scenario files
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// Print every scenario with its result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs all scenarios and prints the failures.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let shelf = Shelf::default();
    let mut reports = Vec::new();
    let mut unreadable = Vec::new();
    for file in args.files.iter().map(|path| files_of(path).map_err(|error| CommandError::file(path, error))) {
        for path in file? {
            match run_file(&path, &shelf) {
                Ok(report) => reports.push((path, report)),
                Err(error) => unreadable.push(error),
            }
        }
    }
    let passed: usize = reports.iter().map(|(_, report)| report.passed()).sum();
    let failed: usize = reports.iter().map(|(_, report)| report.failed()).sum();
    if args.json {
        let files: Vec<Value> = reports.iter().map(|(path, report)| report_json(path, report)).collect();
        print_json(&json!({"passed": passed, "failed": failed, "files": files}))?;
    } else {
        for failure in reports.iter().flat_map(|(_, report)| report.failures()) {
            print(failure)?;
        }
    }
    for CommandError(message) in &unreadable {
        eprintln!("error: {message}");
    }
    let unread = match unreadable.len() {
        0 => None,
        1 => Some("1 file cannot be read".to_owned()),
        count => Some(format!("{count} files cannot be read")),
    };
    if !args.json {
        let more = unread.as_ref().map_or_else(String::new, |unread| format!(", {unread}"));
        print(format_args!("{passed} passed, {failed} failed{more}"))?;
    }
    match unread {
        Some(unread) => Err(CommandError(unread)),
        None if passed + failed == 0 => Err(CommandError("there is no scenario in what was named".to_owned())),
        None => Ok(CommandEnding::fine_if(failed == 0)),
    }
}

fn run_file(path: &Path, shelf: &Shelf) -> Result<FileReport, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| CommandError::file(path, error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.display().to_string();
    scenario::run(&name, &text, &|ruleset| shelf.find(ruleset, folder)).map_err(|error| {
        let errors: Vec<String> = error.all().map(|error| format!("{name}:{error}")).collect();
        CommandError(errors.join("\nerror: "))
    })
}

/// Lists a file itself, or all YAML files in a folder and its subfolders, in the order of their names.
fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut entries =
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        let is_yaml = entry.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
        if entry.is_dir() {
            files.extend(files_of(&entry)?);
        } else if is_yaml {
            files.push(entry);
        }
    }
    Ok(files)
}

fn report_json(path: &Path, report: &FileReport) -> Value {
    let scenarios: Vec<Value> = report
        .outcomes
        .iter()
        .map(|outcome| {
            let failure = outcome
                .failure
                .as_ref()
                .map(|failure| json!({"line": failure.line, "expected": failure.expected, "found": failure.found}));
            json!({
                "name": outcome.name,
                "line": outcome.line,
                "clauses": outcome.clauses,
                "fired": outcome.fired,
                "passed": outcome.failure.is_none(),
                "failure": failure,
            })
        })
        .collect();
    json!({
        "file": path.display().to_string(),
        "passed": report.passed(),
        "failed": report.failed(),
        "scenarios": scenarios,
    })
}
