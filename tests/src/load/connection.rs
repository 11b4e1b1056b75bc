//! An HTTP connection that needs little processor time, so that the server gets the processors.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use httparse::{EMPTY_HEADER, Response, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest time that a client waits for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of headers of an answer.
const HEADERS: usize = 32;

/// The reason why a measurement failed.
pub(crate) type LoadError = Box<dyn std::error::Error>;

pub(crate) type RequestBytes = Vec<u8>;

/// A connection that sends one request after another.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The bytes of the answer that were read so far.
    answer: Vec<u8>,
}

impl Connection {
    /// Connects to a server.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, LoadError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::with_capacity(8 << 10) })
    }

    /// Sends a request like [`Connection::ask`], and fails if there is no answer within [`PATIENCE`].
    pub(crate) async fn ask_soon(&mut self, request: &RequestBytes) -> Result<(u16, &[u8]), LoadError> {
        timeout(PATIENCE, self.ask(request)).await?
    }

    /// Sends a request and reads the whole answer. Returns its status and its body.
    pub(crate) async fn ask(&mut self, request: &RequestBytes) -> Result<(u16, &[u8]), LoadError> {
        self.stream.write_all(request).await?;
        self.answer.clear();
        loop {
            if self.stream.read_buf(&mut self.answer).await? == 0 {
                return Err("the connection was closed before the end of an answer".into());
            }
            if let Some((status, start)) = whole(&self.answer)? {
                return Ok((status, &self.answer[start..]));
            }
        }
    }
}

/// The status of an answer, and the index at which its body begins. `None` while the answer is incomplete.
fn whole(answer: &[u8]) -> Result<Option<(u16, usize)>, LoadError> {
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut response = Response::new(&mut headers);
    let Status::Complete(start) = response.parse(answer)? else { return Ok(None) };
    let length = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length: usize = match length {
        Some(header) => str::from_utf8(header.value)?.parse()?,
        None => 0,
    };
    Ok((answer.len() >= start + length).then_some((response.code.unwrap_or_default(), start)))
}

pub(crate) fn get(path: &str) -> RequestBytes {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// Makes a POST request with a JSON body.
pub(crate) fn post(path: &str, body: &str) -> RequestBytes {
    let mut asked = Vec::new();
    put(&mut asked, &head(path, ""), "", body);
    asked
}

/// The beginning that all POST requests to one path share: method, path and headers.
pub(crate) fn head(path: &str, headers: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}")
}

/// Writes a POST request into `asked`, in place of the request that it holds.
pub(crate) fn put(asked: &mut RequestBytes, head: &str, headers: &str, body: &str) {
    asked.clear();
    // Writing to memory cannot fail.
    let _ = write!(asked, "{head}{headers}Content-Length: {}\r\n\r\n{body}", body.len());
}
