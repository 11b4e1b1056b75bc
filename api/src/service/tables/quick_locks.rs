//! The turns of callers for quick play at one process.

use tokio::sync::{Mutex, MutexGuard};

/// The locks by which callers at one process take turns. Callers for different classes seldom wait for each other.
#[derive(Debug, Default)]
pub(in crate::service) struct QuickLocks([Mutex<()>; 32]);

impl QuickLocks {
    /// Waits until it is the turn of a caller for this class. The turn ends when the returned value is dropped.
    pub(super) async fn turn(&self, class: &str) -> MutexGuard<'_, ()> {
        let number = class.bytes().fold(0_usize, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
        self.0[number % self.0.len()].lock().await
    }
}
