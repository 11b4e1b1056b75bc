//! The budget of a decision: how much a robot may search.

use std::fmt;
use std::str::FromStr;

/// How much a robot may search for one decision: a multiple of the work at the playing level, from 1 to
/// [`Budget::MOST`].
///
/// Work is counted in actions that are tried and in positions that the engine looks at to list actions, and not in
/// time. So the same budget gives the same decisions on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Budget(u16);

impl Budget {
    /// The work at the playing level, which the service allows: 99 of 100 decisions take less than 5 ms of one core.
    pub const PLAYING: Budget = Budget(1);
    /// The greatest multiple: a decision of a few seconds.
    pub const MOST: u16 = 1_000;

    /// Makes the budget of this multiple. `None` if it is 0 or greater than [`Budget::MOST`].
    #[must_use]
    pub const fn times(multiple: u16) -> Option<Budget> {
        if multiple == 0 || multiple > Budget::MOST { None } else { Some(Budget(multiple)) }
    }

    /// Returns the work that this budget allows, where the playing level allows `work`.
    pub(crate) fn of(self, work: u32) -> u32 {
        work.saturating_mul(u32::from(self.0))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Budget {
    type Err = NoBudget;

    /// Reads the decimal digits of a multiple, as [`Budget`] writes them: without a sign, and without zeros before
    /// them.
    fn from_str(text: &str) -> Result<Self, NoBudget> {
        let budget = text.parse().ok().and_then(Budget::times);
        budget.filter(|budget| budget.to_string() == text).ok_or_else(|| NoBudget(text.to_owned()))
    }
}

/// A text is no budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no budget: a whole number from 1 to {most} is needed", most = Budget::MOST)]
pub struct NoBudget(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_written_as_they_are_read_and_nothing_else_is_one() {
        for text in ["1", "8", "1000"] {
            assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
        }
        for text in ["", "0", "1001", "70000", "-1", "+8", "08", "8.0", " 8", "1e3", "x"] {
            let says = format!("`{text}` is no budget: a whole number from 1 to 1000 is needed");
            assert_eq!(text.parse::<Budget>().unwrap_err().to_string(), says);
        }
        assert_eq!(Budget::times(1), Some(Budget::PLAYING));
        assert_eq!(Budget::times(1_000).unwrap().of(300), 300_000);
    }
}
