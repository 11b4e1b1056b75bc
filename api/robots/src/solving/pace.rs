//! Decides what each sweep over a set of positions does, so that few sweeps are needed.
//!
//! A sweep that compares all actions costs more than one that follows the actions that were best last time. So each
//! sweep that compares is followed by several that do not; only a sweep that compares ends the iteration. Once the
//! growth of the values shrinks by the same factor in every sweep, the sum of their further growth is known, and the
//! values jump by this sum (Aitken's method). Neither shortcut has to be exact: sweeps that compare lead to the same
//! values from everywhere.

/// Greatest difference of two ratios that count as the same.
const SAME: f64 = 0.04;
/// Least number of sweeps between two jumps.
const BETWEEN_JUMPS: u32 = 3;
/// The sizes of the ratio of growth at which values jump. The ratio may be below 0: then the values swing to and fro.
const RATIOS: std::ops::Range<f64> = 0.1..0.97;
/// Greatest number of sweeps without comparison after a sweep that compares.
const MOST_FOLLOWING: u32 = 6;
/// A sweep that compares is due when the change is at most this part of the change in the last sweep that compared.
const GAIN: f64 = 0.1;
/// After this number of sweeps that compare, every sweep compares, and no value jumps. The limit serves games in which
/// the best actions change to and fro.
const PATIENCE: u32 = 200;

/// The course of the sweeps over a set.
#[derive(Debug)]
pub(super) struct Pace {
    /// Whether the next sweep compares all actions.
    compares: bool,
    /// Number of sweeps that have compared.
    compared: u32,
    /// The greatest change in the last sweep that has compared.
    change: f64,
    /// Number of sweeps since the last sweep that compared.
    following: u32,
    /// The growth in the last sweep, divided by the growth in the sweep before.
    ratio: f64,
    /// Number of sweeps since the last jump.
    since_jump: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { compares: true, compared: 0, change: f64::INFINITY, following: 0, ratio: 0.0, since_jump: 0 }
    }
}

impl Pace {
    /// Whether the next sweep compares all actions.
    pub(super) fn compares(&self) -> bool {
        self.compares
    }

    /// Notes a sweep: its greatest change, and the ratio of its growth to that of the sweep before. Returns the
    /// multiple of the last growth by which the values jump; `None` if they do not jump.
    pub(super) fn after(&mut self, change: f64, ratio: f64, tolerance: f64) -> Option<f64> {
        if self.compares {
            self.compared += 1;
            self.change = change;
            self.following = 0;
        } else {
            self.following += 1;
        }
        let is_close = change <= tolerance.max(GAIN * self.change) && self.following > 0;
        self.compares = self.compared >= PATIENCE || self.following >= MOST_FOLLOWING || is_close;
        let is_steady = (ratio - self.ratio).abs() < SAME && RATIOS.contains(&ratio.abs());
        self.ratio = ratio;
        self.since_jump += 1;
        if !is_steady || self.since_jump < BETWEEN_JUMPS || self.compared >= PATIENCE {
            return None;
        }
        self.since_jump = 0;
        Some(ratio / (1.0 - ratio))
    }
}
