//! The results of a scenario file.

use std::fmt;

/// The results of the scenarios of one file.
#[derive(Debug, Clone, Default)]
pub struct FileReport {
    /// The result of every scenario, in the order of the file.
    pub outcomes: Vec<ScenarioReport>,
}

/// The result of one scenario.
#[derive(Debug, Clone)]
pub struct ScenarioReport {
    /// The name of the scenario.
    pub name: String,
    /// The line on which the scenario begins in the file.
    pub line: u64,
    /// The ids of the clauses that the scenario tests.
    pub clauses: Vec<String>,
    /// The rule lines that fired in the scenario, as `section.id`.
    pub fired: Vec<String>,
    /// The line of the script that failed. `None`: the scenario passed.
    pub failure: Option<Failure>,
}

/// A failed line of a script. The lines after it are not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The name of the file.
    pub file: String,
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The name of the scenario.
    pub scenario: String,
    /// The expectation of the line.
    pub expected: String,
    /// The actual result.
    pub found: String,
}

impl FileReport {
    /// The failures, in order.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.outcomes.iter().filter_map(|outcome| outcome.failure.as_ref())
    }

    /// The number of scenarios that passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.outcomes.len() - self.failed()
    }

    /// The number of scenarios that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.failures().count()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { file, line, scenario, expected, found } = self;
        write!(f, "{file}:{line}: {scenario}: expected {expected}, found {found}")
    }
}
