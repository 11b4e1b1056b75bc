//! The log of store failures.
//!
//! While the store is unavailable, every request fails for the same reason. The first failure is logged at once; the
//! following ones are counted, and their number is logged every few seconds.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Pause between two log lines about store failures.
const LOG_PAUSE: Duration = Duration::from_secs(5);

/// The store failures since the last log line about them.
struct Unlogged {
    since: Instant,
    count: u64,
    last_cause: String,
}

impl Unlogged {
    fn from_now() -> Self {
        Self { since: Instant::now(), count: 0, last_cause: String::new() }
    }
}

/// The failures that are counted but not logged. `None` while the store works: the next failure is logged at once.
static UNLOGGED: Mutex<Option<Unlogged>> = Mutex::new(None);

/// Logs that the store could not serve a request. If such a failure was logged a moment ago, only counts this one.
pub(crate) fn store_unavailable(cause: &str, request_id: &str) {
    let mut unlogged = UNLOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    match unlogged.as_mut() {
        Some(failures) => {
            failures.count += 1;
            cause.clone_into(&mut failures.last_cause);
        }
        None => {
            tracing::error!(cause, request_id, "store unavailable");
            *unlogged = Some(Unlogged::from_now());
        }
    }
}

/// Logs the number of counted failures if [`LOG_PAUSE`] has passed since the last log line. Must be called about twice
/// a second.
pub(crate) fn log_repeated_failures() {
    let mut unlogged = UNLOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(failures) = unlogged.take_if(|failures| failures.since.elapsed() >= LOG_PAUSE)
        && failures.count > 0
    {
        let Unlogged { count, last_cause, .. } = failures;
        tracing::error!(count, cause = last_cause, "store unavailable, repeated failures");
        // The store may still be unavailable, so the next failure is counted, not logged.
        *unlogged = Some(Unlogged::from_now());
    }
}
