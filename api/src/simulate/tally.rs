//! Sums over many games. Adding is commutative, so the threads' sums give the same whole in any order.

use pagade_rules::play::Counts;

use super::course::{ByLine, Course};
use super::study::Study;

/// Stuck games that are remembered by number.
const MAX_NAMED: usize = 10;

/// What many games came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games by their number of turns to the last place.
    pub lengths: Vec<u64>,
    /// Turns to the first seat that finished, over all games.
    pub to_first: u64,
    /// Throws.
    pub throws: u64,
    /// Part-moves and choices.
    pub actions: u64,
    /// Captures and passes.
    pub counts: Counts,
    /// Games won by each seat of the board.
    pub wins: [u64; 4],
    /// Games that reached the turn cap.
    pub stuck: u64,
    /// The first of them.
    pub stuck_games: Vec<u64>,
    /// What only a run with statistics finds out; `None` where nobody asked.
    pub study: Option<Study>,
}

impl Tally {
    /// No game yet; with statistics, or counts alone.
    pub fn new(statistics: bool) -> Tally {
        Tally { study: statistics.then(Study::default), ..Tally::default() }
    }

    /// Adds game number `game`.
    pub fn add(&mut self, game: u64, course: &Course) {
        self.games += 1;
        let length = course.turns as usize;
        if self.lengths.len() <= length {
            self.lengths.resize(length + 1, 0);
        }
        self.lengths[length] += 1;
        self.to_first += u64::from(course.to_first);
        self.throws += course.throws;
        self.actions += course.actions;
        if let Some(seat) = course.winner {
            self.wins[seat.index()] += 1;
        }
        if course.stuck {
            self.stuck += 1;
            self.remember_stuck(game);
        }
        if let Some(study) = &mut self.study {
            study.add(course);
        }
    }

    /// Adds what a thread's witness heard.
    pub fn add_counts(&mut self, counts: Counts) {
        self.counts.cuts += counts.cuts;
        self.counts.passes += counts.passes;
    }

    /// Adds what a thread's witness heard of the rule lines.
    pub fn add_lines(&mut self, heard: &ByLine) {
        self.study.get_or_insert_default().add_lines(heard);
    }

    /// Adds the sums of another thread.
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
        self.stuck += other.stuck;
        other.stuck_games.iter().for_each(|&game| self.remember_stuck(game));
        if let Some(study) = &other.study {
            self.study.get_or_insert_default().merge(study);
        }
    }

    /// The games of least number, so that the list does not depend on the threads.
    fn remember_stuck(&mut self, game: u64) {
        let at = self.stuck_games.partition_point(|&known| known < game);
        self.stuck_games.insert(at, game);
        self.stuck_games.truncate(MAX_NAMED);
    }

    /// Turns to the last place, over all games.
    pub fn turns(&self) -> u64 {
        self.lengths.iter().enumerate().map(|(turns, games)| turns as u64 * games).sum()
    }

    /// Mean and standard deviation of the game length.
    pub fn length(&self) -> (f64, f64) {
        let games = self.games.max(1) as f64;
        let mean = self.turns() as f64 / games;
        let squares: f64 =
            (self.lengths.iter().enumerate()).map(|(turns, &count)| count as f64 * (turns as f64 - mean).powi(2)).sum();
        (mean, (squares / (games - 1.0).max(1.0)).sqrt())
    }

    /// The game length that so great a part of the games do not exceed (0.5: the median).
    pub fn length_at(&self, part: f64) -> usize {
        let rank = ((self.games as f64 * part).ceil() as u64).max(1);
        let mut seen = 0;
        let reached = self.lengths.iter().position(|&count| {
            seen += count;
            seen >= rank
        });
        reached.unwrap_or_default()
    }
}

/// Adds sum by sum; the longer list decides the length.
pub(super) fn add_each(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(turns: u32) -> Course {
        Course { turns, ..Course::default() }
    }

    #[test]
    fn the_order_of_merging_does_not_matter() {
        let (mut a, mut b) = (Tally::default(), Tally::default());
        a.add(0, &course(10));
        a.add(2, &Course { stuck: true, ..course(30) });
        b.add(1, &Course { stuck: true, ..course(20) });
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.merge(&b);
        ba.merge(&a);
        assert_eq!(ab, ba);
        assert_eq!(ab.stuck_games, [1, 2]);
    }

    #[test]
    fn lengths_have_a_mean_a_spread_and_quantiles() {
        let mut tally = Tally::default();
        (1..=9).for_each(|turns| tally.add(0, &course(turns)));
        assert_eq!(tally.length(), (5.0, 7.5f64.sqrt()));
        assert_eq!([0.1, 0.5, 0.9].map(|part| tally.length_at(part)), [1, 5, 9]);
    }
}
