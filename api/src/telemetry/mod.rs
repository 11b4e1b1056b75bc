//! What the operator is told of a request: its id in the log, and its trace.
//!
//! Whoever works for a request finds it here, however deep it is called: it travels with the task.

use std::sync::Arc;

pub use refusals::{store_unavailable, tell_refusals};
pub use span::{Kind, Span};
pub use tracer::{Tracer, Tracing};

mod otlp;
mod refusals;
mod span;
mod traceparent;
mod tracer;

tokio::task_local! {
    static CURRENT: Current;
}

/// The request that is worked for.
#[derive(Debug, Clone)]
pub struct Current(Arc<Request>);

#[derive(Debug)]
struct Request {
    id: String,
    /// Where it is traced.
    span: Option<Span>,
}

impl Current {
    /// A request by its id, and its span where it is traced.
    pub fn new(id: &str, span: Option<Span>) -> Self {
        Self(Arc::new(Request { id: id.to_owned(), span }))
    }

    /// Works for the request.
    pub async fn within<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    /// Works for the request, within a poll.
    pub fn within_poll<T>(&self, poll: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self.clone(), poll)
    }

    /// Its span.
    pub fn span(&self) -> Option<&Span> {
        self.0.span.as_ref()
    }
}

/// Works on, in another task, for the request that is worked for here.
pub async fn still_within<T>(current: Option<Current>, work: impl Future<Output = T>) -> T {
    match current {
        Some(current) => current.within(work).await,
        None => work.await,
    }
}

/// The request that is worked for.
pub fn current() -> Option<Current> {
    CURRENT.try_with(Clone::clone).ok()
}

/// The id of the request that is worked for, for the log.
pub fn request_id() -> Option<String> {
    CURRENT.try_with(|current| current.0.id.clone()).ok()
}

/// A part of the work for a traced request begins.
pub fn part(name: &'static str, kind: Kind) -> Option<Span> {
    CURRENT.try_with(|current| current.span().map(|span| span.part(name, kind))).ok().flatten()
}
