//! `pagade tournament check`: reports every mistake of tournament files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pagade_rules::source::{Problem, counts};
use serde_json::{Value, json};

use super::api::{Api, RequestFailure};
use super::load::{Loaded, load, source};
use super::outcome::described;
use super::run::{digest_of, publishable};
use crate::cli::check::{count, problem_json};
use crate::cli::ending::{CommandEnding, CommandError, print, print_json};

const EXAMPLES: &str = "\
Examples:
  pagade tournament check cup.yaml
  pagade tournament check cup.yaml --server https://pagade.example
  pagade tournament check *.yaml --json

All mistakes are reported at once, each with its line and column: keys and values, the rule set and its options, tables
that the rule set does not have, doubled names, too few entrants for the form. With `--server`, the rule set is the one
that the server has, and a rule file of your own is checked by the server, too.

Exit codes: 0 no file has errors; 1 at least one has; 2 a file cannot be read, or the server does not answer.";

/// Arguments of `pagade tournament check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tournament files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Address of a server: use its rule sets, and let it check rule files of your own, too
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Print the problems as JSON
    #[arg(long)]
    json: bool,
}

/// Checks all files and prints their problems.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let api = args.server.as_deref().map(|server| Api::new(server, None, Duration::from_secs(10))).transpose()?;
    let checked = pagade::serve::block_on(check_all(&args.files, api.as_ref()))?;
    let errors: usize = checked.iter().map(|(.., problems)| counts(problems).0).sum();
    if args.json {
        let files: Vec<Value> = checked
            .iter()
            .map(|(name, told, problems)| {
                let (errors, warnings) = counts(problems);
                let problems = problems.iter().map(problem_json).collect::<Vec<_>>();
                json!({"file": name, "tournament": told, "errors": errors, "warnings": warnings, "problems": problems})
            })
            .collect();
        print_json(&files)?;
        return Ok(CommandEnding::fine_if(errors == 0));
    }
    for (name, told, problems) in &checked {
        for problem in problems {
            print(format_args!("{problem}\n"))?;
        }
        let (errors, warnings) = counts(problems);
        let counted = format!("{}, {}", count(errors, "error"), count(warnings, "warning"));
        let told = told.as_deref().filter(|_| errors == 0).map(|told| format!("{told}; ")).unwrap_or_default();
        print(format_args!("{name}: {told}{counted}"))?;
    }
    Ok(CommandEnding::fine_if(errors == 0))
}

/// Checks all files. Returns for each its name, a description of the tournament if nothing is wrong with it, and its
/// problems.
async fn check_all(
    files: &[PathBuf],
    api: Option<&Api>,
) -> Result<Vec<(String, Option<String>, Vec<Problem>)>, CommandError> {
    let mut checked = Vec::new();
    for path in files {
        let loaded = check(path, api).await?;
        let told = loaded.prepared.as_ref().map(described);
        checked.push((path.display().to_string(), told, loaded.report.finish().1));
    }
    Ok(checked)
}

/// Checks a file. With a server, a rule file of the organiser is checked by the server, too.
async fn check(path: &Path, api: Option<&Api>) -> Result<Loaded, CommandError> {
    let mut loaded = load(path, api).await.map_err(RequestFailure::into_error)?;
    let (Some(api), Some(rules)) = (api, loaded.rules.as_ref().filter(|rules| rules.is_own)) else { return Ok(loaded) };
    let set = &rules.set;
    if let Some(text) = source(api, set.id(), Some(set.version())).await.map_err(RequestFailure::into_error)? {
        if digest_of(&text).as_deref() != Some(set.digest()) {
            let message = format!("the server has another text of `{}` {}", set.id(), set.version());
            let help = "give the rule file another id or version";
            loaded.error("/rule_set", "rule-set-published", &message, Some(help));
        }
        return Ok(loaded);
    }
    let body = json!({"text": publishable(set)});
    match api.post::<Value>("/v1/rule-checks", None, &body).await {
        Ok(answer) if answer["playable"] == true => {}
        Ok(answer) => {
            let first = answer.pointer("/problems/0/message").and_then(Value::as_str).unwrap_or("it has errors");
            let message = format!("the server cannot play the rule set: {first}");
            loaded.error("/rule_set", "rule-set-refused", &message, None);
        }
        Err(RequestFailure::Refused(problem)) => {
            let message = format!("the server refuses the rule set: {}", problem.detail);
            loaded.error("/rule_set", "rule-set-refused", &message, None);
        }
        Err(failure) => return Err(failure.into_error()),
    }
    Ok(loaded)
}
