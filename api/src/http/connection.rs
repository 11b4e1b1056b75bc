//! Connections with clients, below HTTP.
//!
//! The HTTP library itself answers bytes that are not HTTP, before there is a request: a status, a few headers, no
//! body. A [`ClientConnection`] recognizes such an answer among the bytes that are written, and sends a problem
//! instead, so that every error of the service has the same form. It also closes a connection whose client does not end
//! the head of a later request ([`HeadTimer`]).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use memchr::memmem;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::http::errors::{self, REQUEST_ID};
use crate::http::head_timer::HeadTimer;

/// The statuses of the answers that the HTTP library makes by itself.
const BARE: [u16; 3] = [400, 408, 431];

#[derive(Debug)]
pub(crate) struct ClientConnection<S> {
    stream: S,
    replacement: Option<Replacement>,
    heads: HeadTimer,
}

/// A problem that is sent instead of an answer without a body.
#[derive(Debug)]
struct Replacement {
    /// The bytes of the problem that are not sent yet.
    rest: Bytes,
    /// Number of bytes of the answer that the problem replaces.
    replaces: usize,
}

impl<S> ClientConnection<S> {
    /// Makes the connection of an accepted stream. The client has the time `longest_head` for the head of a request.
    pub(crate) fn new(stream: S, longest_head: Duration) -> Self {
        Self { stream, replacement: None, heads: HeadTimer::new(longest_head) }
    }

    /// The stream of bytes.
    pub(crate) fn stream(&self) -> &S {
        &self.stream
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientConnection<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (this, before) = (self.get_mut(), bytes.filled().len());
        match Pin::new(&mut this.stream).poll_read(context, bytes) {
            // Nothing more is read, as if the client had closed the connection.
            Poll::Pending if this.heads.is_over(context) => Poll::Ready(Ok(())),
            polled => {
                this.heads.note_read(&bytes.filled()[before..]);
                polled
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientConnection<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.heads.note_written(bytes);
        let mut stream = Pin::new(&mut this.stream);
        if this.replacement.is_none() {
            match bare_answer(bytes) {
                None => return stream.poll_write(context, bytes),
                // Answers to earlier requests of the connection are written first.
                Some((start, _)) if start > 0 => return stream.poll_write(context, &bytes[..start]),
                Some((_, bare)) => {
                    let rest = errors::unreadable(bare.status, bare.head).into();
                    this.replacement = Some(Replacement { rest, replaces: bytes.len() });
                }
            }
        }
        let Some(Replacement { rest, replaces }) = &mut this.replacement else { return Poll::Ready(Ok(0)) };
        while rest.has_remaining() {
            match ready!(stream.as_mut().poll_write(context, rest))? {
                0 => return Poll::Ready(Ok(0)),
                written => rest.advance(written),
            }
        }
        let replaced = *replaces;
        this.replacement = None;
        Poll::Ready(Ok(replaced))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// An answer of the HTTP library without a body.
#[derive(Debug, PartialEq, Eq)]
struct BareAnswer<'b> {
    status: u16,
    /// The status line and the headers, without the empty line behind them.
    head: &'b str,
}

/// Finds an answer of the HTTP library at the end of these bytes, and the index at which it begins.
///
/// Such an answer is the last of its connection, has no body, and lacks the request id that every answer of the service
/// has.
fn bare_answer(bytes: &[u8]) -> Option<(usize, BareAnswer<'_>)> {
    const BEGIN: &str = "HTTP/1.1 ";
    let heads = bytes.strip_suffix(b"\r\n\r\n")?;
    let start = memmem::rfind(heads, BEGIN.as_bytes())?;
    let head = std::str::from_utf8(&heads[start..]).ok()?;
    let status = head[BEGIN.len()..].get(..3)?.parse().ok()?;
    let has_id = head.lines().any(|line| errors::names(line, REQUEST_ID.as_str()));
    let is_bare = BARE.contains(&status) && !head.contains("\r\n\r\n") && !has_id;
    is_bare.then_some((start, BareAnswer { status, head }))
}

#[cfg(test)]
mod tests {
    use super::bare_answer;

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

    #[test]
    fn an_answer_of_the_http_library_is_found_behind_other_answers() {
        for first in
            ["", "HTTP/1.1 204 No Content\r\nx-request-id: 1\r\n\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"]
        {
            let written = format!("{first}{BARE}");
            let (start, found) = bare_answer(written.as_bytes()).unwrap();
            assert_eq!((start, found.status), (first.len(), 400));
        }
    }

    #[test]
    fn other_bytes_are_left_as_they_are() {
        for other in [
            "",
            "\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nX-Request-Id: 1\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 4\r\n\r\n",
        ] {
            assert_eq!(bare_answer(other.as_bytes()), None, "{other:?}");
        }
    }
}
