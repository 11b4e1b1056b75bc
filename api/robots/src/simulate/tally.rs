//! Sums over the games of a simulation. Sums of several threads are added in any order, with the same total.

use pagade_rules::play::Counts;
use pagade_rules::units::MAX_SEATS;

use super::one_game::{LineCounts, PlayedGame};
use super::statistics::Statistics;

/// Maximum number of stuck games whose numbers a tally lists.
const MAX_STUCK_NUMBERS: usize = 10;

/// Sums over the games of a simulation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Number of games.
    pub games: u64,
    /// Number of games with each length: element `n` counts the games that ended after `n` turns.
    pub lengths: Vec<u64>,
    /// Number of turns until the first seat finished, summed over all games.
    pub to_first: u64,
    /// Number of throws in all games.
    pub throws: u64,
    /// Number of moves and choices in all games. Passes do not count.
    pub actions: u64,
    /// Number of pawns that were cut, and number of passes, in all games.
    pub counts: Counts,
    /// Number of games that each seat won.
    pub wins: [u64; MAX_SEATS],
    /// Number of games that each robot won, or its team, in the order of [`Lineup::kinds`](super::Lineup::kinds).
    pub robot_wins: Vec<u64>,
    /// Number of games that reached the turn cap of the rule set, or had too many steps.
    pub stuck: u64,
    /// Numbers of the first stuck games, in ascending order.
    pub stuck_games: Vec<u64>,
    /// Further sums; `None` in a simulation without statistics.
    pub statistics: Option<Statistics>,
}

impl Tally {
    /// Makes a tally without games, with or without statistics.
    pub fn new(has_statistics: bool) -> Tally {
        Tally { statistics: has_statistics.then(Statistics::default), ..Tally::default() }
    }

    /// Adds the result of one game. `number` is the number of the game in the simulation.
    pub fn add(&mut self, number: u64, game: &PlayedGame) {
        self.games += 1;
        let length = game.turns as usize;
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
        self.to_first += u64::from(game.to_first.unwrap_or(0));
        self.throws += game.throws;
        self.actions += game.actions;
        if let Some(seat) = game.winner {
            self.wins[seat.index()] += 1;
        }
        if game.stuck {
            self.stuck += 1;
            self.add_stuck(number);
        }
        if let Some(statistics) = &mut self.statistics {
            statistics.add(game);
        }
    }

    /// Adds a game that this robot won, given by its index in the lineup. `None` if the robots have no lineup.
    pub(crate) fn add_winner(&mut self, robot: Option<usize>) {
        if let Some(robot) = robot {
            self.robot_wins.resize(self.robot_wins.len().max(robot + 1), 0);
            self.robot_wins[robot] += 1;
        }
    }

    /// Adds the cuts and passes that one thread of the simulation counted.
    pub(crate) fn add_counts(&mut self, counts: Counts) {
        self.counts.cuts += counts.cuts;
        self.counts.passes += counts.passes;
    }

    /// Adds how often each rule line fired in one thread of the simulation.
    pub(crate) fn add_lines(&mut self, counts: &LineCounts) {
        self.statistics.get_or_insert_default().add_lines(counts);
    }

    /// Adds the sums of another thread of the simulation.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        add_each(&mut self.lengths, &other.lengths);
        self.to_first += other.to_first;
        self.throws += other.throws;
        self.actions += other.actions;
        self.add_counts(other.counts);
        for (sum, more) in self.wins.iter_mut().zip(other.wins) {
            *sum += more;
        }
        add_each(&mut self.robot_wins, &other.robot_wins);
        self.stuck += other.stuck;
        other.stuck_games.iter().for_each(|&number| self.add_stuck(number));
        if let Some(statistics) = &other.statistics {
            self.statistics.get_or_insert_default().merge(statistics);
        }
    }

    /// Adds the number of a stuck game to the list, and drops the highest number if the list is too long. So the list
    /// is the same whatever the number of threads.
    fn add_stuck(&mut self, number: u64) {
        let index = self.stuck_games.partition_point(|&other| other < number);
        self.stuck_games.insert(index, number);
        self.stuck_games.truncate(MAX_STUCK_NUMBERS);
    }

    /// Returns the number of turns in all games.
    pub fn turns(&self) -> u64 {
        self.lengths.iter().enumerate().map(|(turns, games)| turns as u64 * games).sum()
    }

    /// Returns mean and standard deviation of the number of turns in a game.
    pub fn length(&self) -> (f64, f64) {
        let games = self.games.max(1) as f64;
        let mean = self.turns() as f64 / games;
        // The sum of no numbers is -0.0.
        let squares: f64 = (self.lengths.iter().enumerate())
            .map(|(turns, &count)| count as f64 * (turns as f64 - mean).powi(2))
            .fold(0.0, |sum, square| sum + square);
        (mean, (squares / (games - 1.0).max(1.0)).sqrt())
    }

    /// Returns the number of turns that this share of the games does not exceed; 0.5 stands for the median.
    pub fn length_at(&self, quantile: f64) -> usize {
        let rank = ((self.games as f64 * quantile).ceil() as u64).max(1);
        let mut sum = 0;
        let reached = self.lengths.iter().position(|&count| {
            sum += count;
            sum >= rank
        });
        reached.unwrap_or_default()
    }
}

/// Adds two lists of sums, element by element. The result has the length of the longer list.
pub(super) fn add_each(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(turns: u32) -> PlayedGame {
        PlayedGame { turns, ..PlayedGame::default() }
    }

    #[test]
    fn the_order_of_merging_does_not_matter() {
        let (mut a, mut b) = (Tally::default(), Tally::default());
        a.add(0, &played(10));
        a.add(2, &PlayedGame { stuck: true, ..played(30) });
        b.add(1, &PlayedGame { stuck: true, ..played(20) });
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.merge(&b);
        ba.merge(&a);
        assert_eq!(ab, ba);
        assert_eq!(ab.stuck_games, [1, 2]);
    }

    #[test]
    fn no_games_have_no_spread() {
        let (mean, sd) = Tally::default().length();
        assert_eq!(format!("{mean:.1} {sd:.1}"), "0.0 0.0");
    }

    #[test]
    fn lengths_have_a_mean_a_spread_and_quantiles() {
        let mut tally = Tally::default();
        (1..=9).for_each(|turns| tally.add(0, &played(turns)));
        assert_eq!(tally.length(), (5.0, 7.5f64.sqrt()));
        assert_eq!([0.1, 0.5, 0.9].map(|part| tally.length_at(part)), [1, 5, 9]);
    }
}
