//! Waits for a condition with a deadline, instead of for a fixed time.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest wait of [`until`]. It leaves time for a failover of Redis, or for a lease that runs out.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// Pause between two checks of the condition.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits until a condition holds.
///
/// # Panics
/// The condition does not hold within [`PATIENCE`].
pub fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(PATIENCE, what, holds);
}

/// Waits until a condition holds, but not longer than `limit`.
///
/// # Panics
/// The condition does not hold within `limit`.
pub fn until_within(limit: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    until_some(limit, what, || holds().then_some(()));
}

/// Waits until `find` returns a value, but not longer than `limit`.
///
/// # Panics
/// There is no value within `limit`.
pub fn until_some<T>(limit: Duration, what: &str, find: impl FnMut() -> Option<T>) -> T {
    find_within(limit, find).unwrap_or_else(|| panic!("{what}: not within {limit:?}"))
}

/// Waits until `find` returns a value, but not longer than `limit`. Returns `None` if there is no value by then.
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
