//! Newton steps of a logistic regression over samples that are forgotten slowly.

use super::game::{Lecture, Sample};
use crate::logistic::logistic;

/// Precision that each weight has before any sample: without it, weights of places where no pawn ever stands would have
/// no solution.
const RIDGE: f64 = 2.0;
/// Smallest variance of a sample. Estimates near 0 and 1 would count for nothing without it.
const LEAST_VARIANCE: f64 = 0.02;
/// Greatest change of a weight in one step. The first samples are few, and their noise is great.
const GREATEST_CHANGE: f64 = 2.0;

/// The sums of a regression.
#[derive(Debug)]
pub(super) struct Newton {
    /// Number of weights.
    size: usize,
    /// The curvature: the sum of the outer products of the features, each times the variance. Row by row; only the
    /// lower triangle.
    curvature: Vec<f64>,
    /// The slope: the sum of the features, each times the error, over the samples since the last step.
    slope: Vec<f64>,
}

impl Newton {
    pub(super) fn new(size: usize) -> Newton {
        Newton { size, curvature: vec![0.0; size * size], slope: vec![0.0; size] }
    }

    /// Adds the samples of a game.
    pub(super) fn add(&mut self, lecture: &Lecture) {
        for Sample { features, value, target } in &lecture.samples {
            let estimate = logistic(*value);
            let variance = (estimate * (1.0 - estimate)).max(LEAST_VARIANCE);
            for &(row, feature) in features {
                let (row, feature) = (row as usize, f64::from(feature));
                self.slope[row] += feature * (target - estimate);
                let scaled = feature * variance;
                for &(column, other) in features.iter().filter(|(column, _)| *column as usize <= row) {
                    self.curvature[row * self.size + column as usize] += scaled * f64::from(other);
                }
            }
        }
    }

    /// Computes the change of the weights, and begins the next slope. The curvature so far counts `kept` times as much
    /// from now on. `None` if the sums are not finite.
    pub(super) fn step(&mut self, kept: f64) -> Option<Vec<f64>> {
        let change = self.solve();
        self.slope.fill(0.0);
        self.curvature.iter_mut().for_each(|sum| *sum *= kept);
        let mut change = change?;
        change.iter_mut().for_each(|change| *change = change.clamp(-GREATEST_CHANGE, GREATEST_CHANGE));
        Some(change)
    }

    /// Solves curvature * change = slope by Cholesky's decomposition.
    fn solve(&self) -> Option<Vec<f64>> {
        let size = self.size;
        let mut root = self.curvature.clone();
        for row in 0..size {
            root[row * size + row] += RIDGE;
            for column in 0..=row {
                let (a, b) = (&root[row * size..row * size + column], &root[column * size..column * size + column]);
                let sum: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let rest = root[row * size + column] - sum;
                root[row * size + column] = match row == column {
                    true if rest > 0.0 && rest.is_finite() => rest.sqrt(),
                    true => return None,
                    false => rest / root[column * size + column],
                };
            }
        }
        let mut change = self.slope.clone();
        for row in 0..size {
            let sum: f64 = (0..row).map(|column| root[row * size + column] * change[column]).sum();
            change[row] = (change[row] - sum) / root[row * size + row];
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|below| root[below * size + row] * change[below]).sum();
            change[row] = (change[row] - sum) / root[row * size + row];
        }
        change.iter().all(|change| change.is_finite()).then_some(change)
    }
}
