//! Many games by chance, or by robots that look for rare rules: how long they last, who wins, which rules are used.
//!
//! A simulation is repeatable: the same rule set, seed and number of games give the same games and sums, whatever the
//! number of threads. A run that only counts pays nothing for records or for statistics of rule lines.

mod chance;
mod course;
mod crew;
mod interval;
mod lines;
mod recorded;
mod robots;
mod study;
mod summary;
mod tally;

pub use chance::{Chance, Throws};
pub use course::{ByLine, Course, Scribe, Unwritten, Witness, play};
pub use crew::{Plan, run};
pub use lines::LineUse;
pub use recorded::record;
pub use robots::{BadRobots, Random, Robot, Robots, Seeker, Sought};
pub use study::{Findings, FirstMover, Study};
pub use summary::{SeatWins, Summary, Times};
pub use tally::Tally;
