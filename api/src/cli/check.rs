//! `pagade check`: reports every problem of rule files.

use std::fs;
use std::path::Path;

use pagade_rules::source::{Problem, Source, counts};
use serde_json::{Value, json};

use super::ending::{CommandEnding, CommandError, print, print_json};
use super::sets;
use super::texts::{self, CheckedTranslation};

const EXAMPLES: &str = "\
Examples:
  pagade check my-pagade.yaml
  pagade check pagade --json
  pagade check rules/sets/*.yaml

All problems of a file are reported at once, each with its line and column. A rule set with warnings can be played; a
rule set with errors cannot. Notes list missing texts for people: names of the rule file that have no text, and texts
that a translation beside it (NAME.kn.yaml) does not translate. A translation may be checked by itself.

Exit codes: 0 no file has errors; 1 at least one has; 2 a file cannot be read.";

/// Arguments of `pagade check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Rule files, ids of rule sets, or translations
    #[arg(required = true, value_name = "FILE|ID")]
    files: Vec<String>,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

/// Checks all files and prints their problems.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let mut checked_files = Vec::new();
    let mut alone = Vec::new();
    for name in &args.files {
        match fs::read_to_string(name) {
            Ok(text) if texts::is_translation(&text) => {
                alone.push(texts::check(&Source { name: name.clone(), text }, None, &[]));
            }
            _ => {
                let checked = sets::check(name, Path::new(""))?;
                let translations = checked.ruleset.as_ref().map(|set| texts::beside(name, set)).unwrap_or_default();
                checked_files.push((name, checked, translations));
            }
        }
    }
    let translations = checked_files.iter().flat_map(|(_, _, translations)| translations).chain(&alone);
    let errors: usize = checked_files.iter().map(|(_, checked, _)| counts(&checked.problems).0).sum();
    let errors = errors + translations.map(|translation| counts(&translation.problems).0).sum::<usize>();
    if args.json {
        let files: Vec<Value> = checked_files
            .iter()
            .map(|(name, checked, translations)| {
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
                    "missing_texts": set.map(texts::without_text).unwrap_or_default(),
                    "translations": translations.iter().map(translation_json).collect::<Vec<_>>(),
                })
            })
            .chain(alone.iter().map(translation_json))
            .collect();
        print_json(&files)?;
        return Ok(CommandEnding::fine_if(errors == 0));
    }
    for translation in &alone {
        print_translation(translation)?;
    }
    for (name, checked, translations) in &checked_files {
        for problem in &checked.problems {
            print(format_args!("{problem}\n"))?;
        }
        let (errors, warnings) = counts(&checked.problems);
        let counted = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        match &checked.ruleset {
            Some(set) => {
                translations.iter().try_for_each(print_translation)?;
                let missing = texts::without_text(set);
                if !missing.is_empty() {
                    print(format_args!(
                        "note: {} without a text: {}",
                        count(missing.len(), "name"),
                        texts::shown(&missing)
                    ))?;
                }
                print(format_args!("{name}: {} {}, {counted}", set.id(), set.version()))?;
            }
            None => print(format_args!("{name}: {counted}"))?,
        }
    }
    Ok(CommandEnding::fine_if(errors == 0))
}

/// Prints the problems of a translation, and the names whose texts it does not translate.
fn print_translation(translation: &CheckedTranslation) -> Result<(), CommandError> {
    for problem in &translation.problems {
        print(format_args!("{problem}\n"))?;
    }
    let name = &translation.name;
    let Some((language, checked)) = &translation.says else { return Ok(()) };
    if translation.missing.is_empty() {
        return print(format_args!("note: {name} ({language}): checked by {checked}"));
    }
    let missing = count(translation.missing.len(), "text");
    let shown = texts::shown(&translation.missing);
    print(format_args!("note: {name} ({language}): checked by {checked}; {missing} not translated: {shown}"))
}

fn translation_json(translation: &CheckedTranslation) -> Value {
    let (language, checked) = translation.says.clone().unzip();
    json!({
        "file": translation.name,
        "language": language,
        "checked": checked,
        "problems": translation.problems.iter().map(problem_json).collect::<Vec<_>>(),
        "missing": translation.missing,
    })
}

pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

pub(super) fn problem_json(problem: &Problem) -> Value {
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
        "excerpt_column": problem.excerpt_column,
    })
}
