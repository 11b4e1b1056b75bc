//! The points for each place at a table, and scores as sums of points.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// A number of points, stored in parts of a point.
///
/// Entrants who share places share the points of these places, and some tie-breaks divide by the number of opponents.
/// With 144 parts to a point, every such share is a whole number of parts. 144 is 12 * 2 * 6: a shared place divides by
/// 2, 3 or 4 (12); a half of a result divides by 2; the mean of one, two or three opponents divides by 1, 2 or 3 (6).
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Score(i64);

impl Score {
    /// The number of parts of one point.
    pub const PARTS: i64 = 144;
    /// No points.
    pub const ZERO: Self = Self(0);

    /// Returns a score of whole points.
    pub const fn points(points: i64) -> Self {
        Self(points * Self::PARTS)
    }

    pub(crate) const fn from_parts(parts: i64) -> Self {
        Self(parts)
    }

    /// The score in parts of a point.
    pub const fn parts(self) -> i64 {
        self.0
    }

    /// The share of one entrant if this number of entrants share the score.
    pub(super) const fn shared(self, sharers: i64) -> Self {
        Self(self.0 / sharers)
    }
}

impl Add for Score {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Score {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Score {
    fn sum<I: Iterator<Item = Self>>(scores: I) -> Self {
        scores.fold(Self::ZERO, Add::add)
    }
}

/// Writes whole points without decimals, and other scores with at most two decimals, rounded towards zero.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / Self::PARTS, self.0.abs() % Self::PARTS);
        match rest * 100 / Self::PARTS {
            0 => write!(f, "{sign}{whole}"),
            decimals if decimals % 10 == 0 => write!(f, "{sign}{whole}.{}", decimals / 10),
            decimals => write!(f, "{sign}{whole}.{decimals:02}"),
        }
    }
}

/// The points for each place, by the number of entrants at the table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Points {
    /// First to second place at a table of two.
    pub two: [u32; 2],
    /// First to third place at a table of three.
    pub three: [u32; 3],
    /// First to fourth place at a table of four.
    pub four: [u32; 4],
    /// The points for a bye: the entrant is present, and no table has a seat left.
    pub bye: u32,
    /// The points for a round in which the entrant is absent and has said so before it was paired.
    pub absent: u32,
    /// The points for a table to which the entrant did not come.
    pub no_show: u32,
}

/// At every table the first place is worth 6 points, the last one none, and the points of the places between them are
/// evenly spaced. A bye is worth as much as a win.
impl Default for Points {
    fn default() -> Self {
        Self { two: [6, 0], three: [6, 3, 0], four: [6, 4, 2, 0], bye: 6, absent: 0, no_show: 0 }
    }
}

impl Points {
    /// The points for one of the `sharers` who share the place `place` (first is 1) at a table of `seats`.
    pub(super) fn of(&self, seats: usize, place: usize, sharers: usize) -> Score {
        let by_place: &[u32] = match seats {
            2 => &self.two,
            3 => &self.three,
            _ => &self.four,
        };
        let shared = by_place.iter().skip(place - 1).take(sharers);
        let sum: Score = shared.map(|points| Score::points(i64::from(*points))).sum();
        sum.shared(i64::try_from(sharers).expect("a table has at most four seats"))
    }
}
