//! A `redis-server` for one test. It has a free port and its own directory, which is removed with the test.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::wait::until_some;

/// Options by which every acknowledged write is on disk. This is the durability that the service expects by default.
pub const DURABLE: &[&str] = &["--appendonly", "yes", "--appendfsync", "always"];

/// A running `redis-server`.
#[derive(Debug)]
pub struct RedisServer {
    /// The port at which the server listens. It stays the same after a restart.
    pub port: u16,
    directory: PathBuf,
    arguments: Vec<String>,
    process: Option<Child>,
}

impl RedisServer {
    /// Starts a server with these arguments, such as [`DURABLE`].
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_as(&[], arguments)
    }

    /// Starts a server that has these lines as its configuration file. A sentinel needs such a file.
    pub fn start_as(lines: &[String], arguments: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("pagade-redis-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).expect("a directory can be made");
        let mut server = Self { port: free_port(), directory, arguments: Vec::new(), process: None };
        if !lines.is_empty() {
            let file = server.directory.join("redis.conf");
            std::fs::write(&file, lines.join("\n")).expect("a file can be written");
            server.arguments.push(file.display().to_string());
        }
        server.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        // If another process has taken the port meanwhile, the server does not start and another port is tried.
        while !server.run() {
            server.port = free_port();
        }
        server
    }

    /// The address of the server for the option `--store`.
    pub fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The id of the server's process. `None` while it does not run.
    pub fn process(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// The directory of the server's data.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Kills the server at once, even in the middle of a write.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it runs");
            process.wait().expect("it ends");
        }
    }

    /// Restarts the server on the same port and directory.
    pub fn restart(&mut self) {
        self.kill();
        assert!(self.run(), "port {} was taken meanwhile", self.port);
    }

    /// Runs `redis-cli` on this server with these words and returns its output.
    pub fn command(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli")
            .args(["-p", &self.port.to_string()])
            .args(words)
            .output()
            .expect("redis-cli is installed with redis-server");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Sends a signal to the server: `STOP` or `CONT`.
    pub fn signal(&self, name: &str) {
        let process = self.process.as_ref().expect("it runs").id().to_string();
        Command::new("kill").args([&format!("-{name}"), &process]).status().expect("`kill` is there");
    }

    /// Simulates a full disk: no file of the server can grow until it is restarted.
    pub fn fill_disk(&self) {
        bound_files(self.process.as_ref().expect("it runs").id(), Some(1));
    }

    /// Starts the process. Returns false if it ends at once, because its port is taken for example.
    fn run(&mut self) -> bool {
        let started = Command::new("env")
            .args(["--ignore-signal=XFSZ", "redis-server"])
            .args(&self.arguments)
            .args(["--port", &self.port.to_string(), "--save", "", "--bind", "127.0.0.1", "--dir"])
            .arg(&self.directory)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = self.process.insert(started.expect("`env` is there"));
        let what = format!("redis-server {} answers", process.id());
        until_some(Duration::from_secs(20), &what, || {
            if self.has_ended() {
                self.process = None;
                return Some(false);
            }
            (TcpStream::connect(("127.0.0.1", self.port)).is_ok() && self.is_up()).then_some(true)
        })
    }

    fn has_ended(&mut self) -> bool {
        let Some(process) = self.process.as_mut() else { return true };
        let ended = process.try_wait().expect("it can be asked");
        let is_missing = ended.is_some_and(|status| status.code() == Some(127));
        assert!(!is_missing, "redis-server is not installed: `tests/run` does it");
        ended.is_some()
    }

    /// Whether the server answers commands, so that it has loaded its data.
    fn is_up(&self) -> bool {
        let answer = self.command(&["PING"]);
        answer.contains("PONG") || answer.contains("NOAUTH")
    }
}

/// Limits the size of the files that a process writes to this number of bytes. `None` removes the limit.
pub fn bound_files(process: u32, most: Option<u64>) {
    let most = most.map_or_else(|| "unlimited".to_owned(), |most| most.to_string());
    let arguments = ["--pid".to_owned(), process.to_string(), format!("--fsize={most}:unlimited")];
    let bound = Command::new("prlimit").args(arguments).status().expect("`prlimit` is there");
    assert!(bound.success(), "prlimit");
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Finds a port that is free. The port with the number 10,000 higher is free, too, because a cluster node uses both.
fn free_port() -> u16 {
    loop {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
        if port < 55_000 && TcpListener::bind(("127.0.0.1", port + 10_000)).is_ok() {
            return port;
        }
    }
}
