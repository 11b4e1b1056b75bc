//! Work on several threads: each thread takes parts of the work by their numbers, until none is left or the work is
//! stopped. Meanwhile the caller reports progress, or writes the results.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Interval between two reports of progress.
const TICK: Duration = Duration::from_millis(200);

/// The parts of the work that no thread has taken yet, as consecutive numbers.
#[derive(Debug)]
pub struct Pending {
    numbers: Range<u64>,
    next: AtomicU64,
    is_stopped: AtomicBool,
}

impl Pending {
    /// None of the parts with these numbers is taken yet.
    pub fn new(numbers: Range<u64>) -> Self {
        Self { next: AtomicU64::new(numbers.start), numbers, is_stopped: AtomicBool::new(false) }
    }

    /// Takes the next part; `None` if all are taken or the work is stopped.
    pub fn take(&self) -> Option<u64> {
        self.take_batch(1).map(|batch| batch.start)
    }

    /// Takes the next `size` parts, or as many as are left; `None` if all are taken or the work is stopped.
    pub(crate) fn take_batch(&self, size: u64) -> Option<Range<u64>> {
        if self.is_stopped() {
            return None;
        }
        let first = self.next.fetch_add(size, Relaxed);
        (first < self.numbers.end).then(|| first..self.numbers.end.min(first.saturating_add(size)))
    }

    /// Ends the work: no thread gets another part.
    pub fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
    }

    /// Whether the work was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Begins the work again at its first part.
    pub fn restart(&self) {
        self.next.store(self.numbers.start, Relaxed);
    }
}

/// Runs `work` once on each of this number of threads; 0 counts as 1. A single thread is the caller's own. Returns the
/// result of each thread.
///
/// # Panics
/// The work panics.
pub fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    match threads {
        0 | 1 => vec![work()],
        threads => on_threads_beside((0..threads).collect(), |_| work(), || ()).0,
    }
}

/// Runs `work` once on each of this number of threads; 0 counts as 1. Calls `tick` from time to time, and at the end.
/// Returns the result of each thread.
///
/// # Panics
/// The work panics.
pub(crate) fn on_threads_with_ticks<T: Send>(
    threads: usize,
    work: impl Fn() -> T + Sync,
    tick: &mut dyn FnMut(),
) -> Vec<T> {
    // A thread drops its sender when it ends. When all senders are dropped, receiving fails.
    let (sender, ended) = mpsc::channel::<()>();
    let senders = vec![sender; threads.max(1)];
    let work = |sender| {
        let result = work();
        drop(sender);
        result
    };
    let meanwhile = || {
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            tick();
        }
        tick();
    };
    on_threads_beside(senders, work, meanwhile).0
}

/// Runs `work` with each of the values, on one thread for each value, and meanwhile `beside` on the caller's thread.
/// Returns the results of `work` in the order of the values, and the result of `beside`.
///
/// # Panics
/// The work panics.
pub(crate) fn on_threads_beside<V: Send, T: Send, B>(
    values: Vec<V>,
    work: impl Fn(V) -> T + Sync,
    beside: impl FnOnce() -> B,
) -> (Vec<T>, B) {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = values.into_iter().map(|value| scope.spawn(move || work(value))).collect();
        let beside = beside();
        let results = threads.into_iter().map(|thread| thread.join().expect("no thread panics while it works"));
        (results.collect(), beside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(batches: Vec<Vec<u64>>) -> Vec<u64> {
        let mut all = batches.concat();
        all.sort_unstable();
        all
    }

    #[test]
    fn every_part_is_taken_once_by_one_thread_or_several() {
        for threads in [0, 1, 3] {
            let (one_by_one, in_batches) = (Pending::new(5..205), Pending::new(5..205));
            let taken = on_threads(threads, || std::iter::from_fn(|| one_by_one.take()).collect());
            assert_eq!(sorted(taken), (5..205).collect::<Vec<_>>());
            let mut ticks = 0;
            let work = || std::iter::from_fn(|| in_batches.take_batch(7)).flatten().collect();
            let taken = on_threads_with_ticks(threads, work, &mut || ticks += 1);
            assert_eq!(sorted(taken), (5..205).collect::<Vec<_>>());
            assert!(ticks > 0, "the end is reported, too");
        }
    }

    #[test]
    fn a_stopped_job_ends_and_a_restarted_one_begins_again() {
        let pending = Pending::new(0..10);
        assert_eq!((pending.take(), pending.take_batch(4), pending.take()), (Some(0), Some(1..5), Some(5)));
        pending.restart();
        assert_eq!(pending.take_batch(20), Some(0..10));
        pending.restart();
        pending.stop();
        assert_eq!((pending.take(), pending.is_stopped()), (None, true));
    }
}
