//! Scenario files: tests of a rule set that someone can read aloud.
//!
//! A file is read by [`File::read`] and run by [`run`]; finding the rule set it names is the caller's part.

mod check;
mod file;
mod report;
mod run;

pub(crate) use file::Chosen;
pub use file::{File, Line, Pieces, ReadError, Scenario, Step};
pub use report::{Failure, Outcome, Report};
pub use run::{RuleSets, run};
