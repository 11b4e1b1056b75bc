//! A check of all values, with the throws of every position played anew.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pagade_rules::play::Engine;

use super::expand::{Ends, Expander};
use super::solution::Solution;
use super::values::value_of;
use super::{Progress, SolveSettings, SolveStage};
use crate::workers::{Pending, on_threads_with_ticks};

/// The result of a check of all values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerifiedValues {
    /// Greatest difference between the value of a position and the value that follows from the positions after it.
    pub residual: f64,
    /// Number of positions in which the seats do not have the same actions, although the values rely on equal actions.
    pub unlike: usize,
}

impl Solution {
    /// Plays the throws in every position anew, from both sides if the seats have the same rules, and compares the
    /// values.
    pub fn verify(&self, engine: &Engine, settings: &SolveSettings, tick: &mut dyn FnMut(&Progress)) -> VerifiedValues {
        let positions = &self.positions;
        let (rows, done) = (Pending::new(0..positions.rows.len() as u64), AtomicUsize::new(0));
        let work = || {
            let mut expander = Expander::new(engine, &positions.dice, positions.keys());
            let (mut ends, mut exchanged_ends, mut edges) = (Ends::default(), Ends::default(), Vec::new());
            let mut verified = VerifiedValues { residual: 0.0, unlike: 0 };
            while let Some(row) = rows.take() {
                let (row, mut count) = (&positions.rows[row as usize], 0);
                positions.each_in(row, &(0..u32::MAX), |column, number| {
                    let state = expander.keys.state(engine, row.id, column);
                    expander.expand(&state, &mut ends).expect("all positions have numbers");
                    if self.is_mirrored() {
                        let exchanged = positions.split.exchanged(engine, &state);
                        let is_like =
                            expander.expand(&exchanged, &mut exchanged_ends).is_some_and(|()| ends == exchanged_ends);
                        verified.unlike += usize::from(!is_like);
                    }
                    let value = value_of(positions, &self.values, &ends, &mut edges);
                    verified.residual = verified.residual.max((value - self.values.at(number)).abs());
                    count += 1;
                });
                done.fetch_add(count, Relaxed);
            }
            verified
        };
        let parts = on_threads_with_ticks(settings.threads, work, &mut || {
            let (stage, positions, done) = (SolveStage::Check, self.positions.len, done.load(Relaxed));
            tick(&Progress { stage, positions, done, sweeps: 0, change: 0.0, anew: 0 });
        });
        parts.into_iter().fold(VerifiedValues { residual: 0.0, unlike: 0 }, |one, other| VerifiedValues {
            residual: one.residual.max(other.residual),
            unlike: one.unlike + other.unlike,
        })
    }
}
