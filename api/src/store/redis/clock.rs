//! The clock of Redis, as this process knows it.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::ground::clock;

/// The clock of Redis, as its distance from the clock of this process.
///
/// The distance is measured whenever tasks are taken, about twice a second. So a clock that jumps gives wrong times for
/// less than a second.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: AtomicI64,
}

impl Clock {
    /// Sets the clock to the time in Redis, in milliseconds since 1970.
    pub(super) fn set(&self, now: u64) {
        self.ahead.store(now.wrapping_sub(clock::milliseconds()).cast_signed(), Ordering::Relaxed);
    }

    /// The time in Redis, in milliseconds since 1970.
    pub(super) fn now(&self) -> u64 {
        clock::milliseconds().wrapping_add_signed(self.ahead.load(Ordering::Relaxed))
    }
}
