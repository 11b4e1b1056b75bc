//! Commits of this process report deadlines here that come before the next tick of the schedule.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;

/// The nearest deadline that commits of this process have reported, in milliseconds since 1970.
#[derive(Debug)]
pub(in crate::service) struct NearDeadline {
    at: AtomicU64,
    told: Notify,
}

impl Default for NearDeadline {
    fn default() -> Self {
        Self { at: AtomicU64::new(u64::MAX), told: Notify::new() }
    }
}

impl NearDeadline {
    /// Reports a deadline to the schedule.
    pub(super) fn tell(&self, at: u64) {
        self.at.fetch_min(at, Ordering::AcqRel);
        self.told.notify_one();
    }

    /// Waits until a deadline is reported, and returns the nearest one that was reported since the last call.
    pub(super) async fn heard(&self) -> u64 {
        self.told.notified().await;
        self.at.swap(u64::MAX, Ordering::AcqRel)
    }
}
