//! Value iteration: the chance of the first seat to win in every position, computed until nothing changes any more.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::graph::{DRAWN, Graph, LOST, WON};

/// The chance of the first seat to win in every position of a graph, if both seats play as well as possible.
#[derive(Debug)]
pub struct Values {
    /// The bits of each value. Threads read and write them at the same time; iteration ends at the same values.
    values: Vec<AtomicU64>,
    /// Number of sweeps over all positions so far.
    pub sweeps: u32,
    /// Greatest change of a value in the last sweep.
    pub change: f64,
}

/// What an iteration tells after each sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Number of sweeps so far.
    pub sweeps: u32,
    /// Greatest change of a value in the last sweep.
    pub change: f64,
}

impl Values {
    /// Begins with even chances in every position.
    pub fn even(positions: usize) -> Values {
        Values::from_list(&vec![0.5; positions], 0)
    }

    /// Takes values from a list, as a file has them.
    pub fn from_list(values: &[f64], sweeps: u32) -> Values {
        let values = values.iter().map(|value| AtomicU64::new(value.to_bits())).collect();
        Values { values, sweeps, change: f64::INFINITY }
    }

    /// The values, in the order of the positions.
    pub fn to_list(&self) -> impl ExactSizeIterator<Item = f64> {
        self.values.iter().map(|value| f64::from_bits(value.load(Relaxed)))
    }

    /// Sweeps over all positions until no value changes by more than `tolerance`, or until `goes_on` returns false
    /// after a sweep.
    pub fn iterate(&mut self, graph: &Graph, threads: usize, tolerance: f64, goes_on: &mut dyn FnMut(&Values) -> bool) {
        while self.change > tolerance {
            self.change = self.sweep(graph, threads.max(1));
            self.sweeps += 1;
            if !goes_on(self) {
                break;
            }
        }
    }

    /// What the iteration has reached.
    pub fn progress(&self) -> Progress {
        Progress { sweeps: self.sweeps, change: self.change }
    }

    /// Computes every value once, and returns the greatest change. Positions that were found last are computed first:
    /// they are nearest to the end of the game.
    fn sweep(&self, graph: &Graph, threads: usize) -> f64 {
        let share = self.values.len().div_ceil(threads).max(1);
        let parts = (0..self.values.len()).step_by(share).map(|first| first..self.values.len().min(first + share));
        std::thread::scope(|scope| {
            let sweeps: Vec<_> = parts.map(|part| scope.spawn(|| self.sweep_part(graph, part))).collect();
            let changes = sweeps.into_iter().map(|sweep| sweep.join().expect("no thread panics while it sweeps"));
            changes.fold(0.0, f64::max)
        })
    }

    fn sweep_part(&self, graph: &Graph, part: std::ops::Range<usize>) -> f64 {
        let mut greatest = 0.0_f64;
        for position in part.rev() {
            let value = self.computed(graph, position);
            let before = f64::from_bits(self.values[position].swap(value.to_bits(), Relaxed));
            greatest = greatest.max((value - before).abs());
        }
        greatest
    }

    /// The value of a position by the values of those that follow.
    fn computed(&self, graph: &Graph, position: usize) -> f64 {
        let (begin, end) = (graph.begins[position] as usize, graph.begins[position + 1] as usize);
        let is_first = graph.decides_first[position];
        let mut rest = &graph.leads_to[begin..end];
        let mut sum = 0.0;
        for chance in &graph.chances {
            let Some((count, others)) = rest.split_first() else { break };
            let (ends, others) = others.split_at(*count as usize);
            let values = ends.iter().map(|end| self.at(*end));
            let best = if is_first { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) };
            if others.is_empty() && rest.len() == end - begin {
                return best; // a choice without a throw
            }
            sum += chance * best;
            rest = others;
        }
        sum
    }

    /// The value of a position, or of the end of a game.
    pub(super) fn at(&self, end: u32) -> f64 {
        match end {
            WON => 1.0,
            LOST => 0.0,
            DRAWN => 0.5,
            position => f64::from_bits(self.values[position as usize].load(Relaxed)),
        }
    }
}
