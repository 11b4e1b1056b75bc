//! Spans: parts of the work for a request, each with its begin and end.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc::Sender;

/// The kind of a span, with its number in OTLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// The service answers a request.
    Server = 2,
    /// The service calls another system, such as the store.
    Client = 3,
}

/// The value of a span's attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeValue {
    Text(String),
    Number(u64),
}

/// A span that has ended, ready to be sent.
#[derive(Debug, Clone)]
pub struct FinishedSpan {
    pub trace: [u8; 16],
    pub id: [u8; 8],
    pub parent: Option<[u8; 8]>,
    pub name: String,
    pub kind: SpanKind,
    /// The time at which the span began, in nanoseconds since 1970.
    pub began: u64,
    /// The time at which the span ended, in nanoseconds since 1970.
    pub ended: u64,
    pub attributes: Vec<(&'static str, AttributeValue)>,
    pub is_error: bool,
}

/// A span that has begun and not ended.
#[derive(Debug, Clone)]
pub struct OpenSpan {
    trace: [u8; 16],
    id: [u8; 8],
    parent: Option<[u8; 8]>,
    name: &'static str,
    kind: SpanKind,
    began: (u64, Instant),
    queue: Arc<SpanQueue>,
}

/// The queue of ended spans. The tracer sends them to the collector; spans that do not fit into the queue are lost.
#[derive(Debug)]
pub struct SpanQueue {
    pub sender: Sender<FinishedSpan>,
}

impl OpenSpan {
    /// Begins a span of a trace.
    pub fn begin(
        trace: [u8; 16],
        parent: Option<[u8; 8]>,
        name: &'static str,
        kind: SpanKind,
        queue: Arc<SpanQueue>,
    ) -> Self {
        // Without random bytes from the system, the id is 1. Several spans with this id make the trace wrong, and have
        // no other effect.
        let id = getrandom::u64().unwrap_or(1).max(1).to_be_bytes();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began = (u64::try_from(since.as_nanos()).unwrap_or(u64::MAX), Instant::now());
        Self { trace, id, parent, name, kind, began, queue }
    }

    /// Begins a span inside this one.
    pub(crate) fn begin_child(&self, name: &'static str, kind: SpanKind) -> Self {
        Self::begin(self.trace, Some(self.id), name, kind, Arc::clone(&self.queue))
    }

    /// Returns the id of the trace in hexadecimal.
    pub fn trace(&self) -> String {
        const_hex::encode(self.trace)
    }

    /// Ends the span. `name` replaces its name, for example by the route of the request, which was unknown when the
    /// span began.
    pub fn end(&self, name: Option<String>, attributes: Vec<(&'static str, AttributeValue)>, is_error: bool) {
        let (began, since) = self.began;
        let took = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // A span that does not fit into the queue is dropped, so that no request waits until its trace is sent.
        let _ = self.queue.sender.try_send(FinishedSpan {
            trace: self.trace,
            id: self.id,
            parent: self.parent,
            name: name.unwrap_or_else(|| self.name.to_owned()),
            kind: self.kind,
            began,
            ended: began.saturating_add(took),
            attributes,
            is_error,
        });
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for AttributeValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}
