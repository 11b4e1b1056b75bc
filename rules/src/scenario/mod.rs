//! Scenario files: tests of a rule set, written in YAML.
//!
//! [`ScenarioFile::read`] parses a file and [`run()`] runs it. The caller finds the rule set that the file names.

mod check;
mod file;
mod mended;
mod report;
mod run;
mod wording;

pub(crate) use file::WrittenOption;
pub use file::{Pieces, ReadError, Scenario, ScenarioFile, ScriptLine, ScriptStep};
pub use report::{Failure, FileReport, ScenarioReport};
pub use run::{RuleSets, run, run_while};
