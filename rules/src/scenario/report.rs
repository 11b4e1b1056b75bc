//! The results of a scenario file.

use std::fmt;

/// The outcome of a file.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Every scenario, in order.
    pub outcomes: Vec<ScenarioReport>,
}

/// The outcome of one scenario.
#[derive(Debug, Clone)]
pub struct ScenarioReport {
    /// The name of the scenario.
    pub name: String,
    /// Its line in the file.
    pub line: u64,
    /// Ids of the clauses that the scenario tests.
    pub clauses: Vec<String>,
    /// The rule lines that fired in it, as `section.id`.
    pub fired: Vec<String>,
    /// The failed line; `None`: the scenario passed.
    pub failure: Option<Failure>,
}

/// A failed line of a script. The lines after it were not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The name of the file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u64,
    /// The scenario.
    pub scenario: String,
    /// The expectation of the line.
    pub expected: String,
    /// The actual result.
    pub found: String,
}

impl Report {
    /// The failures, in order.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.outcomes.iter().filter_map(|outcome| outcome.failure.as_ref())
    }

    /// How many scenarios passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.outcomes.len() - self.failed()
    }

    /// How many scenarios failed.
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
