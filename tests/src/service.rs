//! The program as a process of a test's own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::redis_server::bound_files;

/// No variables but those of the tests themselves.
pub const NO_VARIABLES: &[(&str, &str)] = &[];

/// A running service.
#[derive(Debug)]
pub struct Service {
    /// Where it listens, such as `http://127.0.0.1:40123`.
    pub address: String,
    process: Child,
}

/// The program, built beside the tests.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let beside = test.ancestors().skip(1).take(2).map(|folder| folder.join("pagade"));
    beside.into_iter().find(|program| program.is_file()).expect("the program is built with the workspace's tests")
}

impl Service {
    /// Starts one on a free port, with more arguments and with variables of the environment.
    pub fn start<V: AsRef<OsStr>>(arguments: &[&str], variables: &[(&str, V)]) -> Self {
        Self::try_start(arguments, variables).expect("it greets")
    }

    /// As [`Service::start`]; `None` where it ended before it listened.
    pub fn try_start<V: AsRef<OsStr>>(arguments: &[&str], variables: &[(&str, V)]) -> Option<Self> {
        pagade::ground::tls::prepare();
        // A file that may not grow is an error to it, not its end.
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
        // Where it does not greet it is gone, or goes with this.
        let service = Self { address: address.clone().unwrap_or_default(), process };
        address.is_some().then_some(service)
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Tells it to end, and waits until it has: what was begun is finished.
    pub fn stop(mut self) {
        let process = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &process]).status().expect("`kill` is there");
        self.process.wait().expect("it ends");
    }

    /// Lets none of its files grow beyond so many bytes, or again as it likes: a full disk.
    pub fn bound_files(&self, most: Option<u64>) {
        bound_files(self.process.id(), most);
    }

    /// Sends it a signal, `STOP` or `CONT`.
    pub fn signal(&self, name: &str) {
        let process = self.process.id().to_string();
        Command::new("kill").args([&format!("-{name}"), &process]).status().expect("`kill` is there");
    }

    /// Ends it at once, in the middle of whatever it does.
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
