//! Commits of this process report deadlines here that come before the next tick of the schedule.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// The nearest deadline that commits of this process have reported, in milliseconds since 1970.
#[derive(Debug, Default)]
pub(in crate::service) struct NearDeadline {
    at: Mutex<Option<u64>>,
    told: Notify,
}

impl NearDeadline {
    /// Reports a deadline to the schedule.
    pub(super) fn report_deadline(&self, at: u64) {
        let mut nearest = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        *nearest = earlier(*nearest, Some(at));
        drop(nearest);
        self.told.notify_one();
    }

    /// Waits until a deadline is reported, and returns the nearest one that was reported since the last call.
    pub(super) async fn heard(&self) -> Option<u64> {
        self.told.notified().await;
        self.at.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Returns the earlier of two times; `None` stands for a time that never comes.
pub(super) fn earlier(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}
