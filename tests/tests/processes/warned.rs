//! Tests the warnings that the service logs when it starts.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use pagade_tests::redis_server::RedisServer;
use pagade_tests::service::program;

#[test]
fn a_start_on_a_less_durable_redis_logs_warnings() {
    let redis = RedisServer::start(&["--appendonly", "no", "--maxmemory-policy", "allkeys-lru"]);
    let mut service = Command::new(program())
        .args(["serve", "--listen", "127.0.0.1:0", "--store", &redis.address()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built with the workspace's tests");
    let log = BufReader::new(service.stderr.take().expect("it is piped")).lines().map_while(Result::ok);
    let warnings: Vec<String> = log.filter(|line| line.contains("WARN")).take(2).collect();
    service.kill().expect("it runs");
    service.wait().expect("it ends");
    for setting in ["appendonly", "maxmemory-policy"] {
        assert!(warnings.iter().any(|line| line.contains(setting)), "{warnings:?}");
    }
}
