//! The program as a process of a test's own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A running service.
#[derive(Debug)]
pub struct Service {
    /// Where it listens, such as `http://127.0.0.1:40123`.
    pub address: String,
    process: Child,
}

/// The program, built beside the tests.
pub fn program() -> PathBuf {
    let mut path = std::env::current_exe().expect("a test has a file");
    path.pop();
    path.pop();
    path.join("pagade")
}

impl Service {
    /// Starts one on a free port, with more arguments and with variables of the environment.
    pub fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        pagade::tls::prepare();
        let mut process = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--unlimited"])
            .args(arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built with the workspace's tests");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let greeting = lines.map_while(Result::ok).find(|line| line.contains("listens at")).expect("it greets");
        let address = greeting.rsplit(' ').next().expect("the last word").to_owned();
        Self { address, process }
    }

    /// Tells it to end, and waits until it has: what was begun is finished.
    pub fn stop(mut self) {
        let process = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &process]).status().expect("`kill` is there");
        self.process.wait().expect("it ends");
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
