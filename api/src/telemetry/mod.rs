//! Request ids for the log, traces, and the log of store failures.
//!
//! The current request is a task-local value: every function that runs in its task can read the request's id and span.

use std::sync::Arc;

pub use span::OpenSpan;
pub(crate) use span::SpanKind;
pub(crate) use store_failures::{log_repeated_failures, store_unavailable};
pub use tracer::{Tracer, Tracing};

mod otlp;
mod span;
mod store_failures;
mod traceparent;
mod tracer;

tokio::task_local! {
    static CURRENT: Current;
}

/// The request that the current task works for: its id, and its span if it is traced.
#[derive(Debug, Clone)]
pub struct Current(Arc<Request>);

#[derive(Debug)]
struct Request {
    id: String,
    /// The span of the request; `None` if the request is not traced.
    span: Option<OpenSpan>,
}

impl Current {
    /// Describes a request by its id, and by its span if it is traced.
    pub fn new(id: String, span: Option<OpenSpan>) -> Self {
        Self(Arc::new(Request { id, span }))
    }

    /// Returns the id of the request.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Runs a future as work for this request: [`current`] returns this request while the future runs.
    pub fn within<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        CURRENT.scope(self, work)
    }

    /// Runs one poll of a future or a stream as work for this request: [`current`] returns this request meanwhile.
    pub(crate) fn within_poll<T>(&self, poll: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self.clone(), poll)
    }

    /// Returns the span of the request; `None` if it is not traced.
    pub fn span(&self) -> Option<&OpenSpan> {
        self.0.span.as_ref()
    }
}

/// Runs a future as work for the request `current`. A new task needs this to go on with the work of the task that
/// started it.
pub(crate) async fn still_within<T>(current: Option<Current>, work: impl Future<Output = T>) -> T {
    match current {
        Some(current) => current.within(work).await,
        None => work.await,
    }
}

/// Returns the request that the current task works for; `None` if it works for no request.
pub fn current() -> Option<Current> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Returns the id of the request that the current task works for; `None` if it works for no request.
pub fn request_id() -> Option<String> {
    CURRENT.try_with(|current| current.0.id.clone()).ok()
}

/// Begins a span inside the span of the current request; `None` if there is no request, or it is not traced.
pub(crate) fn begin_child(name: &'static str, kind: SpanKind) -> Option<OpenSpan> {
    CURRENT.try_with(|current| current.span().map(|span| span.begin_child(name, kind))).ok().flatten()
}
