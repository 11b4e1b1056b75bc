//! The cached address at which the page exchanges the code of a sign-in for tokens (the token endpoint). The provider
//! may have it at another origin than the issuer, and the Content-Security-Policy of the page has to name that origin.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use reqwest::Url;
use tokio::sync::Mutex;

use super::issuer::Issuer;

/// Age at which the cached address is read again.
const OLD: Duration = Duration::from_secs(3600);

/// The address in the issuer's description, if there is one, and the time at which the description was read.
#[derive(Debug, Clone)]
struct KnownAddress {
    endpoint: Option<Url>,
    at: Instant,
}

/// The cached token endpoint of an issuer. While the issuer cannot be reached, the cached address stays in use.
#[derive(Debug)]
pub(super) struct Exchange {
    issuer: Issuer,
    /// Shortest pause between two attempts to read the address.
    pause: Duration,
    cached: RwLock<Option<KnownAddress>>,
    /// The time of the last attempt to read the address. The task that reads the address holds the lock; tasks without
    /// an address wait for the lock.
    last: Mutex<Option<Instant>>,
}

impl Exchange {
    /// Makes an empty cache. The first call of [`Exchange::endpoint`] reads the address.
    pub(super) fn of(issuer: Issuer, pause: Duration) -> Self {
        Self { issuer, pause, cached: RwLock::default(), last: Mutex::default() }
    }

    /// Returns the address; `None` if the issuer has none, or could not be reached so far.
    pub(super) async fn endpoint(self: &Arc<Self>) -> Option<Url> {
        let cached = self.cached_address();
        if cached.as_ref().is_none_or(|cached| cached.at.elapsed() > OLD) {
            let exchange = Arc::clone(self);
            // A task of its own reads the address, so that it does not stop when the client gives up its request.
            let reading = tokio::spawn(async move { exchange.read().await });
            if cached.is_none() {
                let _ = reading.await;
                return self.cached_address()?.endpoint;
            }
        }
        cached?.endpoint
    }

    fn cached_address(&self) -> Option<KnownAddress> {
        self.cached.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the address into the cache, unless it was just read, or the last attempt is more recent than the shortest
    /// pause.
    async fn read(&self) {
        let mut last = self.last.lock().await;
        let is_fresh = self.cached_address().is_some_and(|cached| cached.at.elapsed() <= OLD);
        if is_fresh || last.is_some_and(|at| at.elapsed() < self.pause) {
            return;
        }
        let read = self.issuer.token_endpoint().await;
        let at = Instant::now();
        *last = Some(at);
        match read {
            Ok(endpoint) => {
                *self.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(KnownAddress { endpoint, at });
            }
            Err(reason) => {
                tracing::warn!(reason, "identity provider configuration not read, address for sign-in unchanged")
            }
        }
    }
}
