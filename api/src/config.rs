//! What the service is told when it starts.

use std::net::SocketAddr;
use std::path::PathBuf;

/// How to serve.
#[derive(Debug, Clone)]
pub struct ServeConfig {
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Address of a Redis; none: the embedded store.
    pub store: Option<String>,
    /// Directory of the embedded store; made where it is missing.
    pub data: PathBuf,
    /// Origins whose scripts may call from browsers; `*` for all.
    pub cors_origins: Vec<String>,
    /// Threads that answer; 0: as many as there are cores.
    pub workers: usize,
    /// Seconds that requests in progress are given when the service closes.
    pub grace_seconds: u64,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            store: None,
            data: PathBuf::from("data"),
            cors_origins: Vec::new(),
            workers: 0,
            grace_seconds: 20,
        }
    }
}
