//! Waiting for a condition with a deadline, instead of for a fixed time.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest wait of [`until`]: some conditions are a failover, or a lease that runs out.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// Pause between two tests of the condition.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits until a condition holds.
///
/// # Panics
/// The condition does not hold within [`PATIENCE`].
pub fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// Waits until a condition holds, no longer than `limit`.
///
/// # Panics
/// The condition does not hold within `limit`.
pub fn until_within(limit: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    until_some(limit, what, || holds().then_some(()));
}

/// Waits until there is a value, no longer than `limit`.
///
/// # Panics
/// There is no value within `limit`.
pub fn until_some<T>(limit: Duration, what: &str, find: impl FnMut() -> Option<T>) -> T {
    find_within(limit, find).unwrap_or_else(|| panic!("{what}: not within {limit:?}"))
}

/// Waits until there is a value, no longer than `limit`. `None`: there is no value within `limit`.
pub fn find_within<T>(limit: Duration, mut find: impl FnMut() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        let found = find();
        if found.is_some() || began.elapsed() > limit {
            return found;
        }
        sleep(PAUSE);
    }
}
