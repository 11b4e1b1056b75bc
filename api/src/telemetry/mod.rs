//! What the operator is told of a request: its id in the log, and its trace.
//!
//! Whoever works for a request finds it here, however deep it is called: it travels with the task.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;

pub use refusals::{refused, tell_refusals};
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

    /// A stream works for the request as long as it lasts.
    pub fn follow(&self, body: BoxBody) -> BoxBody {
        match body.size() {
            BodySize::Stream => BoxBody::new(Following { current: self.clone(), body }),
            _ => body,
        }
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

struct Following {
    current: Current,
    body: BoxBody,
}

impl MessageBody for Following {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Self { current, body } = self.get_mut();
        CURRENT.sync_scope(current.clone(), || Pin::new(body).poll_next(context))
    }
}
