//! The settings of a simulation of tournaments.

use pagade_robots::RobotKind;

use crate::tournament_file::Prepared;

/// The settings of a simulation of tournaments.
#[derive(Debug, Clone, Copy)]
pub struct TournamentPlan<'p> {
    /// The tournament.
    pub prepared: &'p Prepared,
    /// The robot that plays for each entrant, in the order of the field.
    pub strengths: &'p [RobotKind],
    /// Number of tournaments.
    pub tournaments: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of threads; 0 counts as 1.
    pub threads: usize,
    /// The time of a throw or an action, in milliseconds. If the turn timer allows less, its time counts.
    pub decision: u64,
}

impl TournamentPlan<'_> {
    /// The time that a decision takes, in milliseconds: never more than the turn timer allows.
    pub fn milliseconds_a_decision(&self) -> u64 {
        let limit = self.prepared.seconds_a_decision.map(|seconds| u64::from(seconds) * 1000);
        limit.map_or(self.decision, |limit| limit.min(self.decision))
    }
}
