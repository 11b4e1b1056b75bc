//! Runs scenario files with the rules of a text, or with rule sets of this server.

use std::time::{Duration, Instant};

use pagade_rules::scenario::{FileReport, ReadError, ScenarioFile, ScenarioReport, run_while};

use super::check_length;
use super::problems::no_rule_set;
use super::requested_rules::{GivenRules, RulesWish};
use crate::error::{Problem, detail};
use crate::model::scenario_run::{
    RunScenarios, ScenarioFailure, ScenarioFileResult, ScenarioProblem, ScenarioResult, ScenarioRun,
};
use crate::rule_sets::library::TEXT_NAME;
use crate::rule_sets::workers::too_much;
use crate::service::Service;

/// Maximum size of a scenario file, in bytes.
const LONGEST_FILE: usize = 1_000_000;

/// Longest time for all scenarios of a request. It is shorter than the time that the worker pool allows, so that a run
/// stops and gives its worker back.
const LONGEST: Duration = Duration::from_secs(8);

/// A scenario file with its rules, or the reason why it cannot be run.
type Ready = Result<(ScenarioFile, GivenRules), ScenarioProblem>;

impl Service {
    /// Runs scenario files.
    ///
    /// # Errors
    /// The rule text has errors, a text is too long, or the scenarios take too long. A scenario file that cannot be
    /// read is a result, and no error.
    pub(crate) async fn run_scenarios(&self, wish: &RunScenarios) -> Result<ScenarioRun, Problem> {
        let own = match &wish.text {
            Some(text) => Some(self.given_rules(RulesWish { text: Some(text), ..RulesWish::default() }).await?),
            None => None,
        };
        for (index, text) in wish.scenarios.iter().enumerate() {
            check_length(&format!("/scenarios/{index}"), text, LONGEST_FILE)?;
        }
        let texts = wish.scenarios.clone();
        let read =
            self.workers.work(move || texts.iter().map(|text| ScenarioFile::read(text)).collect::<Vec<_>>()).await?;
        let mut files = Vec::new();
        for file in read {
            files.push(self.with_rules(file, own.as_ref()).await?);
        }
        let results = self.workers.work(move || run(&files)).await?;
        let results = results
            .ok_or_else(|| too_much(detail!("it takes longer than {seconds} seconds", seconds = LONGEST.as_secs())))?;
        let count = |passed: bool| {
            let all = results.iter().flat_map(|file| &file.scenarios);
            all.filter(|scenario| scenario.passed == passed).count() as u64
        };
        Ok(ScenarioRun { passed: count(true), failed: count(false), files: results })
    }

    /// Finds the rules of a scenario file: those of the text `own` if the scenario file names the id of this text.
    async fn with_rules(
        &self,
        file: Result<ScenarioFile, ReadError>,
        own: Option<&GivenRules>,
    ) -> Result<Ready, Problem> {
        let file = match file {
            Ok(file) => file,
            Err(error) => {
                // The line of the first error has a field of its own; the lines of further errors are in the message.
                let others = error.others.iter().map(|other| format!("; line {}: {}", other.line, other.message));
                let message = error.message.clone() + &others.collect::<String>();
                return Ok(Err(ScenarioProblem { line: error.line, message }));
            }
        };
        if let Some(own) = own.filter(|own| own.set().id() == file.ruleset) {
            return Ok(Ok((file, own.clone())));
        }
        Ok(match self.library.find(&file.ruleset, None).await? {
            Some(compiled) => Ok((file, GivenRules::Known(compiled))),
            None => Err(ScenarioProblem { line: 1, message: no_rule_set(&file.ruleset, None).text }),
        })
    }
}

/// Runs all files; `None` if they take too long.
fn run(files: &[Ready]) -> Option<Vec<ScenarioFileResult>> {
    let end = Instant::now() + LONGEST;
    let results = files.iter().map(|file| match file {
        Err(problem) => Some(ScenarioFileResult { problem: Some(problem.clone()), scenarios: Vec::new() }),
        Ok((file, rules)) => {
            let FileReport { outcomes } = run_while(TEXT_NAME, file, rules.set(), &|| Instant::now() < end)?;
            Some(ScenarioFileResult { problem: None, scenarios: outcomes.into_iter().map(result).collect() })
        }
    });
    results.collect()
}

fn result(ScenarioReport { name, line, clauses, fired, failure }: ScenarioReport) -> ScenarioResult {
    let passed = failure.is_none();
    let failure =
        failure.map(|failure| ScenarioFailure { line: failure.line, expected: failure.expected, found: failure.found });
    ScenarioResult { name, line, passed, clauses, fired, failure }
}
