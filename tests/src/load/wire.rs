//! One kept HTTP connection, with as little around it as can be: the machine is to be busy with who answers.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use httparse::{EMPTY_HEADER, Response, Status};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer is waited for.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Most headers of an answer.
const HEADERS: usize = 32;

/// What went wrong on the way.
pub type Broken = Box<dyn std::error::Error>;

/// A request as it is sent.
pub type Asked = Vec<u8>;

/// A connection that is kept from request to request.
pub struct Wire {
    stream: TcpStream,
    /// What came in.
    answer: Vec<u8>,
}

impl Wire {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self, Broken> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, answer: Vec::with_capacity(8 << 10) })
    }

    /// As [`Wire::ask`], for as long as an answer may take.
    pub async fn ask_soon(&mut self, request: &Asked) -> Result<(u16, &[u8]), Broken> {
        timeout(PATIENCE, self.ask(request)).await?
    }

    /// Asks, and reads the whole answer: its status and its body.
    pub async fn ask(&mut self, request: &Asked) -> Result<(u16, &[u8]), Broken> {
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

/// The status of an answer, and where its body begins; `None` while there is more to come.
fn whole(answer: &[u8]) -> Result<Option<(u16, usize)>, Broken> {
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

/// A request that reads.
pub fn get(path: &str) -> Asked {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// A request with JSON.
pub fn post(path: &str, body: &str) -> Asked {
    let mut asked = Vec::new();
    put(&mut asked, &head(path, ""), "", body);
    asked
}

/// The part of requests with JSON that stays the same: method, path, headers.
pub fn head(path: &str, headers: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}")
}

/// Puts such a request together, in place of another one.
pub fn put(asked: &mut Asked, head: &str, headers: &str, body: &str) {
    asked.clear();
    // What is written to memory arrives there.
    let _ = write!(asked, "{head}{headers}Content-Length: {}\r\n\r\n{body}", body.len());
}
