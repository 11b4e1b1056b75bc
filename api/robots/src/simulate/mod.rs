//! Simulations: many games by random robots, by robots that seek rare rules, or by robots against each other, and
//! statistics of these games.
//!
//! A simulation is repeatable: the same rule set, seed and number of games give the same games and sums, whatever the
//! number of threads. A simulation without records and without statistics spends no time on them.

mod chance;
mod interval;
mod lines;
mod lineup;
mod named;
mod one_game;
mod part;
mod recorded;
mod robots;
mod statistics;
mod summary;
mod tally;
mod threads;
mod timed;

pub use chance::{Chance, ThrowTable};
pub use interval::{mean_interval, wilson};
pub use lines::LineUse;
pub use lineup::Lineup;
pub use named::{NameError, NamedRobot};
pub use one_game::{DecisionCounts, GameRecorder, LineCounts, NoRecording, Observer, PlayedGame, play};
pub use part::play_part;
pub use recorded::record;
pub use robots::{Random, Robot, Robots, RobotsError, Seeker, SeekerGoal};
pub use statistics::{FirstMover, Statistics, StatisticsSummary};
pub use summary::{RobotTimes, RobotWins, SeatWins, Summary, Times};
pub use tally::Tally;
pub use threads::{Plan, run, run_timed};
pub use timed::DecisionTimes;
