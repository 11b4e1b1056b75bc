//! Runs of scenarios, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Scenario files to run, and the rule text that they test.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "text": "rules: my-pagade\nversion: 1.0.0\ntitle: My Pagade\nextends: pagade\ndice: {count: 3}\n",
    "scenarios": ["ruleset: my-pagade\nscenarios:\n  - name: three dice are thrown\n    script: [{throw: 1+1+1}]\n"]
}))]
pub(crate) struct RunScenarios {
    /// The text of a rule file (YAML), which need not be published. Scenario files that name its id are run with it.
    /// Other files, and all files without this field, are run with the rule set of this server that they name.
    #[schema(min_length = 1, max_length = 262_144)]
    pub text: Option<String>,
    /// The texts of scenario files (YAML).
    #[schema(min_items = 1, max_items = 16)]
    pub scenarios: Vec<String>,
}

/// The results of scenario files.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScenarioRun {
    /// Number of scenarios that passed.
    pub passed: u64,
    /// Number of scenarios that failed.
    pub failed: u64,
    /// The result of each file, in the order of the request.
    pub files: Vec<ScenarioFileResult>,
}

/// The result of a scenario file.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub(crate) struct ScenarioFileResult {
    /// The reason why the file cannot be read or run. Absent if its scenarios were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ScenarioProblem>,
    /// The result of every scenario, in the order of the file.
    pub scenarios: Vec<ScenarioResult>,
}

/// The reason why a scenario file cannot be read or run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScenarioProblem {
    /// Line of the mistake in the file, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

/// The result of a scenario.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScenarioResult {
    /// The name of the scenario.
    pub name: String,
    /// The line in the file on which the scenario begins, from 1.
    pub line: u64,
    /// Whether everything was as the scenario expects.
    pub passed: bool,
    /// The ids of the clauses that the scenario proves.
    pub clauses: Vec<String>,
    /// The rule lines that fired, as section and id.
    pub fired: Vec<String>,
    /// The line that failed. Absent if the scenario passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<ScenarioFailure>,
}

/// A line of a scenario that failed. The lines after it were not run.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ScenarioFailure {
    /// The line in the file, from 1.
    pub line: u64,
    /// What the line expects.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}
