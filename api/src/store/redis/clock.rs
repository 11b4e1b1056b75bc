//! The clock of Redis.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::ground::clock;

/// The clock of Redis, stored as its difference from the clock of this process.
///
/// The difference is measured whenever a worker takes tasks, about twice a second. So if one of the clocks jumps, times
/// are wrong for less than a second.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: AtomicI64,
}

impl Clock {
    /// Sets the clock. `now` is the present time of Redis, in milliseconds since 1970.
    pub(super) fn set(&self, now: u64) {
        self.ahead.store(now.wrapping_sub(clock::milliseconds()).cast_signed(), Ordering::Relaxed);
    }

    /// Returns the present time of Redis, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        clock::milliseconds().wrapping_add_signed(self.ahead.load(Ordering::Relaxed))
    }
}
