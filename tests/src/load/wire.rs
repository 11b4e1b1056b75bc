//! One kept HTTP connection.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, IF_MATCH};
use hyper::http::request::Builder;
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request with its whole body.
pub type Asked = Request<Full<Bytes>>;
/// What went wrong on the way.
pub type Broken = Box<dyn std::error::Error>;

/// A connection that is kept from request to request.
pub struct Wire(SendRequest<Full<Bytes>>);

impl Wire {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self, Broken> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::task::spawn_local(connection);
        Ok(Self(sender))
    }

    /// Asks, and reads the whole answer.
    pub async fn ask(&mut self, request: Asked) -> Result<(StatusCode, Bytes), Broken> {
        let answered = async {
            self.0.ready().await?;
            let answer = self.0.send_request(request).await?;
            let status = answer.status();
            Ok((status, answer.into_body().collect().await?.to_bytes()))
        };
        timeout(PATIENCE, answered).await?
    }
}

/// A request that reads.
pub fn get_at(path: Uri) -> Asked {
    asked(Method::GET, path).body(Full::default()).expect("what was read is plain")
}

/// A request with JSON.
pub fn post(path: &str, body: String) -> Asked {
    post_at(read(path), body)
}

/// As [`post`], to an address that was read before.
pub fn post_at(path: Uri, body: String) -> Asked {
    with_json(asked(Method::POST, path), body)
}

/// A request with JSON, with a token, on the version that was seen.
pub fn post_on(path: Uri, bearer: HeaderValue, version: u64, body: String) -> Asked {
    let version = HeaderValue::try_from(format!("\"{version}\"")).expect("a number is plain");
    with_json(asked(Method::POST, path).header(AUTHORIZATION, bearer).header(IF_MATCH, version), body)
}

/// An address, read once for all requests to it.
pub fn read(path: &str) -> Uri {
    path.parse().expect("paths are plain")
}

fn asked(method: Method, path: Uri) -> Builder {
    Request::builder().method(method).uri(path).header(HOST, HeaderValue::from_static("localhost"))
}

fn with_json(request: Builder, body: String) -> Asked {
    let json = HeaderValue::from_static("application/json");
    let request = if body.is_empty() { request } else { request.header(CONTENT_TYPE, json) };
    request.body(Full::from(body)).expect("what was read is plain")
}
