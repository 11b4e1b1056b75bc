//! Buckets, the counters of quotas, by the generic cell rate algorithm.
//!
//! A bucket is filled with time. Every request adds one share (window / requests) to its bucket, and the bucket empties
//! as time passes. A request that would fill the bucket beyond its window is refused. No library for rate limits is
//! used, because a bucket also takes requests that other processes have accepted, even beyond the window.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// Largest number of buckets. When it is reached, all keys without a bucket share the bucket of the default key.
const MAX_BUCKETS: usize = 100_000;

/// A limit of requests in a window of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quota {
    /// Largest number of requests in one window. All of them may come at once.
    pub most: u32,
    pub window: Duration,
}

impl Quota {
    /// Returns the share of one request: the time that it adds to a bucket, in microseconds.
    pub(crate) fn share(self) -> u64 {
        (micros(self.window) / u64::from(self.most.max(1))).max(1)
    }
}

/// The state of a bucket, as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Level {
    /// Number of requests that the bucket would accept now.
    pub remaining: u32,
    /// Time until the bucket is empty.
    pub reset: Duration,
}

/// The error of a full bucket: the request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BucketFull {
    /// Time until the bucket would accept the refused request, or all the refused requests that are counted together.
    pub wait: Duration,
    pub level: Level,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    /// The moment at which the bucket is empty, if no further request fills it.
    empty_at: u64,
    /// Requests of this process that are not yet reported to the store.
    unreported: Spending,
}

/// A sum of requests that filled a bucket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spending {
    /// The sum of the shares of these requests, in microseconds.
    pub time: u64,
    /// The moment of the first of these requests, in microseconds since the process started.
    pub since: u64,
}

impl Spending {
    fn and(self, other: Self) -> Self {
        match (self.time, other.time) {
            (0, _) => other,
            (_, 0) => self,
            (one, two) => Self { time: one + two, since: self.since.min(other.since) },
        }
    }
}

/// The buckets of this process. All times are microseconds since the process started.
#[derive(Debug)]
pub(super) struct Buckets<K>(HashMap<K, Bucket>);

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Copy + Eq + Hash + Default> Buckets<K> {
    /// Counts `number` requests in a bucket, and returns the level of the bucket after them.
    ///
    /// # Errors
    /// The bucket cannot take all of these requests. Then none of them is counted.
    pub(super) fn spend(&mut self, key: K, quota: Quota, number: usize, now: u64) -> Result<Level, BucketFull> {
        let bucket = self.0.entry(self.shared(key)).or_default();
        let (full, filled) = (micros(quota.window), bucket.empty_at.saturating_sub(now));
        let share = quota.share().saturating_mul(number as u64);
        let after = filled.saturating_add(share);
        if after > full {
            return Err(BucketFull { wait: Duration::from_micros(after - full), level: level(filled, quota) });
        }
        bucket.empty_at = now + after;
        bucket.unreported = bucket.unreported.and(Spending { time: share, since: now });
        Ok(level(after, quota))
    }

    /// Returns the key of the bucket that counts the requests of a key: its own, or the default key if there is no room
    /// for a further bucket.
    fn shared(&self, key: K) -> K {
        if self.0.len() < MAX_BUCKETS || self.0.contains_key(&key) { key } else { K::default() }
    }

    /// Returns the level of a bucket without counting a request.
    pub(super) fn level(&self, key: K, quota: Quota, now: u64) -> Level {
        level(self.0.get(&self.shared(key)).map_or(0, |bucket| bucket.empty_at.saturating_sub(now)), quota)
    }

    /// Returns the requests that are not yet reported to the store, by bucket, and marks them as reported. Drops empty
    /// buckets.
    pub(super) fn take_unreported(&mut self, now: u64) -> Vec<(K, Spending)> {
        self.0.retain(|_, bucket| bucket.empty_at > now || bucket.unreported.time > 0);
        let unreported = self.0.iter_mut().filter(|(_, bucket)| bucket.unreported.time > 0);
        unreported.map(|(key, bucket)| (*key, std::mem::take(&mut bucket.unreported))).collect()
    }

    /// Sets a bucket to the level that the store computed from the requests of all processes.
    ///
    /// Requests that this process has counted since its last report are added to this level. If there is no room for
    /// the bucket, nothing changes: the level of one key must not fill the bucket that other keys share.
    pub(super) fn set_shared_level(&mut self, key: K, filled: Duration, now: u64) {
        if self.shared(key) != key {
            return;
        }
        let bucket = self.0.entry(key).or_default();
        bucket.empty_at = now + micros(filled) + bucket.unreported.time;
    }

    /// Puts back requests whose report to the store failed, so that the next report contains them.
    pub(super) fn put_back(&mut self, key: K, spending: Spending) {
        let bucket = self.0.entry(self.shared(key)).or_default();
        bucket.unreported = bucket.unreported.and(spending);
    }
}

