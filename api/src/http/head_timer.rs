//! The time limit for the heads of the later requests of a connection. The HTTP library limits the first head itself.

use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use memchr::memmem;
use tokio::time::{Sleep, sleep};

/// The end of a head: that of its last line, and an empty line.
const END: &[u8] = b"\r\n\r\n";
/// The beginning of an answer that asks for the body of a request. Another answer follows it.
const CONTINUE: &[u8] = b"HTTP/1.1 100 ";

#[derive(Debug)]
pub(super) struct HeadTimer {
    /// Time that a client has to send a head.
    longest: Duration,
    /// Whether an answer was written.
    is_later: bool,
    /// Number of bytes of [`END`] that were read last. All of them: a head was read since the last answer.
    ended: usize,
    /// Runs while a head has begun and not ended.
    left: Option<Pin<Box<Sleep>>>,
}

impl HeadTimer {
    pub(super) fn new(longest: Duration) -> Self {
        Self { longest, is_later: false, ended: 0, left: None }
    }

    /// Notes what the client has sent.
    pub(super) fn note_read(&mut self, bytes: &[u8]) {
        if !self.is_later || self.ended == END.len() || bytes.is_empty() {
            return;
        }
        if bytes.ends_with(END) || memmem::find(bytes, END).is_some() {
            self.ended = END.len();
        } else {
            bytes.iter().for_each(|byte| self.follow(*byte));
        }
        if self.ended == END.len() {
            self.left = None;
        } else {
            self.left.get_or_insert_with(|| Box::pin(sleep(self.longest)));
        }
    }

    fn follow(&mut self, byte: u8) {
        self.ended = match self.ended {
            ended if ended == END.len() => ended,
            ended if END[ended] == byte => ended + 1,
            _ => usize::from(byte == END[0]),
        };
    }

    /// Notes what was written to the client.
    pub(super) fn note_written(&mut self, bytes: &[u8]) {
        if !bytes.starts_with(CONTINUE) {
            *self = Self { is_later: true, ..Self::new(self.longest) };
        }
    }

    /// Tells whether the client has used up the time for a head. If not, `context` is woken when it has.
    pub(super) fn is_over(&mut self, context: &mut Context<'_>) -> bool {
        self.left.as_mut().is_some_and(|left| left.as_mut().poll(context).is_ready())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_later_head_that_has_not_ended_is_timed() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut timer = HeadTimer::new(Duration::from_secs(10));
            timer.note_read(b"GET / HTTP/1.1\r\n");
            assert!(timer.left.is_none(), "the first head is that of the HTTP library");
            timer.note_written(b"HTTP/1.1 200 OK\r\n\r\n");
            assert!(timer.left.is_none(), "an idle connection");
            for (part, is_timed) in
                [("GET / HTTP/1.1\r\nHost: x\r", true), ("\n\r", true), ("\n{", false), ("{}", false)]
            {
                timer.note_read(part.as_bytes());
                assert_eq!(timer.left.is_some(), is_timed, "{part:?}");
            }
            timer.note_written(b"HTTP/1.1 100 Continue\r\n\r\n");
            timer.note_read(b"a body");
            assert!(timer.left.is_none());
            timer.note_written(b"HTTP/1.1 200 OK\r\n\r\n");
            timer.note_read(b"G");
            assert!(timer.left.is_some());
        });
    }
}
