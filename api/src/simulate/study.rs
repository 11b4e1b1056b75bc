//! What a run finds out beyond its counts: how much there is to decide, and whether it pays to begin.

use pagade_rules::play::Engine;
use serde::Serialize;

use super::course::{ByLine, Course};
use super::interval::wilson;
use super::tally::add_each;

/// Sums over many games that only a run with statistics keeps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Study {
    /// How often each rule line did its work.
    pub fired: Vec<u64>,
    /// Points of a game with more than one legal action.
    pub decisions: u64,
    /// The legal actions at these points.
    pub open: u64,
    /// The squares of the games' actions.
    actions_squared: u128,
    /// Games that somebody won.
    won: u64,
    /// Those of them that the seat won which began, or its team.
    won_by_first: u64,
}

impl Study {
    /// Adds a game.
    pub fn add(&mut self, course: &Course) {
        self.decisions += course.decisions;
        self.open += course.open;
        self.actions_squared += u128::from(course.actions).pow(2);
        self.won += u64::from(course.winner.is_some());
        self.won_by_first += u64::from(course.first_won);
    }

    /// Adds what a thread's witness heard of the rule lines.
    pub fn add_lines(&mut self, heard: &ByLine) {
        add_each(&mut self.fired, &heard.fired);
    }

    /// Adds the sums of another thread.
    pub fn merge(&mut self, other: &Study) {
        add_each(&mut self.fired, &other.fired);
        self.decisions += other.decisions;
        self.open += other.open;
        self.actions_squared += other.actions_squared;
        self.won += other.won;
        self.won_by_first += other.won_by_first;
    }
}

/// What a study comes to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Findings {
    /// Standard deviation of the actions a game.
    pub actions_sd: f64,
    /// Whether it pays to begin.
    pub first_mover: FirstMover,
    /// Points of a turn with more than one legal action.
    pub decisions_a_turn: f64,
    /// Mean number of legal actions at such a point.
    pub legal_actions: f64,
}

/// How often the seat won that began, or its team, of the games that somebody won.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FirstMover {
    /// Part of the games that it won.
    pub rate: f64,
    /// Its part if all seats, or all teams, won alike.
    pub fair: f64,
    /// What it wins beyond that.
    pub advantage: f64,
    /// Least and greatest advantage that fit (95 %, Wilson).
    pub interval: [f64; 2],
}

impl Findings {
    /// Of so many games with so many actions and turns in all.
    pub(super) fn new(rules: &Engine, study: &Study, games: u64, actions: u64, turns: u64) -> Findings {
        let count = games.max(1) as f64;
        let mean = actions as f64 / count;
        let squares = study.actions_squared as f64 - count * mean * mean;
        let fair = if rules.seating.teams { 0.5 } else { 1.0 / rules.seating.players.len().max(1) as f64 };
        let rate = ratio(study.won_by_first, study.won);
        Findings {
            actions_sd: (squares.max(0.0) / (count - 1.0).max(1.0)).sqrt(),
            first_mover: FirstMover {
                rate,
                fair,
                advantage: rate - fair,
                interval: wilson(study.won_by_first, study.won).map(|end| end - fair),
            },
            decisions_a_turn: ratio(study.decisions, turns),
            legal_actions: ratio(study.open, study.decisions),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
