//! Tests settings by flags, variables and file, and their check by `--check`.

use std::net::TcpListener;
use std::process::{Command, Output};

use serde_json::Value;

use crate::harness::{Server, TestStore};
use pagade_tests::redis_server::RedisServer;

fn serve(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_pagade"));
    program.arg("serve").args(arguments).envs(variables.iter().copied()).output().unwrap()
}

/// Runs the program with `--check`. Returns its output as JSON, and its exit code.
fn check(directory: &TestStore, arguments: &[&str], variables: &[(&str, &str)]) -> (Value, i32) {
    let data = directory.path().display().to_string();
    let basic = ["--check", "--json", "--listen", "127.0.0.1:0", "--data", &data];
    let output = serve(&[&basic, arguments].concat(), variables);
    let told = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    (told, output.status.code().unwrap())
}

fn setting<'t>(told: &'t Value, name: &str) -> (&'t str, &'t str) {
    let settings = told["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["name"] == name).unwrap();
    (setting["value"].as_str().unwrap(), setting["from"].as_str().unwrap())
}

/// Writes a configuration file into the directory of the test and returns its path.
fn file(directory: &TestStore, text: &str) -> String {
    std::fs::create_dir_all(directory.path()).unwrap();
    let path = directory.path().join("pagade.yaml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_flag_goes_before_a_variable_and_a_variable_before_the_file() {
    let directory = TestStore::new();
    let file = file(
        &directory,
        "rate-client: 1\nrate-token: 2\nrate-heavy: 3\nunlimited: true\nlog-json: true\n\
         cors-origin: [https://a.example, https://b.example]\n",
    );
    let variables = [
        ("PAGADE_CONFIG", file.as_str()),
        ("PAGADE_RATE_CLIENT", "10"),
        ("PAGADE_RATE_TOKEN", "20"),
        ("PAGADE_LOG_JSON", "false"),
    ];
    let (told, code) = check(&directory, &["--rate-client", "100"], &variables);
    assert_eq!(code, 0, "{told}");
    assert_eq!(setting(&told, "rate-client"), ("100", "flag"));
    assert_eq!(setting(&told, "rate-token"), ("20", "variable"));
    assert_eq!(setting(&told, "rate-heavy"), ("3", "file"));
    assert_eq!(setting(&told, "rate-create"), ("6000", "default"));
    assert_eq!(setting(&told, "unlimited"), ("on", "file"));
    assert_eq!(setting(&told, "log-json"), ("off", "variable"));
    assert_eq!(setting(&told, "cors-origin"), ("https://a.example, https://b.example", "file"));
    assert_eq!(setting(&told, "store"), ("the embedded store", "default"));
}

#[test]
fn settings_that_would_never_work_are_refused() {
    for (arguments, told) in [
        (["--workers", "513"], "0 to 512 threads are allowed"),
        (["--cors-origin", "not an origin"], "written as in https://app.example"),
        (["--cors-origin", "https://a.example/"], "browsers send this origin as https://a.example"),
        (["--cors-origin", "https://A.example:443"], "browsers send this origin as https://a.example"),
        (["--cors-origin", "file:///x"], "has no origin"),
        (["--client-header", "bad header"], "not the name of a header"),
        (["--client-header", ""], "not the name of a header"),
    ] {
        for check in [&["--check"][..], &[]] {
            let output = serve(&[check, &arguments].concat(), &[]);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
            assert!(said.contains(told), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn a_wrong_settings_file_is_refused_with_the_positions_of_its_mistakes() {
    let directory = TestStore::new();
    let file = file(&directory, "listen: 127.0.0.1:0\nrate-clients: 5\nworkers: many\n");
    let output = serve(&["--config", &file], &[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("pagade.yaml:2:1") && told.contains("did you mean `rate-client`?"), "{told}");
    assert!(told.contains("pagade.yaml:3:10") && told.contains("`workers` takes a whole number"), "{told}");
}

#[test]
fn checking_the_settings_changes_nothing_and_reports_on_the_store() {
    let directory = TestStore::new();
    let (told, code) = check(&directory, &[], &[]);
    assert_eq!(code, 0, "{told}");
    assert!(told["store"].as_str().unwrap().contains("no store yet"), "{told}");
    assert!(!directory.path().exists());
    let mut server = Server::start(&directory);
    server.hot_seat(serde_json::json!({}));
    let (told, code) = check(&directory, &[], &[]);
    assert_eq!(code, 2);
    assert!(told["errors"][0].as_str().unwrap().contains("already open"), "{told}");
    server.stop();
    let (told, code) = check(&directory, &[], &[]);
    assert_eq!((code, told["store"].as_str().unwrap().ends_with("others: 1 entities")), (0, true), "{told}");
}

#[test]
fn checking_the_settings_reports_errors_and_warnings() {
    let directory = TestStore::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = serve(&["--check", "--listen", &address, "--log", "pagade=loud", "--admin-token", "s3cret"], &[]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    for error in ["cannot listen on", "is not a log filter", "32 printable characters"] {
        assert!(told.contains(error), "{told}");
    }
    let (told, code) = check(&directory, &["--oidc-issuer", "https://accounts.example"], &[]);
    assert_eq!((code, told["errors"][0].to_string().contains("go together")), (2, true), "{told}");
    let redis = RedisServer::start(&["--appendonly", "no", "--requirepass", "s3cret"]);
    let store = redis.address().replace("redis://", "redis://:s3cret@");
    let token = "s3cret-s3cret-s3cret-s3cret-s3cret-s3cret";
    let (told, code) = check(&directory, &["--store", &store], &[("PAGADE_ADMIN_TOKEN", token)]);
    assert_eq!((code, told["store"].as_str()), (0, Some("Redis answers")), "{told}");
    let warnings = told["warnings"].to_string();
    assert!(warnings.contains("appendonly no") && warnings.contains("a secret is given as a flag"), "{told}");
    assert_eq!(setting(&told, "admin-token"), ("(hidden)", "variable"));
    assert!(!told.to_string().contains("s3cret"), "{told}");
    let (told, code) = check(&directory, &["--store", "redis://127.0.0.1:1"], &[]);
    assert_eq!((code, told["store"].is_null()), (2, true), "{told}");
}
