//! Counts the requests of one thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use foldhash::fast::RandomState;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;

use super::{METHODS, Metrics};

/// The path of requests that match no route.
const NO_ROUTE: &str = "none";

/// Counts the requests of one thread. It holds the metrics of each operation that the thread has answered, because
/// looking them up in the tables that all threads share takes longer than counting.
pub(crate) struct RequestCounts {
    metrics: Arc<Metrics>,
    /// The metrics of answered requests, by path of the operation. There are as many paths as routes.
    by_path: RefCell<HashMap<String, Vec<Answered>, RandomState>>,
}

/// The metrics of requests with one path, method and status.
struct Answered {
    method: &'static str,
    status: u16,
    time: Histogram,
    count: Counter,
}

impl RequestCounts {
    /// Makes the counts of a thread.
    pub(crate) fn new(metrics: Arc<Metrics>) -> Self {
        Self { metrics, by_path: RefCell::default() }
    }

    /// Counts a request and its duration. `path` is the route of the operation; `None` if no route matches the request.
    pub(crate) fn count(&self, method: &str, path: Option<&str>, status: u16, took: Duration) {
        let method = METHODS.into_iter().find(|counted| *counted == method).unwrap_or("other");
        let path = path.unwrap_or(NO_ROUTE);
        let is_it = |answered: &&Answered| answered.status == status && answered.method == method;
        let mut by_path = self.by_path.borrow_mut();
        if let Some(answered) = by_path.get(path).and_then(|all| all.iter().find(is_it)) {
            answered.time.observe(took.as_secs_f64());
            answered.count.inc();
            return;
        }
        let (time, count) = self.metrics.request(method, path, status);
        time.observe(took.as_secs_f64());
        count.inc();
        by_path.entry(path.to_owned()).or_default().push(Answered { method, status, time, count });
    }
}
