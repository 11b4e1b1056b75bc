//! Starts the servers that are measured, the service and the yardstick (the smallest possible server), with their
//! stores.

use std::error::Error;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use pagade_tests::redis_server::RedisServer;
use pagade_tests::service::{NO_VARIABLES, Service};
use pagade_tests::wait::find_within;

use crate::processes::{ServerProcess, memory_kib};

/// The options of the Redis of both servers. It writes to disk every second.
const EVERY_SECOND: &[&str] = &["--appendonly", "yes", "--appendfsync", "everysec", "--save", ""];

/// The kind of store that a server uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// A Redis that writes its log to disk every second.
    Redis,
    /// An embedded store. Its writes are on disk before the request is answered.
    Embedded,
}

/// A running service that has its own store.
pub(crate) struct Pagade {
    service: Service,
    redis: Option<RedisServer>,
    _folder: Option<Folder>,
}

impl Pagade {
    /// Starts the service.
    pub(crate) fn start(store: Store) -> Self {
        match store {
            Store::Redis => {
                let redis = RedisServer::start(EVERY_SECOND);
                let address = format!("{}?durability=everysec", redis.address());
                let service = Service::start(&["--workers", "2", "--store", &address], NO_VARIABLES);
                Self { service, redis: Some(redis), _folder: None }
            }
            Store::Embedded => {
                let folder = Folder::new("pagade-load");
                let data = folder.0.display().to_string();
                let service = Service::start(&["--workers", "2", "--data", &data], NO_VARIABLES);
                Self { service, redis: None, _folder: Some(folder) }
            }
        }
    }

    /// The address at which the service listens.
    pub(crate) fn address(&self) -> SocketAddr {
        let address = self.service.address.trim_start_matches("http://");
        address.parse().expect("an address and a port")
    }

    /// The processes of the server and of its Redis.
    pub(crate) fn processes(&self) -> Vec<ServerProcess> {
        processes(self.service.process(), self.redis.as_ref())
    }

    /// The memory of the service, in KiB.
    pub(crate) fn memory_kib(&self) -> u64 {
        memory_kib(self.service.process())
    }
}

fn processes(server: u32, redis: Option<&RedisServer>) -> Vec<ServerProcess> {
    let redis = redis.and_then(RedisServer::process).map(|process| ("Redis", process));
    [("server", server)].into_iter().chain(redis).collect()
}

/// The yardstick: the smallest possible server.
pub(crate) struct Yardstick {
    /// The address at which the yardstick listens.
    pub address: SocketAddr,
    process: Child,
    redis: Option<RedisServer>,
    _folder: Folder,
}

impl Yardstick {
    /// Starts the yardstick's program with a store of this kind.
    pub(crate) fn start(program: &Path, store: Store) -> Result<Self, Box<dyn Error>> {
        let folder = Folder::new("yardstick-load");
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let redis = (store == Store::Redis).then(|| RedisServer::start(EVERY_SECOND));
        let mut command = Command::new(program);
        command.args(["--port", &port.to_string(), "--workers", "2", "--dir"]).arg(&folder.0);
        match &redis {
            Some(redis) => command.args(["--store", "redis", "--redis", &redis.address()]),
            None => command.args(["--store", "redb", "--durable"]),
        };
        let process = command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn()?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        find_within(Duration::from_secs(10), || TcpStream::connect(address).ok())
            .ok_or("the yardstick does not listen")?;
        Ok(Self { address, process, redis, _folder: folder })
    }

    /// The processes of the server and of its Redis.
    pub(crate) fn processes(&self) -> Vec<ServerProcess> {
        processes(self.process.id(), self.redis.as_ref())
    }

    /// Builds the yardstick from its sources. Returns `None` if the sources are not there or the build fails.
    pub(crate) fn build() -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        let folder = std::env::var_os("PAGADE_YARDSTICK_SERVER")
            .map_or_else(|| root.join("../shared/yardsticks/limit-server"), PathBuf::from);
        if !folder.join("Cargo.toml").is_file() {
            return None;
        }
        // A copy of the sources is built, so that their own folder does not change. `[workspace]` makes the copy a
        // workspace of its own, because it lies in a folder of this project.
        let [copy, target] = ["text", "built"].map(|part| root.join("target/yardstick-server").join(part));
        std::fs::create_dir_all(&copy).ok()?;
        Command::new("cp").arg("-Rp").arg(folder.join(".")).arg(&copy).status().ok().filter(ExitStatus::success)?;
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        std::fs::write(copy.join("Cargo.toml"), manifest + "\n[workspace]\n").ok()?;
        let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--release", "--quiet", "--bin", "limit"])
            .current_dir(&copy)
            .env("CARGO_TARGET_DIR", &target)
            .status();
        built.ok().filter(ExitStatus::success)?;
        Some(target.join("release/limit"))
    }
}

impl Drop for Yardstick {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A temporary folder, which is removed at the end.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a directory can be made");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
