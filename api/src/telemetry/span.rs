//! Spans: what was done for a request, from when to when.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::mpsc::Sender;

/// What a span is about, by the numbers of OTLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A request was answered.
    Server = 2,
    /// Somebody else was asked.
    Client = 3,
}

/// A value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(String),
    Number(u64),
}

/// A span that is over.
#[derive(Debug, Clone)]
pub struct Ended {
    pub trace: [u8; 16],
    pub id: [u8; 8],
    pub parent: Option<[u8; 8]>,
    pub name: String,
    pub kind: Kind,
    /// In nanoseconds since 1970.
    pub began: u64,
    /// In nanoseconds since 1970.
    pub ended: u64,
    pub attributes: Vec<(&'static str, Value)>,
    pub is_error: bool,
}

/// A span that is not over.
#[derive(Debug, Clone)]
pub struct Span {
    trace: [u8; 16],
    id: [u8; 8],
    parent: Option<[u8; 8]>,
    name: &'static str,
    kind: Kind,
    began: (u64, Instant),
    over: Arc<Over>,
}

/// Where spans go that are over.
#[derive(Debug)]
pub struct Over {
    /// Taken by whoever sends them on; when too many wait, they are lost.
    pub sender: Sender<Ended>,
}

impl Span {
    /// A span of a trace, from now on; `None` where the operating system gives no randomness.
    pub fn begin(trace: [u8; 16], parent: Option<[u8; 8]>, name: &'static str, kind: Kind, over: Arc<Over>) -> Self {
        // Ids need not be hard to guess, and a clash in a trace costs a wrong picture.
        let id = getrandom::u64().unwrap_or(1).max(1).to_be_bytes();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let began = (u64::try_from(since.as_nanos()).unwrap_or(u64::MAX), Instant::now());
        Self { trace, id, parent, name, kind, began, over }
    }

    /// A part of it begins.
    pub fn part(&self, name: &'static str, kind: Kind) -> Self {
        Self::begin(self.trace, Some(self.id), name, kind, Arc::clone(&self.over))
    }

    /// The trace, in hexadecimal.
    pub fn trace(&self) -> String {
        const_hex::encode(self.trace)
    }

    /// It is over; with a better name than the one that it began with.
    pub fn end(&self, name: Option<String>, attributes: Vec<(&'static str, Value)>, is_error: bool) {
        let (began, since) = self.began;
        let took = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        // When too many wait they are lost: requests do not wait for those who watch.
        let _ = self.over.sender.try_send(Ended {
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

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}
