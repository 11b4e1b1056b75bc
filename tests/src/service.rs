//! Runs the program `pagade` as a process.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::redis_server::bound_files;

/// The argument for a process that gets no additional variables of the environment.
pub const NO_VARIABLES: &[(&str, &str)] = &[];

/// A running service. It is killed when this value is dropped.
#[derive(Debug)]
pub struct Service {
    /// The address of the service, such as `http://127.0.0.1:40123`.
    pub address: String,
    process: Child,
}

/// The file of the program `pagade`. Cargo builds it together with the tests.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let beside = test.ancestors().skip(1).take(2).map(|folder| folder.join("pagade"));
    beside.into_iter().find(|program| program.is_file()).expect("the program is built with the workspace's tests")
}

impl Service {
    /// Starts a service on a free port, with these arguments and these variables of the environment.
    pub fn start<V: AsRef<OsStr>>(arguments: &[&str], variables: &[(&str, V)]) -> Self {
        Self::try_start(arguments, variables).expect("it greets")
    }

    /// Starts a service like [`Service::start`]. Returns `None` if the service ends before it listens.
    pub fn try_start<V: AsRef<OsStr>>(arguments: &[&str], variables: &[(&str, V)]) -> Option<Self> {
        pagade::ground::tls::prepare();
        // The signal XFSZ ends a process that writes beyond the size limit of files. If the process ignores the
        // signal, only the write fails.
        let mut process = Command::new("env")
            .arg("--ignore-signal=XFSZ")
            .arg(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--unlimited"])
            .args(arguments)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built with the workspace's tests");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let greeting = lines.map_while(Result::ok).find(|line| line.contains("listens at"));
        let address = greeting.and_then(|greeting| greeting.rsplit(' ').next().map(str::to_owned));
        // If no greeting came, the process has ended, or it is killed when this value is dropped.
        let service = Self { address: address.clone().unwrap_or_default(), process };
        address.is_some().then_some(service)
    }

    /// The id of the process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Stops the service by SIGTERM and waits until it has ended.
    pub fn stop(mut self) {
        let process = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &process]).status().expect("`kill` is there");
        self.process.wait().expect("it ends");
    }

    /// Simulates a full disk: limits the size of the service's files to this number of bytes. `None` removes the limit.
    pub fn bound_files(&self, most: Option<u64>) {
        bound_files(self.process.id(), most);
    }

    /// Sends a signal to the service: `STOP` or `CONT`.
    pub fn signal(&self, name: &str) {
        let process = self.process.id().to_string();
        Command::new("kill").args([&format!("-{name}"), &process]).status().expect("`kill` is there");
    }

    /// Kills the service at once, even in the middle of a command.
    pub fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