fn level(filled: u64, quota: Quota) -> Level {
    let free = micros(quota.window).saturating_sub(filled) / quota.share();
    let remaining = u32::try_from(free).unwrap_or(u32::MAX).min(quota.most);
    Level { remaining, reset: Duration::from_micros(filled) }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTA: Quota = Quota { most: 3, window: Duration::from_secs(3) };
    const SECOND: u64 = 1_000_000;

    #[test]
    fn a_full_bucket_accepts_requests_at_the_rate_at_which_it_empties() {
        let mut buckets = Buckets::<u8>::default();
        let left = [5, 5, 5].map(|key| buckets.spend(key, QUOTA, 1, 0).unwrap().remaining);
        assert_eq!(left, [2, 1, 0]);
        assert_eq!(buckets.spend(5, QUOTA, 1, 0).unwrap_err().wait, Duration::from_secs(1));
        assert_eq!(buckets.spend(5, QUOTA, 1, SECOND / 2).unwrap_err().wait, Duration::from_millis(500));
        assert_eq!(buckets.spend(5, QUOTA, 1, SECOND).unwrap().remaining, 0);
        assert_eq!(buckets.spend(6, QUOTA, 1, SECOND).unwrap().remaining, 2, "another key has a bucket of its own");
        let level = buckets.level(5, QUOTA, 2 * SECOND);
        assert_eq!((level.remaining, level.reset), (1, Duration::from_secs(2)));
        assert_eq!(buckets.take_unreported(2 * SECOND).len(), 2);
        buckets.take_unreported(9 * SECOND);
        assert!(buckets.0.is_empty(), "empty buckets are dropped");
    }

    #[test]
    fn many_requests_are_counted_together_or_not_at_all() {
        let mut buckets = Buckets::<u8>::default();
        assert_eq!(buckets.spend(5, QUOTA, 2, 0).unwrap().remaining, 1);
        assert_eq!(buckets.spend(5, QUOTA, 2, 0).unwrap_err().wait, Duration::from_secs(1));
        assert_eq!(buckets.spend(5, QUOTA, 1, 0).unwrap().remaining, 0);
        assert!(buckets.spend(6, QUOTA, usize::MAX, 0).is_err());
    }

    #[test]
    fn without_room_for_a_bucket_keys_share_one() {
        let mut buckets = Buckets::<u32>::default();
        for key in 1..=MAX_BUCKETS as u32 {
            buckets.spend(key, QUOTA, 1, 0).unwrap();
        }
        let [one, other] = [1, 2].map(|more| MAX_BUCKETS as u32 + more);
        assert_eq!(buckets.spend(one, QUOTA, 2, 0).unwrap().remaining, 1);
        assert_eq!(buckets.level(other, QUOTA, 0).remaining, 1, "the level of the bucket that would count a request");
        buckets.set_shared_level(other, Duration::from_secs(9), 0);
        buckets.put_back(other, Spending { time: SECOND, since: 0 });
        assert_eq!(buckets.0.len(), MAX_BUCKETS + 1, "only the shared bucket is new");
        assert_eq!(buckets.level(one, QUOTA, 0).remaining, 1, "nobody pays for the requests of another client");
        assert_eq!(buckets.spend(1, QUOTA, 1, 0).unwrap().remaining, 1, "known keys have buckets of their own");
        assert_eq!(buckets.take_unreported(0).len(), MAX_BUCKETS + 1);
    }

    #[test]
    fn requests_of_other_processes_count_and_none_is_reported_twice() {
        let mut buckets = Buckets::<u8>::default();
        buckets.spend(5, QUOTA, 1, 0).unwrap();
        assert_eq!(buckets.take_unreported(0), [(5, Spending { time: SECOND, since: 0 })]);
        buckets.spend(5, QUOTA, 1, 0).unwrap();
        // Other processes counted three requests. With the request of this process, the bucket is filled beyond its
        // window.
        buckets.set_shared_level(5, Duration::from_secs(4), 0);
        assert_eq!(buckets.spend(5, QUOTA, 1, 0).unwrap_err().wait, Duration::from_secs(3));
        let reported = buckets.take_unreported(0);
        assert_eq!(reported.len(), 1);
        buckets.spend(5, QUOTA, 1, 3 * SECOND).unwrap();
        buckets.put_back(5, reported[0].1);
        assert_eq!(buckets.take_unreported(3 * SECOND), [(5, Spending { time: 2 * SECOND, since: 0 })]);
    }
}
