//! Buckets that run dry with time: each request pours its share in, and none is let in where it would run over.
//!
//! This is the generic cell rate algorithm; a bucket is one number. It is no library's, because what clients ask of other
//! processes is poured in as well, over the brim if need be.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// Most buckets kept; whoever comes then shares one.
const MOST: usize = 100_000;

/// How much may be asked for in how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// So many at once, and on average.
    pub most: u32,
    /// In so long.
    pub window: Duration,
}

impl Quota {
    /// The share of one request, in microseconds.
    pub fn share(self) -> u64 {
        (micros(self.window) / u64::from(self.most.max(1))).max(1)
    }
}

/// How full a bucket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Requests that it takes now.
    pub remaining: u32,
    /// When it is dry again.
    pub reset: Duration,
}

/// The request does not go in; it would after so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full {
    /// When one goes in.
    pub wait: Duration,
    /// As it is.
    pub level: Level,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    /// When it is dry, in microseconds.
    dry_at: u64,
    /// What others have not been told yet.
    untold: Poured,
}

/// What was poured into a bucket, in microseconds, and since when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Poured {
    /// So much.
    pub time: u64,
    /// From then on.
    pub since: u64,
}

impl Poured {
    fn and(self, other: Self) -> Self {
        match (self.time, other.time) {
            (0, _) => other,
            (_, 0) => self,
            (one, two) => Self { time: one + two, since: self.since.min(other.since) },
        }
    }
}

/// The buckets of this process. Moments are microseconds since it started.
#[derive(Debug)]
pub struct Buckets<K>(HashMap<K, Bucket>);

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Copy + Eq + Hash + Default> Buckets<K> {
    /// Pours a request in.
    ///
    /// # Errors
    /// The bucket is full.
    pub fn pour(&mut self, key: K, quota: Quota, now: u64) -> Result<Level, Full> {
        let is_crowded = self.0.len() >= MOST && !self.0.contains_key(&key);
        let bucket = self.0.entry(if is_crowded { K::default() } else { key }).or_default();
        let (full, held) = (micros(quota.window), bucket.dry_at.saturating_sub(now));
        let after = held + quota.share();
        if after > full {
            return Err(Full { wait: Duration::from_micros(after - full), level: level(held, quota) });
        }
        bucket.dry_at = now + after;
        bucket.untold = bucket.untold.and(Poured { time: quota.share(), since: now });
        Ok(level(after, quota))
    }

    /// How full a bucket is.
    pub fn level(&self, key: K, quota: Quota, now: u64) -> Level {
        level(self.0.get(&key).map_or(0, |bucket| bucket.dry_at.saturating_sub(now)), quota)
    }

    /// What others have not been told, which counts as told from now on; dry buckets are forgotten.
    pub fn news(&mut self, now: u64) -> Vec<(K, Poured)> {
        self.0.retain(|_, bucket| bucket.dry_at > now || bucket.untold.time > 0);
        let untold = self.0.iter_mut().filter(|(_, bucket)| bucket.untold.time > 0);
        untold.map(|(key, bucket)| (*key, std::mem::take(&mut bucket.untold))).collect()
    }

    /// How full a bucket is by what all processes have told.
    pub fn learn(&mut self, key: K, held: Duration, now: u64) {
        let bucket = self.0.entry(key).or_default();
        bucket.dry_at = now + micros(held) + bucket.untold.time;
    }

    /// What was to be told was not.
    pub fn untell(&mut self, key: K, poured: Poured) {
        let bucket = self.0.entry(key).or_default();
        bucket.untold = bucket.untold.and(poured);
    }
}

fn level(held: u64, quota: Quota) -> Level {
    let free = micros(quota.window).saturating_sub(held) / quota.share();
    let remaining = u32::try_from(free).unwrap_or(u32::MAX).min(quota.most);
    Level { remaining, reset: Duration::from_micros(held) }
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
    fn a_bucket_takes_its_fill_and_then_as_much_as_runs_out() {
        let mut buckets = Buckets::<u8>::default();
        let left = [5, 5, 5].map(|key| buckets.pour(key, QUOTA, 0).unwrap().remaining);
        assert_eq!(left, [2, 1, 0]);
        assert_eq!(buckets.pour(5, QUOTA, 0).unwrap_err().wait, Duration::from_secs(1));
        assert_eq!(buckets.pour(5, QUOTA, SECOND / 2).unwrap_err().wait, Duration::from_millis(500));
        assert_eq!(buckets.pour(5, QUOTA, SECOND).unwrap().remaining, 0);
        assert_eq!(buckets.pour(6, QUOTA, SECOND).unwrap().remaining, 2, "another one");
        let level = buckets.level(5, QUOTA, 2 * SECOND);
        assert_eq!((level.remaining, level.reset), (1, Duration::from_secs(2)));
        assert_eq!(buckets.news(2 * SECOND).len(), 2);
        buckets.news(9 * SECOND);
        assert!(buckets.0.is_empty(), "dry ones are forgotten");
    }

    #[test]
    fn what_others_pour_in_counts_and_nothing_is_told_twice() {
        let mut buckets = Buckets::<u8>::default();
        buckets.pour(5, QUOTA, 0).unwrap();
        assert_eq!(buckets.news(0), [(5, Poured { time: SECOND, since: 0 })]);
        buckets.pour(5, QUOTA, 0).unwrap();
        // The others had poured three, and ours makes four: over the brim.
        buckets.learn(5, Duration::from_secs(4), 0);
        assert_eq!(buckets.pour(5, QUOTA, 0).unwrap_err().wait, Duration::from_secs(3));
        let news = buckets.news(0);
        assert_eq!(news.len(), 1);
        buckets.pour(5, QUOTA, 3 * SECOND).unwrap();
        buckets.untell(5, news[0].1);
        assert_eq!(buckets.news(3 * SECOND), [(5, Poured { time: 2 * SECOND, since: 0 })]);
    }
}
