//! An HTTP connection that costs the machine as little as possible, so that the server gets the processors.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use httparse::{EMPTY_HEADER, Response, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest wait for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum number of headers of an answer.
const HEADERS: usize = 32;

/// Why a measurement failed.
pub(crate) type LoadError = Box<dyn std::error::Error>;

/// The bytes of a request.
pub(crate) type RequestBytes = Vec<u8>;

/// A connection for one request after another.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The bytes of the answer.
    answer: Vec<u8>,
}

impl Connection {
    /// Connects to a server.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, LoadError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::with_capacity(8 << 10) })
    }

    /// As [`Connection::ask`], no longer than [`PATIENCE`].
    pub(crate) async fn ask_soon(&mut self, request: &RequestBytes) -> Result<(u16, &[u8]), LoadError> {
        timeout(PATIENCE, self.ask(request)).await?
    }

    /// Sends a request and reads the whole answer: its status and its body.
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

/// The status of an answer, and where its body begins; `None` while it is incomplete.
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

/// A GET request.
pub(crate) fn get(path: &str) -> RequestBytes {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// A POST request with JSON.
pub(crate) fn post(path: &str, body: &str) -> RequestBytes {
    let mut asked = Vec::new();
    put(&mut asked, &head(path, ""), "", body);
    asked
}

/// The part that POST requests to one path share: method, path, headers.
pub(crate) fn head(path: &str, headers: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}")
}

/// Writes a POST request over another request.
pub(crate) fn put(asked: &mut RequestBytes, head: &str, headers: &str, body: &str) {
    asked.clear();
    // Writing to memory does not fail.
    let _ = write!(asked, "{head}{headers}Content-Length: {}\r\n\r\n{body}", body.len());
}
