//! The cached public keys of the issuer, and when they are read again.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jsonwebtoken::{Algorithm, DecodingKey};
use tokio::sync::Mutex;

use super::issuer::{Issuer, IssuerKey};
use crate::error::{Code, Problem};

/// Age at which cached keys are read again, so that a key that the issuer has withdrawn is soon refused.
pub(super) const OLD: Duration = Duration::from_secs(600);

/// An attempt to read the keys.
#[derive(Debug, Clone, Copy)]
struct KeysReading {
    at: Instant,
    has_failed: bool,
}

/// The cached keys of an issuer. While the issuer cannot be reached, they stay in use.
#[derive(Debug)]
pub(super) struct IssuerKeys {
    issuer: Issuer,
    /// Shortest pause between two attempts to read the keys.
    pause: Duration,
    /// The cached keys, and when they were read; `None` before the first successful attempt.
    cached: RwLock<Option<(Arc<[IssuerKey]>, Instant)>>,
    /// The last attempt. The task that reads the keys holds the lock. A task without a usable key waits for the lock.
    last: Mutex<Option<KeysReading>>,
}

impl IssuerKeys {
    /// Makes an empty cache. The first call of [`IssuerKeys::find`] reads the keys.
    pub(super) fn of(issuer: Issuer, pause: Duration) -> Self {
        Self { issuer, pause, cached: RwLock::default(), last: Mutex::default() }
    }

    /// Returns the key with which a token was signed, by its header.
    ///
    /// # Errors
    /// 401 if the issuer has no such key; 503 if its keys cannot be read.
    pub(super) async fn find(self: &Arc<Self>, id: Option<&str>, algorithm: Algorithm) -> Result<DecodingKey, Problem> {
        let (found, is_old) = self.cached_key(id, algorithm);
        if let (Some(key), false) = (&found, is_old) {
            return Ok(key.clone());
        }
        if found.is_some() {
            // Only one task reads the keys again; meanwhile the other tasks use the old key. If the issuer does not
            // answer, the old key stays in use.
            let Ok(mut last) = self.last.try_lock() else { return found.ok_or_else(unknown) };
            if last.is_some_and(|last| last.has_failed) {
                // The issuer may still be down, so the request does not wait for its answer.
                drop(last);
                self.read_in_background();
                return found.ok_or_else(unknown);
            }
            if self.read(&mut last).await.is_none_or(|reading| reading.has_failed) {
                return found.ok_or_else(unknown);
            }
            return self.cached_key(id, algorithm).0.ok_or_else(unknown);
        }
        let mut last = self.last.lock().await;
        if let (Some(key), _) = self.cached_key(id, algorithm) {
            return Ok(key);
        }
        let reading = self.read(&mut last).await.or(*last);
        match self.cached_key(id, algorithm).0 {
            Some(key) => Ok(key),
            None if reading.is_some_and(|reading| reading.has_failed) => {
                Err(Problem::new(Code::IssuerUnreachable, "the keys of the issuer cannot be read at this moment"))
            }
            None => Err(unknown()),
        }
    }

    /// Returns the cached key of a token, and whether the cached keys have to be read again.
    fn cached_key(&self, id: Option<&str>, algorithm: Algorithm) -> (Option<DecodingKey>, bool) {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        let Some((keys, read_at)) = cached.as_ref() else { return (None, true) };
        let mut fitting = keys.iter().filter(|key| key.algorithms.contains(&algorithm));
        let found = match id {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)),
            // A token may leave the id out if the issuer has one key for its algorithm.
            None => fitting.next().filter(|_| fitting.next().is_none()),
        };
        (found.map(|found| found.key.clone()), read_at.elapsed() > OLD)
    }

    /// Reads the keys in a task of its own, unless another task reads them.
    fn read_in_background(self: &Arc<Self>) {
        let keys = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(mut last) = keys.last.try_lock() {
                keys.read(&mut last).await;
            }
        });
    }

    /// Reads the keys of the issuer into the cache. Returns `None`, and reads nothing, if the last attempt is more
    /// recent than the shortest pause.
    async fn read(&self, last: &mut Option<KeysReading>) -> Option<KeysReading> {
        if last.is_some_and(|last| last.at.elapsed() < self.pause) {
            return None;
        }
        let read = self.issuer.keys().await;
        let reading = KeysReading { at: Instant::now(), has_failed: read.is_err() };
        *last = Some(reading);
        match read {
            Ok(keys) => {
                tracing::debug!(keys = keys.len(), "identity provider keys read");
                *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some((keys.into(), reading.at));
            }
            Err(reason) => tracing::warn!(reason, "identity provider keys not read, earlier keys stay in use"),
        }
        Some(reading)
    }
}

fn unknown() -> Problem {
    Problem::new(Code::TokenKeyUnknown, "the issuer has no key with the id and algorithm that the token names")
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use serde_json::json;

    use super::*;
    use crate::identity::issuer::read_key;

    #[tokio::test]
    async fn no_request_waits_for_an_issuer_that_is_down() {
        // The issuer accepts connections and never answers.
        let issuer = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", issuer.local_addr().unwrap());
        let keys = Arc::new(IssuerKeys::of(Issuer::at(&url), Duration::from_secs(30)));
        let key =
            json!({"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        // `Instant` has no such early time on a machine that was started a moment ago.
        let Some(read_at) = Instant::now().checked_sub(2 * OLD) else { return };
        *keys.cached.write().unwrap() = Some(([read_key(key).unwrap()].into(), read_at));
        *keys.last.lock().await = Some(KeysReading { at: read_at, has_failed: true });
        let began = Instant::now();
        for _ in 0..3 {
            assert!(keys.find(Some("one"), Algorithm::EdDSA).await.is_ok());
        }
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        tokio::task::yield_now().await;
        assert!(keys.last.try_lock().is_err(), "a task reads the keys meanwhile");
    }
}
