//! Scenario files: tests of a rule set that someone can read aloud.
//!
//! A file is read by [`File::read`] and run by [`run`]; finding the rule set it names is the caller's part.

mod check;
mod file;
mod report;
mod run;

pub(crate) use file::WrittenOption;
pub use file::{File, Pieces, ReadError, Scenario, ScriptLine, Step};
pub use report::{Failure, Report, ScenarioReport};
pub use run::{RuleSets, run};
