//! One kept HTTP connection.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, IF_MATCH};
use hyper::{Method, Request, StatusCode};
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
pub fn get(path: &str) -> Asked {
    asked(Method::GET, path, None, String::new())
}

/// A request with JSON; with a token on the version that was seen, where both are known.
pub fn post(path: &str, seen: Option<(&str, u64)>, body: String) -> Asked {
    asked(Method::POST, path, seen, body)
}

fn asked(method: Method, path: &str, seen: Option<(&str, u64)>, body: String) -> Asked {
    let mut request = Request::builder().method(method).uri(path).header(HOST, "localhost");
    if !body.is_empty() {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    if let Some((token, version)) = seen {
        request = request.header(AUTHORIZATION, format!("Bearer {token}")).header(IF_MATCH, format!("\"{version}\""));
    }
    request.body(Full::from(body)).expect("paths and tokens are plain")
}
