//! While the store is away every request fails for the same reason: the log says so at once, and then now and then.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often it is said.
const PAUSE: Duration = Duration::from_secs(5);

/// What was not said yet.
struct Unsaid {
    since: Instant,
    count: u64,
    cause: String,
}

static UNSAID: Mutex<Option<Unsaid>> = Mutex::new(None);

/// The store could not do what a request needed. The first time is logged; what follows is counted for a while.
pub fn store_unavailable(cause: &str, request_id: &str) {
    let mut held = UNSAID.lock().unwrap_or_else(PoisonError::into_inner);
    match held.as_mut() {
        Some(unsaid) => {
            unsaid.count += 1;
            cause.clone_into(&mut unsaid.cause);
        }
        None => {
            tracing::error!(cause, request_id, "the store is not available");
            *held = Some(Unsaid { since: Instant::now(), count: 0, cause: String::new() });
        }
    }
}

/// Logs what was counted, when it is time; to be called about twice a second.
pub fn tell_refusals() {
    let mut held = UNSAID.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(unsaid) = held.take_if(|unsaid| unsaid.since.elapsed() >= PAUSE)
        && unsaid.count > 0
    {
        let Unsaid { count, cause, .. } = unsaid;
        tracing::error!(count, cause, "the store was not available, again and again");
        // The next one is no news.
        *held = Some(Unsaid { since: Instant::now(), count: 0, cause: String::new() });
    }
}
