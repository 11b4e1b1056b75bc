//! `pagade check`: every problem of a rule file.

use std::path::Path;

use pagade_rules::source::{Problem, counts};
use serde_json::{Value, json};

use super::ending::{Ending, Unreadable, print, print_json};
use super::sets;

const EXAMPLES: &str = "\
Examples:
  pagade check my-pagade.yaml
  pagade check pagade --json
  pagade check rules/sets/*.yaml

All problems of a file are told at once, each with its place. Warnings do not keep a rule set from being played.

Exit codes: 0 no errors; 1 at least one error; 2 a file cannot be read.";

/// Arguments of `pagade check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Rule files, or ids of rule sets
    #[arg(required = true, value_name = "FILE|ID")]
    files: Vec<String>,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

/// Checks the files.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    let mut found = Vec::new();
    for name in &args.files {
        found.push((name, sets::check(name, Path::new(""))?));
    }
    let errors: usize = found.iter().map(|(_, checked)| counts(&checked.problems).0).sum();
    if args.json {
        let files: Vec<Value> = found
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
                    "problems": checked.problems.iter().map(problem).collect::<Vec<_>>(),
                })
            })
            .collect();
        print_json(&files)?;
        return Ok(Ending::fine_if(errors == 0));
    }
    for (name, checked) in &found {
        for problem in &checked.problems {
            print(format_args!("{problem}\n"))?;
        }
        let (errors, warnings) = counts(&checked.problems);
        let counted = format!("{}, {}", number(errors, "error"), number(warnings, "warning"));
        match &checked.ruleset {
            Some(set) => print(format_args!("{name}: {} {}, {counted}", set.id(), set.version()))?,
            None => print(format_args!("{name}: {counted}"))?,
        }
    }
    Ok(Ending::fine_if(errors == 0))
}

fn number(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn problem(problem: &Problem) -> Value {
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
