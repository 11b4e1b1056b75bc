//! Scenario files: tests of a rule set, written in YAML.
//!
//! [`File::read`] parses a file and [`run()`] runs it. The caller finds the rule set that the file names.

mod check;
mod file;
mod mended;
mod report;
mod run;

pub(crate) use file::WrittenOption;
pub use file::{File, Pieces, ReadError, Scenario, ScriptLine, Step};
pub use report::{Failure, Report, ScenarioReport};
pub use run::{RuleSets, run, run_while};
