//! `pagade check`: reports every problem of rule files.

use std::path::Path;

use pagade_rules::source::{Problem, counts};
use serde_json::{Value, json};

use super::ending::{CommandError, Ending, print, print_json};
use super::sets;

const EXAMPLES: &str = "\
Examples:
  pagade check my-pagade.yaml
  pagade check pagade --json
  pagade check rules/sets/*.yaml

All problems of a file are reported at once, each with its line and column. A rule set with warnings can be played; a
rule set with errors cannot.

Exit codes: 0 no file has errors; 1 at least one has; 2 a file cannot be read.";

/// Arguments of `pagade check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Rule files, or ids of rule sets
    #[arg(required = true, value_name = "FILE|ID")]
    files: Vec<String>,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

/// Checks all files and prints their problems.
pub(super) fn run(args: &Args) -> Result<Ending, CommandError> {
    let mut checked_files = Vec::new();
    for name in &args.files {
        checked_files.push((name, sets::check(name, Path::new(""))?));
    }
    let errors: usize = checked_files.iter().map(|(_, checked)| counts(&checked.problems).0).sum();
    if args.json {
        let files: Vec<Value> = checked_files
            .iter()
            .map(|(name, checked)| {
                let (errors, warnings) = counts(&checked.problems);
                let set = checked.ruleset.as_ref();
                json!({
                    "file": name,
                    "ruleset": set.map(|set| set.id()),
                    "version": set.map(|set| set.version()),
                    "digest": set.map(|set| set.digest()),
                    "errors": errors,
                    "warnings": warnings,
                    "problems": checked.problems.iter().map(problem_json).collect::<Vec<_>>(),
                })
            })
            .collect();
        print_json(&files)?;
        return Ok(Ending::fine_if(errors == 0));
    }
    for (name, checked) in &checked_files {
        for problem in &checked.problems {
            print(format_args!("{problem}\n"))?;
        }
        let (errors, warnings) = counts(&checked.problems);
        let counted = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        match &checked.ruleset {
            Some(set) => print(format_args!("{name}: {} {}, {counted}", set.id(), set.version()))?,
            None => print(format_args!("{name}: {counted}"))?,
        }
    }
    Ok(Ending::fine_if(errors == 0))
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn problem_json(problem: &Problem) -> Value {
    json!({
        "severity": problem.severity.to_string(),
        "code": problem.code,
        "message": problem.message,
        "help": problem.help,
        "file": problem.file,
        "line": problem.span.line,
        "column": problem.span.column,
        "width": problem.span.width,
        "excerpt": problem.excerpt,
    })
}
